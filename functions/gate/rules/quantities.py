"""Amounts and dates in a text, as values that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gate.rules.units import CARDINALS, CASED_UNITS, CURRENCIES, ORDINALS, SCALES, UNITS, VAGUE_WORDS

BARE = "number"
CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount.

    Attributes:
        text: as written.
        kind: what it measures: a dimension of `UNITS`, a currency code, `clock`, or `number` where no unit is named.
        values: its possible readings in the dimension's base unit ("1,234" may be 1234 or 1.234).
        written: the same readings in the unit written.
        slack: how far another of `values` may lie from it and still be the same amount.
        vague: a word such as "one", which may not be an amount.
        bound: 1 where it is the least ("more than", "or more"), -1 where it is the most, 0 where nothing says so.
    """

    text: str
    kind: str
    values: frozenset[float]
    written: frozenset[float]
    slack: float = 0.0
    vague: bool = False
    bound: int = 0

    @property
    def currency(self) -> bool:
        """Whether it is an amount of money."""
        return self.kind in CURRENCIES.values()


@dataclass(frozen=True, slots=True)
class Date:
    """A date, as far as it is given; None stands for what is not."""

    text: str
    year: int | None
    month: int | None
    day: int | None


_MONTHS = (
    "jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? "
    "nov(?:ember)? dec(?:ember)?"
)
_MONTH = rf"(?P<month>{_MONTHS.replace(' ', '|')})\.?"
_DATES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?P<year>\d{4})-(?P<m>\d{2})-(?P<day>\d{2})(?!\d)",
        r"(?P<year>\d{4})年(?P<m>\d{1,2})月(?:(?P<day>\d{1,2})日)?",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\.?(?: of)? {_MONTH}(?:,? (?P<year>\d{{4}}))?\b",
        rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<year>\d{{4}}))?\b",
        rf"\b{_MONTH},?(?: of)? (?P<year>\d{{4}})\b",
        r"(?<![\d./])(?P<day>\d{1,2})\.(?P<m>\d{1,2})\.(?P<year>\d{4})(?!\d)",
        r"(?<![\d./])(?P<m>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})(?!\d)",
        r"(?<![\d./])(?P<day>\d{1,2})/(?P<m>\d{1,2})/(?P<year>\d{4})(?!\d)",
    )
]

_ABOUT = re.compile(
    r"(?:about|around|approximately|approx\.|roughly|nearly|almost|some|circa|c\.|~|≈|over|under|more than|less than|"
    r"at least|at most|up to|well over)\s*(?:[$€£¥₹]\s?)?$",
    re.IGNORECASE,
)
_MORE = r"(?:more|greater|higher|larger|longer|older|heavier) than"
_LESS = r"(?:less|fewer|lower|smaller|shorter|younger|lighter) than"
_BOUND = re.compile(
    rf"(?i)\b(?:(?P<most>(?:no|not) {_MORE}|{_LESS}|at most|up to|under|below|a maximum of)|"
    rf"(?P<least>(?:no|not) {_LESS}|{_MORE}|at least|over|above|exceed(?:s|ed|ing)?|a minimum of))\s*(?:[$€£¥₹]\s?)?$"
)
_OR_SO = re.compile(
    r"(?i)(?:\+|\s(?:\w+\s)?or (?:more|over|above|older|longer|(?P<most>less|fewer|under|below|younger)))(?!\w)"
)
"""What makes an amount a bound, before it and after it; "no more than" is found before "more than"."""
_DIGITS = r"\d{1,3}(?:[,.'’\u00a0\u202f\u2009]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
_WORDS = rf"(?:{'|'.join([*CARDINALS, *ORDINALS])})(?:[ -](?:and )?(?:{'|'.join([*CARDINALS, *SCALES])})\b)*"
_SIGNS = sorted((name for name in CURRENCIES if not name.isalpha()), key=len, reverse=True)
_CODES = "|".join([*map(re.escape, _SIGNS), "USD", "EUR", "GBP", "JPY", "INR", "CHF", "CNY", "AUD", "CAD"])
_UNIT = "|".join(re.escape(name) for name in sorted([*UNITS, *CURRENCIES], key=len, reverse=True))
_AMOUNT = re.compile(
    rf"(?P<money>{_CODES})?\s?(?<![\w.,])(?<![a-z]-)(?<!\d{{4}}[-–/])(?:(?P<sign>[-−])(?=\d))?(?:(?P<digits>{_DIGITS})|\b(?P<words>{_WORDS})\b)"
    rf"(?P<ordinal>(?:st|nd|rd|th|['’]?s)\b)?(?:(?:\s|-)?(?P<scale>thousand|million|billion|trillion|mio|mn|bn|k)\b)?"
    rf"(?:\s?-?\s?(?P<unit>{_UNIT})(?![\w/]))?(?P<rest>[^\W\d_]\w*|[.,]\d)?",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?\s?(?P<half>[ap])\.?m\b\.?|\b(?P<h>\d{1,2}):(?P<m>\d{2})\b", re.I
)


