"""Numbers of a minute in DynamoDB do what those in this process do."""

from __future__ import annotations

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from gate.adapters.aws.dynamo_counters import DynamoCounters
from gate.adapters.spending.admission import Counters, LocalCounters

pytestmark = pytest.mark.integration


@pytest.fixture(params=["local", "dynamo"])
def counters(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counters]:
    if request.param == "local":
        yield LocalCounters()
        return
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    with mock_aws():
        boto3.client("dynamodb", region_name="us-east-1").create_table(
            TableName="budget",
            KeySchema=[{"AttributeName": "run_id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "run_id", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )
        yield DynamoCounters("budget", "us-east-1")


def test_numbers_are_added_together_or_not_at_all(counters: Counters) -> None:
    limits = {"requests": 2, "tokens": 100}
    assert counters.add("k", {"requests": 1, "tokens": 60}, limits) == (True, {"requests": 1, "tokens": 60})
    assert counters.add("k", {"requests": 1, "tokens": 60}, limits)[0] is False
    assert counters.add("k", {"requests": 1, "tokens": 40}, limits) == (True, {"requests": 2, "tokens": 100})
    assert counters.add("k", {"requests": 0, "uploads": 0}, {}) == (True, {"requests": 2, "tokens": 100, "uploads": 0})
    assert counters.add("other", {"requests": 3}, limits)[0] is False
