"""The hand-written cases: what docs/privacy.md says of the redactors is what they do."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.quality.redaction.scores import REDACTORS, SETS, cases, scores, table

DOCUMENT = Path(__file__).parents[2] / "docs" / "privacy.md"

if not os.environ.get("CI"):
    pytest.importorskip("phonenumbers", reason="the extra `redact` is not installed")


def test_there_are_at_least_three_hundred_cases_with_values_and_look_alikes() -> None:
    every = cases("cases")
    assert len(every) >= 300
    assert sum(bool(case.values) for case in every) >= 150
    assert sum(not case.values for case in every) >= 100
    assert len({case.text for case in every}) == len(every)


def test_the_held_back_cases_are_other_ones() -> None:
    assert not {case.text for case in cases("cases")} & {case.text for case in cases("held_back")}


@pytest.mark.parametrize("name", SETS)
def test_the_documented_scores_are_the_measured_ones(name: str) -> None:
    measured = table({redactor: scores(redactor, cases(name)) for redactor in REDACTORS})
    documented = re.search(f"<!-- begin {name} -->\n(.*?)\n<!-- end {name} -->", DOCUMENT.read_text(), re.DOTALL)
    assert documented is not None
    assert documented[1].strip() == measured, "run `python -m tests.quality.redaction` and put its table in"
