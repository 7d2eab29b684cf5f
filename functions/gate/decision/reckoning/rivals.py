"""Whether the evidence has another figure where a claim has the user's: "refunds take 30 days, right?" is not theirs to
say."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gate.decision.amounts import same
from gate.decision.passages import Clauses, Figures, Passage, words_of
from gate.text.figures.dates import Date
from gate.text.figures.quantities import BARE, Quantity

_FEW = 3
"""Words of a clause below which the whole claim is looked at."""
_SHARED = 2
"""Words that a sentence of the evidence shares with it to speak of the same; half of them are enough."""
_MOST = 2 / 3
"""Share of a claim's words that a sentence has which the claim repeats."""


def has_rival(figure: Quantity | Date, claim: str, own: Figures, passages: Sequence[Passage]) -> bool:
    """Whether a sentence of the evidence that speaks of the same has figures of its sort, and the claim none of them.

    A claim that names the evidence's figure beside the user's compares the two: "12 minutes is over the limit of 5".
    One that repeats a sentence has to have all of its figures.

    Args:
        own: figures of the claim.
    """
    words, around = words_of(claim), Clauses(claim).around(figure.start, figure.start + len(figure.text))
    around = around if len(around) >= _FEW else words
    for sentence in (sentence for passage in passages for sentence in passage.sentences):
        if _speaks_of(around, sentence):
            rivals, compared = _rivals(figure, own, sentence.figures)
            if rivals and not (compared and len(sentence.words & words) < _MOST * len(words)):
                return True
    return False


def _speaks_of(words: Collection[str], sentence: Passage) -> bool:
    shared = len(sentence.words.intersection(words))
    return shared >= _SHARED or 0 < len(words) <= 2 * shared


def _rivals(figure: Quantity | Date, own: Figures, there: Figures) -> tuple[int, int]:
    """How many figures of its sort a sentence has that the claim lacks, and how many that it has."""
    if isinstance(figure, Date):
        found = [any(one.parts == other.parts for other in own.dates) for one in there.dates]
    else:
        found = [
            any(same(one, other) for other in own.amounts)
            for one in there.amounts
            if one.text and one.kind == figure.kind and (figure.kind != BARE or one.counted == figure.counted)
        ]
    return found.count(False), found.count(True)
