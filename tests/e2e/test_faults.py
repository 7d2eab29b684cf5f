"""Faults put into the whole pipeline, one at a time, as docs/faults.md lists them: no claim is lost, no answer passes
that should not, and every run ends with a reason."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from gate import runtime, wiring
from gate.adapters.embedded import EmbeddedSearch
from gate.adapters.local_files import FolderBlobStore
from gate.errors import InternalError, SearchUnavailableError
from gate.local import run as local_run
from gate.local.run import pipeline
from gate.local.states import execute
from gate.settings import Settings
from tests.aws_events import FakeUploads
from tests.entrance import Entrance
from tests.known_answer import CLAIMS, FACTS, Check, Invoke, Outcome, never_better
from tests.quality.outages import all_waits, most_unchecked, unchecked_share
from tests.stubs.clock import FastClock
from tests.stubs.converse import ConverseStub, failure, judged

pytestmark = pytest.mark.e2e

SPEED = 40
ONE = CLAIMS[0]


def ended_with_a_reason(outcome: Outcome) -> None:
    """A run without a decision: failed, never a pass, and its report says why."""
    assert outcome.run.status == "FAILED"
    report = json.loads(wiring.current().blob_store().get(f"reports/{outcome.run.run_id}/report.json"))
    assert report["outcome"] == "error"
    assert report["failure"]["error"] == outcome.run.error
    assert report["failure"]["message"]


def about(event: Mapping[str, Any], text: str) -> bool:
    """Whether an event is about one branch, whose claim reads so."""
    blobs = runtime.RunBlobs(wiring.current().blob_store(), event["run_id"])
    claims: Sequence[Mapping[str, Any]] = blobs.resolve(event["state"].get("claims") or [])
    return "branch" in event["state"] and claims[0]["text"] == text


def breaking(agent: str, text: str, what: Callable[[Mapping[str, Any]], object]) -> Invoke:
    """Agents, and what happens before `agent` works on the claim `text`."""

    def invoke(name: str, event: Mapping[str, Any]) -> dict[str, Any]:
        if name == agent and about(event, text):
            what(event)
        return runtime.handle(name, event)

    return invoke


class Outage:
    """A stretch of time, from the first question about it on."""

    def __init__(self, clock: FastClock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self._until: float | None = None
        self.met = 0

    def going_on(self) -> bool:
        if self._until is None:
            self._until = self._clock.now() + self._seconds
        lasts = self._clock.now() < self._until
        self.met += lasts
        return lasts


# Services


@pytest.mark.parametrize("attempts", [1, 3])
def test_sixty_seconds_of_throttling_leave_no_more_unchecked_than_is_stated(
    entrance: Entrance, stub: ConverseStub, check: Check, monkeypatch: pytest.MonkeyPatch, attempts: int
) -> None:
    entrance.change(model_attempts=attempts)
    outage = Outage(FastClock(SPEED).drive(monkeypatch), 60)
    throttled = failure(429, "ThrottlingException")
    stub.on("station", lambda seen: throttled if outage.going_on() else judged(seen))
    outcome = check()
    never_better(outcome)
    # The SDK's own retries only make a task last longer; their quota in one process does not serve all claims.
    assert outcome.accounting["unchecked"] <= most_unchecked(25, unchecked_share(60, all_waits()))
    given_up = [one for one in outcome.verdicts if one["claim_id"] in outcome.unchecked]
    assert all("ModelThrottledError" in verdict["justification"] for verdict in given_up)
    assert outage.met > 25 * attempts


def test_a_search_that_is_down_for_thirty_seconds_is_waited_for(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    outage = Outage(FastClock(SPEED).drive(monkeypatch), 30)
    search = EmbeddedSearch.search_docs

    def unavailable(self: EmbeddedSearch, *query: Any, **options: Any) -> list[dict[str, Any]]:
        if outage.going_on():
            raise SearchUnavailableError("the search does not answer")
        return search(self, *query, **options)

    monkeypatch.setattr(EmbeddedSearch, "search_docs", unavailable)
    outcome = check()
    never_better(outcome)
    assert outcome.accounting["unchecked"] <= most_unchecked(25, unchecked_share(30, all_waits()))
    assert outage.met > 25


# One claim


@pytest.mark.parametrize("agent", ["retrieve_evidence", "verify_claims"])
def test_an_agent_that_raises_on_one_claim_leaves_that_one_unchecked(check: Check, agent: str) -> None:
    def bug(event: Mapping[str, Any]) -> None:
        raise InternalError("a bug")

    outcome = check(invoke=breaking(agent, ONE, bug))
    never_better(outcome, unchecked=1)
    assert outcome.unchecked == ["c0001"]
    assert "InternalError" in outcome.verdicts[0]["justification"]


def forget(run_id: str, sha: str) -> None:
    """Lose a blob, in memory or on disk."""
    store = wiring.current().blob_store()
    assert isinstance(store, FolderBlobStore)
    held = store._held[f"runs/{run_id}"].pop(f"runs/{run_id}/{sha}", None)
    assert held is not None


def test_a_blob_that_is_missing_leaves_its_claim_unchecked(check: Check) -> None:
    def lose(event: Mapping[str, Any]) -> None:
        sha = event["state"]["evidence"]["$blob"]
        forget(event["run_id"], sha)

    outcome = check(invoke=breaking("verify_claims", ONE, lose))
    never_better(outcome, unchecked=1)
    assert outcome.unchecked == ["c0001"]


class TimedOut(Exception):
    """What the Lambda service answers for a function that ran out of time."""


TimedOut.__name__ = "Sandbox.Timedout"


def test_a_function_that_runs_out_of_time_on_one_claim_leaves_that_one_unchecked(check: Check) -> None:
    def run_out(event: Mapping[str, Any]) -> None:
        raise TimedOut

    outcome = check(invoke=breaking("verify_claims", ONE, run_out))
    never_better(outcome, unchecked=1)
    assert "Sandbox.Timedout" in outcome.verdicts[0]["justification"]


def test_a_task_that_nobody_answers_ends_at_its_timeout(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    asleep = threading.Event()
    hasty = re.sub(r'"TimeoutSeconds": ?315', '"TimeoutSeconds": 3', local_run.pipeline())
    monkeypatch.setattr(local_run, "pipeline", lambda: hasty)
    outcome = check(invoke=breaking("verify_claims", ONE, lambda event: asleep.wait(20)))
    asleep.set()
    never_better(outcome, unchecked=1)
    assert "States.Timeout" in outcome.verdicts[0]["justification"]


# What nothing can replace


@pytest.mark.parametrize("agent", ["load_transcript", "extract_claims", "judge", "publish_report"])
def test_a_stage_that_runs_out_of_time_ends_the_run_with_a_reason(check: Check, agent: str) -> None:
    def invoke(name: str, event: Mapping[str, Any]) -> dict[str, Any]:
        if name == agent:
            raise TimedOut
        return runtime.handle(name, event)

    ended_with_a_reason(check(invoke=invoke))


def test_a_blob_that_the_judge_misses_ends_the_run_with_a_reason(check: Check) -> None:
    def invoke(name: str, event: Mapping[str, Any]) -> dict[str, Any]:
        if name == "judge":
            sha = event["state"]["claims"]["$blob"]
            forget(event["run_id"], sha)
        return runtime.handle(name, event)

    ended_with_a_reason(check(invoke=invoke))


# A batch


def test_a_thousand_transcripts_of_which_two_are_poisoned_end_in_a_thousand_reports(
    entrance: Entrance, index: str
) -> None:
    """Line 500 is no JSON; line 700 is, and its run fails. The chain of states is the one that the batch maps over."""
    entrance.use(Settings(home=wiring.current().settings.home, embedder="none", model="local:lexical", index=index))
    answers = [FACTS[n % 25] if n % 100 else "The founder collects stamps from Peru." for n in range(1_000)]
    lines = [json.dumps({"turns": [{"role": "assistant", "content": answer}]}) for answer in answers]
    lines[499], lines[699] = '{"turns": [' + "[" * 5_000, '{"turns": "none"}'
    uploads = FakeUploads()
    uploads.objects["many.jsonl", "v1"] = "\n".join(lines).encode()
    entrance.give(uploads=uploads)

    upload = {"bucket": "uploads", "key": "many.jsonl", "version": "v1"}
    state = runtime.handle("split_batch", {"run_id": "batch", "state": {"upload": upload}})
    for item in json.loads(wiring.current().blob_store().get(state["batch"]["manifest"])):
        execute(pipeline(), {"submission": item["submission"]}, run_id=item["run_id"], invoke=runtime.handle)
    batch = runtime.handle("summarize_batch", {"run_id": "batch", "state": state})["batch"]

    assert batch["outcomes"] == {"block": 10, "error": 2, "pass": 988}
    assert batch["claims"] == {"unsupported": 10, "unchecked": 0, "weakly_supported": 0, "supported": 988}
    [results] = json.loads(wiring.current().blob_store().get(batch["report"]))["results"]
    found = [json.loads(line) for line in wiring.current().blob_store().get(results).splitlines()]
    reports = {row["run_id"]: row["outcome"] for row in found}
    assert len(reports) == 1_000
    for run_id, reason in (("batch-000500", "line 500: not JSON"), ("batch-000700", "without a report")):
        report = json.loads(wiring.current().blob_store().get(f"reports/{run_id}/report.json"))
        assert (reports[run_id], report["outcome"]) == ("error", "error")
        assert reason in report["failure"]["message"]