@lru_cache(maxsize=1024)
def find_dates(text: str) -> tuple[Date, ...]:
    """Every reading of every date: 03/05/2024 is two."""
    return tuple(date for pattern in _DATES for match in pattern.finditer(text) if (date := _date(match)) is not None)


@lru_cache(maxsize=1024)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Every amount outside a date, in order; parts of names such as `GPT-4` or `3.11.2` are none."""
    for pattern in _DATES:
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    times = [_clock(match) for match in _TIME.finditer(text)]
    text = _TIME.sub(lambda match: " " * len(match[0]), text)
    return (*times, *_amounts(text))


def _date(match: re.Match[str]) -> Date | None:
    parts = match.groupdict()
    month = int(parts["m"]) if parts.get("m") else _month(parts["month"])
    day, year = (int(parts[name]) if parts.get(name) else None for name in ("day", "year"))
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return Date(match[0].strip(), year, month, day)


def _month(name: str) -> int:
    return [month[:3] for month in _MONTHS.split()].index(name.lower()[:3]) + 1


def _clock(match: re.Match[str]) -> Quantity:
    hour, minute = int(match["hour"] or match["h"]), int(match["minute"] or match["m"] or 0)
    if match["half"]:
        readings = [hour % 12 + (12 if match["half"].lower() == "p" else 0)]
    else:
        readings = [hour, hour + 12] if hour < 12 else [hour]
    minutes = frozenset(float(60 * reading + minute) for reading in readings)
    return Quantity(match[0], CLOCK, minutes, frozenset({float(hour)}))


def _amounts(text: str) -> Iterator[Quantity]:
    for match in _AMOUNT.finditer(text):
        if match["rest"] and match["digits"]:  # 3D, 4x4, 3.11.2: a name
            continue
        kind, size = _kind(match["money"] or match["unit"] or "")
        scale = SCALES[match["scale"].lower()] if match["scale"] else 1.0
        plain = _readings(match["digits"]) if match["digits"] else {_spoken(match["words"])}
        if match["ordinal"] and match["ordinal"].endswith("s"):  # the 1960s
            plain = {value + year for value in plain for year in range(10)}
        sign = -1 if match["sign"] and not text[: match.start("sign")].rstrip()[-1:].isdigit() else 1
        values = frozenset(round(sign * value * scale * size, 9) for value in plain)
        slack = _slack(match, text, scale * size, max(map(abs, values)))
        written = frozenset(sign * value * scale for value in plain)
        vague = (match["words"] or "").lower() in VAGUE_WORDS
        yield Quantity(match[0].strip(), kind, values, written, slack, vague, _bound(match, text))


def _kind(unit: str) -> tuple[str, float]:
    if unit in CASED_UNITS:
        return CASED_UNITS[unit]
    unit = unit.lower()
    if unit in CURRENCIES:
        return CURRENCIES[unit], 1.0
    return UNITS.get(unit, (BARE, 1.0))


def _bound(match: re.Match[str], text: str) -> int:
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    found = _BOUND.search(text[max(0, start - 25) : start]) or _OR_SO.match(text, match.end())
    return 0 if found is None else -1 if found["most"] else 1


def _slack(match: re.Match[str], text: str, unit: float, size: float) -> float:
    """Half of the last digit written where the number is plainly rounded; a tenth after "about"."""
    if _ABOUT.search(text[max(0, match.start() - 20) : match.start()].rstrip(" $€£¥₹") + " "):
        return size / 10
    decimals = re.search(r"[.,](\d+)$", match["digits"] or "")
    if decimals is None and not match["scale"]:
        return 0.0
    return float(0.5 * unit / 10 ** (len(decimals[1]) if decimals else 0))


def _readings(digits: str) -> set[float]:
    """The values that a number can have: which of comma and full stop divides thousands depends on the country."""
    digits = re.sub(r"['’\u00a0\u202f\u2009]", "", digits)
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


def _spoken(words: str) -> float:
    total = part = 0.0
    for word in re.split(r"[ -]", words.lower()):
        if word in SCALES:
            part = (part or 1) * SCALES[word]
            if word != "hundred":
                total, part = total + part, 0.0
        else:
            part += CARDINALS.get(word, ORDINALS.get(word, 0))
    return total + part
