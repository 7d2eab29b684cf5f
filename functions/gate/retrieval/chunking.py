"""Cuts a text into passages along its structure, and says where each came from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gate.text.sentences import lines_of_sentences

MAX_CHARS = 1_200
"""Longest passage: about 200 words, what the embedder reads without cutting (256 word pieces)."""

_PARAGRAPH = re.compile(r"\n\s*\n")
_SPACE = re.compile(r"\s+")


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
    for piece in _pieces(text, start, end, longest):
        if held is not None and piece[1] - held[0] <= longest:
            held = (held[0], piece[1])
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


def _pieces(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """Paragraphs without outer white space; of one that is longer than `longest` its sentences, else its words."""
    for first, last in _between(_PARAGRAPH, text, start, end):
        if last - first <= longest:
            yield first, last
            continue
        for left, right in lines_of_sentences(text[first:last]):
            if right - left <= longest:
                yield first + left, first + right
                continue
            for word, stop in _between(_SPACE, text, first + left, first + right):
                yield from ((at, min(at + longest, stop)) for at in range(word, stop, longest))


def _between(gap: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What stands between gaps, without outer white space."""
    at = start
    for first, following in (*(found.span() for found in gap.finditer(text, start, end)), (end, end)):
        stretch = text[at:first]
        left, right = len(stretch) - len(stretch.lstrip()), len(stretch.rstrip())
        if right > left:
            yield at + left, at + right
        at = following
