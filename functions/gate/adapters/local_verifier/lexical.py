"""How much of a claim stands in the evidence, counted: words, numbers, names, negation, runs of words.

No model and no embedding: every feature can be pointed at in the text, and what is missing can be named.
A full article takes about 3 ms. Method and measurements: docs/model-cards/method.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from gate.adapters.local_verifier.figure_spelling import as_written
from gate.adapters.local_verifier.windows import Sentence, Weight, sentences, window
from gate.text.tokens import STOP_IDF, Token, tokens
from gate.text.words.negation import negated

FEATURES = (
    "recall",
    "content_recall",
    "window_recall",
    "best_recall",
    "two_recall",
    "soft_recall",
    "rarest_missing",
    "missing_share",
    "bigram_recall",
    "trigram_recall",
    "longest_run",
    "best_similarity",
    "number_missing",
    "number_other",
    "number_far",
    "name_missing",
    "name_any_missing",
    "name_far",
    "negation_claim",
    "negation_differs",
)
"""Names of the features, in the order of `Reading.features`; shares lie in [0, 1]."""
EXTENT = "extent"
"""Name of `Reading.extent`, which the layer above this stage weighs: it tells nothing of the claim."""
PASSAGE_WORDS = 200
"""Of a passage at its longest."""
NAME_IDF = 6.0
"""A capitalised first word as rare as this is taken for a name."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What counting found.

    Attributes:
        claim: what was compared: the claim with its figures as the evidence writes them.
        features: one number per name in `FEATURES`.
        missing: words of the claim that carry content and do not occur, as written, in order.
        missing_numbers, missing_names: those of them that are numbers, and names.
        window: the sentences that cover the claim best, in order.
        best: the one that covers most of it; None without evidence.
        order, evidence, weight: the claim's keys, all sentences and what a key weighs, of which it was made.
    """

    claim: str
    features: tuple[float, ...]
    missing: tuple[str, ...]
    missing_numbers: tuple[str, ...]
    missing_names: tuple[str, ...]
    window: tuple[Sentence, ...]
    best: Sentence | None
    order: tuple[str, ...]
    evidence: tuple[Sentence, ...]
    weight: Weight

    def within(self, words: int) -> tuple[Sentence, ...]:
        """So many words of sentences that cover the claim best, for a reader of long evidence; chosen anew at each
        asking: counting needs them not."""
        return tuple(self.evidence[place] for place in window(self.order, self.evidence, self.weight, words))

    @property
    def extent(self) -> float:
        """How much evidence there is, up to 1 for a passage at its longest: a sentence alone is the one that counts."""
        return min(1.0, sum(len(sentence.keys) for sentence in self.evidence) / PASSAGE_WORDS)

    @property
    def share_in_best(self) -> float:
        """Weight of the claim's words that stand in the best sentence, as a share."""
        return self.features[FEATURES.index("best_recall")]

    @property
    def negation_differs(self) -> bool:
        """One of claim and best sentence denies something, the other does not."""
        return self.features[FEATURES.index("negation_differs")] > 0


def read(claim: str, documents: Sequence[str], weight: Weight) -> Reading:
    """Compare a claim with its evidence.

    Args:
        claim: one claim.
        documents: the texts of the passages.
        weight: IDF of a token's key.
    """
    claim = as_written(claim, documents)
    words = tokens(claim)
    found = sentences(documents)
    order = [word.key for word in words]
    idf = {key: weight(key) for key in order}
    chosen = [found[place] for place in window(order, found, weight)] if found else []
    everything: frozenset[str] = frozenset().union(*(sentence.terms for sentence in found))
    near: frozenset[str] = frozenset().union(*(sentence.terms for sentence in chosen))
    ranked = sorted(chosen, key=lambda sentence: -_mass(idf, sentence.terms))
    best = ranked[0] if ranked else None
    names = _names(words, idf)
    absent = [word for word in words if word.key not in everything and idf[word.key] >= STOP_IDF]
    features = (
        *_recalls(idf, everything, near, ranked),
        *_absences(idf, everything),
        *_runs(order, found),
        _similarity(idf, best, weight),
        *_numbers(words, everything, near, best),
        *_missing(names, everything, near),
        *_negation(claim, best),
    )
    return Reading(
        claim,
        features,
        _texts(absent),
        _texts(word for word in words if word.number and word.key not in everything),
        _texts(word for word in names if word.key not in everything),
        tuple(chosen),
        best,
        tuple(order),
        tuple(found),
        weight,
    )


