"""Several files at once: results in the files' order, and a bar for each file under way."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from itertools import chain, islice
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from gate.cli.progress import bars
from gate.text.visible import one_line

if TYPE_CHECKING:
    from rich.progress import Progress

    from gate.local.run import OnClaim

JOBS = 4
"""Files checked at the same time: with 25 claims each, enough to keep 40 calls of a model under way."""
AHEAD = 2
"""Items taken for each that is worked on."""

T = TypeVar("T")
R = TypeVar("R")


def in_order(work: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """Apply `work` to every item, `jobs` at a time, and yield what came of each, in the items' order.

    No more items are taken than are being worked on, or wait for their turn to be yielded. The threads do not keep the
    command alive: an interrupt ends it at once, not when the last item is done.
    """
    source = iter(items)
    first = list(islice(source, 2))
    if len(first) < 2 or jobs == 1:
        yield from map(work, chain(first, source))
        return
    waiting: SimpleQueue[tuple[T, Future[R]] | None] = SimpleQueue()
    pending: deque[Future[R]] = deque()
    for _ in range(jobs):
        threading.Thread(target=copy_context().run, args=(_work_off, work, waiting), daemon=True).start()
    try:
        for item in chain(first, source):
            pending.append(Future())
            waiting.put((item, pending[-1]))
            if len(pending) >= jobs * AHEAD:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for _ in range(jobs):
            waiting.put(None)


def _work_off(work: Callable[[T], R], waiting: SimpleQueue[tuple[T, Future[R]] | None]) -> None:
    while (given := waiting.get()) is not None:
        item, future = given
        try:
            future.set_result(work(item))
        except BaseException as error:  # noqa: BLE001 - whoever waits for the result gets it
            future.set_exception(error)


class Bars:
    """A bar over the claims of each file under way, on the standard error, where that is a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._progress = bars(quiet=quiet, counted="claims")
        self._lock = threading.Lock()

    @contextmanager
    def over(self, name: str) -> Iterator[OnClaim | None]:
        """Show a bar for the file `name` while it is checked; what is yielded takes (claims done, claims in all)."""
        progress = self._progress
        if progress is None:
            yield None
            return
        task = progress.add_task(one_line(name), total=None)
        self._show(progress)
        try:
            yield lambda done, total: progress.update(task, completed=done, total=total)
        finally:
            progress.remove_task(task)
            if progress.finished:
                progress.stop()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Out of the way while a report is printed."""
        if self._progress is None:
            yield
            return
        progress = self._progress
        progress.stop()
        yield
        if not progress.finished:
            self._show(progress)

    def _show(self, progress: Progress) -> None:
        with self._lock:
            if self._progress is not None:
                progress.start()

    def end(self) -> None:
        """Show none from now on, whatever threads are under way, and leave the terminal with its cursor."""
        with self._lock:
            progress, self._progress = self._progress, None
        if progress is not None:
            progress.stop()
