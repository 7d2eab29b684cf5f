"""What the event bus hears of finished checks: ids, counts and places, and never text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gate import runtime, wiring
from gate.agents.publish_failure import publish_failure
from gate.agents.publish_report import publish_report
from gate.agents.request_review import request_review
from gate.errors import EventsUnavailableError
from gate.services.audit_log import Fact, recording
from gate.services.publishing import location
from tests.aws_events import FakeRuns, FakeUploads, an_event, an_upload
from tests.entrance import Entrance
from tests.report_builders import PASSAGE, a_state

SENTENCES = (
    ("The sky is blue.", "supported"),
    ("Boats leave.", "supported"),
    ("Whales sing.", "unsupported"),
    ("Why?", "question"),
)


class FakeBus:
    """A bus that keeps what it is sent, or is down."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.down = False

    def send(self, kind: str, detail: Any) -> None:
        if self.down:
            raise EventsUnavailableError("the event bus failed")
        self.sent.append((kind, json.loads(json.dumps(detail))))


@pytest.fixture
def bus(entrance: Entrance) -> FakeBus:
    bus = FakeBus()
    entrance.give(event_bus=bus)
    return bus


def a_finished_run() -> dict[str, Any]:
    state = a_state(SENTENCES)
    state["config"]["search"] = {"tenant": "red"}
    return state


def shape(value: Any) -> Any:
    """The keys of an object, at every depth."""
    return {key: shape(inner) for key, inner in value.items()} if isinstance(value, dict) else None


def test_a_finished_check_is_told_with_its_counts_and_where_its_report_lies(entrance: Entrance, bus: FakeBus) -> None:
    entrance.change(store_page=True)  # as deployments have it
    publish_report(a_finished_run())
    ((kind, detail),) = bus.sent
    sample = an_event("check_completed")
    assert kind == sample["detail-type"]
    assert shape(detail) == shape(sample["detail"])
    assert (detail["run_id"], detail["outcome"], detail["tenant"]) == ("a-run", "block", "red")
    assert detail["counts"] == sample["detail"]["counts"]
    assert detail["policy"] == {"name": "default", "version": "1"}
    assert wiring.current().blob_store().exists(detail["report"]["json"])


def test_a_run_that_waits_for_a_person_is_told_with_its_limit_and_why(entrance: Entrance, bus: FakeBus) -> None:
    entrance.change(store_page=True)
    wanted = {"wanted": True, "limit_s": 172_800}
    request_review({**a_finished_run(), "policy": {}, "review": wanted, "task_token": "t"})
    ((kind, detail),) = bus.sent
    sample = an_event("review_requested")
    assert kind == sample["detail-type"]
    assert shape(detail) == shape(sample["detail"])
    assert detail["reasons"] == ["unsupported"]
    assert not [text for text, _ in SENTENCES if text in json.dumps(bus.sent)]
    assert "task_token" not in json.dumps(bus.sent)


def test_no_text_is_told(bus: FakeBus) -> None:
    publish_report(a_finished_run())
    told = json.dumps(bus.sent)
    assert not [text for text, _ in SENTENCES if text in told]
    assert PASSAGE not in told
    assert "answer.md" not in told


def test_on_aws_the_report_is_named_by_its_url(entrance: Entrance, bus: FakeBus) -> None:
    entrance.change(blobs="s3://blobs")
    assert location("reports/a/report.json") == "s3://blobs/reports/a/report.json"


def test_a_run_that_failed_is_told_as_an_error_without_its_message(bus: FakeBus) -> None:
    runtime.handle("publish_failure", an_event("execution_failed"))
    ((kind, detail),) = bus.sent
    assert (kind, detail["outcome"], detail["error"], detail["policy"]) == (
        "CheckCompleted",
        "error",
        "InputError",
        None,
    )
    assert "nothing to check" not in json.dumps(bus.sent)


def test_an_upload_that_cannot_be_checked_is_told_too(entrance: Entrance, bus: FakeBus) -> None:
    entrance.give(uploads=FakeUploads(), runs=FakeRuns())
    answer = runtime.handle("start_check", an_upload("transcripts/a.exe"))
    assert [(kind, detail["run_id"], detail["outcome"]) for kind, detail in bus.sent] == [
        ("CheckCompleted", answer["run_id"], "error")
    ]


def test_a_report_is_there_though_the_bus_is_down(bus: FakeBus) -> None:
    bus.down = True
    with pytest.raises(EventsUnavailableError):
        publish_report(a_finished_run())
    assert wiring.current().blob_store().exists("reports/a-run/report.json")


def test_a_batch_is_told_once_with_all_its_outcomes(bus: FakeBus) -> None:
    store = wiring.current().blob_store()
    outcomes = {"b-1": "pass", "b-2": "review", "b-4": "error"}
    for run_id, outcome in outcomes.items():
        store.put(f"reports/{run_id}/report.json", json.dumps({"outcome": outcome}).encode())
    store.put("runs/b/runs.json", json.dumps([*outcomes, "b-3"]).encode())
    batch = {"part": 1, "parts": 1, "before": 0, "runs": "runs/b/runs.json", "transcripts": 3, "rejected": 1}
    runtime.handle("summarize_batch", {"run_id": "b", "state": {"batch": batch}})
    ((kind, detail),) = bus.sent
    sample = an_event("batch_completed")
    assert kind == sample["detail-type"]
    assert shape(detail) == shape(sample["detail"])
    assert detail | {"run_id": "", "report": ""} == sample["detail"] | {"run_id": "", "report": ""}
    assert store.exists(detail["report"])


def test_where_no_bus_is_set_nobody_is_told() -> None:
    publish_report(a_finished_run())


@pytest.mark.parametrize("label", ["supported", "unsupported"])
def test_a_check_that_is_done_counts_under_its_outcome(entrance: Entrance, label: str) -> None:
    state = a_state((("Boats leave.", label),))
    with recording() as figures:
        publish_report(state)
    assert outcomes(figures) == [state["report"]["outcome"]] == ["pass" if label == "supported" else "block"]


def test_a_run_that_failed_counts_as_an_error_and_one_that_was_redriven_does_not(entrance: Entrance) -> None:
    with recording() as figures:
        publish_failure({"run_id": "lost", "failure": {"status": "FAILED", "error": "SettingsError"}})
        publish_failure({"run_id": "redriven", "failure": {"status": "RUNNING"}})
    assert outcomes(figures) == ["error"]


def outcomes(figures: list[Fact]) -> list[str]:
    """The outcomes that were counted, one an entry."""
    return [fact.labels["outcome"] for fact in figures if fact.name == "Outcomes" for _ in range(int(fact.value))]
