"""Events as EventBridge delivers them: through the real SDK, by the rule that docs/deploy.md shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest

from gate.adapters.aws.event_bridge import EventBus
from gate.errors import EventsUnavailableError
from tests.aws_events import an_event
from tests.moto_account import an_account

pytestmark = pytest.mark.integration

REGION = "eu-central-1"
PAGE = Path(__file__).parents[2] / "docs" / "deploy.md"


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A queue that hears what the documented rule lets through."""
    with an_account(monkeypatch, REGION):
        made = boto3.resource("sqs", region_name=REGION).create_queue(QueueName="heard")
        client = boto3.client("events", region_name=REGION)
        client.put_rule(Name="blocked", EventPattern=documented_pattern())
        client.put_targets(Rule="blocked", Targets=[{"Id": "queue", "Arn": made.attributes["QueueArn"]}])
        yield made


def documented_pattern() -> str:
    (pattern,) = re.findall(r"```json\n(\{\s*\"source\".*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return str(pattern)


@pytest.mark.parametrize("bus", ["default", f"arn:aws:events:{REGION}:123456789012:event-bus/default"])
def test_a_subscriber_gets_the_event_that_its_rule_asks_for(queue: Any, bus: str) -> None:
    sample = an_event("check_completed")
    told = EventBus(bus, region=REGION)
    told.send("CheckCompleted", sample["detail"] | {"outcome": "pass"})
    told.send("CheckCompleted", sample["detail"])
    told.send("BatchCompleted", an_event("batch_completed")["detail"])
    (heard,) = [json.loads(message.body) for message in queue.receive_messages(MaxNumberOfMessages=10)]
    changing = {"id", "time"}
    assert heard.keys() | {"account"} == sample.keys()  # moto leaves the account out
    assert {key: heard[key] for key in heard.keys() - changing} == {key: sample[key] for key in heard.keys() - changing}


def test_a_bus_that_is_not_there_takes_no_event(queue: Any) -> None:
    with pytest.raises(EventsUnavailableError):
        EventBus("nowhere", region=REGION).send("CheckCompleted", {"run_id": "r"})


def test_a_bus_that_cannot_be_reached_takes_no_event(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "x"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_ENDPOINT_URL_EVENTS", "http://127.0.0.1:9")
    with pytest.raises(EventsUnavailableError, match="could not be reached"):
        EventBus("default", region=REGION).send("CheckCompleted", {"run_id": "r"})


def test_an_entry_that_eventbridge_does_not_take_is_an_error_though_the_call_succeeds() -> None:
    class Refusing:
        def put_events(self, **request: Any) -> dict[str, Any]:
            return {"FailedEntryCount": 1, "Entries": [{"ErrorCode": "ThrottlingException"}]}

    bus = EventBus("default", region=REGION)
    bus._client = Refusing()
    with pytest.raises(EventsUnavailableError, match="ThrottlingException"):
        bus.send("CheckCompleted", {"run_id": "r"})
