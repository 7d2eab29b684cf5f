"""Cuts an answer into spans, each a sentence, a heading or a block of code, as rendered and with exact offsets."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gate.claims.attribution.source_marks import marks_behind, marks_end
from gate.claims.lines import BULLET
from gate.claims.markdown import Block, Kind, blocks
from gate.claims.tags import TEMPLATE
from gate.text.sentences import sentences

_ABBREVIATED = re.compile(
    r"\b(?:[Dd]ocs?|[Ss]ecs?|[Ff]igs?|[Cc]h|[Aa]rt|Abb|Abs|Kap|Nr|[Nn]os?|[Vv]ol|pp?|[Cc]ap|cf|vgl)\.$"
)
"""What stands before a number."""
_GOES_ON = re.compile(r"(?:\d\s?(?:[^\W\d_]{1,3}|[b-df-hj-np-tv-xz]{4})|(?:^|\s))\.$")
"""What a word in small letters goes on behind: a figure with its unit, "1 tsp. of soap", or a full stop by itself.

A whole word is no abbreviation: "90 days. parcels take 9 days." says two things.
"""

_RAISED = re.compile(r"(?<=[.!?])[⁰¹²³⁴-⁹]{1,3}\s+(?=[^\W\d_a-z])")
"""Numbers of notes between two sentences."""

_NUMBER = re.compile(r"\[?[\d⁰¹²³⁴-⁹]{1,3}\]?")
_NEXT = re.compile(r"\s+(?=[^\W\d_a-z])")

_TASK = re.compile(r"\s*\[[ xX]\](?=\s)")
"""The box of an item that is to be ticked off, as a page draws it."""

_TEMPLATES = re.compile(rf"(?:{TEMPLATE.pattern})(?:\s*+(?:{TEMPLATE.pattern}))*+")
_SIGN = re.compile(r"\S")

_WORD = re.compile(r"[^\W_]{2}")
_BESIDE = 8
"""Characters of a bullet or a blank beside what fills a line."""

WHOLE = ("heading", "head", "row", "code", "image", "unseen")
"""Kinds that are not cut into sentences."""


@dataclass(frozen=True, slots=True)
class Span:
    """`answer[start:end]` renders to `text`, blanks at its ends aside.

    Attributes:
        block, first, last: the same stretch of the rendered text: `blocks[block].text[first:last]`.
        announces: whether it is the label of the sentence behind it: "Short answer:".
        alone: whether nothing else stands on its line.
    """

    start: int
    end: int
    text: str
    kind: Kind
    block: int
    first: int
    last: int
    announces: bool = False
    alone: bool = False


def spans(answer: str) -> list[Span]:
    """Every span of `answer`, in order; together they hold every letter and digit that is no markup."""
    return spans_of(blocks(answer))


def spans_of(rendered: Sequence[Block]) -> list[Span]:
    """Every span of an answer's blocks, in order."""
    return [span for number, block in enumerate(rendered) for span in _of_block(number, block)]


def _of_block(number: int, block: Block) -> Iterator[Span]:
    left, right = len(block.text) - len(block.text.lstrip()), len(block.text.rstrip())
    for start, end, kind in _stretches(block):
        cut = [(max(left, start), min(right, end))] if kind in (*WHOLE, "template") else _sentences(block, start, end)
        for first, last in cut:
            if last > first:
                alone = _fills_line(block, first, last)
                yield Span(*block.source(first, last), block.text[first:last], kind, number, first, last, alone=alone)


def _fills_line(block: Block, first: int, last: int) -> bool:
    """Whether no word stands beside a stretch on its line."""
    behind = bisect_right(block.breaks, first)
    start = block.breaks[behind - 1] if behind else 0
    end = block.breaks[behind] if behind < len(block.breaks) else len(block.text)
    near = first - start <= _BESIDE and end - last <= _BESIDE
    return near and not _WORD.search(block.text[start:first]) and not _WORD.search(block.text[last:end])


