"""What a check in the request takes in advance: counted before it is spent, and given back to the token."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.adapters.spending.advance import CALLS_AHEAD, Advance, in_force, taking
from gate.adapters.spending.allowance import Allowance, allowing
from gate.adapters.spending.budget import BudgetedModel, Ceilings, Ledger, LocalLedger
from gate.errors import BudgetReachedError, StorageUnavailableError
from gate.ports import Completion, Question

LIMIT = 1_000
COSTS = st.tuples(st.integers(1, 300), st.integers(0, 400))
"""What is reserved for a call, and what it cost."""


class Watched(LocalLedger):
    """A ledger that knows the most that it ever counted and how often it was asked, and fails when it is told to."""

    def __init__(self, fails: Callable[[], bool] = lambda: False) -> None:
        super().__init__()
        self.most, self.asked, self.fails = 0, 0, fails
        self._watching = threading.Lock()

    def reserve(self, run_id: str, tokens: int, limit: int) -> bool:
        self._ask()
        found = super().reserve(run_id, tokens, limit)
        with self._watching:
            self.most = max(self.most, self.spent(run_id))
        return found

    def settle(self, run_id: str, difference: int) -> None:
        self._ask()
        super().settle(run_id, difference)

    def _ask(self) -> None:
        self.asked += 1
        if self.fails():
            raise StorageUnavailableError("no")


def spend(ledger: Ledger, reserved: int, cost: int) -> int:
    """Make a call, and return what it cost."""
    if not ledger.reserve("a", reserved, LIMIT):
        return 0
    ledger.settle("a", cost - reserved)
    return cost


@given(
    st.lists(st.one_of(COSTS, st.integers(0, 2 * CALLS_AHEAD), st.booleans()), max_size=60), st.integers(0, CALLS_AHEAD)
)
def test_alone_on_a_ledger_it_answers_as_the_ledger_does(steps: list[tuple[int, int] | int | bool], calls: int) -> None:
    """A pair begins a call, True ends the oldest one, False the latest, and a number is a new expectation."""
    plain, behind = LocalLedger(), LocalLedger()
    advance = Advance(behind)
    advance.expect(calls)
    under_way: list[tuple[int, int]] = []
    for step in steps:
        if isinstance(step, tuple):
            held = plain.reserve("a", step[0], LIMIT)
            assert advance.reserve("a", step[0], LIMIT) == held
            under_way += [step] * held
        elif not isinstance(step, bool):
            advance.expect(step)
        elif under_way:
            reserved, cost = under_way.pop(0 if step else -1)
            plain.settle("a", cost - reserved)
            advance.settle("a", cost - reserved)
        assert advance.spent("a") == plain.spent("a") <= behind.spent("a")
    advance.give_back()
    assert behind.spent("a") == plain.spent("a")
    for reserved, cost in under_way:
        plain.settle("a", cost - reserved)
        advance.settle("a", cost - reserved)
    assert behind.spent("a") == plain.spent("a")


@settings(deadline=None, max_examples=30)
@given(st.lists(COSTS, min_size=1, max_size=80), st.integers(1, 4), st.integers(0, 30), st.randoms())
def test_checks_at_once_never_count_more_than_the_limit_and_give_back_all_but_what_they_spent(
    calls: list[tuple[int, int]], checks: int, expected: int, chance: random.Random
) -> None:
    ledger = Watched()
    advances = [Advance(ledger) for _ in range(checks)]
    for advance in advances:
        advance.expect(expected)
    work = [(chance.choice(advances), reserved, min(reserved, cost)) for reserved, cost in calls]
    with ThreadPoolExecutor(8) as pool:
        spent = sum(pool.map(lambda one: spend(*one), work))
        ending = [pool.submit(advance.give_back) for advance in advances]
        late = sum(pool.map(lambda one: spend(*one), work))
        for one in ending:
            one.result()
    assert ledger.most <= LIMIT
    assert ledger.spent("a") == spent + late <= LIMIT


@given(st.lists(COSTS, max_size=40), st.sets(st.integers(0, 60)), st.integers(0, CALLS_AHEAD))
def test_counters_that_cannot_be_reached_never_count_less_than_was_spent(
    calls: list[tuple[int, int]], failing: set[int], expected: int
) -> None:
    ledger = Watched(lambda: ledger.asked in failing)
    advance, spent = Advance(ledger), 0
    advance.expect(expected)
    for reserved, cost in calls:
        try:
            spent += spend(advance, reserved, min(reserved, cost))
        except StorageUnavailableError:
            continue
    with suppress(StorageUnavailableError):
        advance.give_back()
    assert ledger.spent("a") >= spent


def test_what_calls_are_expected_is_reserved_once_and_given_back_once() -> None:
    ledger = Watched()
    advance = Advance(ledger)
    advance.expect(10)
    for _ in range(10):
        assert advance.reserve("a", 5, LIMIT)
    assert (ledger.asked, ledger.spent("a")) == (1, 50)
    for _ in range(10):
        advance.settle("a", -2)
    advance.give_back()
    assert (ledger.asked, ledger.spent("a")) == (2, 30)


def test_of_the_last_tenth_nothing_is_held_for_calls_to_come() -> None:
    ledger = LocalLedger()
    one, other = Advance(ledger), Advance(ledger)
    for advance in (one, other):
        advance.expect(10)
    assert one.reserve("a", 85, LIMIT)
    assert (one.spent("a"), ledger.spent("a")) == (85, 850)
    assert other.reserve("a", 85, LIMIT)
    assert ledger.spent("a") == 935
    other.settle("a", -80)
    assert ledger.spent("a") == 855, "what a call leaves there is free at once"


def test_what_a_process_that_dies_leaves_counted_is_bounded() -> None:
    ledger = LocalLedger()
    advance = Advance(ledger)
    advance.expect(2_000)
    assert advance.reserve("a", 5, 10**9)
    assert ledger.spent("a") == 5 * CALLS_AHEAD


def test_a_call_that_costs_more_than_all_that_is_held_is_counted_at_once() -> None:
    ledger = LocalLedger()
    advance = Advance(ledger)
    advance.expect(2)
    advance.reserve("a", 100, LIMIT)
    advance.settle("a", 900)
    assert ledger.spent("a") == 1_000
    assert not advance.reserve("a", 1, LIMIT)


def test_a_budget_that_does_not_hold_all_calls_holds_as_many_as_before_and_says_which_it_is() -> None:
    class Model:
        name = "m"

        def complete(self, question: Question) -> Completion:
            return Completion("yes", "m", {"input": 50, "output": 50})

    def calls_until_refused(ledger: Ledger) -> tuple[int, str]:
        model, made = BudgetedModel(Model(), ledger, ceilings=Ceilings(run=2_000, day=450)), 0
        with allowing(Allowance("run", 0)):
            while True:
                try:
                    model.complete(Question("Is it so?", most_tokens=100))
                except BudgetReachedError as error:
                    return made, error.safe_message
                made += 1

    before, ledger = calls_until_refused(LocalLedger()), LocalLedger()
    advance = Advance(ledger)
    advance.expect(10)
    with taking(advance):
        assert calls_until_refused(ledger) == before
    assert "this deployment's day" in before[1]


def test_it_pays_for_calls_that_its_own_ledger_counts_alone() -> None:
    own, other = LocalLedger(), LocalLedger()
    advance = Advance(own)
    assert in_force(own) is own
    with taking(advance):
        assert (in_force(own), in_force(other)) == (advance, other)
