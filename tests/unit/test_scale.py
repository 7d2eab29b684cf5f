"""What many records are planned to cost follows from what is assumed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.load.scale import Assumptions, plan, simulated

GIVEN = Assumptions()


def test_a_plan_waits_for_what_binds_it() -> None:
    assert plan(1_000, replace(GIVEN, at_once=10)).bound == "machine"
    assert plan(100_000, replace(GIVEN, requests=100)).bound == "requests"
    assert plan(100_000, replace(GIVEN, tokens=100_000)).bound == "tokens"
    assert plan(10_000_000, GIVEN).bound == "budget_day"


def test_twice_the_quota_takes_half_the_time_and_the_same_money() -> None:
    once, twice = (plan(100_000, replace(GIVEN, requests=requests)) for requests in (1_000, 2_000))
    assert once.hours["requests"] == 2 * twice.hours["requests"]
    assert once.dollars == twice.dollars
    assert plan(200_000, GIVEN).dollars["model"] == pytest.approx(2 * once.dollars["model"])


def test_waiting_in_a_long_batch_leaves_nothing_unchecked_and_stays_within_what_is_assumed() -> None:
    few = replace(GIVEN, requests=200, at_once=20)
    found = simulated(few, 1_500)
    assert found.unchecked == 0
    assert max(found.calls.values()) <= 200
    assert found.seconds <= GIVEN.waiting * 60 * 1_500 * few.claims / 200
    assert found.tries <= GIVEN.tries * 1_500 * few.claims
