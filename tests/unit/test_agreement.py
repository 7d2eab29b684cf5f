"""Agreement between reviewers: a known figure, and that a poisoned reviewer is named and nobody else."""

from __future__ import annotations

import random
from time import process_time

import pytest

from gate.decision.reviewed.agreement import ReviewMark, agreed, alpha, outliers
from gate.model import LABELS

HONEST = ("ann", "ben", "cleo", "dora")


def simulated(
    seed: int, flips: dict[str, float], items: int = 300, noise: float = 0.05
) -> tuple[list[ReviewMark], list[str]]:
    """Marks of reviewers who err by chance, some of whom flip a share of their labels; and the true labels."""
    dice = random.Random(seed)
    truth = [dice.choice(LABELS) for _ in range(items)]
    marks = [
        ReviewMark(str(item), reviewer, dice.choice([one for one in LABELS if one != label]))
        if dice.random() < noise + share
        else ReviewMark(str(item), reviewer, label)
        for item, label in enumerate(truth)
        for reviewer, share in flips.items()
    ]
    return marks, list(truth)


def test_alpha_is_that_of_the_textbook() -> None:
    """Krippendorff's example (2011, section C): four observers, twelve units, with gaps; nominal alpha is 0.743."""
    observed = [
        "1 2 3 3 2 1 4 1 2 . . .",
        "1 2 3 3 2 2 4 1 2 5 . 3",
        ". 3 3 3 2 3 4 2 2 5 1 .",
        "1 2 3 3 2 4 4 1 2 5 1 .",
    ]
    marks = [
        ReviewMark(str(unit), str(observer), label)
        for observer, line in enumerate(observed)
        for unit, label in enumerate(line.split())
        if label != "."
    ]
    assert alpha(marks) == pytest.approx(0.743, abs=0.0005)


def test_full_agreement_is_one_and_one_reviewer_has_none() -> None:
    assert alpha([ReviewMark("1", "ann", "supported"), ReviewMark("1", "ben", "supported")]) == 1.0
    assert alpha([ReviewMark("1", "ann", "supported"), ReviewMark("2", "ben", "supported")]) is None
    assert alpha([ReviewMark("1", "ann", "supported"), ReviewMark("1", "ben", "unsupported")]) == pytest.approx(0.0)
    assert alpha([]) is None


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("share", [0.2, 0.95])
def test_a_poisoned_reviewer_is_named_and_nobody_else(seed: int, share: float) -> None:
    """Who flips a fifth of his labels, and who flips them all: a fifth of the reviewers."""
    marks, _ = simulated(seed, {**dict.fromkeys(HONEST, 0.0), "mallory": share})
    (found,) = outliers(marks)
    assert found.reviewer == "mallory"
    assert 240 < found.marks <= 300
    assert found.differs / found.marks > 2 * found.others


def test_two_poisoned_reviewers_do_not_hide_behind_each_other() -> None:
    marks, _ = simulated(3, {**dict.fromkeys(HONEST, 0.0), "mallory": 0.3, "trudy": 0.3})
    assert {one.reviewer for one in outliers(marks)} == {"mallory", "trudy"}


def test_a_poisoned_reviewer_does_not_hide_behind_many_who_mark_one_claim_each() -> None:
    marks, truth = simulated(3, {**dict.fromkeys(HONEST, 0.0), "mallory": 0.2})
    marks += [ReviewMark(str(number % 2), f"puppet {number}", truth[number % 2]) for number in range(400)]
    assert [one.reviewer for one in outliers(marks)] == ["mallory"]


def test_ten_thousand_reviewers_of_one_claim_take_no_time() -> None:
    marks = [ReviewMark(str(item), f"r{number}", LABELS[number % 2]) for number in range(10_000) for item in range(2)]
    before = process_time()
    assert not outliers(marks)
    assert process_time() - before < 5  # 0.3 s; where each is compared with each other one, an hour


def test_of_honest_reviewers_hardly_ever_one_is_named() -> None:
    assert sum(bool(outliers(simulated(seed, dict.fromkeys(HONEST, 0.0))[0])) for seed in range(30)) <= 1


def test_of_two_reviewers_and_of_few_marks_nothing_is_said() -> None:
    assert not outliers(simulated(1, {"ann": 0.0, "mallory": 0.5})[0])
    assert not outliers(simulated(1, {"ann": 0.0, "ben": 0.0, "mallory": 0.9}, items=19)[0])


def test_without_the_poisoned_reviewer_the_agreed_labels_are_better() -> None:
    marks, truth = simulated(1, {"ann": 0.0, "ben": 0.0, "mallory": 0.95})
    named = {one.reviewer for one in outliers(marks)}
    assert named == {"mallory"}

    def right(some: list[ReviewMark]) -> int:
        return sum(label == truth[int(item)] for item, label in agreed(some).items())

    clean = [one for one in marks if one.reviewer not in named]
    assert right(clean) / len(agreed(clean)) > 0.99
    assert right([one for one in marks if one.reviewer == "mallory"]) < 30


def test_most_of_the_marks_of_a_claim_count_and_a_tie_leaves_it_out() -> None:
    def of(*labels: str) -> dict[str, str]:
        return agreed(ReviewMark("1", str(number), label) for number, label in enumerate(labels))

    assert of("supported", "unsupported", "supported") == {"1": "supported"}
    assert of("supported", "unsupported") == {}
    assert of("unsupported") == {"1": "unsupported"}
    assert agreed([ReviewMark("1", "ann", "supported"), ReviewMark("1", "ann", "unsupported")]) == {"1": "unsupported"}
