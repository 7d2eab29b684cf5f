"""The stated share of unchecked claims is what the policy gives."""

from __future__ import annotations

import random

import pytest

from tests.quality.outages import all_waits, most_unchecked, retry_waits, unchecked_share


def test_the_waits_are_those_of_the_committed_state_machine() -> None:
    assert retry_waits() == [5, 10, 20, 40, 60, 60, 60]
    assert all_waits(3) == [*retry_waits(), *[1, 2] * 8]


@pytest.mark.parametrize(("outage", "attempts"), [(60, 1), (60, 3), (120, 1)])
def test_the_closed_form_agrees_with_trials(outage: int, attempts: int) -> None:
    rng, waits, trials = random.Random(5), all_waits(attempts), 20_000
    given_up = sum(sum(rng.uniform(0, wait) for wait in waits) < outage for _ in range(trials))
    assert given_up / trials == pytest.approx(unchecked_share(outage, waits), abs=0.012)


def test_an_outage_shorter_than_nothing_or_longer_than_all_waits_is_certain() -> None:
    assert unchecked_share(0, all_waits()) == 0
    assert unchecked_share(sum(all_waits()), all_waits()) == 1


def test_the_number_that_is_hardly_ever_passed_grows_with_the_share() -> None:
    assert [most_unchecked(25, share) for share in (0.0, 0.018, 1.0)] == [0, 6, 25]
