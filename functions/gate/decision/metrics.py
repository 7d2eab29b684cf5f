"""How good verdicts are, measured: accuracy, F1, balanced accuracy, AUROC, calibration error, intervals.

`gold` and `given` are sequences of the same length; "supported against the rest" is how three labels become two.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.model import LABELS

ROUNDS = 1000
BINS = 10


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """One claim that was judged.

    Attributes:
        gold, given: a label of the three.
        scores: probability per label; the figure of a model that gives none is taken from its label.
    """

    gold: str
    given: str
    scores: Mapping[str, float]

    @property
    def supported(self) -> float:
        """Score of supported against the rest."""
        return self.scores.get("supported", float(self.given == "supported"))

    @property
    def confidence(self) -> float:
        """Probability of the label given."""
        return self.scores.get(self.given, 1.0)


def is_false_alarm(true: str, given: str) -> bool:
    """Whether a claim is held back though its label is `supported`."""
    return true == "supported" != given


def is_miss(true: str, given: str) -> bool:
    """Whether a claim is let through though its label is another than `supported`."""
    return is_false_alarm(given, true)


def confusion(judged: Iterable[Prediction]) -> dict[str, dict[str, int]]:
    """Counts by gold label, then by the label given."""
    counts = Counter((one.gold, one.given) for one in judged)
    return {gold: {given: counts[gold, given] for given in LABELS} for gold in LABELS}


def accuracy(judged: Sequence[Prediction]) -> float:
    """Share of labels that are right."""
    return sum(one.gold == one.given for one in judged) / len(judged)


def macro_f1(judged: Sequence[Prediction]) -> float:
    """Mean F1 of the labels that occur, in gold or as given."""
    table = confusion(judged)
    scores = []
    for label in LABELS:
        right = table[label][label]
        both = sum(table[label].values()) + sum(row[label] for row in table.values())
        if both:
            scores.append(2 * right / both)
    return sum(scores) / len(scores)


def balanced_accuracy(judged: Sequence[Prediction]) -> float:
    """Mean of the shares found right among supported claims and among the rest; one side missing: of the other."""
    sides = []
    for side in (True, False):
        part = [one for one in judged if (one.gold == "supported") is side]
        if part:
            sides.append(sum((one.given == "supported") is side for one in part) / len(part))
    return sum(sides) / len(sides)


def auroc(judged: Sequence[Prediction]) -> float:
    """Chance that a supported claim scores above another one, ties half; 0.5 where one side is missing."""
    ordered = sorted(judged, key=lambda one: one.supported)
    ranks = _ranks([one.supported for one in ordered])
    ranked = sum(rank for rank, one in zip(ranks, ordered, strict=True) if one.gold == "supported")
    positive = sum(one.gold == "supported" for one in ordered)
    negative = len(ordered) - positive
    if not positive or not negative:
        return 0.5
    return (ranked - positive * (positive + 1) / 2) / (positive * negative)


def calibration_error(judged: Sequence[Prediction], bins: int = BINS) -> float:
    """Expected calibration error of the label given: |confidence - accuracy| over bins of equal width."""
    return sum(abs(mean - right) * count for mean, right, count in reliability(judged, bins)) / len(judged)


def reliability(judged: Sequence[Prediction], bins: int = BINS) -> list[tuple[float, float, int]]:
    """For each bin that holds something: mean confidence, share right, how many."""
    filled: dict[int, list[Prediction]] = {}
    for one in judged:
        filled.setdefault(min(int(one.confidence * bins), bins - 1), []).append(one)
    return [
        (sum(one.confidence for one in part) / len(part), accuracy(part), len(part))
        for _, part in sorted(filled.items())
    ]


def roc(judged: Sequence[Prediction]) -> list[tuple[float, float]]:
    """Points (share of others let through, share of supported found), from strict to lenient."""
    positive = sum(one.gold == "supported" for one in judged) or 1
    negative = sum(one.gold != "supported" for one in judged) or 1
    points, found, false, last = [(0.0, 0.0)], 0, 0, None
    for one in sorted(judged, key=lambda one: -one.supported):
        if last is not None and one.supported != last:
            points.append((false / negative, found / positive))
        last = one.supported
        found, false = found + (one.gold == "supported"), false + (one.gold != "supported")
    return [*points, (false / negative, found / positive)]


def interval(
    measure: Callable[[Sequence[Prediction]], float], judged: Sequence[Prediction], *, seed: int = 1
) -> Interval:
    """A figure with its 95 % interval over `ROUNDS` resamples; the same seed gives the same interval."""
    chance = random.Random(seed)
    draws = sorted(measure(chance.choices(judged, k=len(judged))) for _ in range(ROUNDS))
    return Interval(measure(judged), draws[int(0.025 * ROUNDS)], draws[int(0.975 * ROUNDS) - 1])


def paired(
    measure: Callable[[Sequence[Prediction]], float],
    before: Sequence[Prediction],
    after: Sequence[Prediction],
    *,
    rounds: int = ROUNDS,
    seed: int = 1,
) -> tuple[Interval, Interval, Interval]:
    """A figure of two verdicts on each of the same claims, and their difference, resampled together."""
    chance, draws = random.Random(seed), []
    for _ in range(rounds):
        places = chance.choices(range(len(before)), k=len(before))
        one, other = (measure([side[place] for place in places]) for side in (before, after))
        draws.append((one, other, other - one))
    one, other = measure(before), measure(after)
    found = []
    for value, drawn in zip((one, other, other - one), zip(*draws, strict=True), strict=True):
        ordered = sorted(drawn)
        found.append(Interval(value, ordered[int(0.025 * rounds)], ordered[int(0.975 * rounds) - 1]))
    return found[0], found[1], found[2]


def _ranks(ordered: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs."""
    ranks: list[float] = []
    at = 0
    while at < len(ordered):
        end = at
        while end < len(ordered) and ordered[end] == ordered[at]:
            end += 1
        ranks += [(at + 1 + end) / 2] * (end - at)
        at = end
    return ranks