def _stretches(block: Block) -> Iterator[tuple[int, int, Kind]]:
    """A block between the marks of a chat template, and those marks; the box of a task likewise."""
    box = _TASK.match(block.text) if block.kind == "item" else None
    at = box.end() if box else 0
    if box:
        yield box.start(), at, "unseen"
    for run in _TEMPLATES.finditer(block.text, at):
        for mark in () if _stands_within(block.text, run) else TEMPLATE.finditer(block.text, *run.span()):
            yield at, mark.start(), block.kind
            yield mark.start(), mark.end(), "template"
            at = mark.end()
    yield at, len(block.text), block.kind


def _stands_within(text: str, marks: re.Match[str]) -> bool:
    """Whether a sentence goes on behind marks of a template: no template puts them there, and their words are said."""
    first = marks.start()
    while first and text[first - 1].isspace():
        first -= 1
    before, behind = text[max(0, first - 1) : first], _SIGN.search(text, marks.end())
    goes_on = behind is not None and behind[0].isalnum() and not behind[0].isupper()
    return goes_on and (before.isalnum() or before in (",", ";"))


def _sentences(block: Block, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Sentences of a stretch of a block; a line that begins as an item of a list does is one by itself."""
    breaks = (at for at in (first, *block.breaks) if first <= at < last)
    items = [at for at in breaks if block.kind == "html" or BULLET.match(block.text, at)]
    for start, end in pairwise(sorted({first, *items, last})):
        marker = BULLET.match(block.text, start) if start in items else None
        start = marker.end() if marker else start
        cut = [(start + one, start + other) for one, other in sentences(block.text[start:end])]
        yield from _marked(block.text, _joined(block.text, _parted(block, cut)))


def _parted(block: Block, cut: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sentences again, cut where a raised number, or one that is a link, follows a full stop."""
    text, found, linked = block.text, [], _numbers_between(block)
    for first, last in cut:
        ends = [mark.end() for mark in _RAISED.finditer(text, first, last)]
        ends += linked[bisect_right(linked, first) : bisect_left(linked, last)]
        found += [(start, end) for start, end in pairwise([first, *sorted(ends), last]) if end > start]
    return found


def _numbers_between(block: Block) -> list[int]:
    """Where sentences begin behind links of numbers that follow a full stop: "It is so.[1](…) It was so."."""
    ends, before = list[int](), -2
    for start, end, _ in block.links:
        behind = start and (0 <= start - before <= 1 or block.text[start - 1] in ".!?")
        if behind and _NUMBER.fullmatch(block.text, start, end):
            before = end
            if next_one := _NEXT.match(block.text, end):
                ends.append(next_one.end())
    return ends


def _marked(text: str, cut: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The sentences again; marks between two of them belong to the first, or to the second where the text begins with
    marks: "It is so. [1] It was so. [2]", "[1] It is so. [2] It was so."."""
    held: tuple[int, int] | None = None
    ahead = False
    for first, last in cut:
        if held is None:
            ahead = marks_end(text, first) > first
        else:
            start = marks_behind(text, *held)
            start = first if start == held[1] else start
            end = min(marks_end(text, start), last)
            if (ahead and text[start - 1].isspace()) or end == start:
                held, first = (held[0], min(held[1], start)), start
            else:
                held, first = (held[0], start + len(text[start:end].rstrip())), end
            yield held[0], held[0] + len(text[slice(*held)].rstrip())
        held = (first, last)
    if held is not None and held[0] < held[1]:
        yield held


def _joined(text: str, cut: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The sentences again, with what an abbreviation has parted put together: before a number, or within a sentence."""
    start = None
    for number, (first, last) in enumerate(cut):
        start = first if start is None else start
        following = text[cut[number + 1][0]] if number + 1 < len(cut) else ""
        abbreviated = _ABBREVIATED if following.isdigit() else _GOES_ON if following.islower() else None
        if not (abbreviated and abbreviated.search(text, max(start, last - 8), last)):
            yield start, last
            start = None
