"""Numbers as they are written: digits, fractions, number words."""

from __future__ import annotations

import re

from gate.text.figures.numbers import CARDINALS, ORDINALS, SCALES

_GROUPS = r"(?<![\d)] )(?:\d{2,3}(?: \d{3})+|\d(?: \d{3}){2,})(?!\d|[ .,-]\d)"
_BEFORE_WHAT_IS_COUNTED = r"(?=\s?[%‰€$£)]|[ -](?-i:[a-zà-ÿ]))"
DIGITS = (
    rf"(?<=[$€£¥]){_GROUPS}|{_GROUPS}{_BEFORE_WHAT_IS_COUNTED}"
    r"|\d{1,3}(?:[,.'’\u00a0\u202f\u2009]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
)
"""Groups of three digits behind plain blanks are one number behind a sign of money, or before a word, a sign or a
bracket: "12 500 kg", as science writes it, which writes "1500" without one: "1 400 g tin" is two. Of 121 in abstracts
of SciFact all are one (2026-11-26)."""
RATIO = r"(?:1[/⁄](?:[2-9]|10|16)|2[/⁄][35]|3[/⁄][458]|4[/⁄]5|[57][/⁄]8)(?![\d/⁄])"
SCALE = "|".join(sorted((name for name in SCALES if name != "k"), key=len, reverse=True))
_CARDINAL, _ORDINAL = "|".join(CARDINALS), "|".join(ORDINALS)
_ORDINAL_END = re.compile(rf"(?i)(?:{_ORDINAL})$")
WORDS = (
    rf"(?:[a-z]{{3,4}}ty-(?:{_ORDINAL})|half an?|{_ORDINAL}"
    rf"|(?:{_CARDINAL}|an?(?=[ -](?:{SCALE})\b))(?:[ -](?:and )?(?:{_CARDINAL}|{SCALE})\b)*)"
)
BEGINS = rf"\d|\b(?:(?:{_CARDINAL}|{_ORDINAL}|half|an?(?=[ -](?:{SCALE})\b))\b|[a-z]{{3,4}}ty-)"
"""How each of these begins, in small letters."""
HALF = ("half a", "half an")
"""What is a number before a scale or a unit alone."""
_VAGUE = re.compile(rf"(?i)(?:half an?|an? (?:{SCALE}))$")
"""How a number in words begins that is no exact one: "half an hour", "a million"."""


def readings(digits: str) -> set[float]:
    """The values that a number can have: which of comma and full stop divides thousands depends on the country."""
    digits = re.sub(r"['’ \u00a0\u202f\u2009]", "", digits)
    separators = [sign for sign in digits if sign in ",."]
    if not separators:
        return {float(digits)}
    last = separators[-1]
    whole, _, decimals = digits.rpartition(last)
    readings = set()
    if len(decimals) == 3:
        readings.add(float(digits.replace(",", "").replace(".", "")))
    if separators.count(last) == 1:
        readings.add(float(re.sub("[,.]", "", whole) + "." + decimals))
    return readings or {float(re.sub("[,.]", "", digits))}


def ratio(whole: str | None, parts: str) -> float:
    """The value of "1 1/2"."""
    over, under = re.split("[/⁄]", parts)
    return int(whole or 0) + int(over) / int(under)


def ordinal(words: str) -> bool:
    """Whether number words give a place in an order."""
    return bool(_ORDINAL_END.search(words))


def inexact(words: str) -> bool:
    """Whether number words give a round amount: "a million", "half an" hour."""
    return bool(_VAGUE.match(words))


def spoken(words: str) -> float:
    """The value of number words."""
    if words.lower() in HALF:
        return 0.5
    total = part = 0.0
    for word in re.split(r"[ -]", words.lower()):
        if word in SCALES:
            part = (part or 1) * SCALES[word]
            if word != "hundred":
                total, part = total + part, 0.0
        else:
            part += CARDINALS.get(word, ORDINALS.get(word, 0))
    return total + part
