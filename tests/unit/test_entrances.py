"""What events from outside set going: uploads and batches."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from typing import Any

import pytest

from gate import runtime, wiring
from gate.errors import SettingsError
from gate.ports import RunStatus
from gate.services import submissions
from gate.services.audit_log import recording
from gate.settings import Settings
from tests.aws_events import FakeRuns, FakeUploads, an_event, an_upload
from tests.entrance import Entrance


class Service:
    """A deployment with fakes for what AWS does."""

    def __init__(self, entrance: Entrance) -> None:
        self.runs, self.batches, self.uploads = FakeRuns(), FakeRuns(), FakeUploads()
        entrance.give(runs=self.runs, batch_runs=self.batches, uploads=self.uploads)

    def upload(self, key: str, data: bytes = b"The sky is blue.", *, version: str = "v1") -> dict[str, Any]:
        self.uploads.objects[key, version] = data
        return runtime.handle("start_check", an_upload(key, size=len(data), version=version))

    def report(self, run_id: str) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(wiring.current().blob_store().get(f"reports/{run_id}/report.json"))
        return loaded

    def split(self, data: bytes, key: str = "many.jsonl") -> dict[str, Any]:
        self.uploads.objects[key, "v1"] = data
        source = {"bucket": "uploads", "key": key, "version": "v1"}
        return runtime.handle("split_batch", {"run_id": "batch", "state": {"upload": source}})


@pytest.fixture
def service(entrance: Entrance) -> Service:
    return Service(entrance)


def stored(run_id: str, reference: dict[str, Any]) -> Any:
    return runtime.RunBlobs(wiring.current().blob_store(), run_id).resolve(reference)


def test_an_uploaded_answer_is_started_with_its_text_by_reference(service: Service) -> None:
    answer = service.upload("transcripts/answer.md")
    state = service.runs.started[answer["run_id"]]
    assert answer | {"run_id": ""} == {"run_id": "", "kind": "check", "started": True}
    assert stored(answer["run_id"], state["submission"]) == {"name": "answer.md", "text": "The sky is blue."}
    assert "sky" not in json.dumps(state)


def test_the_name_of_an_upload_travels_without_personal_data(service: Service) -> None:
    answer = service.upload("transcripts/jane@example.com.md")
    state = service.runs.started[answer["run_id"]]
    assert state["config"]["name"] == "[REDACTED_EMAIL]"
    assert "jane" not in json.dumps(state)


def test_a_new_version_or_a_new_policy_is_a_new_run(entrance: Entrance, service: Service) -> None:
    entrance.change(policy="s3://uploads/config/policy.json")
    service.upload("transcripts/answer.md")
    service.upload("transcripts/answer.md", version="v2")
    service.uploads.latest["s3://uploads/config/policy.json"] = (b'{"unsupported": "review"}', "p7")
    run_id = service.upload("transcripts/answer.md")["run_id"]
    assert len(service.runs.started) == 3
    policy = service.runs.started[run_id]["config"]["policy"]
    assert (policy["unsupported"], policy["version"]) == ("review", "1 (p7)")


def test_a_policy_that_is_none_is_the_deployer_s_fault_and_starts_nothing(entrance: Entrance, service: Service) -> None:
    entrance.change(policy="s3://uploads/config/policy.json")
    service.uploads.latest["s3://uploads/config/policy.json"] = (b'{"unsuported": "review"}', "p7")
    with pytest.raises(Exception, match="unsuported") as raised:
        service.upload("transcripts/answer.md")
    assert type(raised.value).__name__ == "SettingsError"
    assert not service.runs.started


def test_the_last_policy_that_was_one_goes_on_where_the_newest_is_none(entrance: Entrance, service: Service) -> None:
    entrance.change(policy="s3://uploads/config/policy.json")
    service.uploads.latest["s3://uploads/config/policy.json"] = (b'{"unsuported": "review"}', "p9")
    service.uploads.before = [(b"{", "p8"), (b'{"unsupported": "review"}', "p7"), (b"{}", "p6")]
    with recording() as figures:
        run_id = service.upload("transcripts/answer.md")["run_id"]
    policy = service.runs.started[run_id]["config"]["policy"]
    assert (policy["unsupported"], policy["version"]) == ("review", "1 (p7): a newer one cannot be read")
    (told,) = figures
    assert told.name == "PolicyUnreadable"
    assert "unsuported" in told.labels["hint"]
    again = service.upload("transcripts/answer.md")
    assert again["run_id"] == run_id, "the policy in force is still that one"


def test_a_packed_answer_is_unpacked(service: Service) -> None:
    run_id = service.upload("transcripts/answer.md.gz", gzip.compress(b"Grass is green."))["run_id"]
    submission = stored(run_id, service.runs.started[run_id]["submission"])
    assert submission == {"name": "answer.md", "text": "Grass is green."}


@pytest.mark.parametrize(
    ("key", "data", "message"),
    [
        ("a.exe", b"MZ", "unknown type"),
        ("a.md", b"x" * 1_001, "larger than 1000 bytes"),
        ("a.md.gz", gzip.compress(b"x" * 1_001, mtime=0), "unpacks to more than 1000 bytes"),
        ("a.md", b"\xff\xfe", "not UTF-8"),
    ],
)
def test_an_upload_that_cannot_be_checked_leaves_a_report_and_no_run(
    entrance: Entrance, service: Service, key: str, data: bytes, message: str
) -> None:
    entrance.change(max_bytes=1_000)
    answer = service.upload(key, data)
    report = service.report(answer["run_id"])
    assert answer["rejected"] == "InputError"
    assert report["outcome"] == "error"
    assert message in report["failure"]["message"]
    assert not service.runs.started


def test_an_event_told_twice_leaves_the_report_of_its_run_though_the_upload_is_gone_meanwhile(service: Service) -> None:
    run_id = service.upload("transcripts/answer.md")["run_id"]
    service.runs.statuses[run_id] = RunStatus("SUCCEEDED")
    wiring.current().blob_store().put(f"reports/{run_id}/report.json", b'{"outcome": "pass"}')
    service.uploads.objects.clear()
    again = runtime.handle("start_check", an_upload("transcripts/answer.md", size=16, version="v1"))
    assert again == {"run_id": run_id, "rejected": "InputError"}
    assert service.report(run_id) == {"outcome": "pass"}


def test_an_upload_of_many_transcripts_starts_a_batch(service: Service) -> None:
    answer = runtime.handle("start_check", an_event("s3_batch_uploaded"))
    assert answer["kind"] == "batch"
    assert service.batches.started[answer["run_id"]]["upload"]["key"] == "transcripts/nightly.jsonl"


def test_a_batch_is_summarized_by_the_reports_that_are_there(service: Service) -> None:
    batch = service.split(b'{"a": 1}\n{"b": 2}\nnot json\n')["batch"]
    [first, _] = json.loads(wiring.current().blob_store().get(batch["manifest"]))
    assert stored(first["run_id"], first["submission"]) == {"name": "many.jsonl-1.json", "text": '{"a": 1}'}
    wiring.current().blob_store().put("reports/batch-000001/report.json", b'{"outcome": "pass"}')
    summary = runtime.handle("summarize_batch", {"run_id": "batch", "state": {"batch": batch}})["batch"]
    assert summary["outcomes"] == {"error": 2, "pass": 1}
    assert summary["unpublished"] == 1
    assert service.report("batch-000002")["outcome"] == "error"
    [results] = json.loads(wiring.current().blob_store().get(summary["report"]))["results"]
    assert [row["run_id"] for row in rows(results)] == ["batch-000001", "batch-000002", "batch-000003"]


def rows(key: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in wiring.current().blob_store().get(key).splitlines()]


def test_a_long_batch_goes_part_by_part_and_each_record_has_one_row(entrance: Entrance, service: Service) -> None:
    """Five lines in parts of two; the third is no JSON, the fourth too large, and the fifth left no report."""
    entrance.change(batch_part=2, max_bytes=100)
    causes = [{"status": "unsupported", "cause": "made_up"}, {"status": "supported", "cause": None}]
    lines = ['{"a": 1}', '{"b": 2}', "not json", json.dumps({"long": "x" * 100}), '{"e": 5}']
    state = service.split("\n\n".join(lines).encode())
    more, opened = True, []
    while more:
        opened.append(json.loads(wiring.current().blob_store().get(state["batch"]["runs"])))
        for run_id in {"batch-000001", "batch-000002"}.intersection(opened[-1]):
            report = {"outcome": "block", "risk": 0.9, "claims": causes, "question": "Who?"}
            wiring.current().blob_store().put(f"reports/{run_id}/report.json", json.dumps(report).encode())
        state = runtime.handle("summarize_batch", {"run_id": "batch", "state": state})
        if more := state["batch"]["more"]:
            state = runtime.handle("split_batch", {"run_id": "batch", "state": state})
    assert opened == [["batch-000001", "batch-000002"], ["batch-000003", "batch-000004"], ["batch-000005"]]
    summary = json.loads(wiring.current().blob_store().get(state["batch"]["report"]))
    found = [row for key in summary.pop("results") for row in rows(key)]
    assert [(row["record"], row["outcome"], row["made_up"], row["error"]) for row in found] == [
        (1, "block", 1, None),
        (2, "block", 1, None),
        (3, "error", 0, "InputError"),
        (4, "error", 0, "InputError"),
        (5, "error", 0, "RunFailed"),
    ]
    assert "Who?" not in json.dumps(found)
    assert summary == {
        "run_id": "batch",
        "transcripts": 3,
        "rejected": 2,
        "unpublished": 1,
        "outcomes": {"block": 2, "error": 3},
        "claims": {"unsupported": 2, "unchecked": 0, "weakly_supported": 0, "supported": 2},
        "causes": {"made_up": 2, "not_retrieved": 0, "wrong_context": 0},
    }
    for number, why in (("000003", "line 3: not JSON"), ("000004", "line 4: larger than a submission may be")):
        assert why in service.report(f"batch-{number}")["failure"]["message"]


def test_a_part_is_summed_up_in_less_memory_than_its_reports_take(service: Service) -> None:
    runs, turns = [f"batch-{number:06d}" for number in range(1, 301)], [{"text": "x" * 200} for _ in range(500)]
    for run in runs:
        report = json.dumps({"outcome": "pass", "run_id": run, "turns": turns}).encode()
        wiring.current().blob_store().put(f"reports/{run}/report.json", report)
    wiring.current().blob_store().put("runs/batch/runs.json", json.dumps(runs).encode())
    batch = {"manifest": "", "runs": "runs/batch/runs.json", "transcripts": len(runs), "rejected": 0}
    tracemalloc.start()
    try:
        summary = runtime.handle("summarize_batch", {"run_id": "batch", "state": {"batch": batch}})["batch"]
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert summary["outcomes"] == {"pass": len(runs)}
    assert most < len(runs) * len(report) / 3


def test_a_batch_that_an_earlier_version_has_split_is_summed_up(service: Service) -> None:
    wiring.current().blob_store().put("runs/batch/runs.json", b'["batch-000001"]')
    wiring.current().blob_store().put("reports/batch-000001/report.json", b'{"outcome": "pass"}')
    batch = {"manifest": "runs/batch/manifest.json", "runs": "runs/batch/runs.json", "transcripts": 1, "rejected": 0}
    summary = runtime.handle("summarize_batch", {"run_id": "batch", "state": {"batch": batch}})["batch"]
    assert (summary["outcomes"], summary["more"]) == ({"pass": 1}, False)


def test_a_part_is_cut_before_its_lines_are_too_many_to_hold(
    entrance: Entrance, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.agents.split_batch.PART_BYTES", 20)
    batch = service.split(b'{"a": 1}\n{"b": 2}\n{"c": 3}\n')["batch"]
    assert (batch["parts"], batch["transcripts"]) == (2, 2)


@pytest.mark.parametrize(("data", "message"), [(b"", "empty"), (b"\n \n", "empty"), (b"{}\n{}\n{}", "more than 2")])
def test_a_batch_with_no_line_or_too_many_is_refused(
    entrance: Entrance, service: Service, data: bytes, message: str
) -> None:
    entrance.use(Settings(home=wiring.current().settings.home, max_transcripts=2))
    with pytest.raises(Exception, match=message) as raised:
        service.split(data)
    assert type(raised.value).__name__ == "InputError"


def test_a_line_of_a_batch_can_be_run_again(service: Service) -> None:
    service.uploads.objects["many.jsonl", "v1"] = b'{"turns": []}'
    state = {"upload": {"bucket": "uploads", "key": "many.jsonl", "version": "v1"}, "config": {"policy": {"name": "p"}}}
    runtime.handle("split_batch", {"run_id": "batch", "state": state})
    submission, config = submissions.stored_input("batch-000001")
    assert (submission["name"], config) == ("many.jsonl-1.json", {"policy": {"name": "p"}})


def test_an_execution_that_failed_gets_its_report(service: Service) -> None:
    runtime.handle("publish_failure", an_event("execution_failed"))
    report = service.report("api-5e1d")
    assert (report["outcome"], report["failure"]["error"]) == ("error", "InputError")
    assert report["failure"]["message"] == "empty: there is nothing to check"


def failed(**detail: Any) -> dict[str, Any]:
    """The event of a failed execution; `detail` laid over."""
    event = an_event("execution_failed")
    event["detail"] |= detail
    return event


def test_an_event_without_error_and_cause_makes_the_execution_be_asked(service: Service) -> None:
    service.runs.statuses["api-5e1d"] = RunStatus("FAILED", "InputError", '{"errorMessage": "no such turn"}')
    runtime.handle("publish_failure", failed(error=None, cause=None, input=None))
    failure = service.report("api-5e1d")["failure"]
    assert failure == {"error": "InputError", "message": "no such turn"}


@pytest.mark.parametrize(
    ("status", "message"),
    [("TIMED_OUT", "took longer"), ("ABORTED", "was stopped"), ("FAILED", "the history of the execution has it")],
)
def test_a_failure_that_nobody_explains_is_told_by_its_status(service: Service, status: str, message: str) -> None:
    runtime.handle("publish_failure", failed(status=status, error=None, cause=None))
    failure = service.report("api-5e1d")["failure"]
    assert failure["error"] == status
    assert message in failure["message"]


def test_an_execution_that_may_not_be_asked_is_reported_by_its_event(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(run_id: str) -> RunStatus:
        raise SettingsError("the state machine may not be used (AccessDeniedException)")

    monkeypatch.setattr(service.runs, "status", denied)
    runtime.handle("publish_failure", failed())
    assert service.report("api-5e1d")["failure"]["error"] == "InputError"


@pytest.mark.parametrize("status", ["RUNNING", "SUCCEEDED"])
def test_a_failure_told_late_does_not_replace_the_report_of_a_redriven_run(service: Service, status: str) -> None:
    service.runs.statuses["api-5e1d"] = RunStatus(status)
    wiring.current().blob_store().put("reports/api-5e1d/report.json", b'{"outcome": "pass"}')
    runtime.handle("publish_failure", failed())
    assert service.report("api-5e1d") == {"outcome": "pass"}
