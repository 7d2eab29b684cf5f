"""Splits an answer into sentences with exact character offsets, in several scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sentencex import get_sentence_boundaries

from gate.rules.blocks import Block, Kind, blocks

_SCRIPTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("hy", re.compile("[\u0530-\u058f]")),
    ("am", re.compile("[\u1200-\u137f]")),
    ("my", re.compile("[\u1000-\u109f]")),
)
"""Language whose sentence rules are used for a script; Latin text is read as English."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text[start:end]`, without the white space around it."""

    start: int
    end: int
    kind: Kind


def sentences(text: str) -> list[Sentence]:
    """Every sentence of `text`, in order, none overlapping; together they hold every letter and digit of it,
    list markers, heading signs and table rules aside."""
    found: list[Sentence] = []
    for block in blocks(text):
        spans = _split(text, block) if block.kind == "prose" else [(block.start, block.end)]
        found += [Sentence(*trimmed, block.kind) for span in spans if (trimmed := _trim(text, *span))]
    return found


def language_of(text: str) -> str:
    """The language whose sentence rules fit the script of `text`."""
    for language, script in _SCRIPTS:
        if script.search(text):
            return language
    return "en"


def _split(text: str, block: Block) -> Iterator[tuple[int, int]]:
    prose = text[block.start : block.end]
    for found in get_sentence_boundaries(language_of(prose), prose):
        yield block.start + found["start_index"], block.start + found["end_index"]


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    stretch = text[start:end]
    left = len(stretch) - len(stretch.lstrip())
    right = len(stretch.rstrip())
    return (start + left, start + right) if right > left else None
