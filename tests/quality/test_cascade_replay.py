"""The local verifier before a model whose answers are published: what a cascade saves, and at what price."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from gate.adapters.judging.cascade import Cascade
from gate.adapters.local_verifier import local_verifier
from gate.model import Answer, Document
from gate.ports import Judged

pytestmark = pytest.mark.quality

LOW, HIGH = 0.214, 0.9
"""Chosen on wice-claim-doc-dev: at most this probability, 96 % of 167 claims are not supported indeed."""


class Published:
    """A verifier that answers as T5-3B did, supported from one half on."""

    name = "t5-3b-anli-wice"

    def __init__(self, scores: dict[str, float]) -> None:
        self._scores, self.asked = scores, 0

    def judge(self, claim: str, context: str, documents: Sequence[Document]) -> Judged:
        self.asked += 1
        is_supported = self._scores[claim] >= 0.5
        label, reason = ("supported", "entailed") if is_supported else ("unsupported", "not_mentioned")
        answer = Answer.model_validate({"label": label, "reason": reason, "justification": "Published."})
        return Judged(answer, self.name)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_two_calls_in_five_are_saved_at_an_accuracy_that_the_interval_does_not_tell_from_the_second_ones(
    labelled_data: Path,
) -> None:
    rows = lines(labelled_data / "wice-claim-doc-test-a.jsonl")
    published = lines(labelled_data / "wice-published-outputs-test-a.jsonl")
    scores = {str(one["id"]): one[Published.name] for one in published}
    second = Published({str(row["claim"]): float(str(scores[str(row["id"])])) for row in rows})
    cascade = Cascade(local_verifier("article"), second, LOW, HIGH)
    differences, right = [], 0
    for row in rows:
        evidence = row["evidence"]
        assert isinstance(evidence, list)
        judged = cascade.judge(str(row["claim"]), "", [{"content": "\n".join(evidence)}])
        is_right = (judged.answer.label == "supported") == (row["label3"] == "supported")
        alone = (second._scores[str(row["claim"])] >= 0.5) == (row["label3"] == "supported")
        differences.append(is_right - alone)
        right += is_right
    dice = random.Random(1)
    means = sorted(sum(dice.choices(differences, k=len(rows))) / len(rows) for _ in range(1_000))
    saved = 1 - second.asked / len(rows)
    print(f"saved {saved:.3f}, accuracy {right / len(rows):.3f}, difference {sum(differences) / len(rows):.3f}")
    print(f"95 % interval {means[25]:.3f} to {means[974]:.3f}")
    assert saved >= 0.4
    assert means[25] >= -0.10
    assert means[974] >= 0
