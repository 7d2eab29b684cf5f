"""Cuts a text into passages along its structure, and says where each came from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MAX_CHARS = 1_200
"""Longest passage: about 200 words, what the embedder reads without cutting (256 word pieces)."""

_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n")
_WORD = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a text under one heading: `title` is None before the first."""

    title: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """One passage: `text` is `source[start:end]`."""

    text: str
    section: str | None
    start: int
    end: int


def headed(marks: Sequence[tuple[int, int, str]], length: int, title: str | None = None) -> list[Section]:
    """Return the sections that headings make of a text; a section's title is the path of headings down to it.

    The document's own title is left out of the path.

    Args:
        marks: (offset, level from 1, text) of each heading, in order.
        length: of the text.
    """
    path: list[str] = []
    titled: list[tuple[int, str | None]] = [(0, None)]
    for start, level, name in marks:
        path = [*(path + [""] * level)[: level - 1], name]
        below = path[1:] if path[0] == title else path
        titled.append((start, " > ".join(part for part in below if part) or None))
    ends = [start for start, _ in titled[1:]] + [length]
    return [Section(name, start, end) for (start, name), end in zip(titled, ends, strict=True) if start < end]


def chunks(text: str, sections: Sequence[Section] = (), *, longest: int = MAX_CHARS) -> Iterator[Chunk]:
    """Cut `text` into passages of at most `longest` characters that cross no section.

    Paragraphs of a section are joined while they fit; one that is too long is cut at sentences, else at words.
    """
    for section in sections or [Section(None, 0, len(text))]:
        for start, end in _packed(text, section.start, section.end, longest):
            yield Chunk(text[start:end], section.title, start, end)


def _packed(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """Join neighbouring pieces while they fit."""
    held: tuple[int, int] | None = None
    for piece in _pieces(text, start, end, longest, (_PARAGRAPH, _SENTENCE, _WORD)):
        if held is not None and piece[1] - held[0] <= longest:
            held = (held[0], piece[1])
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


def _pieces(
    text: str, start: int, end: int, longest: int, breaks: tuple[re.Pattern[str], ...]
) -> Iterator[tuple[int, int]]:
    """Return spans without outer white space, none longer than `longest`, cut at the coarsest break that does."""
    start += len(text[start:end]) - len(text[start:end].lstrip())
    end = start + len(text[start:end].rstrip())
    if start >= end:
        return
    if not breaks:
        yield from ((at, min(at + longest, end)) for at in range(start, end, longest))
        return
    if end - start <= longest and breaks[0] is not _PARAGRAPH:
        yield start, end
        return
    at = start
    for gap in breaks[0].finditer(text, start, end):
        yield from _pieces(text, at, gap.start(), longest, breaks[1:])
        at = gap.end()
    yield from _pieces(text, at, end, longest, breaks[1:])
