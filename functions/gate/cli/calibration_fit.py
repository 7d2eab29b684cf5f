"""Fits a calibration on labelled verdicts, and measures by cross-validation what it changes."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gate.adapters.judging.own_labels import FEATURES, FittedStep, OwnLabels, calibrated, features_of
from gate.cli.cascade_thresholds import Thresholds, choose_thresholds
from gate.cli.labelled_rows import Row
from gate.decision import metrics
from gate.decision.metrics import Interval, Prediction
from gate.errors import AnswerError, InputError, UnmeasuredLanguageError
from gate.model import Document
from gate.ports import Judged, Verifier
from gate.services.run import together

Array = npt.NDArray[np.float64]

LEAST, LEAST_A_SIDE = 100, 25
"""Labels that are needed in all; of `supported` claims, and of others."""
FOLDS = 10
ROUNDS = 500
"""Resamples behind each interval."""
REFITS = 200
"""Resamples that are fitted anew, behind what is expected of a calibration."""
PULL = 1.0
"""How strongly a fit is held to what the verifier says already: as much as so many claims."""
MEASURES: dict[str, Callable[[Sequence[Prediction]], float]] = {
    "AUROC": metrics.auroc,
    "calibration error": metrics.calibration_error,
    "accuracy": metrics.accuracy,
    "passed": lambda judged: sum(one.given == "supported" for one in judged) / len(judged),
    "passed wrongly": lambda judged: sum(metrics.is_miss(one.gold, one.given) for one in judged) / len(judged),
    "missed": lambda judged: sum(metrics.is_false_alarm(one.gold, one.given) for one in judged) / len(judged),
}
"""Figures that are shown; the last three are shares of all claims."""
EFFECTS = {"false alarms": "missed", "misses": "passed wrongly"}
"""What a verdict does to whoever waits for it, and the figure that counts it."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A verdict on a claim whose label is known; claims of one group are never on both sides of a fold.

    `run`: the answer that the claim is of, where somebody says so.
    """

    judged: Judged
    gold: str
    group: str
    run: str = ""


@dataclass(frozen=True, slots=True)
class Fit:
    """A calibration; each figure before, after, and the difference, on claims that the fit had not seen.

    `held_out`: the verdicts after, in the order of the rows, each by a fit that had not seen its claim.
    `alone`, `calibrated`: what may stand before a second verifier, of its words as they are and with the calibration.
    """

    calibration: OwnLabels
    figures: dict[str, tuple[Interval, Interval, Interval]]
    held_out: list[Judged]
    alone: Thresholds
    calibrated: Thresholds


def once_each(rows: Sequence[Row]) -> list[Row]:
    """The rows, of a claim of an answer that is there several times the last one only."""
    last = {(row.run, row.claim_id): row for row in rows if row.run and row.claim_id}
    others = [row for row in rows if not (row.run and row.claim_id)]
    return [*others, *last.values()]


def judge_rows(verifier: Verifier, rows: Sequence[Row], on_claims: Callable[[int], None]) -> list[Labelled]:
    """Judge rows that have evidence; those whose answer cannot be read, or whose language is not, are left out."""

    def judge(row: Row) -> Labelled | None:
        documents: list[Document] = [{"content": text} for text in row.documents]
        try:
            judged = verifier.judge(row.claim, "", documents)
        except (AnswerError, UnmeasuredLanguageError):
            return None
        finally:
            on_claims(1)
        return Labelled(judged, row.label, row.claim, row.run)

    return [one for one in together(judge, [row for row in rows if row.documents]) if one]


def fit(name: str, rows: Sequence[Labelled], agreement: float) -> Fit:
    """Fit a calibration of the verifier `name`.

    Args:
        agreement: share of right verdicts that a cascade's thresholds should keep.

    Raises:
        InputError: there are too few labels; it says how many are needed.
    """
    _enough(rows)
    folds = [int(hashlib.sha256(one.group.encode()).hexdigest(), 16) % FOLDS for one in rows]
    after: list[Judged] = [one.judged for one in rows]
    for fold in range(FOLDS):
        held = [place for place, one in enumerate(folds) if one == fold]
        kept = [one for one, its in zip(rows, folds, strict=True) if its != fold]
        if held:
            calibration = _fitted(name, kept).calibration()
            for place in held:
                after[place] = calibrated(rows[place].judged, calibration)
    before, told = _predictions([one.judged for one in rows], rows), _predictions(after, rows)
    alone, stands = choose_thresholds(before, agreement), choose_thresholds(told, agreement)
    final = _fitted(name, rows).model_copy(update={"cascade_low": stands.low, "cascade_high": stands.high})
    figures = {what: metrics.paired(one, before, told, rounds=ROUNDS) for what, one in MEASURES.items()}
    return Fit(final, figures, after, alone, stands)


def expected_changes(name: str, rows: Sequence[Labelled], found: Fit) -> dict[str, Interval]:
    """How false alarms and misses will change, as shares of all claims, on claims that nobody has labelled.

    The intervals take in that other labels would have made another calibration: each of many resamples is fitted anew,
    and measured on the claims that it left out.
    """
    dice, changes = random.Random(1), {what: list[float]() for what in EFFECTS}
    for _ in range(REFITS):
        places = dice.choices(range(len(rows)), k=len(rows))
        aside = [rows[place] for place in sorted(set(range(len(rows))) - set(places))]
        drawn = [rows[place] for place in places]
        if not aside or len({one.gold == "supported" for one in drawn}) < 2:
            continue
        calibration = _fitted(name, drawn).calibration()
        before = _predictions([one.judged for one in aside], aside)
        after = _predictions([calibrated(one.judged, calibration) for one in aside], aside)
        for what, measure in EFFECTS.items():
            changes[what].append(MEASURES[measure](after) - MEASURES[measure](before))
    return {what: _between(found.figures[measure][2].value, changes[what]) for what, measure in EFFECTS.items()}


def _between(value: float, drawn: Sequence[float]) -> Interval:
    ordered = sorted(drawn)
    low, high = ordered[int(0.025 * len(ordered))], ordered[int(0.975 * len(ordered)) - 1]
    return Interval(value, min(low, value), max(high, value))


def _enough(rows: Sequence[Labelled]) -> None:
    supported = sum(one.gold == "supported" for one in rows)
    lacking = max(LEAST - len(rows), 0)
    sides = [
        f"{LEAST_A_SIDE - count} more {side}"
        for side, count in (("supported", supported), ("not supported", len(rows) - supported))
        if count < LEAST_A_SIDE
    ]
    if lacking or sides:
        needed = ", of them ".join([f"{lacking} more labels"] * bool(lacking) + [" and ".join(sides)] * bool(sides))
        raise InputError(
            f"{_counted(len(rows))} too few to calibrate: {needed} are needed",
            hint=f"{LEAST} in all, {LEAST_A_SIDE} of either side; about 300 are better",
        )


def _counted(labels: int) -> str:
    return "1 label is" if labels == 1 else f"{labels} labels are"


def _fitted(name: str, rows: Sequence[Labelled]) -> OwnLabels:
    features = np.array([features_of(one.judged) for one in rows])
    full = np.array([one.gold == "supported" for one in rows], dtype=float)
    rest = full == 0
    part = np.array([one.gold == "weakly_supported" for one in rows], dtype=float)
    as_it_is = np.eye(len(FEATURES))
    supported = _logistic(features, full, as_it_is[0])
    weak = _logistic(features[rest], part[rest], as_it_is[1])
    return OwnLabels(verifier=name, labels=len(rows), features=list(FEATURES), supported=supported, weak=weak)


def _logistic(features: Array, gold: Array, prior: Array) -> FittedStep:
    """A logistic regression that is pulled towards the weights `prior` and a bias of none; by Newton's method, each
    step halved until it helps."""
    with_bias = np.hstack([np.ones((len(features), 1)), features])
    start = np.concatenate([[0.0], prior])

    def loss(weights: Array) -> float:
        odds = with_bias @ weights
        return float((np.logaddexp(0, odds) - gold * odds).sum() + PULL / 2 * ((weights - start) ** 2).sum())

    weights = start
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(with_bias @ weights, -30, 30)))
        slope = with_bias.T @ (chance - gold) + PULL * (weights - start)
        bend = (with_bias * (chance * (1 - chance))[:, None]).T @ with_bias + PULL * np.eye(len(start))
        step = np.linalg.solve(bend, slope)
        while loss(weights - step) > loss(weights) and float(np.abs(step).max()) > 1e-9:
            step = step / 2
        weights = weights - step
        if float(np.abs(step).max()) < 1e-8:
            break
    return FittedStep(bias=round(float(weights[0]), 6), weights=[round(float(one), 6) for one in weights[1:]])


def _predictions(judged: Sequence[Judged], rows: Sequence[Labelled]) -> list[Prediction]:
    return [
        Prediction(row.gold, one.answer.label, {str(label): share for label, share in one.answer.scores.items()})
        for one, row in zip(judged, rows, strict=True)
    ]
