"""The local verifier before models whose answers are published: what a cascade saves, and at what price."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gate.adapters.judging.cascade import Cascade
from gate.adapters.local_verifier import local_verifier
from gate.model import NONE_KNOWN, Answer, Document, Known
from gate.ports import Judged

pytestmark = [pytest.mark.quality, pytest.mark.timeout(900)]

LOW, HIGH = 0.2, 0.9
"""The defaults."""
FROM_LABELS = 0.2389
"""What `gate calibrate` says at an agreement of 0.95 of the 185 claims of wice-claim-doc-dev that the encoder has not
seen, for the verifier as it is; its last layer has, so that the agreement is a little too good."""
CURVE = (0.1, 0.14, 0.18, LOW, FROM_LABELS, 0.25)


@dataclass(frozen=True)
class Second:
    """A second verifier whose scores are published.

    `supported_from`: the score from which it calls a claim supported.
    `least_saved`, `least`: the share of calls saved, and the lower end of the difference's interval, that are held.
    """

    name: str
    supported_from: float
    least_saved: float
    least: float


SECONDS = [
    Second("t5-3b-anli-wice", 0.5, 0.36, -0.10),  # trained on this set's own training rows
    Second("t5-3b-anli", 0.5, 0.36, -0.08),
    Second("gpt-4-0613", 1.0, 0.45, -0.05),  # 1.0, 0.5 and 0.0 are its three labels; 46 of the claims
]


class Replayed:
    """A verifier that says of each claim what it has said before."""

    def __init__(self, name: str, said: Mapping[str, Judged]) -> None:
        self.name, self._said, self.asked = name, said, 0

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        self.asked += 1
        return self._said[claim]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def published(second: Second, score: float) -> Judged:
    is_supported = score >= second.supported_from
    label, reason = ("supported", "entailed") if is_supported else ("unsupported", "not_mentioned")
    answer = Answer.model_validate({"label": label, "reason": reason, "justification": "Published."})
    return Judged(answer, second.name)


@pytest.fixture(scope="module")
def rows(labelled_data: Path) -> list[dict[str, Any]]:
    return lines(labelled_data / "wice-claim-doc-test-a.jsonl")


@pytest.fixture(scope="module")
def local(rows: list[dict[str, Any]]) -> dict[str, Judged]:
    """What the local verifier says of each claim."""
    verifier = local_verifier("article")
    return {row["claim"]: verifier.judge(row["claim"], "", [{"content": "\n".join(row["evidence"])}]) for row in rows}


@dataclass(frozen=True)
class Replay:
    """Share of calls saved; of each claim whether it is supported, whether the cascade is right, and the second one."""

    saved: float
    told: list[tuple[bool, bool, bool]]

    def of_supported(self, *, is_supported: bool) -> list[tuple[bool, bool, bool]]:
        return [one for one in self.told if one[0] is is_supported]


def replay(second: Second, rows: list[dict[str, Any]], local: Mapping[str, Judged], folder: Path, low: float) -> Replay:
    scores = {one["id"]: one for one in lines(folder / "wice-published-outputs-test-a.jsonl")}
    known = [row for row in rows if second.name in scores[row["id"]]]
    alone = {row["claim"]: published(second, scores[row["id"]][second.name]) for row in known}
    asked = Replayed(second.name, alone)
    cascade = Cascade(Replayed("local", local), asked, low, HIGH)
    told = []
    for row in known:
        is_so = row["label3"] == "supported"
        both = (cascade.judge(row["claim"], "", []), alone[row["claim"]])
        told.append((is_so, *((one.answer.label == "supported") == is_so for one in both)))
    return Replay(1 - asked.asked / len(known), told)


def difference(told: Sequence[tuple[bool, bool, bool]]) -> float:
    """By how much more often the cascade is right than the second verifier alone."""
    return sum(ours - theirs for _, ours, theirs in told) / len(told)


def balanced(found: Replay) -> float:
    """The same, supported claims and others counting alike."""
    return sum(difference(found.of_supported(is_supported=side)) for side in (True, False)) / 2


def between(draws: list[float]) -> tuple[float, float]:
    ordered = sorted(draws)
    return ordered[int(0.025 * len(draws))], ordered[int(0.975 * len(draws)) - 1]


def intervals(found: Replay) -> tuple[tuple[float, float], tuple[float, float]]:
    """95 % intervals of both differences; the balanced one is of resamples that keep how many claims are supported."""
    dice = random.Random(1)
    sides = [found.of_supported(is_supported=side) for side in (True, False)]
    plain = [difference(dice.choices(found.told, k=len(found.told))) for _ in range(1_000)]
    even = [sum(difference(dice.choices(side, k=len(side))) for side in sides) / 2 for _ in range(1_000)]
    return between(plain), between(even)


@pytest.mark.parametrize("low", CURVE)
@pytest.mark.parametrize("second", SECONDS, ids=lambda second: second.name)
def test_what_a_threshold_saves_and_what_it_costs(
    second: Second, low: float, rows: list[dict[str, Any]], local: dict[str, Judged], labelled_data: Path
) -> None:
    found = replay(second, rows, local, labelled_data, low)
    right = sum(ours for _, ours, _ in found.told) / len(found.told)
    (least, most), even = intervals(found)
    print(f"{second.name}, {len(found.told)} claims, up to {low}: saved {found.saved:.3f}, accuracy {right:.3f}")
    print(f"  difference {difference(found.told):+.3f} ({least:+.3f} to {most:+.3f})")
    print(f"  of balanced accuracy {balanced(found):+.3f} ({even[0]:+.3f} to {even[1]:+.3f})")
    if low == LOW:
        assert found.saved >= second.least_saved
        assert least >= second.least
    if low == FROM_LABELS:
        assert found.saved >= 0.5 - 0.03
    assert most >= 0
