"""What is edited, as a unified diff: made from the edits themselves, in linear time."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise

from gate.reports.corrected.edits import Change, applied

CONTEXT = 3
"""Lines that are shown on either side."""
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(slots=True)
class _Block:
    """Lines `first` to `last`, the latter left out, and the changes in them."""

    first: int
    last: int
    changes: list[Change] = field(default_factory=list)


def unified(text: str, changes: Sequence[Change], name: str) -> str:
    """Return the changes, in order and apart, as a diff; empty where there are none.

    Args:
        name: of the text, on one line.
    """
    lines = _LINE.findall(text)
    starts = [0, *accumulate(map(len, lines))][: len(lines)]
    blocks = _blocks(changes, starts)
    shift, found = 0, []
    for _, group in groupby(enumerate(blocks), key=_nearness(blocks)):
        hunk = [block for _, block in group]
        body, removed, added = _body(lines, starts, hunk)
        first = max(0, hunk[0].first - CONTEXT)
        found.append(f"@@ -{_span(first, removed)} +{_span(first + shift, added)} @@\n")
        found += body
        shift += added - removed
    return "".join([f"--- a/{name}\n", f"+++ b/{name}\n", *found]) if found else ""


def _blocks(changes: Sequence[Change], starts: Sequence[int]) -> list[_Block]:
    found: list[_Block] = []
    for change in changes:
        first = bisect_right(starts, change.start) - 1
        last = max(first + 1, bisect_left(starts, change.end))
        if change.end > change.start > starts[first] and starts[last : last + 1] == [change.end]:
            last += 1  # the line behind is joined
        if found and first < found[-1].last:
            found[-1].last = max(last, found[-1].last)
            found[-1].changes.append(change)
        else:
            found.append(_Block(first, last, [change]))
    return found


def _nearness(blocks: Sequence[_Block]) -> Callable[[tuple[int, _Block]], int]:
    far = (now.first - before.last > 2 * CONTEXT for before, now in pairwise(blocks))
    hunks = [0, *accumulate(far)]
    return lambda one: hunks[one[0]]


def _body(lines: Sequence[str], starts: Sequence[int], blocks: Sequence[_Block]) -> tuple[list[str], int, int]:
    """The lines of a hunk; how many of them are of the text as it was, and as it will be."""
    found: list[tuple[str, str]] = []
    at = max(0, blocks[0].first - CONTEXT)
    for block in blocks:
        found += ((" ", line) for line in lines[at : block.first])
        begin = starts[block.first]
        before = "".join(lines[block.first : block.last])
        moved = [Change(one.start - begin, one.end - begin, one.text) for one in block.changes]
        found += (("-", line) for line in lines[block.first : block.last])
        found += (("+", line) for line in _LINE.findall(applied(before, moved)))
        at = block.last
    found += ((" ", line) for line in lines[at : at + CONTEXT])
    marks = [mark for mark, _ in found]
    return list(map(_as_text, found)), len(marks) - marks.count("+"), len(marks) - marks.count("-")


def _as_text(line: tuple[str, str]) -> str:
    whole = "".join(line)
    return whole if whole.endswith("\n") else f"{whole}\n\\ No newline at end of file\n"


def _span(first: int, count: int) -> str:
    return f"{first + bool(count)},{count}"
