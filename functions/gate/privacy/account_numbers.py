"""Payment cards and bank accounts: numbers with check digits, so that what only looks alike stays."""

from __future__ import annotations

import re

from gate.privacy.patterns import BLANKS, DASHES, Rule

CARD = re.compile(f"(?<![\\d.])(?<!\\d[{DASHES}])[2-6]\\d{{3}}(?:[{BLANKS}{DASHES}]?\\d){{9,15}}(?![\\d])(?!\\.\\d)")

_BRANDS = re.compile(
    r"4\d{12}(?:\d{3}){0,2}"  # Visa
    r"|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"  # Mastercard
    r"|3[47]\d{13}"  # American Express
    r"|(?:6011|65\d\d|64[4-9]\d)\d{12}"  # Discover
    r"|62\d{14,17}"  # UnionPay
    r"|35(?:2[89]|[3-8]\d)\d{12}"  # JCB
    r"|3(?:0[0-5]|[68]\d)\d{11}"  # Diners Club
    r"|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{8,15}"  # Maestro
)
_IBAN_COUNTRIES = {
    15: "NO",
    16: "BE",
    18: "DK FI FK FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
}
"""Characters of an account number → the countries whose numbers are so long (SWIFT IBAN registry)."""
_FORMS = "|".join(
    f"(?:{countries.replace(' ', '|')})\\d{{2}}(?:[{BLANKS}\\-]?[A-Z0-9]){{{length - 4}}}"
    for length, countries in _IBAN_COUNTRIES.items()
)
IBAN = re.compile(f"(?<![A-Za-z0-9])(?:{_FORMS})(?![A-Za-z0-9])", re.IGNORECASE)


def is_card(text: str, start: int, end: int) -> bool:
    """Whether the digits have a brand's prefix and length, and the check digit of ISO/IEC 7812 (Luhn)."""
    digits = [int(character) for character in text[start:end] if character.isdigit()]
    if not _BRANDS.fullmatch("".join(map(str, digits))) or len(set(digits)) == 1:
        return False
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def is_iban(text: str, start: int, end: int) -> bool:
    """Whether the check digits are right: the remainder of ISO 13616 is 1."""
    number = "".join(character for character in text[start:end] if character.isalnum())
    return int("".join(str(int(character, 36)) for character in number[4:] + number[:4])) % 97 == 1


CARDS: tuple[Rule, ...] = (Rule("CARD", "card", CARD, is_card),)
IBANS: tuple[Rule, ...] = (Rule("IBAN", "iban", IBAN, is_iban),)
