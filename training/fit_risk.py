"""Fit what makes an answer's risk: the layer `doubt`, and where `review` and `block` begin.

    GATE_DATA=… PYTHONPATH=functions:. python -m training.fit_risk [--kept FILE]

Five coefficients, no weights of a model. First the features of claims are fitted to whether a person's mark touches
them, together with single claims of the open sets, which have a base rate of their own: answers alone would teach
that a word that is missing is all, for their writers seldom contradict their sources. Then the base rate is shifted
so that as many answers are said to hold an unsupported claim as do. Everything that is printed comes from folds by
question that saw neither the answer nor another one to its question, thresholds included.
Judges with the verifier that ships (five minutes of CPU; `--kept` keeps what it found, outside of the repository, and
judges again once the verifier has changed), writes doubt.json beside its weights.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gate.adapters.local_verifier.doubt import FEATURES
from gate.decision.risk import blocking_doubt
from gate.model import OUTCOMES
from training import answers
from training.answers import JudgedAnswer, JudgedClaim
from training.data import share

VERSION = "1"
FOLDS, SPLITS = 10, 5
RIDGE = 1.0
"""Pull of each standardised coefficient towards nought, as in `fit_step` with C = 1."""
HONEST_BLOCKED, BAD_PASSED = 0.15, 0.15
"""What the default may do at most; `block` begins where the first is met, `review` where the second is, less a
margin: thresholds are chosen on a few answers, and others differ. Of bad ones a fifth may pass; at a fifth, on 77 of
them, as likely as not more do."""
LATEST_REVIEW = 0.8
"""Of the risk at which `block` begins: a person looks at what lies between, whatever the hard rules hold back."""
MARGIN = 0.01
ROUNDS = 1000
Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Table:
    """Claims of answers in rows: features `x`, whether marked, and the answer each belongs to; the answers; and the
    features of single claims, and whether each is unsupported."""

    x: Array
    marked: Array
    answer: Array
    bad: Array
    answers: list[JudgedAnswer]
    single: Array
    unsupported: Array

    @classmethod
    def of(cls, found: list[JudgedAnswer], single: list[JudgedClaim]) -> Table:
        """Lay the claims of all answers out in rows."""
        rows = [(claim, place) for place, one in enumerate(found) for claim in one.claims]
        x = np.array([claim.features for claim, _ in rows])
        marked = np.array([claim.marked for claim, _ in rows], dtype=float)
        place = np.array([place for _, place in rows])
        return cls(
            x, marked, place, np.array([one.bad for one in found], dtype=float), found,
            np.array([claim.features for claim in single]),
            np.array([claim.marked for claim in single], dtype=float),
        )  # fmt: skip

    def folds(self, split: int) -> Array:
        """The fold of each answer; another one for each `split`, never parting a question."""
        return np.array([int(share(f"risk{split}{one.question}") * FOLDS) for one in self.answers])


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--kept", type=Path, help="keep what the verifier found here, outside of the repository")
    table = Table.of(*answers.judged(options.parse_args().kept))
    every = np.ones(len(table.bad), dtype=bool)
    step = fit(table, every)
    described = {"version": VERSION, "features": FEATURES, **step, "fitted_on": counted(table)}
    (answers.WEIGHTS / "doubt.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    risk, alarm = held_out(table), held_out(table, alarms)
    print(json.dumps(described))
    review, block = thresholds(table, risk, every)
    print(f"REVIEW_RISK, BLOCK_RISK = {review:.2f}, {block:.2f}\n")
    print(as_lines(table, risk, alarm))


def counted(table: Table) -> dict[str, int]:
    """What it was fitted on, in numbers."""
    return {
        "answers": len(table.bad), "with a mark": int(table.bad.sum()),
        "claims": len(table.marked), "marked": int(table.marked.sum()),
        "single claims": len(table.single),
    }  # fmt: skip


def fit(table: Table, rows: Array) -> dict[str, Any]:
    """Fit the layer on some of the answers; `rows` says for each answer whether it is one of them."""
    mine = rows[table.answer]
    features = np.concatenate([table.x[mine], table.single])
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-9
    apart = np.repeat([0.0, 1.0], [mine.sum(), len(table.single)])
    x = np.column_stack([np.ones(len(features)), apart, (features - mean) / scale])
    found = _logistic(x, np.concatenate([table.marked[mine], table.unsupported]))
    slopes = np.maximum(found[2:] / scale, 0)
    return {
        "bias": round(_base_rate(table.x @ slopes, table, rows), 4),
        "weights": [round(float(slope), 4) for slope in slopes],
    }


def _logistic(x: Array, y: Array) -> Array:
    """Logistic regression by Newton's method, with a ridge on the features; the first two columns are no features."""
    found, ridge = np.zeros(x.shape[1]), np.diag([0.0, 0.0, *[RIDGE] * (x.shape[1] - 2)])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-x @ found))
        curve = (x * (chance * (1 - chance))[:, None]).T @ x + ridge
        found = found - np.linalg.solve(curve, x.T @ (chance - y) + ridge @ found)
    return found


