"""Who may call a model now, and that nobody goes without for want of a quota."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from gate.adapters.spending import admission
from gate.adapters.spending.admission import Admission, AdmittedModel, LocalCounters, Quota
from gate.adapters.spending.allowance import Allowance, allowing
from gate.errors import BusyError
from gate.ports import Completion, Question
from tests.load.admission import simulate, uploads


class Clock:
    now = 0.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(admission, "time", SimpleNamespace(time=clock.time))
    return clock


def test_uploads_at_once_all_get_their_turn_close_to_the_quota_s_bound_and_a_person_does_not_wait() -> None:
    person = ("person", 600.0, 20, "", True)
    found = simulate(100, [*uploads(100, 20), person])
    assert found.unchecked == 0
    assert max(found.calls.values()) <= 100
    assert found.seconds <= 1.2 * 60 * 2_020 / 100
    assert found.done["person"] - 600 < 60


def test_a_tenant_that_comes_later_shares_alike() -> None:
    first, second = ("first", 0.0, 1_000, "acme", False), ("second", 65.0, 100, "umbrella", False)
    found = simulate(100, [first, second])
    assert found.unchecked == 0
    assert found.done["second"] < 65 + 60 * 100 / 45 + 180
    assert found.done["first"] > found.done["second"]


@pytest.mark.parametrize("is_urgent", [False, True])
def test_a_noisy_neighbour_holds_nobody_up(is_urgent: bool) -> None:
    """One tenant asks for twenty minutes of the quota at once; another comes with an answer of twenty claims."""
    noisy, quiet = ("noisy", 0.0, 2_000, "acme", is_urgent), ("quiet", 305.0, 20, "umbrella", is_urgent)
    alone = simulate(100, [quiet])
    found = simulate(100, [noisy, quiet])
    assert found.unchecked == 0
    assert found.done["quiet"] - alone.done["quiet"] < 180
    assert found.done["noisy"] > 1_100


def test_no_more_is_admitted_than_the_quota_of_requests_and_of_tokens(clock: Clock) -> None:
    door = Admission(LocalCounters(), "m", Quota(requests=10, tokens=50))
    assert [door.admit(10, is_urgent=True) for _ in range(6)] == [True] * 5 + [False]
    clock.now = 60
    assert [door.admit(1, is_urgent=True) for _ in range(11)] == [True] * 10 + [False]
    clock.now = 120
    assert not door.admit(51, is_urgent=True)


def test_uploads_leave_a_part_of_every_minute_to_people(clock: Clock) -> None:
    counters = LocalCounters()
    door = Admission(counters, "m", Quota(requests=10))
    assert sum(door.admit(1) for _ in range(20)) == 9
    assert Admission(counters, "m", Quota(requests=10)).admit(1, is_urgent=True)


class Model:
    name = "m"
    asked = 0

    def complete(self, question: Question) -> Completion:
        self.asked += 1
        return Completion("yes", "m")


def test_a_call_without_room_is_not_made(clock: Clock) -> None:
    model = Model()
    admitted = AdmittedModel(model, Admission(LocalCounters(), "m", Quota(requests=1)))
    with allowing(Allowance("r", 0, is_urgent=True)):
        admitted.complete(Question("Is it so?"))
        with pytest.raises(BusyError, match="quota of this minute"):
            admitted.complete(Question("Is it so?"))
    assert model.asked == 1
