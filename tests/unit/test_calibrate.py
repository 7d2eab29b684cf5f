"""`gate calibrate`: probabilities fitted on labels of one's own, and what uses them."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate import cli, wiring
from gate.adapters.judging.own_labels import FEATURES, CalibratedVerifier, OwnLabels, calibrated, read_calibration
from gate.adapters.local_verifier import LocalVerifier
from gate.adapters.local_verifier.calibration import Calibration, Step
from gate.cli import calibration_fit
from gate.cli.calibration_fit import Labelled, fit
from gate.cli.cascade_thresholds import choose_thresholds, thresholds
from gate.decision.metrics import Prediction, auroc, paired
from gate.errors import InputError, SettingsError
from gate.model import Answer, Check, Label
from gate.ports import Judged
from tests.entrance import Entrance


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration_fit, "ROUNDS", 40)


NOTHING = (0.0,) * len(FEATURES)
FAILED: Check = {"name": "numbers", "passed": False, "detail": "10"}


def verdict(
    share: float | None = 0.5, label: Label = "supported", quote: str = "Q", checks: tuple[Check, ...] = ()
) -> Judged:
    reason = {"supported": "entailed", "weakly_supported": "partial", "unsupported": "not_mentioned"}[label]
    scores = {} if share is None else {"supported": share, "weakly_supported": 0.0, "unsupported": 1 - share}
    said = {"label": label, "reason": reason, "justification": "J.", "quote": quote, "scores": scores}
    return Judged(Answer.model_validate({**said, "documents": (0,) if quote else ()}), "m", {}, checks)


def always(supported: float, weak: float = -9.0) -> Calibration:
    """A calibration that says the same of every claim."""
    return Calibration(Step(supported, NOTHING), Step(weak, NOTHING))


def rows(count: int = 300, seed: int = 1) -> list[Labelled]:
    """Verdicts of a verifier that is far too sure of itself: what it gives 0.95 is right in two of three."""
    dice, found = random.Random(seed), []
    for number in range(count):
        is_sure = dice.random() < 0.5
        gold = "supported" if dice.random() < (0.66 if is_sure else 0.10) else "unsupported"
        judged = verdict(0.95, "supported") if is_sure else verdict(0.02, "unsupported", "")
        found.append(Labelled(judged, gold, f"claim {number}"))
    return found


def test_a_verifier_that_is_too_sure_comes_to_mean_what_it_says() -> None:
    found = fit("m", rows(), 0.85)
    before, after, difference = found.figures["calibration error"]
    assert before.value > 0.15
    assert after.value < before.value - 0.04
    assert difference.high < 0
    assert found.figures["accuracy"][2].value >= -0.01
    assert calibrated(verdict(0.95), found.calibration.calibration()).answer.scores["supported"] == pytest.approx(
        0.66, abs=0.08
    )
    assert found.calibration.cascade_low is not None
    assert found.calibration.cascade_high is None


def test_a_fit_of_what_is_right_already_changes_little() -> None:
    dice = random.Random(3)
    honest = []
    for number in range(300):
        share = dice.random()
        gold = "supported" if dice.random() < share else "unsupported"
        label: Label = "supported" if share >= 0.5 else "unsupported"
        honest.append(Labelled(verdict(share, label, "Q"), gold, str(number)))
    found = fit("m", honest, 0.95)
    assert abs(found.figures["AUROC"][2].value) < 0.02
    assert found.figures["accuracy"][2].high >= 0


def test_claims_without_a_signal_gain_nothing_by_being_fitted_on() -> None:
    dice = random.Random(5)
    noise = [
        Labelled(verdict(dice.random()), dice.choice(["supported", "unsupported"]), str(number))
        for number in range(200)
    ]
    assert fit("m", noise, 0.95).figures["AUROC"][1].value < 0.58


def test_a_claim_that_is_there_several_times_is_never_measured_by_a_fit_that_saw_it() -> None:
    dice = random.Random(7)
    gold = {name: dice.choice(["supported", "unsupported"]) for name in map(str, range(10))}
    twins = [Labelled(verdict(int(name) / 10 + 0.05), gold[name], name) for name in gold for _ in range(20)]
    assert fit("m", twins, 0.95).figures["AUROC"][1].value < 0.9


@pytest.mark.parametrize(
    ("supported", "others", "said"),
    [
        (40, 20, "60 labels are too few to calibrate: 40 more labels, of them 5 more not supported are needed"),
        (10, 190, "200 labels are too few to calibrate: 15 more supported are needed"),
        (45, 45, "90 labels are too few to calibrate: 10 more labels are needed"),
        (
            1,
            0,
            "1 label is too few to calibrate: 99 more labels, "
            "of them 24 more supported and 25 more not supported are needed",
        ),
    ],
)
def test_too_few_labels_are_refused_and_it_is_said_how_many_are_needed(supported: int, others: int, said: str) -> None:
    few = [Labelled(verdict(), "supported", str(number)) for number in range(supported)]
    few += [Labelled(verdict(), "unsupported", f"x{number}") for number in range(others)]
    with pytest.raises(InputError) as raised:
        fit("m", few, 0.95)
    assert raised.value.safe_message == said


@pytest.mark.parametrize(
    ("judged", "calibration", "expected"),
    [
        (verdict(0.9), always(-9), "unsupported"),
        (verdict(0.9), always(-9, 9), "weakly_supported"),
        (verdict(0.1, "unsupported"), always(9), "supported"),
        (verdict(0.1, "unsupported", quote=""), always(9), "unsupported"),
        (verdict(0.1, "unsupported", checks=(FAILED,)), always(9, 9), "weakly_supported"),
        (verdict(None, "supported"), always(9), "supported"),
    ],
)
def test_the_label_follows_the_probabilities_as_far_as_the_answer_carries_it(
    judged: Judged, calibration: Calibration, expected: Label
) -> None:
    found = calibrated(judged, calibration)
    assert found.answer.label == expected
    assert found.doubt == found.answer.scores["unsupported"]
    assert found.answer.justification.startswith("J.")


@pytest.mark.parametrize("calibration", [always(9), always(-9, 9), always(-9)])
def test_what_a_verifier_calls_contradicted_stays_so_whatever_the_probabilities(calibration: Calibration) -> None:
    """A policy has a rule for that, which fitted probabilities must not switch off."""
    judged = verdict(0.1, "unsupported")
    contradicted = replace(judged, answer=judged.answer.model_copy(update={"reason": "contradicted"}))
    answer = calibrated(contradicted, calibration).answer
    assert (answer.label, answer.reason) == ("unsupported", "contradicted")


def test_thresholds_keep_the_wanted_share_right_and_are_none_where_nobody_is_sure() -> None:
    judged = [Prediction("unsupported", "unsupported", {"supported": n / 100}) for n in range(50)]
    judged += [Prediction("supported", "supported", {"supported": n / 100}) for n in range(50, 100)]
    assert thresholds(judged, 1.0) == (0.49, 0.5)
    assert thresholds(judged[:19], 0.9) == (None, None)


def test_thresholds_say_what_they_save_how_often_it_is_right_and_which_supported_claims_they_give_up() -> None:
    judged = [Prediction("unsupported", "unsupported", {"supported": n / 100}) for n in range(40)]
    judged += [Prediction("supported", "weakly_supported", {"supported": 0.05})] * 4  # which the second never sees
    judged += [Prediction("supported", "supported", {"supported": 0.6})] * 6
    found = choose_thresholds(judged, 0.9)
    assert (found.low, found.high) == (0.39, None)
    assert found.saved.value == 44 / 50
    assert found.right.value == pytest.approx(40 / 44)
    assert found.lost.value == 4 / 10
    assert found.saved.low < found.saved.value < found.saved.high
    none = choose_thresholds(judged[:19], 0.9)
    assert (none.saved.value, none.right.value, none.lost.value) == (0, 0, 0)


def test_a_paired_difference_is_narrower_than_two_figures_apart() -> None:
    dice = random.Random(2)
    before = [Prediction(dice.choice(["supported", "unsupported"]), "supported", {"supported": dice.random()})] * 1
    before += [
        Prediction(dice.choice(["supported", "unsupported"]), "x", {"supported": dice.random()}) for _ in range(99)
    ]
    one, other, difference = paired(auroc, before, before, rounds=50)
    assert one == other
    assert one.low < one.high
    assert (difference.value, difference.low, difference.high) == (0.0, 0.0, 0.0)


# The command, and the setting


def labelled(path: Path, count: int = 120) -> Path:
    """Claims about shops; every second one is not what the evidence says."""
    lines = []
    for number in range(count):
        hour = number % 12 + 1
        is_so = number % 2 == 0
        claim = f"Shop {number} opens at {hour if is_so else hour + 1}."
        label = "supported" if is_so else "unsupported"
        lines.append(json.dumps({"claim": claim, "evidence": [f"Shop {number} opens at {hour}."], "label": label}))
    path.write_text("\n".join(lines) + "\n")
    return path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, list(arguments))


def test_labels_become_a_calibration_that_verdicts_name_by_its_hash(entrance: Entrance, tmp_path: Path) -> None:
    entrance.change(model="local:lexical")
    file = tmp_path / "calibration.json"
    found = run("calibrate", str(labelled(tmp_path / "labels.jsonl")), "-o", str(file), "-q")
    assert found.exit_code == 0, found.output
    assert "120 labels" in found.output
    for figure in ("AUROC", "calibration error", "accuracy", "passed wrongly", "missed", "difference"):
        assert figure in found.output
    for which in ("as it is", "calibrated"):
        assert re.search(rf"  {which}: GATE_CASCADE_LOW=.*, saves .* of the calls; right .*", found.output)
    own, sha = read_calibration(file)
    assert own.verifier == LocalVerifier().name
    entrance.change(calibration=file)
    judged = wiring.current().verifier().judge("Shop 1 opens at 2.", "", [{"content": "Shop 1 opens at 2."}])
    assert judged.model.endswith(f"+calibration:{sha[:12]}")
    assert wiring.current().verifier().name == judged.model
    assert judged.doubt == judged.answer.scores["unsupported"]


def test_a_calibration_is_not_written_through_a_link_that_nobody_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "calibration.json").symlink_to(tmp_path / "outside")
    monkeypatch.chdir(tmp_path / "checkout")
    found = run("calibrate", str(labelled(tmp_path / "labels.jsonl", 30)), "-q")
    assert found.exit_code == 2, found.output
    assert "calibration.json: is no plain file" in found.output
    assert not (tmp_path / "outside").exists()


def test_too_few_labels_end_the_command_in_one_line_and_write_nothing(entrance: Entrance, tmp_path: Path) -> None:
    entrance.change(model="local:lexical")
    file = tmp_path / "calibration.json"
    found = run("calibrate", str(labelled(tmp_path / "labels.jsonl", 30)), "-o", str(file), "-q")
    assert found.exit_code == 2
    assert "30 labels are too few to calibrate" in found.output
    assert not file.exists()


def test_two_verifiers_are_not_calibrated_at_once(entrance: Entrance, tmp_path: Path) -> None:
    entrance.change(model="local:lexical>bedrock:m")
    found = run("calibrate", str(labelled(tmp_path / "labels.jsonl")), "-q")
    assert (found.exit_code, "one verifier is calibrated at a time" in found.output) == (2, True)


def own_labels(**changes: Any) -> dict[str, Any]:
    step = {"bias": 0.0, "weights": [1.0, *NOTHING[1:]]}
    name = LocalVerifier().name
    return {"verifier": name, "labels": 120, "features": list(FEATURES), "supported": step, "weak": step, **changes}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file"),
        ("{", "not JSON"),
        ("[]", "valid dictionary"),
        (json.dumps(own_labels(format="gate-calibration/9")), "format"),
        (json.dumps(own_labels(features=["a"])), "was fitted by another version"),
        (json.dumps(own_labels(supported={"bias": 0.0, "weights": [1.0]})), "supported.weights"),
        (
            json.dumps(own_labels(supported={"bias": 0.0, "weights": [1e308, -1e308, *NOTHING[2:]]})),
            "supported.weights.0",
        ),
        (json.dumps(own_labels()).replace("0.0", "NaN", 1), "no JSON number"),
        (json.dumps(own_labels()).replace("0.0", "1e999", 1), "larger than any"),
        (json.dumps(own_labels(review_risk=1.5)), "review_risk"),
        (json.dumps(own_labels(verifier="bedrock:other")), "was fitted for bedrock:other"),
        (json.dumps(own_labels(verifier="bedrock:other"))[:-1] + ', "verifier": "x"}', "the same key twice"),
    ],
)
def test_a_file_that_is_no_calibration_of_this_verifier_is_refused(
    entrance: Entrance, tmp_path: Path, content: str | None, said: str
) -> None:
    file = tmp_path / "c.json"
    if content is not None:
        file.write_text(content)
    entrance.change(model="local:lexical", calibration=file)
    with pytest.raises(SettingsError, match=said) as raised:
        wiring.current().verifier()
    assert raised.value.safe_message.startswith("GATE_CALIBRATION: ")


def test_in_a_cascade_the_verifier_that_it_was_fitted_for_is_calibrated(entrance: Entrance, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps(own_labels()))
    entrance.change(
        model="local:lexical>openai:m", model_endpoint="http://localhost:1/v1", calibration=file, cascade_high=0.5
    )
    first, _, second = wiring.current().verifier().name.partition(">")
    assert "+calibration:" in first
    assert "+calibration:" not in second


def test_a_calibration_is_the_same_for_the_same_labels() -> None:
    assert fit("m", rows(), 0.9).calibration == fit("m", rows(), 0.9).calibration
    assert isinstance(fit("m", rows(), 0.9).calibration, OwnLabels)
    assert CalibratedVerifier(LocalVerifier(), always(0), "ab" * 32).name.endswith("+calibration:abababababab")
