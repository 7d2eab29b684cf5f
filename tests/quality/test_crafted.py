"""Claims made to be taken for supported: the evidence has their words and denies, asks, limits or reverses them.

The set is for measuring alone: whoever fits or tunes on it has to write another one.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from gate.adapters.local_verifier import local_verifier

pytestmark = pytest.mark.quality
SET = Path(__file__).with_name("crafted.jsonl")
MOST_LET_THROUGH, FEWEST_HONEST = 19, 39
"""Of 73 crafted claims, and of 40 honest ones that stand in the evidence, as recorded in docs/verification.md."""


def test_no_more_crafted_claims_are_supported_than_recorded_and_no_fewer_honest_ones() -> None:
    verifier, supported = local_verifier(), Counter[str]()
    for line in SET.read_text().splitlines():
        row = json.loads(line)
        answer = verifier.judge(row["claim"], "", [{"content": text} for text in row["evidence"]]).answer
        supported["honest" if row["group"] == "honest" else "crafted"] += answer.label == "supported"
    assert supported["crafted"] <= MOST_LET_THROUGH
    assert supported["honest"] >= FEWEST_HONEST
