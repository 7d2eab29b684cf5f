"""A check in the request, deployed: its whole path in the process of one function, within the time of a request."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from gate import runtime, wiring
from gate.adapters.held_run import HeldRun
from gate.adapters.later import Later, Work, doing_later, put_off
from gate.adapters.spending.advance import Advance, taking
from gate.agents.api import answer_request
from gate.catalogue import IN_THE_REQUEST
from gate.errors import ConflictError, GateError, InternalError
from gate.local.branches import Invoke
from gate.local.run import SUCCEEDED, pipeline, run_locally
from gate.local.states import read
from gate.ports import BlobStore, ReviewStore, Runs, RunStatus
from gate.services import submissions
from gate.services.audit_log import record
from gate.services.callers import is_of_one_request
from gate.wiring import Wiring

WITHIN_S = 26.0
"""Seconds of a run: API Gateway waits 29 for the function, which has to begin and to answer within them."""
PAUSE_S = 0.5
PUBLISHING = ("publish_report", "publish_failure")

read(pipeline())  # with the module, which a function loads before its first request
for _agent in IN_THE_REQUEST:
    if not _agent.detective:
        runtime.agent_function(_agent.name)


def check_now(event: dict[str, Any]) -> dict[str, Any]:
    """Answer an API Gateway proxy event of `POST /v1/checks:now`; returns the proxy response."""
    with wiring.entered(InRequest(wiring.current())):
        return answer_request(event)


class InRequest(Wiring):
    """What one request works with: all that `behind` has made, and runs that end before it is answered."""

    def __init__(self, behind: Wiring) -> None:
        super().__init__(behind.settings)
        self.made, self.making = behind.made, behind.making
        self._behind = behind.blob_store()
        later = Later()
        self._store = HeldRun(self._behind, later)
        self._runs = RunsInRequest(self._store, later)

    def blob_store(self) -> BlobStore:
        """What holds the run, in front of what keeps its report."""
        return self._store

    def kept_answers(self) -> BlobStore:
        """Not what holds this run: models that are made for it stay with the process."""
        return self._behind

    def runs(self) -> Runs:
        """See `RunsInRequest`."""
        return self._runs

    def reviews(self) -> ReviewStore:
        """None: a run that nobody waits behind asks no person, and what a person is to see is `review`."""
        raise InternalError("a check in the request asks nobody")


class RunsInRequest:
    """`Runs` that have ended when they are started.

    Args:
        later: stores what the store puts off; all of it is done when a run has ended.
    """

    def __init__(self, store: HeldRun, later: Later) -> None:
        self._store, self._later = store, later

    def answer(self, token: str) -> bool:
        """Nothing waits for a person here."""
        return False

    def start(self, run_id: str, state: Mapping[str, Any]) -> bool:
        """See `Runs`. The same run is waited for where another request has begun it.

        Raises:
            ConflictError: the other one is not done in time, or was begun with something else.
            InternalError: the run failed, and left no report.
            StorageUnavailableError: something of it cannot be kept.
        """
        with doing_later(self._later):
            return self._begin(run_id, state)

    def _begin(self, run_id: str, state: Mapping[str, Any]) -> bool:
        began, digest = time.time(), hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()
        until, key = began + WITHIN_S, submissions.begun_key(run_id)
        mark = json.dumps({"state": digest, "until": until}).encode()
        if is_of_one_request(run_id):
            self._store.put(key, mark)
        elif not self._store.add(key, mark):
            other = json.loads(self._store.get(key))
            if other["state"] != digest:
                raise ConflictError("a check of this name exists, with other content")
            if self._is_reported(run_id, min(until, other["until"])):
                return False
            if time.time() < other["until"]:
                raise ConflictError("this check is under way", hint=f"GET /v1/checks/{run_id}")
            self._store.put(key, mark)  # whoever began it has come to nothing
        self._run(run_id, state)
        return True

    def status(self, run_id: str) -> RunStatus | None:
        """None is under way that could be asked about."""
        del run_id
        return None

    def _is_reported(self, run_id: str, until: float) -> bool:
        while not (found := self._store.exists(f"reports/{run_id}/report.json")) and time.time() < until:
            time.sleep(PAUSE_S)
        return found

    def _run(self, run_id: str, state: Mapping[str, Any]) -> None:
        submission = runtime.RunBlobs(self._store, run_id).resolve(state["submission"])
        self._store.hold(run_id)
        submissions.store_input(run_id, state)
        with _spending_in_advance(partial(_calling, self._later.so_far())) as invoke:
            run = run_locally(submission, state["config"], run_id=run_id, invoke=invoke, seconds=WITHIN_S)
        if wiring.current().settings.ledger:
            self._store.store()  # an entry commits to what the run was decided on
        if run.status != SUCCEEDED and not self._store.exists(f"reports/{run_id}/report.json"):
            raise InternalError(f"{run.error or run.status}: {run.cause or 'the run failed'}")


@contextmanager
def _spending_in_advance(call: Invoke) -> Iterator[Invoke]:
    """Yields what calls agents as `call` does; what their calls of a model may cost is reserved together, and what they
    did not need is given back when all claims are judged, or in the end."""
    advance = Advance(wiring.current().ledger())

    def invoke(name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
        if name == "judge":
            put_off(partial(_give_back, advance))
        state = call(name, event)
        if name == "extract_claims" and state.get("estimate"):
            advance.expect(state["estimate"]["calls"])
        return state

    try:
        with taking(advance):
            yield invoke
    finally:
        put_off(partial(_give_back, advance))


def _give_back(advance: Advance) -> None:
    """Where the counters cannot be reached, what was not needed stays counted."""
    try:
        advance.give_back()
    except GateError as error:
        record(error.code)


def _calling(kept: Work, name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Call an agent; nothing is published before what the run began with is `kept`, and nothing if that fails.

    The request then ends with the error of the store; here it is one that the machine does not try again.
    """
    if name in PUBLISHING:
        try:
            kept()
        except GateError as error:
            raise InternalError(f"what the run began with is not kept ({error.code})") from None
    return counting(name, event)


def counting(name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Call an agent, and count the error that it ends in as its own function would."""
    try:
        return runtime.handle(name, event)
    except GateError as error:
        record(error.code)
        raise
