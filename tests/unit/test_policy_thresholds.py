"""`gate calibrate` on whole answers: where review and block begin, and what that would have done."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from gate import cli
from gate.adapters.judging.own_labels import read_calibration
from gate.cli import calibration_fit, choosing
from gate.cli.calibration_fit import once_each
from gate.cli.choosing import LabelledAnswer, Limits, answers_of, fit_policy, limits
from gate.cli.labelled_rows import Row
from tests.entrance import Entrance


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration_fit, "ROUNDS", 20)
    monkeypatch.setattr(choosing, "ROUNDS", 100)


def answers(good: int, bad: int, seed: int = 1) -> list[LabelledAnswer]:
    """Answers whose risk tells them apart, not always: 0 to 0.6 where they hold, 0.3 to 1 where not."""
    dice = random.Random(seed)
    found = [LabelledAnswer(f"good {n}", dice.random() * 0.6, True) for n in range(good)]
    return found + [LabelledAnswer(f"bad {n}", 0.3 + dice.random() * 0.7, False) for n in range(bad)]


def test_no_more_bad_answers_pass_and_no_more_others_are_blocked_than_wanted() -> None:
    some = answers(100, 50)
    chosen = limits(some, 0.2, 0.1)
    assert sum(one.risk < chosen.review for one in some if not one.holds) <= 10
    assert sum(one.risk >= chosen.block for one in some if one.holds) <= 10
    assert chosen.review <= chosen.block


@pytest.mark.parametrize("seed", range(5))
def test_the_wanted_shares_hold_on_answers_that_they_were_not_chosen_by(seed: int) -> None:
    found = fit_policy(answers(200, 100, seed), 0.2, 0.15)
    assert found.limits is not None
    missed, blocked = found.figures["passed wrongly"], found.figures["blocked wrongly"]
    assert missed.low <= 0.2 <= missed.value + 0.1
    assert blocked.low <= 0.15
    assert sum(found.figures[name].value for name in ("passed", "reviewed", "blocked")) == pytest.approx(1)


def test_answers_whose_risks_say_nothing_are_held_back_and_not_passed() -> None:
    same = [LabelledAnswer(str(n), 0.5, n % 2 == 0) for n in range(80)]
    found = fit_policy(same, 0.2, 0.15)
    assert found.figures["passed wrongly"].value == 0
    assert found.limits == Limits(0.5, 0.5001)


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        (20, 5, "15 more answers, of them 5 more with an unsupported claim are needed"),
        (3, 90, "7 more without one are needed"),
        (19, 11, "10 more answers are needed"),
        (0, 0, "40 more answers, of them 10 more with an unsupported claim and 10 more without one are needed"),
    ],
)
def test_too_few_answers_are_refused_and_it_is_said_how_many_are_needed(good: int, bad: int, said: str) -> None:
    found = fit_policy(answers(good, bad), 0.2, 0.15)
    assert (found.limits, found.lacking) == (None, said)


def row(run: str, number: int, label: str = "supported", of: int = 2, documents: tuple[str, ...] = ("x",)) -> Row:
    return Row(f"claim {number}", documents, label, run, f"c{number:04d}", of)


def test_an_answer_counts_where_every_claim_has_a_label_and_a_verdict() -> None:
    rows = [row("all", 1), row("all", 2), row("half", 1), row("silent", 1), row("silent", 2), Row("x", ("y",), "z")]
    doubts = [("all", "supported", 0.1), ("all", "supported", 0.5), ("half", "supported", 0.1)]
    [found] = answers_of(rows, [*doubts, ("silent", "supported", 0.1), ("", "supported", 0.9)])
    assert (found.run, found.holds) == ("all", True)
    assert found.risk == pytest.approx(0.55)


def test_a_claim_without_a_passage_leaves_no_doubt_and_a_partial_one_does_not_make_an_answer_bad() -> None:
    rows = [row("a", 1, "weakly_supported"), row("a", 2, documents=())]
    [found] = answers_of(rows, [("a", "weakly_supported", 0.1)])
    assert (found.risk, found.holds) == (1.0, True)


def test_a_claim_that_is_labelled_twice_counts_once_by_its_last_label() -> None:
    twice = [row("a", 1), row("a", 2), row("a", 1, "unsupported"), Row("x", (), "supported"), Row("x", (), "supported")]
    found = once_each(twice)
    assert [(one.claim_id, one.label) for one in found if one.run] == [("c0001", "unsupported"), ("c0002", "supported")]
    assert len(found) == 4


def labelled(path: Path, answers: int) -> Path:
    """Answers of three claims about shops; in every third one a claim is not what the evidence says."""
    lines = []
    for number in range(answers):
        for place in range(3):
            hour = (number + place) % 12 + 1
            wrong = number % 3 == 0 and place == 1
            shop = f"Shop {number}-{place}"
            given = {"run": f"r{number}", "claim_id": f"c{place:04d}", "claims": 3, "given": "supported"}
            claim = f"{shop} opens at {hour + wrong}."
            label = "unsupported" if wrong else "supported"
            lines.append({"claim": claim, "documents": [f"{shop} opens at {hour}."], "label": label, **given})
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    return path


def test_labels_of_whole_answers_become_thresholds_of_a_policy(entrance: Entrance, tmp_path: Path) -> None:
    entrance.change(model="local:lexical")
    file = tmp_path / "calibration.json"
    found = CliRunner().invoke(
        cli.group, ["calibrate", str(labelled(tmp_path / "labels.jsonl", 90)), "-o", str(file), "-q"]
    )
    assert found.exit_code == 0, found.output
    assert "90 answers of which every claim is labelled, 30 with an unsupported one: review_risk: 0." in found.output
    assert "blocked wrongly" in found.output
    own, _ = read_calibration(file)
    assert own.review_risk is not None
    assert own.block_risk is not None
    assert 0 < own.review_risk <= own.block_risk


def test_where_the_answers_are_too_few_the_claims_are_calibrated_alone(entrance: Entrance, tmp_path: Path) -> None:
    entrance.change(model="local:lexical")
    path = labelled(tmp_path / "labels.jsonl", 90)
    some = [json.loads(line) for line in path.read_text().splitlines()]
    for each in some[90:]:
        each["claims"] = 4
    path.write_text("\n".join(map(json.dumps, some)))
    found = CliRunner().invoke(cli.group, ["calibrate", str(path), "-o", str(tmp_path / "c.json"), "-q"])
    assert found.exit_code == 0, found.output
    assert (
        "30 answers of which every claim is labelled, 10 with an unsupported one, are too few: 10 more" in found.output
    )
    assert read_calibration(tmp_path / "c.json")[0].review_risk is None
