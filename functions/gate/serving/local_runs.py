"""Runs on this machine behind the port that the deployed API starts them through."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from queue import Full, Queue
from typing import Any

from gate import runtime, wiring
from gate.errors import ConflictError, GateError, InputError, SearchUnavailableError
from gate.local.run import SUCCEEDED, Limited, run_locally
from gate.ports import RunStatus
from gate.services import submissions
from gate.serving.live_claims import LiveClaims
from gate.serving.run_table import RunTable

log = logging.getLogger(__name__)

WAITING = 1_000
"""Runs that wait for their turn at most."""


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

    def work(self, entrance: wiring.Wiring) -> None:
        """Begin to work, in threads that end with the process."""
        for number in range(self._jobs):
            threading.Thread(target=self._work, args=(entrance,), name=f"gate-runs-{number}", daemon=True).start()

    def start(self, run_id: str, state: Mapping[str, Any]) -> bool:
        """See `Runs`.

        Raises:
            InputError: the corpus that the run names is not there.
            SearchUnavailableError: too many runs wait.
        """
        text = json.dumps(state, sort_keys=True)
        with self._starting:
            known = self._table.state(run_id)
            if known is not None:
                if known[0] != text:
                    raise ConflictError("a check of this name exists, with other content")
                return known[1] == "RUNNING"
            config = state["config"]
            corpus = corpus_of(config)
            if self._waiting.full():
                raise SearchUnavailableError(f"{WAITING} checks wait already", hint="try again later")
            submissions.store_input(run_id, state)  # a run that is cut off can be started again
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._table.begin(run_id, str(config.get("name") or "submission"), corpus, text, now)
            self._live.begin(run_id)
            with suppress(Full):
                self._waiting.put_nowait((run_id, state))
        return True

    def status(self, run_id: str) -> RunStatus | None:
        """See `Runs`."""
        found = self._table.run(run_id)
        return RunStatus(found["status"], found["error"], found["cause"]) if found else None

    def _work(self, entrance: wiring.Wiring) -> None:
        with wiring.entered(entrance):
            while True:
                run_id, state = self._waiting.get()
                self._run(run_id, state)

    def _run(self, run_id: str, state: Mapping[str, Any]) -> None:
        """Run it, and enter what came of it; nothing that goes wrong ends the thread."""
        blobs = wiring.current().blob_store()
        try:
            submission = runtime.RunBlobs(blobs, run_id).resolve(state["submission"])
            invoke = self._live.around(run_id, self._invoke)
            run = run_locally(submission, state["config"], run_id=run_id, invoke=invoke)
            found = _summary(run_id) if run.status == SUCCEEDED else {}
            found |= {"error": run.error, "cause": run.cause} if run.status != SUCCEEDED else {}
            self._table.end(run_id, run.status, {"outcome": "error", **found})
            _keep_input_alone(run_id)
        except GateError as error:
            self._table.end(run_id, "FAILED", {"outcome": "error", "error": error.code, "cause": error.safe_message})
        except Exception as error:  # noqa: BLE001 - the run has failed, and the next one is to be served
            log.error("a run failed: %s", type(error).__name__)
            self._table.end(run_id, "FAILED", {"outcome": "error", "error": type(error).__name__})
        finally:
            self._live.end(run_id)


def corpus_of(config: Mapping[str, Any]) -> str:
    """The corpus that a run searches.

    Raises:
        InputError: it is not there, or empty.
    """
    index = str((config.get("elasticsearch") or {}).get("index") or wiring.current().settings.index)
    if config.get("against") == "contexts":
        return ""
    engine = wiring.current().search_engine()
    if not engine.exists(index) or not engine.count(index):
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
