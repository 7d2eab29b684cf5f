"""The threads that local runs work in, and what runs wait for at most so long."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic

Work = Callable[[], object]

IDLE_S = 10
"""Seconds after which a thread that nobody needed ends."""
WATCH_S = 1
"""The shortest timeout that a state can have: looking at the deadlines this often is exact."""


class Threads:
    """As many threads as have something to do, each used again; none of them keeps the process alive."""

    def __init__(self) -> None:
        self.begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.begin)

    def begin(self) -> None:
        """Have no threads yet: those of the parent are not in a forked process."""
        self._work: SimpleQueue[Work] = SimpleQueue()
        self._idle = 0
        self._lock = threading.Lock()

    def start(self, work: Work) -> None:
        """Do `work` at once, in an idle thread or a new one, in the context of whoever asks for it."""
        with self._lock:
            is_taken = self._idle > 0
            self._idle -= is_taken
        self._work.put(partial(copy_context().run, work))
        if not is_taken:
            threading.Thread(target=self._serve, name="gate-states", daemon=True).start()

    def _serve(self) -> None:
        while self._serve_one():
            with self._lock:
                self._idle += 1

    def _serve_one(self) -> bool:
        """Whether there was anything to do for this thread."""
        try:
            work = self._work.get(timeout=IDLE_S)
        except Empty:
            with self._lock:
                is_free = self._idle > 0  # else somebody has counted on this thread in this moment
                self._idle -= is_free
            if is_free:
                return False
            work = self._work.get()
        work()
        return True


class Deadlines:
    """What a run waits for at most so long: a deadline is either kept or missed, and never both."""

    def __init__(self) -> None:
        self._open: dict[object, tuple[float, Work]] = {}

    def set(self, seconds: float, missed: Work) -> object:
        """Call `missed` in `seconds`, unless what is returned is kept before."""
        key = object()
        self._open[key] = (monotonic() + seconds, missed)
        return key

    def keep(self, key: object) -> bool:
        """Whether there was still time."""
        return self._open.pop(key, None) is not None

    def watch(self, over: threading.Event) -> None:
        """Wait until `over`, and call what was missed."""
        while not over.wait(self._next()):
            now = monotonic()
            for key, (due, missed) in self._open.copy().items():
                if due <= now and self.keep(key):
                    missed()

    def _next(self) -> float:
        due = min((due for due, _ in self._open.copy().values()), default=float("inf"))
        return max(0.0, min(WATCH_S, due - monotonic()))
