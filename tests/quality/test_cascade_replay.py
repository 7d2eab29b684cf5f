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
from gate.model import Answer, Document
from gate.ports import Judged

pytestmark = pytest.mark.quality

LOW, HIGH = 0.2, 0.9
"""The defaults. `gate calibrate` says 0.18 for the claims of wice-claim-doc-dev that the encoder has not seen. No claim
is surer than `HIGH`."""


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
    Second("t5-3b-anli-wice", 0.5, 0.42, -0.10),  # trained on this set's own training rows
    Second("t5-3b-anli", 0.5, 0.42, -0.08),
    Second("gpt-4-0613", 1.0, 0.45, -0.05),  # 1.0, 0.5 and 0.0 are its three labels; 46 of the claims
]


class Replayed:
    """A verifier that says of each claim what it has said before."""

    def __init__(self, name: str, said: Mapping[str, Judged]) -> None:
        self.name, self._said, self.asked = name, said, 0

    def judge(self, claim: str, context: str, documents: Sequence[Document]) -> Judged:
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


@pytest.mark.parametrize("second", SECONDS, ids=lambda second: second.name)
def test_nearly_half_of_the_calls_are_saved_at_an_accuracy_that_the_interval_does_not_tell_from_the_second_ones(
    second: Second, rows: list[dict[str, Any]], local: dict[str, Judged], labelled_data: Path
) -> None:
    scores = {one["id"]: one for one in lines(labelled_data / "wice-published-outputs-test-a.jsonl")}
    known = [row for row in rows if second.name in scores[row["id"]]]
    alone = {row["claim"]: published(second, scores[row["id"]][second.name]) for row in known}
    asked = Replayed(second.name, alone)
    cascade = Cascade(Replayed("local", local), asked, LOW, HIGH)
    differences, right = [], 0
    for row in known:
        is_supported = row["label3"] == "supported"
        is_right = (cascade.judge(row["claim"], "", []).answer.label == "supported") == is_supported
        differences.append(is_right - ((alone[row["claim"]].answer.label == "supported") == is_supported))
        right += is_right
    dice = random.Random(1)
    means = sorted(sum(dice.choices(differences, k=len(known))) / len(known) for _ in range(1_000))
    saved = 1 - asked.asked / len(known)
    print(f"{second.name}, {len(known)} claims: saved {saved:.3f}, accuracy {right / len(known):.3f}")
    print(f"difference {sum(differences) / len(known):.3f}, 95 % interval {means[25]:.3f} to {means[974]:.3f}")
    assert saved >= second.least_saved
    assert means[25] >= second.least
    assert means[974] >= 0
