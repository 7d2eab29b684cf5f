"""Shares, factors and repetitions in words: "a third of", "doubled", "twice a week"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gate.text.figures.letters import small
from gate.text.figures.numbers import CARDINALS, FACTORS, FRACTIONS, REPEATS
from gate.text.figures.units import Unit, Units

SHARE, FACTOR, TIMES = "percent", "factor", "times"


@dataclass(frozen=True, slots=True)
class Multiple:
    """A share, factor or repetition: what it may measure, and how much of it."""

    start: int
    end: int
    units: Units
    value: float
    slack: float = 0.0


_COUNTS = "|".join(word for word, value in CARDINALS.items() if 0 < value < 10)
_PARTS = "|".join(FRACTIONS)
_HALVES = "half|hälfte|moitié|mitad"
_OF = r"(?=\s(?:of|der|des|de|du|d['’]|von|aller)\b)"
_BY = r"(?:by|in|um|de)\s"
_FEW = "one|an?|eine?n?|une?"
_PATTERN = re.compile(
    rf"(?<!\w)(?:{_BY}(?:(?:{_FEW})[ -](?P<by>{_PARTS})|(?:(?:die|la)\s)?(?P<by_half>{_HALVES}))"
    r"(?![\w-]|\s(?:an?|past)\b)"
    rf"|(?:(?P<count>{_COUNTS}|\d)[ -](?P<part>{_PARTS})(?!-)|(?:{_FEW})\s(?P<one>{_PARTS}){_OF}"
    rf"|(?<!first )(?<!second )(?<!latter )(?<!early )(?<!late )(?P<half>{_HALVES})(?:{_OF}|(?=\sthe\b))"
    rf"|(?P<factor>{'|'.join(FACTORS)})|(?P<repeat>{'|'.join(REPEATS)})(?P<often>\s(?:an?|per|every|each|pro|im|am)\b"
    rf"|\s(?:daily|weekly|monthly|yearly|annually|täglich|wöchentlich|monatlich|jährlich)\b)?)(?!\w))"
)
_HALF_ROOM, _ROOM = 2.5, 1.0
"""Percentage points by which a share in words may be rounded."""


def find_multiples(text: str) -> Iterator[Multiple]:
    """Every one of them, in order."""
    for match in _PATTERN.finditer(small(text)):
        found = _multiple(match)
        if found is not None:
            yield found


def _multiple(match: re.Match[str]) -> Multiple | None:
    start, end = match.span()
    if match["factor"]:
        return Multiple(start, end, (Unit(FACTOR),), FACTORS[match["factor"]])
    if match["repeat"]:
        value = REPEATS[match["repeat"]]
        if value == 1 and not match["often"]:  # "once" is a time past as well
            return None
        units = (Unit(TIMES),) if match["often"] else (Unit(TIMES), Unit(FACTOR))
        return Multiple(start, match.end("repeat"), units, value)
    counted = match["count"] or "one"
    parts = FRACTIONS[match["part"] or match["one"] or match["by"] or match["by_half"] or match["half"]]
    share = (int(counted) if counted.isdecimal() else CARDINALS[counted]) / parts
    room = (_HALF_ROOM if parts == 2 else _ROOM) / 100
    units = (Unit(SHARE, 100), Unit(FACTOR)) if match["by_half"] else (Unit(SHARE, 100),)
    return Multiple(start, end, units, share, room)
