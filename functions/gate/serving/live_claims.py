"""The verdicts of runs that are under way, claim by claim, for whoever watches."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from gate import runtime, wiring
from gate.local.branches import Invoke

WATCHERS = 48
"""Requests that wait for news at the same time; beyond, one is answered at once and asks again."""

Event = dict[str, Any]


@dataclass(slots=True)
class _Watched:
    events: list[Event] = field(default_factory=list)
    total: int = 0
    is_over: bool = False


class LiveClaims:
    """What is known so far of the runs under way; personal data in claims is replaced as in reports."""

    def __init__(self) -> None:
        self._runs: dict[str, _Watched] = {}
        self._news = threading.Condition()
        self._slots = threading.Semaphore(WATCHERS)

    def begin(self, run_id: str) -> None:
        """Watch a run, from before it begins."""
        with self._news:
            self._runs[run_id] = _Watched()

    def end(self, run_id: str) -> None:
        """The run has ended, and is in the table: forget what it did meanwhile."""
        with self._news:
            if run_id in self._runs:
                self._runs.pop(run_id).is_over = True
            self._news.notify_all()

    def around(self, run_id: str, invoke: Invoke) -> Invoke:
        """Call agents by `invoke`, and note what they find."""

        def watched(name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
            state = invoke(name, event)
            if name == "extract_claims":
                self._add(run_id, [], sum(branch["items"] for branch in state["branches"]))
            if name == "verify_claims":
                blobs = runtime.RunBlobs(wiring.current().blob_store(), run_id)
                self._add(run_id, [_event(verdict) for verdict in blobs.resolve(state["verdicts"])])
            return state

        return watched

    def since(self, run_id: str, seen: int, seconds: float) -> dict[str, Any] | None:
        """What came after the first `seen` verdicts; waits for news so long, and not where too many wait already.

        Returns:
            `events`, `seen` now and `total` claims; None: the run is not under way.
        """

        def found() -> bool:
            watched = self._runs.get(run_id)
            return watched is None or len(watched.events) > seen

        self._wait(found, seconds)
        with self._news:
            watched = self._runs.get(run_id)
            if watched is None:
                return None
            return {"events": watched.events[seen:], "seen": len(watched.events), "total": watched.total}

    def wait(self, run_id: str, seconds: float) -> None:
        """Wait until the run has ended, at most so long."""
        self._wait(lambda: run_id not in self._runs, seconds)

    def _wait(self, found: Callable[[], bool], seconds: float) -> None:
        if not self._slots.acquire(blocking=False):
            return
        try:
            until = monotonic() + seconds
            with self._news:
                while not found() and (left := until - monotonic()) > 0:
                    self._news.wait(left)
        finally:
            self._slots.release()

    def _add(self, run_id: str, events: list[Event], total: int | None = None) -> None:
        with self._news:
            watched = self._runs.get(run_id)
            if watched is None:
                return
            watched.events += events
            watched.total = watched.total if total is None else total
            self._news.notify_all()


def _event(verdict: Mapping[str, Any]) -> Event:
    """What is shown of a verdict before the judge has seen them all."""
    claim = verdict["claim"]
    text = claim["text"] if isinstance(claim, Mapping) else str(claim)
    return {
        "claim_id": verdict.get("claim_id", ""),
        "text": wiring.current().redactor().redact(text).text,
        "status": verdict["label"],
        "reason": verdict.get("reason"),
    }
