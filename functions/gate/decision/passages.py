"""Which of several passages speaks of a figure: the one that shares most words with the clause that it stands in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from gate.text.clauses import clauses
from gate.text.figures.dates import Date, find_dates
from gate.text.figures.numbered import Numbered, find_numbered
from gate.text.figures.quantities import BARE, Quantity, find_quantities
from gate.text.figures.units import Unit
from gate.text.tokens import tokens
from gate.text.words.function_words import FUNCTION_WORDS

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_NEAR = 150
"""Characters of a clause that are looked at on either side of a figure."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Amounts and dates of a text, in order; the parts of a date are numbers too."""

    amounts: Sequence[Quantity]
    dates: Sequence[Date]

    @classmethod
    @lru_cache(maxsize=512)
    def of(cls, text: str) -> Figures:
        """The amounts and dates of `text`; the claims of an answer share their passages."""
        dates = find_dates(text)
        parts = [part for date in dates for part in date.parts if part is not None]
        numbers = [Quantity("", 0, 0, (Unit(BARE),), frozenset({float(part)})) for part in parts]
        return cls([*find_quantities(text), *numbers], dates)

    @classmethod
    def joined(cls, several: Iterable[Figures]) -> Figures:
        """The figures of several texts."""
        several = list(several)
        return cls([found for one in several for found in one.amounts], [date for one in several for date in one.dates])


class Passage:
    """A text of the evidence."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def figures(self) -> Figures:
        """Its figures."""
        return Figures.of(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """What carries meaning in it, numbers left out."""
        return words_of(self.text)

    @cached_property
    def numbered(self) -> Sequence[Numbered]:
        """Its names that end in a number."""
        return find_numbered(self.text, self.figures.amounts)

    @cached_property
    def sentences(self) -> Sequence[Passage]:
        """Its sentences."""
        return [Passage(sentence) for sentence in _SENTENCE.split(self.text)]


class Clauses:
    """The clauses of a claim by place."""

    def __init__(self, claim: str) -> None:
        self._claim, self._starts = claim, [0]
        at = 0
        for clause in clauses(claim):
            at = claim.index(clause, at)
            self._starts.append(at)
            at += len(clause)

    def around(self, start: int, end: int) -> frozenset[str]:
        """The words about a figure at `start` to `end`, its own left out."""
        at = bisect_right(self._starts, start)
        first = max(self._starts[at - 1], start - _NEAR)
        last = min(self._starts[at] if at < len(self._starts) else len(self._claim), end + _NEAR)
        return words_of(f"{self._claim[first:start]} {self._claim[end:last]}")


def speaks_against(
    words: frozenset[str],
    passages: Sequence[Passage],
    has: Callable[[Figures], bool],
    rival: Callable[[Figures], bool],
) -> Passage | None:
    """A sentence that decides against a figure, though some passage has it.

    Args:
        words: of the clause that the figure stands in.
        has: whether figures hold the one that is looked for.
        rival: whether they hold one that could stand for it.

    Returns:
        A sentence of a passage without the figure that has a rival, and more of the words than any passage with the
        figure; None where there is none.
    """
    having = [has(passage.figures) for passage in passages]
    if all(having) or not any(having):
        return None
    most = max(len(words & passage.words) for passage, holds in zip(passages, having, strict=True) if holds)
    others = (passage for passage, holds in zip(passages, having, strict=True) if not holds)
    closer = (
        sentence
        for passage in others
        if len(words & passage.words) > most
        for sentence in passage.sentences
        if len(words & sentence.words) > most
    )
    return next((sentence for sentence in closer if rival(sentence.figures)), None)


def words_of(text: str) -> frozenset[str]:
    """What carries meaning in a text, numbers left out."""
    return frozenset(word.key for word in tokens(text) if not word.number and word.text.lower() not in FUNCTION_WORDS)
