"""Which sentences of the evidence speak of a claim: a greedy window of about 120 words.

Method after stage two's measurements: sentences are taken by the IDF weight of the claim's terms in them, a term
that is already covered counts 0.35 of it, and the window keeps the order of the evidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gate.text.sentences import lines_of_sentences
from gate.text.tokens import keys

COVERED = 0.35
WINDOW_WORDS, WIDE_WORDS = 120, 180
_LONGEST = 1200
"""Characters after which a sentence without an end is cut."""

Weight = Callable[[str], float]
"""The IDF weight of a token's key."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of one document, `text` verbatim.

    Attributes:
        document: its place in the sequence of documents.
        keys: its comparable tokens, in order.
    """

    document: int
    text: str
    keys: tuple[str, ...]
    terms: frozenset[str]


@lru_cache(maxsize=512)
def split(text: str) -> tuple[tuple[str, tuple[str, ...], frozenset[str]], ...]:
    """Cut a document into sentences with their tokens; cached, since claims share documents."""
    found = []
    for first, last in lines_of_sentences(text):
        for start in range(first, last, _LONGEST):
            piece = text[start : min(start + _LONGEST, last)].strip()
            words = tuple(keys(piece))
            if words:
                found.append((piece, words, frozenset(words)))
    return tuple(found)


def sentences(documents: Sequence[str]) -> list[Sentence]:
    """Cut documents into sentences, in order."""
    return [Sentence(place, *parts) for place, text in enumerate(documents) for parts in split(text)]


def window(claim: Iterable[str], evidence: Sequence[Sentence], weight: Weight, words: int = WINDOW_WORDS) -> list[int]:
    """Choose the sentences that cover the claim best.

    Args:
        claim: the claim's keys.
        evidence: all sentences.
        weight: IDF of a key.
        words: stop at about this many tokens.

    Returns:
        Places in `evidence`, ascending; everything when it is short enough.
    """
    if sum(len(sentence.keys) for sentence in evidence) <= words:
        return list(range(len(evidence)))
    left = {key: weight(key) for key in claim}
    asked = frozenset(left)
    shared = {place: asked & sentence.terms for place, sentence in enumerate(evidence)}
    rest = [place for place, terms in shared.items() if terms]
    chosen: list[int] = []
    size = 0
    while rest:
        # `fsum` does not depend on the order of a set, which is another one in every process: nor do ties.
        best = max(rest, key=lambda place: (math.fsum(left[term] for term in shared[place]), -place))
        length = len(evidence[best].keys)
        if chosen and size + length > words * 1.25:
            rest.remove(best)
            continue
        chosen.append(best)
        rest.remove(best)
        size += length
        if size >= words:
            break
        for term in shared[best]:
            left[term] = min(left[term], COVERED * weight(term))
    return sorted(chosen) or list(range(min(len(evidence), 5)))
