"""What could stand in a claim instead of a figure or a name that its evidence does not have: a suggestion, never a
verdict."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from gate.decision.amounts import alike, same
from gate.decision.checks import CAPITALISED
from gate.decision.passages import Passage, words_of
from gate.decision.proper_names import name_instead
from gate.text.figures.dates import Date, find_dates
from gate.text.figures.quantities import BARE, Quantity, find_quantities
from gate.text.words.function_words import FUNCTION_WORDS

MOST = 3
"""Figures of one claim for which something is suggested; with more of them wrong the sentence is, not its figures."""
ALIKE = 0.5
"""Share of the claim's words that a sentence must have to be about the same thing."""
CLOSE = 0.8
"""Share of what the closest sentence has in common with the claim that others must have to be heard."""
YEAR_DIGITS = 4
NEAR = 24
"""Characters on either side of a figure whose words say which of several it is."""


@dataclass(frozen=True, slots=True)
class Correction:
    """Characters `start` to `end` of the claim, what stands there, and what a sentence of the evidence has instead."""

    start: int
    end: int
    said: str
    instead: str
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class _Figure:
    value: Quantity | Date
    start: int
    end: int

    def text(self, whole: str) -> str:
        return whole[self.start : self.end]


def corrections(claim: str, evidence: Sequence[str]) -> list[Correction]:
    """Suggest a figure of the evidence for each figure of the claim that no text of the evidence has.

    It is taken from the sentence that says most of what the claim says, and only where that sentence leaves one
    figure of the same sort that the claim does not have, or the words beside it tell which one is meant.

    Args:
        claim: as it is shown.
        evidence: texts of passages, the best first.

    Returns:
        In the order of the claim; offsets into it. None for a text that is not in Unicode's composed form (NFKC).
    """
    stated = _figures(claim) if unicodedata.is_normalized("NFKC", claim) else []
    if not (stated and evidence):
        return []
    passages = [Passage(text) for text in evidence]
    there = [figure.value for text in evidence for figure in _figures(text)]
    missing = [figure for figure in stated if not any(_same(figure.value, other) for other in there)]
    if not 0 < len(missing) <= MOST:
        return []
    close = _close(words_of(claim), passages)
    found = [
        (figure, _instead(figure, claim, stated, close))
        for figure in missing
        if not (_in_name(figure, claim) or _elsewhere(figure, passages, close))
    ]
    offered = [instead for _, (instead, _) in found]
    return [
        Correction(figure.start, figure.end, figure.text(claim), instead, sentence)
        for figure, (instead, sentence) in found
        if instead and offered.count(instead) == 1 and instead.casefold() != figure.text(claim).casefold()
    ]


def name_correction(claim: str, evidence: Sequence[str]) -> Correction | None:
    """Suggest a name of the evidence for the one name of the claim that no text of the evidence has.

    It is taken from the sentences that say most of what the claim says, and only where they leave one.

    Args:
        claim: as it is shown.
        evidence: texts of passages.
    """
    if not (evidence and unicodedata.is_normalized("NFKC", claim)):
        return None
    close = [sentence.text for sentence in _close(words_of(claim), [Passage(text) for text in evidence])]
    composed = [sentence for sentence in close if unicodedata.is_normalized("NFKC", sentence)]
    found = name_instead(claim, evidence, composed)
    return Correction(*found) if found else None


def _close(words: frozenset[str], passages: Sequence[Passage]) -> list[Passage]:
    """The sentences that have most in common with the claim, enough to be about the same thing."""
    sentences = [sentence for passage in passages for sentence in passage.sentences]
    shared = [len(words & sentence.words) for sentence in sentences]
    least = max(1.0, ALIKE * len(words), CLOSE * max(shared, default=0))
    return [sentence for sentence, count in zip(sentences, shared, strict=True) if count >= least]


def _in_name(figure: _Figure, claim: str) -> bool:
    """Whether it may be part of a name: "Booster 9"."""
    before = CAPITALISED.search(claim[max(0, figure.start - NEAR) : figure.start])
    bare = isinstance(figure.value, Quantity) and figure.value.kind == BARE and not _is_year(figure.value)
    return bare and before is not None and before[1].lower() not in FUNCTION_WORDS


def _elsewhere(figure: _Figure, passages: Sequence[Passage], close: Sequence[Passage]) -> bool:
    """Whether the passage that was found first has such a figure, in a sentence that is none of the close ones."""
    held = [sentence for sentence in passages[0].sentences if any(sentence is one for one in close)]
    return not held and any(_alike(figure.value, other.value) for other in _figures(passages[0].text))


def _instead(figure: _Figure, claim: str, stated: Sequence[_Figure], close: Sequence[Passage]) -> tuple[str, str]:
    """What the close sentences agree on, and the first of them; empty where they have nothing, or differ."""
    beside = _beside(figure, claim)
    offered: dict[str, str] = {}
    for sentence in close:
        rivals = {
            other.text(sentence.text): other
            for other in _figures(sentence.text)
            if _alike(figure.value, other.value) and not any(_same(one.value, other.value) for one in stated)
        }
        if rivals:
            nearest = _nearest(beside, sentence.text, rivals, certain=_says_what(figure.value))
            offered.setdefault(nearest, sentence.text)
    return next(iter(offered.items())) if len(offered) == 1 else ("", "")


def _says_what(value: Quantity | Date) -> bool:
    """Whether the figure itself says what it is an amount of: a unit, a date, a year."""
    return isinstance(value, Date) or value.measures or _is_year(value)


def _nearest(beside: frozenset[str], text: str, rivals: dict[str, _Figure], *, certain: bool) -> str:
    """The one rival whose neighbours are the figure's; empty where two are as near, or none is.

    Args:
        certain: a single rival needs no neighbours in common.
    """
    if certain and len(rivals) == 1:
        return next(iter(rivals))
    shared = {name: len(beside & _beside(rival, text)) for name, rival in rivals.items()}
    most = max(shared.values())
    best = [name for name, count in shared.items() if count == most]
    return best[0] if most and len(best) == 1 else ""


def _beside(figure: _Figure, text: str) -> frozenset[str]:
    return words_of(f"{text[max(0, figure.start - NEAR) : figure.start]} {text[figure.end : figure.end + NEAR]}")


def _figures(text: str) -> list[_Figure]:
    found = [_Figure(date, date.start, date.start + len(date.text)) for date in find_dates(text)]
    found += [
        _Figure(one, one.start, one.start + len(one.text))
        for one in find_quantities(text)
        if one.text and not (one.vague or one.ordinal) and text.startswith(one.text, one.start)
    ]
    return sorted(found, key=lambda figure: figure.start)


def _same(stated: Quantity | Date, there: Quantity | Date) -> bool:
    if isinstance(stated, Quantity) and isinstance(there, Quantity):
        return same(stated, there)
    if isinstance(stated, Date) and isinstance(there, Date):
        return all(None in pair or pair[0] == pair[1] for pair in zip(stated.parts, there.parts, strict=True))
    return False


def _alike(stated: Quantity | Date, there: Quantity | Date) -> bool:
    if isinstance(stated, Quantity) and isinstance(there, Quantity):
        return alike(stated, there) and _is_year(stated) == _is_year(there)
    if isinstance(stated, Date) and isinstance(there, Date):
        return all((ours is None) == (theirs is None) for ours, theirs in zip(stated.parts, there.parts, strict=True))
    return False


def _is_year(figure: Quantity) -> bool:
    return figure.kind == BARE and not figure.counted and figure.text.isdecimal() and len(figure.text) == YEAR_DIGITS
