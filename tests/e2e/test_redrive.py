"""What is done again changes nothing: a run that is redriven, a run that is run again, a task whose answer was lost."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gate import runtime, wiring
from gate.adapters.local_versions import LocalVersions
from gate.agents import publish_failure, publish_report
from gate.errors import GateError, InternalError, StorageUnavailableError
from gate.local.run import LocalRun, run_locally
from gate.settings import Settings
from tests.aws_events import FakeRuns, FakeUploads, an_upload
from tests.entrance import Entrance
from tests.known_answer import ANSWER, Check
from tests.stubs.clock import FastClock
from tests.stubs.converse import ConverseStub

pytestmark = pytest.mark.e2e

EVENTS = Path(__file__).parents[2] / "events"
SEGMENT = json.loads((EVENTS / "transcripts" / "segment.json").read_text())
UNCAUGHT = ("load_transcript", "extract_claims", "judge", "publish_report")
"""Agents whose failure ends a run: a redrive begins with the one that did."""


class Redriven:
    """What `RedriveExecution` makes of a failed run: tasks that ended keep their outcome, caught errors included; the
    one that failed the run is called again, with the input that it had, and so is everything after it."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self._ended: dict[str, Mapping[str, Any] | GateError] = {}
        self.broken: dict[str, GateError] = {}
        self._redriving = False

    def redrive(self) -> None:
        self.calls.clear()
        self.broken.clear()
        self._redriving = True

    def __call__(self, name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
        if name == "publish_failure":
            return runtime.handle(name, event)
        task = json.dumps([name, event], sort_keys=True)
        known = self._ended.get(task) if self._redriving else None
        if isinstance(known, GateError) and name not in UNCAUGHT:
            raise known
        if isinstance(known, Mapping):
            return copy.deepcopy(known)
        self.calls.append(name)
        try:
            self._ended[task] = state = self._run(name, event)
        except GateError as error:
            self._ended[task] = error
            raise
        return copy.deepcopy(state)

    def _run(self, name: str, event: Mapping[str, Any]) -> dict[str, Any]:
        state = runtime.handle(name, event)
        if name in self.broken:
            raise self.broken[name]
        return state


def files(folder: str) -> dict[str, bytes]:
    """What lies in a folder of the blob store."""
    root = wiring.current().settings.home
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in (root / folder).rglob("*") if path.is_file()
    }


def report_of(run: LocalRun) -> dict[str, Any]:
    """A run's report, but for the moment it was made."""
    report: dict[str, Any] = json.loads(wiring.current().blob_store().get(f"reports/{run.run_id}/report.json"))
    return {key: value for key, value in report.items() if key != "created_at"}


def checked(index: str, run_id: str, invoke: Any) -> LocalRun:
    submission = {"name": "answer.md", "text": ANSWER, "segment": SEGMENT}
    return run_locally(submission, {"elasticsearch": {"index": index}}, run_id=run_id, invoke=invoke)


@pytest.fixture
def with_cache(entrance: Entrance, stub: ConverseStub) -> ConverseStub:
    entrance.change(verdict_cache=True)
    return stub


@pytest.mark.parametrize(
    ("agent", "again"),
    [
        ("judge", ["judge", "publish_report"]),
        ("publish_report", ["publish_report"]),
        ("extract_claims", ["extract_claims", *["retrieve_evidence", "verify_claims"] * 25, "judge", "publish_report"]),
    ],
)
def test_a_redriven_run_finishes_without_doing_again_what_was_done(
    with_cache: ConverseStub, index: str, agent: str, again: list[str]
) -> None:
    honest = report_of(checked(index, "honest", runtime.handle))
    for path in files("cache"):
        (wiring.current().settings.home / path).unlink()
    with_cache.seen.clear()
    machine = Redriven()
    machine.broken[agent] = InternalError("the function ended")
    assert checked(index, "r1", machine).status == "FAILED"
    assert json.loads(wiring.current().blob_store().get("reports/r1/report.json"))["outcome"] == "error"

    machine.redrive()
    run = checked(index, "r1", machine)
    assert run.status == "SUCCEEDED"
    # The branch of the citations may have been cut off by the failure: then it has no outcome to keep.
    assert sorted(name for name in machine.calls if name != "retrieve_citations") == sorted(again)
    assert report_of(run) == honest | {"run_id": "r1"}
    assert len(with_cache.seen) == 25
    assert len([path for path in files("audit") if "/r1/" in path]) == 1
    assert sorted(files("reports/r1")) == ["reports/r1/report.json"]


def test_a_run_that_is_run_again_as_a_whole_pays_for_no_verdict_twice(with_cache: ConverseStub, index: str) -> None:
    first = report_of(checked(index, "r1", runtime.handle))
    second = report_of(checked(index, "r1", runtime.handle))
    assert len(with_cache.seen) == 25
    assert (second.pop("usage"), second.pop("spent")["calls"]) == ({"cached": 25}, 0)
    assert second == {key: value for key, value in first.items() if key not in ("usage", "spent")}
    assert len(files("audit")) == 1


