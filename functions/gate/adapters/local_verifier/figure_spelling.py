"""A claim with its figures written as its evidence writes them: "£12" as "12 pounds", "18:00" as "6 pm".

An encoder compares words. Beside "12 pounds" it takes "£12" for another amount, though it is the same. Written so is
only what is the same for certain: "1 million" is no "500,000", and "6 pm" no "6:00", which may be the morning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isclose

from gate.decision.amounts import same
from gate.text.composed import composed
from gate.text.figures.dates import Date, find_dates
from gate.text.figures.quantities import CLOCK, Quantity, find_quantities

_READINGS = 2
"""Readings that two figures may have together beyond one: "1,500" beside "1500", but not beside "1.500"."""


def as_written(claim: str, evidence: Sequence[str]) -> str:
    """Write each amount and date of a claim as the first text that has it does; what a text writes so already stays."""
    plain, texts = composed(claim), [composed(text) for text in evidence]
    pieces, at = list[str](), 0
    for start, end, alike in sorted((*_amounts(plain, texts), *_dates(plain, texts))):
        instead = _instead(plain[start:end], alike, evidence)
        if instead and start >= at:
            pieces += [plain[at:start], instead]
            at = end
    return "".join(pieces) + plain[at:] if pieces else claim


def _amounts(claim: str, texts: Sequence[str]) -> Iterator[tuple[int, int, list[str]]]:
    """Where each begins and ends, and how the texts write it."""
    for stated in find_quantities(claim):
        if not (stated.vague or stated.spelled):
            alike = [_written(one, text) for text in texts for one in find_quantities(text) if _stands_for(one, stated)]
            yield stated.start, stated.start + len(_written(stated, claim)), alike


def _written(found: Quantity, text: str) -> str:
    """Without its period, and the full stop that may end "6 p.m."."""
    return text[found.start : found.end].removesuffix(".")


def _stands_for(there: Quantity, stated: Quantity) -> bool:
    """Whether one can be written for the other as it is: of one kind, counted by the same, and neither rounded."""
    alike = (stated.kind, stated.ordinal) == (there.kind, there.ordinal) and stated.per == there.per
    if not alike or there.spelled or not same(stated, there):
        return False
    ours, theirs = _values(stated), _values(there)
    certain = len(ours) * len(theirs) <= (1 if stated.kind == CLOCK else _READINGS)
    return certain and isclose(max(ours), max(theirs))


def _values(found: Quantity) -> list[float]:
    """In the unit that such amounts are measured by; "06:00" is no hour of the evening."""
    unit = found.units[0]
    written = [min(found.written)] if found.kind == CLOCK and found.text.startswith("0") else found.written
    return [unit.zero + value * unit.size for value in written]


def _dates(claim: str, texts: Sequence[str]) -> Iterator[tuple[int, int, list[str]]]:
    for stated in _certain(claim):
        alike = [one.text for text in texts for one in _certain(text) if one.parts == stated.parts]
        yield stated.start, stated.start + len(stated.text), alike


def _certain(text: str) -> list[Date]:
    """Dates that are read in one way alone, as 03/05/2024 is not."""
    found = dict[int, list[Date]]()
    for date in find_dates(text):
        found.setdefault(date.start, []).append(date)
    return [dates[0] for dates in found.values() if len({date.parts for date in dates}) == 1]


def _instead(written: str, alike: Iterable[str], evidence: Sequence[str]) -> str:
    """The first way to write it; empty where the evidence writes it as it is.

    What is nowhere so in the evidence itself, as "30^1" for 30 with the mark of a note, is not taken over.
    """
    offered = [text for text in dict.fromkeys(alike) if any(text in one for one in evidence)]
    return offered[0] if offered and written.casefold() not in map(str.casefold, offered) else ""
