"""What an amount is a rate of: "per week", "a day", "/h", "monthly", "pro Woche", "par mois"."""

from __future__ import annotations

import re
from typing import NamedTuple

from gate.text.figures.units import ADVERBS, PERIODS, Unit

_NEAR = 80
"""Characters on either side of an amount."""
_WORDS = 4
"""Words before it among which an adverb may be: "a daily dose of 5 mg"."""
_WORD = r"[^\W\d_]{1,30}"
_PER = re.compile(
    rf"(?i)(?:(?:\s{_WORD}){{0,2}}?\s(?:per|pro|par|por|each|every|al)\s|\s(?:an?|im|am)\s|\s?/\s?)(?P<period>{_WORD})(?!\w)"
)
_ADVERB = "|".join(ADVERBS)
_AFTER = re.compile(rf"(?i)(?:\s{_WORD})?\s(?P<adverb>{_ADVERB})(?!\w)")


class Rate(NamedTuple):
    """The unit of the period, or other amount, that an amount is counted by, and where its name ends behind it."""

    unit: Unit
    end: int


def rate_of(text: str, start: int, end: int) -> Rate | None:
    """What the amount at `text[start:end]` is a rate of; None where it is none."""
    after = text[end : end + _NEAR]
    per = _PER.match(after)
    if per and per["period"].lower() in PERIODS:
        return Rate(PERIODS[per["period"].lower()], end + per.end())
    adverb = _AFTER.match(after)
    if adverb:
        return Rate(PERIODS[ADVERBS[adverb["adverb"].lower()]], end + adverb.end())
    words = text[max(0, start - _NEAR) : start].lower().split()[-_WORDS:]
    before = next((word for word in words if word in ADVERBS), None)
    return Rate(PERIODS[ADVERBS[before]], end) if before else None
