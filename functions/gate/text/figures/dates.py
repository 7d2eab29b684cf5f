"""Dates in a text, as values that can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from gate.text.figures.letters import blanked, small


@dataclass(frozen=True, slots=True)
class Date:
    """A date, as far as it is given, None standing for what is not; and where it begins."""

    text: str
    year: int | None
    month: int | None
    day: int | None
    start: int

    @property
    def parts(self) -> tuple[int | None, int | None, int | None]:
        """Year, month and day."""
        return self.year, self.month, self.day


_MONTHS = (
    "jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? "
    "nov(?:ember)? dec(?:ember)?"
)
_VERBS = ("may", "march")
"""Months that are words too in small letters, where no year follows."""
_MONTH = rf"(?P<month>{_MONTHS.replace(' ', '|')})\.?"
_WORD, _FIGURE = r"(?<!\w\d)", r"(?<![\d./]\d)"
"""Behind the first digit: it begins a word, or a figure. That stands behind it because a pattern that begins with a
digit is looked for twice as fast as one that begins with an edge."""
_DATES = [
    (sign, re.compile(pattern))
    for sign, pattern in (
        ("-", rf"(?P<year>\d{_WORD}\d{{3}})-(?P<m>\d\d)-(?P<day>\d\d)(?!\d)"),
        ("年", r"(?P<year>\d\d\d\d)年(?P<m>\d{1,2})月(?:(?P<day>\d{1,2})日)?"),
        ("", rf"(?P<day>\d{_WORD}\d?)(?:st|nd|rd|th)?\.?(?: of)? {_MONTH}(?:,? (?P<year>\d{{4}}))?\b"),
        ("", rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,? (?P<year>\d{{4}}))?\b"),
        ("", rf"\b{_MONTH},?(?: of)? (?P<year>\d{{4}})\b"),
        (".", rf"(?P<day>\d{_FIGURE}\d?)\.(?P<m>\d\d?)\.(?P<year>\d{{4}})(?!\d)"),
        ("/", rf"(?P<m>\d{_FIGURE}\d?)/(?P<day>\d\d?)/(?P<year>\d{{4}})(?!\d)"),
        ("/", rf"(?P<day>\d{_FIGURE}\d?)/(?P<m>\d\d?)/(?P<year>\d{{4}})(?!\d)"),
    )
]
"""What a text must hold to be looked through, and what is looked for in its small letters."""


@lru_cache(maxsize=1024)
def find_dates(text: str) -> tuple[Date, ...]:
    """Every reading of every date: 03/05/2024 is two."""
    low = small(text)
    found = (_date(match, text) for sign, pattern in _DATES if sign in text for match in pattern.finditer(low))
    return tuple(date for date in found if date is not None)


def without_dates(text: str) -> str:
    """The text with blanks for its dates; "46 November" is none, and its 46 a number as any other."""
    if not find_dates(text):
        return text
    for _, pattern in _DATES:
        dates = [match.span() for match in pattern.finditer(small(text)) if _date(match, text) is not None]
        text = blanked(text, dates)
    return text


def _date(match: re.Match[str], text: str) -> Date | None:
    parts = match.groupdict()
    if parts.get("month") in _VERBS and not parts.get("year") and text[match.start("month")].islower():
        return None  # "type 5 may be"
    month = int(parts["m"]) if parts.get("m") else _month(parts["month"])
    day, year = (int(parts[name]) if parts.get(name) else None for name in ("day", "year"))
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return Date(text[match.start() : match.end()].strip(), year, month, day, match.start())


def _month(name: str) -> int:
    return [month[:3] for month in _MONTHS.split()].index(name[:3]) + 1
