"""What the lines of a list or the rows of a table come to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gate.decision.amounts import same
from gate.decision.reckoning.arithmetic import is_one
from gate.text.figures.quantities import BARE, Quantity, find_quantities

_LINE = re.compile(r"\s*(?:[-*+•|]|\d{1,3}[.)]\s)")
"""A line of a list or a table."""
_LEAST, _MOST = 2, 30


def totals(text: str, total: Quantity) -> Iterator[Sequence[Quantity]]:
    """The amounts of each list of a text that come to a total: the last amount of its kind in each line, as far as the
    line that is the total itself."""
    for lines in _lists(text):
        parts = list[Quantity]()
        for part in (part for line in lines[:_MOST] if (part := _last(line, total.kind))):
            if same(total, part) and _come_to(parts, total):
                break
            parts.append(part)
        if _come_to(parts, total):
            yield parts


def _come_to(parts: Sequence[Quantity], total: Quantity) -> bool:
    return len(parts) >= _LEAST and is_one(total, [sum(max(part.written) for part in parts)])


def _lists(text: str) -> Iterator[list[str]]:
    lines = list[str]()
    for line in (*text.split("\n"), ""):
        if _LINE.match(line):
            lines.append(line)
        elif lines:
            yield lines
            lines = []


def _last(line: str, kind: str) -> Quantity | None:
    found = [
        one for one in find_quantities(line[:400]) if not one.vague and (one.kind == kind or BARE in (one.kind, kind))
    ]
    return found[-1] if found else None