def _base_rate(odds: Array, table: Table, rows: Array) -> float:
    """The bias under which the mean risk of the answers is the share of them that hold a mark, by bisection."""
    low, high = -20.0, 20.0
    for _ in range(60):
        bias = (low + high) / 2
        risk = 1 - np.exp(-_summed(np.logaddexp(0, bias + odds), table))
        low, high = (low, bias) if risk[rows].mean() > table.bad[rows].mean() else (bias, high)
    return (low + high) / 2


def _summed(values: Array, table: Table) -> Array:
    return np.bincount(table.answer, values, minlength=len(table.bad))


def risks(table: Table, step: dict[str, Any]) -> Array:
    """The risk of every answer, as the product computes it."""
    return 1 - np.exp(-_summed(np.logaddexp(0, _odds(table, step)), table))


def _odds(table: Table, step: dict[str, Any]) -> Array:
    """The log odds of every claim's doubt."""
    found: Array = step["bias"] + table.x @ np.array(step["weights"])
    return found


def alarms(table: Table, step: dict[str, Any]) -> Array:
    """The risk of every answer of which a claim stands out, without which nothing is blocked; of the others nought."""
    most = np.zeros(len(table.bad))
    np.maximum.at(most, table.answer, 1 / (1 + np.exp(-_odds(table, step))))
    wanted = np.array([blocking_doubt(claims) for claims in np.bincount(table.answer, minlength=len(table.bad))])
    return np.where(most >= wanted, risks(table, step), 0.0)


def held_out(table: Table, measure: Callable[[Table, dict[str, Any]], Array] = risks) -> Array:
    """The risk of every answer from layers that did not see its question: one column a split."""
    columns = []
    for split in range(SPLITS):
        fold, found = table.folds(split), np.zeros(len(table.bad))
        for out in range(FOLDS):
            found[fold == out] = measure(table, fit(table, fold != out))[fold == out]
        columns.append(found)
    return np.column_stack(columns)


def thresholds(table: Table, risk: Array, rows: Array) -> tuple[float, float]:
    """Where `review` and `block` begin by some of the answers, from risks that were held out.

    A bad answer that a hard rule holds back passes at no threshold.
    """
    held = np.array([one.by_rules != "pass" for one in table.answers])
    wrong = np.where(held[:, None], 1.0, risk)[rows & (table.bad > 0)]
    block = float(np.quantile(risk[rows & (table.bad == 0)], 1 - HONEST_BLOCKED + MARGIN))
    return min(float(np.quantile(wrong, BAD_PASSED - MARGIN)), block * LATEST_REVIEW), block


def outcomes(table: Table, risk: Array, alarm: Array, review: float, block: float) -> list[int]:
    """The default policy's outcome for each answer, as a place in `OUTCOMES`: its hard rules, and the risk."""
    rules = [OUTCOMES.index(one.by_rules) for one in table.answers]
    by_risk = np.where(alarm >= block, 2, np.where(risk >= review, 1, 0))
    return [max(rule, int(one)) for rule, one in zip(rules, by_risk, strict=True)]


