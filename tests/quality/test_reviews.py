"""What is expected of a calibration from reviews comes true on claims that nobody has reviewed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from gate import wiring
from gate.adapters.judging.own_labels import calibrated
from gate.adapters.local_verifier.calibration import Calibration
from gate.cli.calibration_fit import EFFECTS, MEASURES, Labelled, expected_changes, fit, judge_rows
from gate.cli.labelled_rows import read_rows
from gate.cli.reviewing import weighed
from gate.decision.metrics import Prediction
from gate.model import LABELS
from tests.entrance import Entrance
from tests.quality.measure import data

pytestmark = [
    pytest.mark.quality,
    pytest.mark.timeout(300),
    pytest.mark.skipif(data() is None, reason="GATE_DATA names no folder with the labelled sets"),
]
REVIEWED, FRESH = 300, 1_300
NOISE = 0.05


def told(judged: list[Labelled], calibration: Calibration | None = None) -> list[Prediction]:
    found = []
    for one in judged:
        after = one.judged if calibration is None else calibrated(one.judged, calibration)
        scores = {str(label): share for label, share in after.answer.scores.items()}
        found.append(Prediction(one.gold, after.answer.label, scores))
    return found


@pytest.mark.parametrize("name", ["fever-rte-dev", "factcheckgpt-train"])
def test_300_reviews_with_noise_and_a_poisoned_reviewer_improve_as_predicted(name: str, entrance: Entrance) -> None:
    """Four reviewers err on one label in twenty, a fifth turns a fifth of his labels too."""
    folder = data()
    assert folder is not None
    path, dice = folder / f"{name}.jsonl", random.Random(0)
    entrance.change(model="local:lexical")
    rows = read_rows(path, path.read_text(encoding="utf-8"), REVIEWED + FRESH, 0)
    dice.shuffle(rows)
    errs = {**{f"reviewer {number}": NOISE for number in range(4)}, "mallory": NOISE + 0.2}
    marked = [
        replace(row, reviewer=reviewer, label=dice.choice([one for one in LABELS if one != row.label]))
        if dice.random() < share
        else replace(row, reviewer=reviewer)
        for row in rows[:REVIEWED]
        for reviewer, share in errs.items()
    ]
    reviews = weighed(marked)
    assert [one.reviewer for one in reviews.outliers] == ["mallory"]
    alone = [row for row in marked if row.reviewer == "reviewer 0"]
    verifier = wiring.current().verifier("")
    fresh = judge_rows(verifier, rows[REVIEWED:], lambda _: None)
    before = told(fresh)
    for reviewed in (reviews.rows, weighed(alone).rows):
        judged = judge_rows(verifier, reviewed, lambda _: None)
        found = fit(verifier.name, judged, 0.95)
        after = told(fresh, found.calibration.calibration())
        for what, expected in expected_changes(verifier.name, judged, found).items():
            change = MEASURES[EFFECTS[what]](after) - MEASURES[EFFECTS[what]](before)
            assert expected.low <= change <= expected.high, (what, expected, change)
        error = "calibration error"
        low, high = found.figures[error][2].low, found.figures[error][2].high
        change = MEASURES[error](after) - MEASURES[error](before)
        assert change < -0.04
        assert low - 0.02 <= change <= max(high, 0)
