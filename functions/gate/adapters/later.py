"""Work whose end nobody waits for but whoever answers in the end: done beside the rest."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import partial

AT_ONCE = 16

Work = Callable[[], object]


class Later:
    """Does work in threads of its own."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE)
        self._begun: list[Future[object]] = []
        self._is_over = False
        self._lock = threading.Lock()

    def do(self, work: Work) -> None:
        """Begin work; after the end it is done at once."""
        with self._lock:
            if not self._is_over:
                self._begun.append(self._pool.submit(copy_context().run, work))
                return
        work()

    def so_far(self) -> Work:
        """What waits for all that was begun until now, and raises its first error."""
        with self._lock:
            begun = list(self._begun)
        return partial(_wait_for, begun)

    def end(self) -> None:
        """Wait until all that was begun is done; its first error is raised."""
        with self._lock:
            self._is_over = True
        self._pool.shutdown()
        _wait_for(self._begun)


def _wait_for(begun: Iterable[Future[object]]) -> None:
    for each in begun:
        each.result()


_later: ContextVar[Later | None] = ContextVar("later", default=None)


@contextmanager
def doing_later(later: Later) -> Iterator[Later]:
    """Have `later` do what is put off inside (in this context); all of it is done at the end."""
    token = _later.set(later)
    try:
        yield later
    finally:
        _later.reset(token)
        later.end()


def put_off(work: Work) -> None:
    """Have work done beside the rest; at once where nobody waits for it."""
    later = _later.get()
    if later is None:
        work()
    else:
        later.do(work)
