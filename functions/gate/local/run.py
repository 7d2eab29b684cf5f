"""One submission through the deployed state machine's own definition, on this machine."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from time import perf_counter
from typing import Any

from gate import runtime, wiring
from gate.catalogue import BY_NAME, MAX_CONCURRENCY, Use
from gate.errors import RETRYABLE, WAITED_FOR, GateError
from gate.local.branches import Invoke
from gate.local.states import Execution, execute
from gate.local.task_tokens import TaskTokens

SUCCEEDED = "SUCCEEDED"
ASKING = "request_review"
"""The agent that a run waits behind."""
OnClaim = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class LocalRun:
    """What became of a run.

    Attributes:
        run_id: names its blobs, `runs/<run_id>/…`.
        status: SUCCEEDED, FAILED or TIMED_OUT.
        state: the final state, values by reference (`runtime.RunBlobs` resolves them); of a run that did not
            succeed what `publish_failure` left.
        error: class name of the error that ended the run, or None.
        cause: what the error said, or None.
        seconds: it took, by the clock; None of a run that was gone on with.
    """

    run_id: str
    status: str
    state: dict[str, Any]
    error: str | None = None
    cause: str | None = None
    seconds: float | None = None


def run_locally(
    submission: Mapping[str, Any],
    config: Mapping[str, Any],
    *,
    run_id: str | None = None,
    on_claim: OnClaim | None = None,
    invoke: Invoke = runtime.handle,
    seconds: float | None = None,
    tokens: TaskTokens | None = None,
) -> LocalRun:
    """Check one submission; blobs and report go where the settings in force say.

    Args:
        submission: `{"name": …, "text": …}`.
        config: the run's options (search, repository, …).
        run_id: a new one is made when None; runs of one id share their blobs, and the last one leaves the report.
        on_claim: called with (claims checked, claims in all) whenever a branch of claims is finished; from any thread.
        invoke: calls an agent by name with an event.
        seconds: that it may take; claims that are not judged after most of them are unchecked.
        tokens: what the run may wait under for a person; None: it waits for nobody, and a review stays one.

    Raises:
        SettingsError: model, redactor or ledger cannot be made; on Lambda that ends the start of the function.
    """
    wiring.current().preload((Use.MODEL, Use.REDACTOR, Use.TRAIL))
    run_id, began = run_id or uuid.uuid4().hex, perf_counter()
    blobs = runtime.RunBlobs(wiring.current().blob_store(), run_id)
    waits = {} if tokens else {"waits": False}
    state = {"submission": blobs.put(dict(submission)), "config": {**config, **waits}}
    watched = Progress(on_claim, invoke) if on_claim else invoke
    execution = execute(pipeline(), state, run_id=run_id, invoke=watched, seconds=seconds, tokens=tokens)
    return replace(_ended(run_id, execution, config, invoke), seconds=perf_counter() - began)


def resume_locally(run_id: str, state: Mapping[str, Any], *, invoke: Invoke, tokens: TaskTokens) -> LocalRun:
    """Go on with a run that waited for a person when its process ended, as a redrive does: it asks again.

    Args:
        state: what the run asked with.
    """
    execution = execute(
        pipeline(), state, run_id=run_id, invoke=invoke, tokens=tokens, start=BY_NAME[ASKING].state_name
    )
    return _ended(run_id, execution, state["config"], invoke)


@cache
def pipeline() -> str:
    """The committed definition of the state machine."""
    return files("gate").joinpath("pipeline.asl.json").read_text(encoding="utf-8")


def _ended(run_id: str, execution: Execution, config: Mapping[str, Any], invoke: Invoke) -> LocalRun:
    if execution.status == SUCCEEDED:
        return LocalRun(run_id, SUCCEEDED, execution.output)
    return _failed(run_id, execution, config, invoke)


def _failed(run_id: str, execution: Execution, config: Mapping[str, Any], invoke: Invoke) -> LocalRun:
    """Publish the failure, as an EventBridge rule does on AWS; failing at that changes nothing about the run."""
    cause = error_message(execution.cause)
    failure = {"status": execution.status, "error": execution.error, "cause": cause}
    state: Mapping[str, Any] = {}
    with suppress(GateError):
        state = invoke("publish_failure", {"run_id": run_id, "state": {"config": dict(config), "failure": failure}})
    return LocalRun(run_id, execution.status, dict(state), execution.error, cause)


def error_message(cause: str | None) -> str | None:
    """What an error said: a Lambda's cause is JSON around its message."""
    try:
        parsed = json.loads(cause or "")
    except json.JSONDecodeError:
        return cause
    return parsed.get("errorMessage", cause) if isinstance(parsed, dict) else cause


class Limited:
    """Calls agents, and verifies no more branches at the same time than one run would, over all the runs that share it.

    What a model's quota bears does not grow with the number of files.
    """

    def __init__(self, invoke: Invoke = runtime.handle) -> None:
        self._invoke = invoke
        self._slots = threading.Semaphore(MAX_CONCURRENCY)

    def __call__(self, name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
        if name != "verify_claims":
            return self._invoke(name, event)
        with self._slots:
            return self._invoke(name, event)


class Progress:
    """Stands around `invoke` and counts claims as their branches end, verified or given up."""

    def __init__(self, on_claim: OnClaim, invoke: Invoke) -> None:
        self._on_claim = on_claim
        self._invoke = invoke
        self._ended: dict[int, int] = {}
        self._total = 0
        self._lock = threading.Lock()

    def __call__(self, name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            state = self._invoke(name, event)
        except GateError as error:
            if error.code not in (*RETRYABLE, *WAITED_FOR):
                self._branch_ended(event["state"])
            raise
        if name == "extract_claims":
            self._total = sum(branch["items"] for branch in state["branches"])
        if name == "verify_claims":
            self._branch_ended(state)
        return state

    def _branch_ended(self, state: Mapping[str, Any]) -> None:
        if "branch" not in state:
            return
        with self._lock:
            self._ended[state["branch"]] = state["claims"]["items"]
            self._on_claim(sum(self._ended.values()), self._total)