def _mass(idf: dict[str, float], terms: frozenset[str]) -> float:
    return sum(value for key, value in idf.items() if key in terms)


def _recalls(
    idf: dict[str, float], everything: frozenset[str], near: frozenset[str], ranked: list[Sentence]
) -> tuple[float, ...]:
    total = sum(idf.values()) or 1.0
    content = {key: value for key, value in idf.items() if value >= STOP_IDF}
    heavy = sum(content.values()) or 1.0
    best = ranked[0].terms if ranked else frozenset()
    second = max((_mass(idf, best | sentence.terms) for sentence in ranked[1:]), default=_mass(idf, best))
    prefixes = {term[:5] for term in everything}
    soft = sum(
        v * (1.0 if k in everything else 0.5) for k, v in content.items() if k in everything or k[:5] in prefixes
    )
    return (
        _mass(idf, everything) / total,
        _mass(content, everything) / heavy,
        _mass(content, near) / heavy,
        _mass(idf, best) / total,
        second / total,
        soft / heavy,
    )


def _absences(idf: dict[str, float], everything: frozenset[str]) -> tuple[float, float]:
    """The weight of the rarest word that is missing, and the share of content words that are."""
    content = [key for key, value in idf.items() if value >= STOP_IDF]
    gone = [idf[key] for key in content if key not in everything]
    return max(gone, default=0.0) / 10.0, len(gone) / (len(content) or 1)


def _runs(order: list[str], found: Sequence[Sentence]) -> tuple[float, float, float]:
    """Shares of the claim's pairs and triples of words that stand in the evidence, and its longest such run."""
    asked = set(order)
    pairs: set[tuple[str, ...]] = set()
    triples: set[tuple[str, ...]] = set()
    for sentence in found:
        shared = len(asked & sentence.terms)
        line = sentence.keys
        if shared > 1:
            pairs.update(itertools.pairwise(line))
        if shared > 2:
            triples.update(zip(line, line[1:], line[2:], strict=False))
    two = [pair in pairs for pair in itertools.pairwise(order)]
    three = [triple in triples for triple in zip(order, order[1:], order[2:], strict=False)]
    longest = run = 0
    for hit in three:
        run = run + 1 if hit else 0
        longest = max(longest, run)
    return sum(two) / (len(two) or 1), sum(three) / (len(three) or 1), longest / (len(three) or 1)


def _similarity(idf: dict[str, float], best: Sentence | None, weight: Weight) -> float:
    """Weighted overlap of claim and best sentence over their union."""
    if best is None:
        return 0.0
    shared = _mass(idf, best.terms)
    union = sum(idf.values()) + math.fsum(weight(term) for term in best.terms) - shared
    return shared / (union or 1.0)


def _numbers(
    words: list[Token], everything: frozenset[str], near: frozenset[str], best: Sentence | None
) -> tuple[float, float, float]:
    """Share of the claim's numbers that are nowhere, whether the best sentence has others instead, share not near."""
    asked = {word.key for word in words if word.number}
    there = {key for key in best.terms if key[0].isdecimal()} if best else set()
    count = len(asked) or 1
    missing = asked - everything
    return len(missing) / count, float(bool(missing) and bool(there - asked)), len(asked - near) / count


def _names(words: list[Token], idf: dict[str, float]) -> list[Token]:
    """Capitalised words; the first word of the claim only when it is rare or stands before another one."""
    found = []
    for place, word in enumerate(words):
        if word.capital and idf[word.key] >= STOP_IDF:
            after = place + 1 < len(words) and words[place + 1].capital
            if place or after or idf[word.key] >= NAME_IDF:
                found.append(word)
    return found


def _missing(names: list[Token], everything: frozenset[str], near: frozenset[str]) -> tuple[float, float, float]:
    """Share of names that are nowhere, whether there is such a one, and share not near."""
    asked = {name.key for name in names}
    count = len(asked) or 1
    missing = len(asked - everything)
    return missing / count, float(missing > 0), len(asked - near) / count


def _negation(claim: str, best: Sentence | None) -> tuple[float, float]:
    """Whether the claim denies something, and whether its best sentence does the opposite."""
    denies = negated(claim)
    there = best is not None and negated(best.text)
    return float(denies), float(denies != there)


def _texts(words: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.text for word in words))  # type: ignore[attr-defined]
