"""Cuts an answer into blocks of prose, by its Markdown, keeping exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["prose", "heading", "code"]

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_RULE = re.compile(r"[ \t]*([-*_=][ \t]*){3,}$")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*\|?[ \t]*$")
_MARKER = re.compile(
    r"(?P<before>[ \t]*(?:>[ \t]?)*[ \t]*)"
    r"(?:(?:[-*+•–]|\(?(?P<number>\d{1,3})[.)]|\(?(?P<letter>[a-zA-Z])(?P<sign>[.)]))[ \t]+(?:\[[ xX]\][ \t]+)?)?"
)
_ENDS = re.compile(r"[.!?:;。！？：।]['\"”’»)*_\]]*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the text: `text[start:end]`, without its list marker or heading sign."""

    kind: Kind
    start: int
    end: int


def blocks(text: str) -> list[Block]:
    """Cut `text` into paragraphs, list items, table rows, headings and code; blank lines and rules are left out."""
    found: list[Block] = []
    paragraph: Block | None = None
    listed = False
    fence = ""
    lines = list(_lines(text))
    counted = _counted(line for _, line in lines)
    for start, line in lines:
        content = line.rstrip()
        running = text[paragraph.start : paragraph.end] if paragraph else ""
        opening = _FENCE.match(line)
        if fence or opening:
            paragraph = None
            found.append(Block("code", start, start + len(content)))
            fence = _fence_after(fence, opening[1] if opening else "", content)
        elif "|" in content and _TABLE_RULE.fullmatch(content):
            found[-1:] = [Block("heading", head.start, head.end) for head in found[-1:]]
            paragraph = None
        elif not content.strip() or _RULE.fullmatch(content):
            paragraph = None
        elif heading := _HEADING.match(line):
            paragraph = None
            found.append(Block("heading", start + heading.end(), start + len(content)))
        else:
            marker = _marker(line)
            item = _is_item(marker, counted, running, listed=listed)
            if paragraph and not item and not content.lstrip().startswith("|"):
                paragraph = Block("prose", paragraph.start, start + len(content))
                found[-1] = paragraph
            else:
                listed = item
                paragraph = Block(
                    "prose", start + (marker.end() if item else marker.end("before")), start + len(content)
                )
                found.append(paragraph)
    return [block for block in _join_code(found) if block.end > block.start]


def _marker(line: str) -> re.Match[str]:
    match = _MARKER.match(line)
    assert match is not None  # all of it is optional
    return match


def _counted(lines: Iterable[str]) -> frozenset[str | int]:
    """Numbers and letters that lines begin with as items of a list do."""
    markers = [_marker(line) for line in lines]
    numbers = {int(marker["number"]) for marker in markers if marker["number"]}
    letters = {ord(marker["letter"]) for marker in markers if marker["letter"]}
    return frozenset({*numbers, *map(chr, letters)})


def _is_item(marker: re.Match[str], counted: frozenset[str | int], running: str, *, listed: bool) -> bool:
    """Whether a line is an item of a list, so that what it begins with is a marker and states nothing.

    In "The limit is", "42. Above it nothing works" on two lines 42 is a figure: a number marks an item where it
    begins a list or counts on, and, as in CommonMark, where no sentence is cut by it.
    """
    if marker.end() == marker.end("before"):
        return False
    if marker["number"]:
        number = int(marker["number"])
        counts = number <= 1 or not counted.isdisjoint((number - 1, number + 1))
        return counts and (not running or listed or number == 1 or bool(_ENDS.search(running)))
    if marker["letter"]:
        near = (chr(ord(marker["letter"]) - 1), chr(ord(marker["letter"]) + 1))
        return not counted.isdisjoint(near) and (not running or marker["sign"] == ")")
    return True


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


def _fence_after(fence: str, mark: str, content: str) -> str:
    """The fence that is open after this line."""
    if not fence:
        return mark
    closes = mark and mark[0] == fence[0] and len(mark) >= len(fence) and content.strip() == mark
    return "" if closes else fence


def _join_code(found: list[Block]) -> list[Block]:
    """Make one block of the lines of one code block."""
    joined: list[Block] = []
    for block in found:
        last = joined[-1] if joined else None
        if block.kind == "code" and last is not None and last.kind == "code":
            joined[-1] = Block("code", last.start, block.end)
        else:
            joined.append(block)
    return joined
