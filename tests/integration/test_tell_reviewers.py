"""On AWS a webhook hears of a run that waits: its address and its key lie in Secrets Manager, and of the event that
calls the function nothing is believed but the run's id."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
import pytest
from pydantic import SecretStr

from gate.agents.tell_reviewers import tell_reviewers
from gate.errors import EventsUnavailableError, SettingsError
from gate.services.audit_log import recording
from gate.services.reviews.review_queue import begin, concluded, moment
from gate.services.trail.proofs import story
from gate.trail.review_items import ReviewItem, ReviewReason
from tests.entrance import Entrance
from tests.moto_account import an_account
from tests.stubs.receiver import Receiver, receiving

pytestmark = pytest.mark.integration
KEY = "whsec_" + base64.b64encode(bytes(range(32))).decode()
REGION = "eu-central-1"
ITEM = ReviewItem(
    run="run1",
    since="2026-11-23T09:15:06.120+00:00",
    until=moment(3_600),
    reasons=(ReviewReason(rule="no_support", message="1 of 1 claims are unsupported."),),
)


@dataclass
class Told:
    """What a test can do to the world around the function."""

    receiver: Receiver
    keep: Callable[[str], Any]
    entrance: Entrance

    def call(self, **event: Any) -> bool:
        return bool(tell_reviewers({"detail": {"run_id": "run1", **event}})["told"])


@pytest.fixture
def told(entrance: Entrance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Told]:
    monkeypatch.setattr("gate.agents.tell_reviewers.PAUSES_S", (0.02, 0.02))
    with an_account(monkeypatch, REGION), receiving() as receiver:
        secrets = boto3.client("secretsmanager", region_name=REGION)
        where = {"url": receiver.url, "key": KEY}
        arn = secrets.create_secret(Name="reviews", SecretString=json.dumps(where))["ARN"]
        page = "https://gate.example/#review/{run}"
        entrance.change(home=tmp_path, region=REGION, ledger="local", review_webhook=SecretStr(arn), review_page=page)
        begin(ITEM)
        yield Told(receiver, lambda text: secrets.put_secret_value(SecretId=arn, SecretString=text), entrance)


def steps() -> list[Any]:
    return [entry.facts["step"] for entry in story("run1").entries if entry.kind == "review"]


def test_the_webhook_hears_what_stands_in_the_queue_and_nothing_of_a_forged_event(told: Told) -> None:
    assert told.call(until="never", reasons=["an answer's own text"], page="https://evil.example")
    ((headers, body),) = told.receiver.got
    data = json.loads(body)["data"]
    assert (data["run_id"], data["until"], data["reasons"]) == ("run1", ITEM.until, ["no_support"])
    assert data["page"] == "https://gate.example/#review/run1"
    assert b"evil" not in body
    assert headers["webhook-signature"].startswith("v1,")


@pytest.mark.parametrize("run", ["run2", "../../run1"])
def test_of_a_run_that_does_not_wait_nobody_is_told(told: Told, run: str) -> None:
    assert not told.call(run_id=run)
    concluded("run1")
    assert not told.call()
    assert told.receiver.got == []


def test_a_notice_that_was_not_taken_is_sent_again_and_one_that_is_lost_is_an_entry_and_a_figure(told: Told) -> None:
    told.receiver.statuses = [503, 204]
    assert told.call()
    assert steps() == ["requested"]
    told.receiver.statuses = [503]
    with recording() as figures, pytest.raises(EventsUnavailableError):
        told.call()
    assert [figure.name for figure in figures] == ["ReviewUnannounced"]
    assert len(told.receiver.got) == 5
    assert len({headers["webhook-id"] for headers, _ in told.receiver.got}) == 1
    assert steps() == ["requested", "unannounced"]


def test_what_is_put_in_the_secret_s_place_counts_at_once(told: Told) -> None:
    assert told.call()
    other = "whsec_" + base64.b64encode(bytes(32)).decode()
    told.keep(json.dumps({"url": f"{told.receiver.url}/new", "key": other}))
    assert told.call()
    first, second = (headers["webhook-signature"] for headers, _ in told.receiver.got)
    assert first != second


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("https://hooks.example", "does not hold what it should"),
        ('{"url": "https://hooks.example", "kee": "x"}', "does not hold what it should"),
        ('{"url": ["https://hooks.example"]}', "does not hold what it should"),
        ('{"url": "https://a.example", "url": "https://b.example"}', "does not hold what it should"),
        ('{"url": "https://hooks.example"}', "nobody could tell who posts there without it"),
        ('{"url": "https://hooks.example", "key": "short"}', "is no secret"),
        ('{"url": "http://hooks.example", "key": "%s"}', "is no address of a webhook"),
    ],
)
def test_a_secret_that_holds_something_else_is_refused_and_not_told(told: Told, text: str, said: str) -> None:
    told.keep(text.replace("%s", KEY))
    with pytest.raises(SettingsError, match=said) as refused:
        told.call()
    assert "hooks.example" not in f"{refused.value.safe_message} {refused.value.hint}"
    assert steps() == ["requested", "unannounced"]


def test_a_chat_needs_no_key(told: Told) -> None:
    told.keep(json.dumps({"url": told.receiver.url}))
    told.entrance.change(review_webhook_format="slack")
    assert told.call()
    ((headers, body),) = told.receiver.got
    assert "webhook-signature" not in headers
    assert "Read and decide" in body.decode()


def test_a_secret_that_is_not_there_is_the_deployer_s_fault_and_told_at_once(told: Told) -> None:
    told.entrance.change(review_webhook=SecretStr(f"arn:aws:secretsmanager:{REGION}:123456789012:secret:gone-AbCdEf"))
    with pytest.raises(SettingsError, match="the secret of the webhook is not there"):
        told.call()
    assert steps()[-1] == "unannounced"
