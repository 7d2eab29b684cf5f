"""Runs on this machine behind the port that the deployed API starts them through."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from queue import Full, Queue
from time import sleep
from typing import Any

from gate import runtime, wiring
from gate.adapters.reviews.run_table import RunTable
from gate.errors import BusyError, ConflictError, GateError, InputError, SearchUnavailableError
from gate.local.branches import Invoke
from gate.local.run import ASKING, SUCCEEDED, Limited, LocalRun, resume_locally, run_locally
from gate.local.task_tokens import TaskTokens
from gate.ports import RunStatus
from gate.services import submissions
from gate.services.reviews.review_queue import found, moment
from gate.serving.live_claims import LiveClaims

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""How often it is looked whether somebody has decided."""
WAITING = 1_000
"""Runs that wait for their turn at most; of those that wait for a person each holds a thread: while there are so many
no further check is begun."""


class LocalRuns:
    """`Runs` over threads of this process: a few at a time, the others in the order in which they came.

    Args:
        table: where they are kept.
        live: hears of their verdicts.
        jobs: runs at the same time.
    """

    def __init__(self, table: RunTable, live: LiveClaims, jobs: int) -> None:
        self._table, self._live, self._jobs = table, live, jobs
        self._waiting: Queue[tuple[str, Mapping[str, Any]]] = Queue(WAITING)
        self._starting = threading.Lock()
        self._invoke = Limited()
        self._tokens = TaskTokens()
        self._asking: set[str] = set()
        """Runs that wait for a person: each holds a thread of its own, and none of those that work."""

    def work(self, entrance: wiring.Wiring) -> None:
        """Begin to work, in threads that end with the process; what waited for a person or for its turn waits again.

        Those that an earlier server had begun are marked: what ended it may have been one of them.
        """
        running = self._table.running()
        with wiring.entered(entrance):
            store = wiring.current().blob_store()
            waited = [run for run in running if store.exists(_asked_key(run))]
            queued = [run for run in running if not store.exists(_begun_key(run)) and run not in waited][:WAITING]
        self._table.cut_off(besides=[*waited, *queued])
        for run_id in queued:
            if known := self._table.state(run_id):
                self._live.begin(run_id)
                self._waiting.put_nowait((run_id, json.loads(known[0])))
        for _ in range(self._jobs):
            _begin(self._work, entrance)
        for run_id in waited:
            self._asking.add(run_id)
            self._live.begin(run_id)
            _begin(self._resume, entrance, run_id)
        _begin(self._watch_reviews, entrance)

    def start(self, run_id: str, state: Mapping[str, Any]) -> bool:
        """See `Runs`.

        Raises:
            InputError: the corpus that the run names is not there.
            BusyError: too many runs wait for their turn.
            SearchUnavailableError: too many wait for a person.
        """
        text = json.dumps(state, sort_keys=True)
        with self._starting:
            known = self._table.state(run_id)
            if known is not None:
                if known[0] != text:
                    raise ConflictError("a check of this name exists, with other content")
                return known[1] == "RUNNING"
            config = state["config"]
            try:
                corpus = self._corpus_with_room(config)
            except GateError:  # there is no run that somebody could delete: its text goes now
                wiring.current().blob_store().delete_prefix(f"runs/{run_id}")
                raise
            submissions.store_input(run_id, state)  # a run that is cut off can be started again
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._table.begin(run_id, str(config.get("name") or "submission"), corpus, text, now)
            self._live.begin(run_id)
            with suppress(Full):
                self._waiting.put_nowait((run_id, state))
        return True

    def _corpus_with_room(self, config: Mapping[str, Any]) -> str:
        """The corpus that a run searches, where one more can be begun."""
        corpus = corpus_of(config)
        if self._waiting.full():
            raise BusyError(f"{self._waiting.maxsize} checks wait already", hint="try again later")
        if len(self._asking) >= WAITING:
            raise SearchUnavailableError(f"{WAITING} checks wait for a person", hint="gate review list")
        return corpus

    def status(self, run_id: str) -> RunStatus | None:
        """See `Runs`."""
        found = self._table.run(run_id)
        return RunStatus(found["status"], found["error"], found["cause"], self._queued(run_id)) if found else None

    def _queued(self, run_id: str) -> int | None:
        """How many runs begin before one that waits for its turn; None: it does not wait."""
        with self._waiting.mutex:
            return next((place for place, (each, _) in enumerate(self._waiting.queue) if each == run_id), None)

    def answer(self, token: str) -> bool:
        """See `Runs`."""
        return self._tokens.answer(token)

    def _work(self, entrance: wiring.Wiring) -> None:
        """Run what comes; once a run waits for a person another thread has taken this one's place."""
        with wiring.entered(entrance):
            while True:
                run_id, state = self._waiting.get()
                self._carry_out(run_id, partial(self._run, entrance, run_id, state))
                if run_id in self._asking:
                    self._asking.discard(run_id)
                    return

    def _run(self, entrance: wiring.Wiring, run_id: str, state: Mapping[str, Any]) -> LocalRun:
        wiring.current().blob_store().put(_begun_key(run_id), b"{}")
        submission = runtime.RunBlobs(wiring.current().blob_store(), run_id).resolve(state["submission"])
        invoke = self._invoking(run_id, entrance)
        return run_locally(submission, state["config"], run_id=run_id, invoke=invoke, tokens=self._tokens)

    def _resume(self, entrance: wiring.Wiring, run_id: str) -> None:
        """Wait again for a person whom an earlier server has asked."""
        with wiring.entered(entrance):
            self._carry_out(run_id, partial(self._run_again, entrance, run_id))
            self._asking.discard(run_id)

    def _run_again(self, entrance: wiring.Wiring, run_id: str) -> LocalRun:
        state = json.loads(wiring.current().blob_store().get(_asked_key(run_id)))
        return resume_locally(run_id, state, invoke=self._invoking(run_id, entrance), tokens=self._tokens)

    def _invoking(self, run_id: str, entrance: wiring.Wiring) -> Invoke:
        """Calls agents; a run that asks a person leaves its place to another thread, and can be gone on with."""
        invoke = self._live.around(run_id, self._invoke)

        def asking(name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
            if name == ASKING and run_id not in self._asking:
                wiring.current().blob_store().put(_asked_key(run_id), json.dumps(event["state"]).encode())
                self._asking.add(run_id)
                _begin(self._work, entrance)
            return invoke(name, event)

        return asking

    def _watch_reviews(self, entrance: wiring.Wiring) -> None:
        """Go on with runs that another process decided, or whose time is over: a task begun again counts anew."""
        with wiring.entered(entrance):
            while True:
                sleep(LOOK_S)
                for run_id in [*self._asking] if self._tokens.waiting() else ():
                    with suppress(GateError):
                        item = found(run_id)
                        if item is not None and not item.is_open(moment()):
                            self._tokens.answer(item.token)

    def _carry_out(self, run_id: str, work: Callable[[], LocalRun]) -> None:
        """Run it, and enter what came of it; nothing that goes wrong ends the thread."""
        try:
            run = work()
            summary = _summary(run_id) if run.status == SUCCEEDED else {}
            summary |= {"error": run.error, "cause": run.cause} if run.status != SUCCEEDED else {}
            _keep_input_alone(run_id)  # before it has ended: it may be deleted then, and would be stored again
            self._table.end(run_id, run.status, {"outcome": "error", **summary})
        except GateError as error:
            self._table.end(run_id, "FAILED", {"outcome": "error", "error": error.code, "cause": error.safe_message})
        except Exception as error:  # noqa: BLE001 - the run has failed, and the next one is to be served
            log.error("a run failed: %s", type(error).__name__)
            self._table.end(run_id, "FAILED", {"outcome": "error", "error": type(error).__name__})
        finally:
            self._live.end(run_id)


def _begin(work: Callable[..., None], *args: object) -> None:
    threading.Thread(target=work, args=args, name="gate-runs", daemon=True).start()


def _asked_key(run_id: str) -> str:
    """Where the state lies that a run asked a person with."""
    return f"runs/{run_id}/asked.json"


def _begun_key(run_id: str) -> str:
    """What is there from a run's first step on."""
    return f"runs/{run_id}/begun.json"


def corpus_of(config: Mapping[str, Any]) -> str:
    """The corpus that a run searches.

    Raises:
        InputError: it is not there, or empty.
    """
    index = str((config.get("elasticsearch") or {}).get("index") or wiring.current().settings.index)
    if config.get("against") == "contexts":
        return ""
    engine = wiring.current().search_engine()
    if not engine.exists(index) or engine.count(index) == 0:
        raise InputError(f"there is no corpus {index!r}, or nothing in it", hint="add documents to it")
    return index


def _summary(run_id: str) -> dict[str, Any]:
    """What the list says of a run."""
    report = json.loads(wiring.current().blob_store().get(f"reports/{run_id}/report.json"))
    return {"outcome": report["outcome"], "claims": len(report["claims"]), "risk": report.get("risk")}


def _keep_input_alone(run_id: str) -> None:
    """Remove what the run worked with, except what it takes to start it again."""
    if wiring.current().settings.keep_runs:
        return
    with suppress(GateError):
        submission, config = submissions.stored_input(run_id)
        wiring.current().blob_store().delete_prefix(f"runs/{run_id}/")
        submissions.store_input(run_id, submissions.store(run_id, submission, config))
