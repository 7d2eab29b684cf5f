"""Cuts an answer into blocks of prose, by its Markdown, keeping exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["prose", "heading", "code"]

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_RULE = re.compile(r"[ \t]*([-*_=][ \t]*){3,}$")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*\|?[ \t]*$")
_MARKER = re.compile(
    r"[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?"
)
_STARTS_ITEM = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\))[ \t]+")


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
    fence = ""
    for start, line in _lines(text):
        content = line.rstrip()
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
        elif paragraph and not _STARTS_ITEM.match(line) and not content.lstrip().startswith("|"):
            paragraph = Block("prose", paragraph.start, start + len(content))
            found[-1] = paragraph
        else:
            marker = _MARKER.match(line)
            paragraph = Block("prose", start + (marker.end() if marker else 0), start + len(content))
            found.append(paragraph)
    return [block for block in _join_code(found) if block.end > block.start]


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
