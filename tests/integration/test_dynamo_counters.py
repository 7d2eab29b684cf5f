"""Numbers of a minute in DynamoDB do what those in this process do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gate.adapters.aws.dynamo_counters import DynamoCounters
from gate.adapters.spending.admission import Counters, LocalCounters
from tests.dynamo_tables import REGION, a_table

pytestmark = pytest.mark.integration


@pytest.fixture(params=["local", "dynamo"])
def counters(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counters]:
    if request.param == "local":
        yield LocalCounters()
        return
    with a_table(monkeypatch, "budget", "run_id") as table:
        yield DynamoCounters(table, REGION)


def test_numbers_are_added_together_or_not_at_all(counters: Counters) -> None:
    limits = {"requests": 2, "tokens": 100}
    assert counters.add("k", {"requests": 1, "tokens": 60}, limits) == (True, {"requests": 1, "tokens": 60})
    assert counters.add("k", {"requests": 1, "tokens": 60}, limits)[0] is False
    assert counters.add("k", {"requests": 1, "tokens": 40}, limits) == (True, {"requests": 2, "tokens": 100})
    assert counters.add("k", {"requests": 0, "uploads": 0}, {}) == (True, {"requests": 2, "tokens": 100, "uploads": 0})
    assert counters.add("other", {"requests": 3}, limits)[0] is False
