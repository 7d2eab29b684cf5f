"""A run's token count in DynamoDB does what the one in this process does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gate.adapters.aws.dynamo_ledger import DynamoLedger
from gate.adapters.spending.budget import Ledger, LocalLedger
from tests.dynamo_tables import REGION, a_table

pytestmark = pytest.mark.integration


@pytest.fixture(params=["local", "dynamo"])
def ledger(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    if request.param == "local":
        yield LocalLedger()
        return
    with a_table(monkeypatch, "budget", "run_id") as table:
        yield DynamoLedger(table, REGION)


def test_a_run_is_held_to_its_limit_and_settling_makes_room(ledger: Ledger) -> None:
    assert ledger.reserve("run", 60, 100)
    assert not ledger.reserve("run", 60, 100)
    assert ledger.reserve("other", 60, 100)
    ledger.settle("run", -30)
    assert ledger.reserve("run", 60, 100)
    assert ledger.reserve("run", 10, 100)
    assert not ledger.reserve("run", 1, 100)


def test_what_is_spent_and_reserved_is_known(ledger: Ledger) -> None:
    assert ledger.spent("run") == 0
    ledger.reserve("run", 60, 100)
    ledger.settle("run", -20)
    ledger.reserve("run", 90, 100)
    assert (ledger.spent("run"), ledger.spent("other")) == (40, 0)


def test_a_call_larger_than_the_limit_is_never_allowed(ledger: Ledger) -> None:
    assert not ledger.reserve("run", 101, 100)