def test_a_claim_whose_answer_was_lost_on_the_way_is_not_asked_about_again(
    with_cache: ConverseStub, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    FastClock(100).drive(monkeypatch)
    lost: list[str] = []

    def losing(name: str, event: Mapping[str, Any]) -> dict[str, Any]:
        state = runtime.handle(name, event)
        if name == "verify_claims" and event["state"]["branch"] not in lost:
            lost.append(event["state"]["branch"])
            raise StorageUnavailableError("the answer was lost")
        return state

    outcome = check(invoke=losing)
    assert (len(lost), len(with_cache.seen)) == (25, 25)
    assert (outcome.accounting["unchecked"], outcome.grounding) == (0, 0.8)


# Each agent, twice


SUBMISSIONS: dict[str, dict[str, Any]] = {
    "plain": {"name": "answer.md", "text": (EVENTS / "demo" / "answer.md").read_text()},
    "turns and a segment": {"name": "own.json", "text": (EVENTS / "transcripts" / "own.json").read_text()},
    "messages": {"name": "messages.json", "text": (EVENTS / "transcripts" / "messages.json").read_text()},
    "nothing to check": {"name": "answer.md", "text": "Hello! How are you?"},
    "artifacts": {
        "name": "answer.json",
        "text": json.dumps(
            {
                "turns": [{"role": "assistant", "content": "It is in `src/app.py` and `src/gone.py`."}],
                "artifacts": {
                    "repo": {"kind": "listing", "paths": ["src/app.py", "README.md"]},
                    "docs": [{"location": "README.md", "text": "See [the guide](docs/guide.md)."}],
                    "images": [{"location": "a.png", "media_type": "image/png", "base64": "bm9uZQ=="}],
                },
            }
        ),
    },
}


@pytest.fixture
def one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports say when they were made: here always the same."""
    for module in (publish_report, publish_failure):
        monkeypatch.setattr(module, "now", lambda: "2026-11-20T19:42:21+00:00")


def assert_idempotent(name: str, event: dict[str, Any], answer: Any) -> None:
    """An event handled again gets the same answer and leaves every blob as it was, also in another process."""
    before = files(".")
    runtime._STORED.clear()
    assert runtime.handle(name, copy.deepcopy(event)) == answer, name
    assert files(".") == before, name


@pytest.mark.parametrize("name", SUBMISSIONS)
def test_every_agent_run_twice_on_one_state_leaves_the_same_state_and_blobs(
    entrance: Entrance, one_moment: None, index: str, name: str
) -> None:
    handled: list[tuple[str, dict[str, Any], dict[str, Any]]] = []

    def remembering(agent: str, event: Mapping[str, Any]) -> dict[str, Any]:
        given = copy.deepcopy(dict(event))
        state = runtime.handle(agent, event)
        handled.append((agent, given, copy.deepcopy(state)))
        return state

    entrance.use(Settings(home=wiring.current().settings.home, embedder="none", images="none"))
    run = run_locally(SUBMISSIONS[name], {"elasticsearch": {"index": index}}, invoke=remembering)
    assert run.status == "SUCCEEDED"
    assert {"load_transcript", "extract_claims", "judge", "publish_report"} <= {agent for agent, _, _ in handled}
    for agent, event, state in handled:
        assert_idempotent(agent, event, state)


def test_a_batch_split_and_summarized_twice_is_the_same_batch(entrance: Entrance, one_moment: None) -> None:
    uploads = FakeUploads()
    uploads.objects["many.jsonl", "v1"] = b'{"turns": []}\n{"turns": [1]}\nnot json'
    entrance.give(uploads=uploads)
    event = {"run_id": "batch", "state": {"upload": {"bucket": "uploads", "key": "many.jsonl", "version": "v1"}}}
    split = runtime.handle("split_batch", event)
    assert_idempotent("split_batch", event, split)
    wiring.current().blob_store().put("reports/batch-000001/report.json", b'{"outcome": "pass"}')
    summary = runtime.handle("summarize_batch", {"run_id": "batch", "state": split})
    assert summary["batch"]["outcomes"] == {"error": 2, "pass": 1}
    assert_idempotent("summarize_batch", {"run_id": "batch", "state": split}, summary)


def test_an_upload_told_twice_says_so_and_leaves_the_same_blobs(entrance: Entrance) -> None:
    uploads, runs = FakeUploads(), FakeRuns()
    uploads.objects["transcripts/answer.md", "v1"] = b"The sky is blue."
    entrance.give(uploads=uploads, runs=runs)
    first = runtime.handle("start_check", an_upload("transcripts/answer.md"))
    assert_idempotent("start_check", an_upload("transcripts/answer.md"), first | {"started": False})


def test_a_document_told_twice_leaves_the_index_as_it_was(
    entrance: Entrance, tmp_path_factory: pytest.TempPathFactory
) -> None:
    uploads = FakeUploads()
    apart = LocalVersions(tmp_path_factory.mktemp("versions") / "documents.sqlite")  # who had a document changes
    entrance.give(document_versions=apart)
    event = uploads.put("corpora/docs/a.md", b"# Sky\n\nThe sky is blue.")
    entrance.give(uploads=uploads)
    first = runtime.handle("ingest_corpus", event)
    assert first["indexed"] == 1
    assert_idempotent("ingest_corpus", event, first | {"indexed": 0})
