"""Dates in a text, as values that can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Date:
    """A date, as far as it is given, None standing for what is not; and where it begins."""

    text: str
    year: int | None
    month: int | None
    day: int | None
    start: int


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


@lru_cache(maxsize=1024)
def find_dates(text: str) -> tuple[Date, ...]:
    """Every reading of every date: 03/05/2024 is two."""
    return tuple(date for pattern in _DATES for match in pattern.finditer(text) if (date := _date(match)) is not None)


def without_dates(text: str) -> str:
    """The text with blanks for its dates; "46 November" is none, and its 46 a number as any other."""
    for pattern in _DATES:
        text = pattern.sub(lambda match: " " * len(match[0]) if _date(match) else match[0], text)
    return text


def _date(match: re.Match[str]) -> Date | None:
    parts = match.groupdict()
    month = int(parts["m"]) if parts.get("m") else _month(parts["month"])
    day, year = (int(parts[name]) if parts.get(name) else None for name in ("day", "year"))
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return Date(match[0].strip(), year, month, day, match.start())


def _month(name: str) -> int:
    return [month[:3] for month in _MONTHS.split()].index(name.lower()[:3]) + 1
