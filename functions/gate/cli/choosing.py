"""Where `review` and `block` should begin for a corpus, from answers of which people have labelled every claim."""

from __future__ import annotations

import hashlib
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from gate.cli.labelled_rows import Row
from gate.decision.metrics import Interval

LEAST, LEAST_A_SIDE = 40, 10
"""Answers that are needed in all; of those that hold an unsupported claim, and of the others."""
FOLDS, ROUNDS = 10, 1_000
SMALLEST = 1e-4
"""Thresholds are told in steps of this."""


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """An answer: its risk, by claims that the fit had not seen, and whether none of its claims is unsupported."""

    run: str
    risk: float
    holds: bool


@dataclass(frozen=True, slots=True)
class Limits:
    """The risk at which review begins, and block."""

    review: float
    block: float


@dataclass(frozen=True, slots=True)
class PolicyFit:
    """Thresholds, and what they would have done with answers that they were not chosen by.

    Attributes:
        figures: shares with their intervals, by name.
        lacking: how many answers are needed more; then there are no thresholds.
    """

    answers: int
    bad: int
    limits: Limits | None
    figures: dict[str, Interval]
    lacking: str = ""


def answers_of(rows: Iterable[Row], doubts: Iterable[tuple[str, str, float]]) -> list[LabelledAnswer]:
    """The answers of which every claim has a label and a verdict.

    Args:
        rows: all labels; a claim without a passage leaves no doubt that it is unsupported.
        doubts: run, label and doubt of each claim that was judged.
    """
    claims: dict[str, list[tuple[str, float]]] = defaultdict(list)
    counts: dict[str, int] = {}
    for row in rows:
        if row.run:
            counts[row.run] = row.of
            claims[row.run] += [(row.label, 1.0)] * (not row.documents)
    for run, label, doubt in doubts:
        claims[run].append((label, doubt))
    return [
        LabelledAnswer(
            run, 1 - math.prod(1 - doubt for _, doubt in found), all(label != "unsupported" for label, _ in found)
        )
        for run, found in claims.items()
        if found and len(found) == counts.get(run)
    ]


def fit_policy(answers: Sequence[LabelledAnswer], passed_wrongly: float, blocked_wrongly: float) -> PolicyFit:
    """Choose thresholds, and measure them on answers that they were not chosen by.

    Args:
        passed_wrongly: share of the answers with an unsupported claim that may pass.
        blocked_wrongly: share of the others that may be blocked.
    """
    bad = sum(not one.holds for one in answers)
    if lacking := _lacking(len(answers), bad):
        return PolicyFit(len(answers), bad, None, {}, lacking)

    def chosen(some: Sequence[LabelledAnswer]) -> Limits:
        return limits(some, passed_wrongly, blocked_wrongly)

    folds = [int(hashlib.sha256(one.run.encode()).hexdigest(), 16) % FOLDS for one in answers]
    told: list[tuple[bool, str]] = []
    for fold in sorted(set(folds)):
        held = [one for one, its in zip(answers, folds, strict=True) if its == fold]
        rest = [one for one, its in zip(answers, folds, strict=True) if its != fold]
        told += [(one.holds, _outcome(one.risk, chosen(rest))) for one in held]
    return PolicyFit(len(answers), bad, chosen(answers), {name: _interval(each, told) for name, each in SHARES.items()})


def limits(answers: Sequence[LabelledAnswer], passed_wrongly: float, blocked_wrongly: float) -> Limits:
    """The highest threshold of review that lets no more bad answers pass than wanted, and the lowest of block that
    blocks no more of the others; review never begins after block."""
    bad = sorted(one.risk for one in answers if not one.holds)
    others = sorted(one.risk for one in answers if one.holds)
    review = _down(bad[min(int(passed_wrongly * len(bad)), len(bad) - 1)]) if bad else 0.0
    spared = others[max(len(others) - int(blocked_wrongly * len(others)) - 1, 0)] if others else 0.0
    block = min(1.0, _down(spared) + SMALLEST)
    return Limits(round(min(review, block), 4), round(block, 4))


def _down(risk: float) -> float:
    return round(math.floor(risk / SMALLEST) * SMALLEST, 4)


def _outcome(risk: float, limits: Limits) -> str:
    return "block" if risk >= limits.block else "review" if risk >= limits.review else "pass"


Told = Sequence[tuple[bool, str]]


def _share(told: Told, outcome: str, *, holds: bool) -> float:
    side = [given for is_so, given in told if is_so is holds]
    return side.count(outcome) / len(side) if side else 0.0


SHARES: dict[str, Callable[[Told], float]] = {
    "passed": lambda told: sum(given == "pass" for _, given in told) / len(told),
    "reviewed": lambda told: sum(given == "review" for _, given in told) / len(told),
    "blocked": lambda told: sum(given == "block" for _, given in told) / len(told),
    "passed wrongly": lambda told: _share(told, "pass", holds=False),
    "blocked wrongly": lambda told: _share(told, "block", holds=True),
}
"""Of all answers; `passed wrongly`: of those with an unsupported claim; `blocked wrongly`: of the others."""


def _interval(share: Callable[[Told], float], told: Told) -> Interval:
    chance = random.Random(1)
    draws = sorted(share(chance.choices(told, k=len(told))) for _ in range(ROUNDS))
    return Interval(share(told), draws[int(0.025 * ROUNDS)], draws[int(0.975 * ROUNDS) - 1])


def _lacking(count: int, bad: int) -> str:
    more = max(LEAST - count, 0)
    sides = [
        f"{LEAST_A_SIDE - found} more {side}"
        for side, found in (("with an unsupported claim", bad), ("without one", count - bad))
        if found < LEAST_A_SIDE
    ]
    needed = ", of them ".join([f"{more} more answers"] * bool(more) + [" and ".join(sides)] * bool(sides))
    return f"{needed} are needed" if needed else ""
