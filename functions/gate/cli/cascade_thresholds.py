"""Which words of a verifier may stand before a second one, chosen from labels for a wanted agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from gate.decision import metrics
from gate.decision.metrics import Interval, Prediction

SURE = 20
"""Claims beyond a threshold of a cascade at least: of fewer, nobody knows how often they are right."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds of a cascade, and what comes of them on the claims that they were chosen on.

    Attributes:
        low, high: None: there is none with `SURE` claims beyond it.
        saved: share of all claims whose verdict would stand: calls of the second verifier that are saved.
        right: share of these that are told rightly as supported or not; 0 where there are none.
        lost: share of the supported claims that would stand as something else: what no second verifier could find.
    """

    low: float | None
    high: float | None
    saved: Interval
    right: Interval
    lost: Interval


def choose_thresholds(judged: Sequence[Prediction], agreement: float) -> Thresholds:
    """The widest thresholds that keep `agreement`, and what they come to."""
    low, high = thresholds(judged, agreement)
    measures = (partial(measure, low=low, high=high) for measure in (_saved, _right, _lost))
    return Thresholds(low, high, *(metrics.interval(measure, judged) for measure in measures))


def thresholds(judged: Sequence[Prediction], agreement: float) -> tuple[float | None, float | None]:
    """The widest thresholds of a cascade beyond which the wanted share of claims is told rightly as supported or not;
    None: there is none with `SURE` claims beyond it."""
    ordered = sorted(judged, key=lambda one: one.supported)
    others = [one for one in ordered if one.given != "supported"]
    supported = [one for one in reversed(ordered) if one.given == "supported"]
    low = _beyond([(one.supported, one.gold != "supported") for one in others], agreement)
    high = _beyond([(one.supported, one.gold == "supported") for one in supported], agreement)
    return low, high


def _beyond(ordered: Sequence[tuple[float, bool]], agreement: float) -> float | None:
    found, right = None, 0
    for count, (share, is_right) in enumerate(ordered, 1):
        right += is_right
        if count >= SURE and right / count >= agreement:
            found = round(share, 4)
    return found


def _stands(one: Prediction, low: float | None, high: float | None) -> bool:
    if one.given == "supported":
        return high is not None and one.supported >= high
    return low is not None and one.supported <= low


def _saved(judged: Sequence[Prediction], low: float | None, high: float | None) -> float:
    return sum(_stands(one, low, high) for one in judged) / len(judged)


def _right(judged: Sequence[Prediction], low: float | None, high: float | None) -> float:
    kept = [one for one in judged if _stands(one, low, high)]
    wrong = sum(metrics.is_miss(one.gold, one.given) or metrics.is_false_alarm(one.gold, one.given) for one in kept)
    return 1 - wrong / len(kept) if kept else 0.0


def _lost(judged: Sequence[Prediction], low: float | None, high: float | None) -> float:
    supported = [one for one in judged if one.gold == "supported"]
    lost = sum(one.given != "supported" and _stands(one, low, high) for one in supported)
    return lost / len(supported) if supported else 0.0