def decided(table: Table, risk: Array, alarm: Array) -> list[list[int]]:
    """The outcomes of each split; an answer's thresholds come from the folds that it is not in."""
    found = []
    for split in range(SPLITS):
        fold, column = table.folds(split), [0] * len(table.bad)
        for out in range(FOLDS):
            limits = thresholds(table, risk[:, split : split + 1], fold != out)
            for place in np.flatnonzero(fold == out):
                column[place] = outcomes(table, risk[:, split], alarm[:, split], *limits)[place]
        found.append(column)
    return found


Figures = dict[str, float]


def auroc(score: Array, bad: Array) -> float:
    """Chance that a bad answer has the higher score, ties half."""
    high, low = score[bad > 0], score[bad == 0]
    return float((high[:, None] > low).mean() + (high[:, None] == low).mean() / 2)


def shares(outcome: Array, bad: Array) -> Figures:
    """What becomes of honest answers and of bad ones."""
    honest, wrong = outcome[bad == 0], outcome[bad > 0]
    return {
        "balanced accuracy of block": float(((honest < 2).mean() + (wrong == 2).mean()) / 2),
        "honest blocked": float((honest == 2).mean()),
        "honest pass": float((honest == 0).mean()),
        "bad pass": float((wrong == 0).mean()),
    }


def with_intervals(table: Table, measure: Callable[[Array], Figures]) -> dict[str, tuple[float, float, float]]:
    """Figures over all answers, each with its 95 % bootstrap interval; questions are drawn, with all their answers."""
    chance = np.random.default_rng(1)
    places: dict[str, list[int]] = {}
    for place, one in enumerate(table.answers):
        places.setdefault(one.question, []).append(place)
    groups = [np.array(group) for group in places.values()]
    draws = [
        measure(np.concatenate([groups[at] for at in chance.integers(len(groups), size=len(groups))]))
        for _ in range(ROUNDS)
    ]
    whole = measure(np.arange(len(table.bad)))
    return {
        name: (value, *np.quantile([draw[name] for draw in draws], [0.025, 0.975]).tolist())
        for name, value in whole.items()
    }


def as_lines(table: Table, risk: Array, alarm: Array) -> str:
    """The figures and the curve as Markdown."""
    by_risk = np.array(decided(table, risk, alarm)).T
    by_labels = np.array([OUTCOMES.index(one.by_labels) for one in table.answers])

    def measure(at: Array) -> Figures:
        columns = range(SPLITS)
        each = [
            {"AUROC of risk": auroc(risk[at, one], table.bad[at]), **shares(by_risk[at, one], table.bad[at])}
            for one in columns
        ]
        return {name: float(np.mean([one[name] for one in each])) for name in each[0]}

    lines = ["| figure | by risk | by labels |", "| --- | --- | --- |"]
    before = with_intervals(table, lambda at: shares(by_labels[at], table.bad[at]))
    for name, value in with_intervals(table, measure).items():
        lines.append(f"| {name} | {_shown(value)} | {_shown(before[name]) if name in before else ''} |")
    lines += ["", "| risk from | honest below | bad below |", "| --- | --- | --- |"]
    for limit in (0.05, 0.08, 0.10, 0.12, 0.15, 0.20, 0.25, 0.30, 0.40, 0.50):
        below = risk < limit
        lines.append(f"| {limit:.2f} | {below[table.bad == 0].mean():.2f} | {below[table.bad > 0].mean():.2f} |")
    lines += ["", "| risk said | seen | answers |", "| --- | --- | --- |"]
    mean = risk.mean(axis=1)
    for part in np.array_split(np.argsort(mean), 6):
        lines.append(f"| {mean[part].mean():.2f} | {table.bad[part].mean():.2f} | {len(part)} |")
    return "\n".join([*lines, "", *_sentences(table)])


def _sentences(table: Table) -> list[str]:
    claims = [claim for one in table.answers for claim in one.claims]
    marked = [claim.label for claim in claims if claim.marked]
    plain = [claim.label for claim in claims if not claim.marked]
    return [
        f"sentences without a mark called unsupported: {plain.count('unsupported') / len(plain):.3f} of {len(plain)}",
        f"sentences with a mark called supported: {marked.count('supported') / len(marked):.3f} of {len(marked)}",
    ]


def _shown(value: Sequence[float]) -> str:
    return "{:.2f} ({:.2f}-{:.2f})".format(*value)


if __name__ == "__main__":
    main()
