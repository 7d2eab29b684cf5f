"""Cuts prose into sentences with exact character offsets, in several scripts, in time linear in the text."""

from __future__ import annotations

import re
from itertools import pairwise

from sentencex import get_sentence_boundaries

from gate.text.words.function_words import CONJUNCTIONS, DETERMINERS, PREPOSITIONS

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

LONGEST = 10_000
"""Characters that are split into sentences at once: on quotation marks that nothing closes it takes their square."""
_LATIN = re.compile("[A-Za-z]")
_GOES_ON = re.compile(r"\?[^\S\n]+(?!\s)")
_LINE = re.compile(r"[^\s](?:[^\n]*[^\s])?")
BROKEN = 50
"""Characters of a line at least that was broken to fit a width."""
_LAST_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]+(?=,?\Z)")
_LEADING = DETERMINERS | PREPOSITIONS | CONJUNCTIONS
"""Words that another one follows."""
_CODE = frozenset(":;={([)|\\")
"""Ends of lines of code, of labels and of cells."""
_INSIDE = re.compile(r"(?<=[\w.]\.)(?=\w)")
"""A full stop within a name, such as `ASP.NET`; a sentence ends before a blank."""
_UNIT = re.compile(r"(?:\d\s?|[^\W\d_]/)[dghlmst]\.\s+(?=[A-ZÀ-ÖØ-Þ])")
"""A figure with a unit of one letter, which reads like an initial, and a sentence behind it: "174 g. Gift cards"."""
_NO = re.compile(r"(?:\A|(?<=\n)|(?<=[.!?] ))No\.\s+(?=[A-Z][a-z'’]*\s)")
"""The answer, which reads like the abbreviation: "No. Refunds take two weeks.", not "No. 5"."""
_NUMBER = re.compile(r"\s*\d\.[^\S\n]+")
"""What numbers a line, "1. Open the lid."; no sentence of its own."""
_LINE_BEFORE = re.compile(r"(?:^|\n)[^\S\n]*\Z")

_ORDINAL = re.compile(r"(?i)\b(?:zum|vom|dem|den|im|beim) \d{1,3}\.\s+$")
_BEFORE_A_MONTH = re.compile(r"(?<![\d.,])\d{1,2}\.\s+$")
_MONTH = re.compile(r"(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b")
_LONGEST_ORDINAL = 20
"""A German ordinal, which ends in a full stop: "bis zum 14. Mai", "im 19. Jahrhundert"."""


def sentences(text: str) -> list[tuple[int, int]]:
    """Start and end of every sentence of `text`, in order, without the white space around it."""
    language = language_of(text)
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        spans = _boundaries(language, text, at)
        if spans and at + LONGEST < len(text):  # the last one may go on
            *spans, (start, _) = spans
            following = start if spans else text.rfind(" ", at + LONGEST // 2, at + LONGEST) + 1 or at + LONGEST
            spans = spans or [(at, following)]
        else:
            following = at + LONGEST
        found += spans
        at = following
    return [trimmed for start, end in found if (trimmed := _trim(text, start, end))]


def lines_of_sentences(text: str) -> list[tuple[int, int]]:
    """Start and end of every sentence, or part of one that stands on a line of its own, in order.

    What follows a question in lower case, such as its answers ("a) …"), goes on with it. A sentence that was broken to
    fit a width stays whole: a fragment of it says something else, or nothing.
    """
    found: list[tuple[int, int]] = []
    for start, end in sentences(text):
        for line in _LINE.finditer(text, start, end):
            last = found[-1][1] if found else 0
            is_answer = found and _GOES_ON.match(text, last - 1) and text[line.start()].islower()
            if is_answer or (line.start() > start and _is_broken(text, last, line.start())):
                found[-1] = (found[-1][0], line.end())
            else:
                found.append(line.span())
    return found


def _is_broken(text: str, end: int, start: int) -> bool:
    """Whether a line that ends at `end` goes on at `start`: it is as long as lines that are broken to fit a width, and
    the next one begins in lower case, or this one ends with a word that ends no statement."""
    before = text[max(text.rfind("\n", 0, end) + 1, end - BROKEN) : end]
    if len(before) < BROKEN or text.count("\n", end, start) > 1:
        return False
    if text[start].islower():
        return before[-1] not in _CODE
    word = _LAST_WORD.search(before)
    return text[start].isalnum() and word is not None and (before[-1] == "," or word[0].lower() in _LEADING)


def language_of(text: str) -> str:
    """The language whose sentence rules fit the script of `text`; a few letters of another do not count."""
    if text.isascii():
        return "en"
    for language, script in _SCRIPTS:
        if script.search(text):
            return "en" if len(_LATIN.findall(text)) > len(script.findall(text)) else language
    return "en"


def _boundaries(language: str, text: str, at: int) -> list[tuple[int, int]]:
    """Sentences of the stretch that begins at `at`, with the blanks between them."""
    piece = text[at : at + LONGEST]
    found: list[tuple[int, int]] = []
    for span in get_sentence_boundaries(language, piece):
        start, end = at + span["start_index"], at + span["end_index"]
        if found and (_INSIDE.match(text, start) or _ordinal_before(text, start) or _numbers(text, *found[-1])):
            start = found.pop()[0]
        found += _parted(text, start, end)
    return found


def _ordinal_before(text: str, start: int) -> bool:
    before = _BEFORE_A_MONTH if _MONTH.match(text, start) else _ORDINAL
    return bool(before.search(text[max(0, start - _LONGEST_ORDINAL) : start]))


def _numbers(text: str, start: int, end: int) -> bool:
    """Whether a stretch is the number of the line that it begins."""
    before = text[max(0, start - _LONGEST_ORDINAL) : start]
    return bool(_NUMBER.fullmatch(text, start, end) and _LINE_BEFORE.search(before))


def _parted(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A sentence cut behind a figure and its unit, and behind the answer "No."."""
    ends = [cut.end() for pattern in (_UNIT, _NO) for cut in pattern.finditer(text, start, end)]
    return [*pairwise([start, *sorted(ends), end])]


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    stretch = text[start:end]
    left = len(stretch) - len(stretch.lstrip())
    right = len(stretch.rstrip())
    return (start + left, start + right) if right > left else None
