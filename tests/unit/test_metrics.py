"""The figures that say how good verdicts are, against cases worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.decision import metrics
from gate.decision.metrics import Prediction
from gate.model import LABELS

S, W, U = LABELS


def judged(*pairs: tuple[str, str, float]) -> list[Prediction]:
    return [
        Prediction(gold, given, {S: score, W: (1 - score) / 2, U: (1 - score) / 2} if score >= 0 else {})
        for gold, given, score in pairs
    ]


MIXED = judged((S, S, 0.9), (S, U, 0.4), (W, W, 0.3), (U, S, 0.6), (U, U, 0.1))
verdicts = st.lists(
    st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS), st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0])),
    min_size=1,
)


def test_accuracy_f1_and_confusion_of_a_small_case() -> None:
    assert metrics.accuracy(MIXED) == pytest.approx(0.6)
    assert metrics.confusion(MIXED)[U] == {S: 1, W: 0, U: 1}
    assert metrics.macro_f1(MIXED) == pytest.approx((0.5 + 1 + 0.5) / 3)


def test_a_false_alarm_holds_back_what_is_supported_and_a_miss_lets_another_through() -> None:
    pairs = [(true, told) for true in LABELS for told in LABELS]
    assert [pair for pair in pairs if metrics.is_false_alarm(*pair)] == [(S, W), (S, U)]
    assert [pair for pair in pairs if metrics.is_miss(*pair)] == [(W, S), (U, S)]
    assert metrics.is_false_alarm(S, "unchecked")
    assert not metrics.is_miss(U, "unchecked")


def test_balanced_accuracy_is_the_mean_of_both_sides() -> None:
    assert metrics.balanced_accuracy(MIXED) == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_auroc_counts_pairs_in_the_right_order_and_ties_half() -> None:
    assert metrics.auroc(MIXED) == pytest.approx(5 / 6)
    assert metrics.auroc(judged((S, S, 0.5), (U, S, 0.5))) == 0.5


def test_a_model_without_scores_is_ranked_by_its_label() -> None:
    assert metrics.auroc(judged((S, S, -1), (U, U, -1))) == 1


def test_calibration_error_is_the_gap_between_confidence_and_truth() -> None:
    sure = judged((S, S, 0.95), (U, S, 0.95))
    assert metrics.calibration_error(sure) == pytest.approx(0.45)


def test_the_roc_curve_runs_from_corner_to_corner() -> None:
    points = metrics.roc(MIXED)
    assert (points[0], points[-1]) == ((0.0, 0.0), (1.0, 1.0))
    assert points == sorted(points)


def test_the_interval_holds_the_figure_and_is_the_same_each_time() -> None:
    found = metrics.interval(metrics.accuracy, MIXED * 10)
    assert found.low < found.value < found.high
    assert found == metrics.interval(metrics.accuracy, MIXED * 10)


@given(verdicts)
def test_every_figure_of_every_set_of_verdicts_lies_between_nought_and_one(pairs: list[tuple[str, str, float]]) -> None:
    some = judged(*pairs)
    for measure in (
        metrics.accuracy,
        metrics.macro_f1,
        metrics.balanced_accuracy,
        metrics.auroc,
        metrics.calibration_error,
    ):
        assert 0 <= measure(some) <= 1


@given(verdicts)
def test_auroc_turns_round_when_the_scores_do(pairs: list[tuple[str, str, float]]) -> None:
    some = judged(*((gold, label, abs(score)) for gold, label, score in pairs))
    turned = [Prediction(one.gold, one.given, {S: 1 - one.supported}) for one in some]
    assert metrics.auroc(some) + metrics.auroc(turned) == pytest.approx(1)
