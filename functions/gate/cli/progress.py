"""How far a command is, on the standard error: a bar where that is a terminal, else a line now and then."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.cli.printing import say
from gate.text.visible import one_line

if TYPE_CHECKING:
    from rich.progress import Progress

LINE_S = 60.0
"""Seconds between two lines where there is no terminal: the log of what takes long shows that it goes on."""


def bars(*, quiet: bool, counted: str) -> Progress | None:
    """Return what draws a bar for each task, its figures followed by what is `counted`; None: nobody would see it."""
    if quiet or not sys.stderr.isatty():
        return None
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class Figures(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.completed:.0f}" + ("" if task.total is None else f"/{task.total:.0f}"))

    class Counted(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(task.fields.get("counted", counted))

    name = TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), Figures(), Counted(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


@contextmanager
def progress(name: str, quiet: bool, counted: str, *, total: int | None = None) -> Iterator[Callable[..., Any]]:
    """Show a bar while something is done; where there is no terminal a line a minute, asked for quiet or not.

    Args:
        name: what is done.
        quiet: show no bar.
        counted: what is counted, after the figures.
        total: how many there are; None: not known, or told by a later update.

    Yields:
        a function to call from any thread as it goes on, with `completed` and `total`, or with `advance`; `counted`
        where it is something else from now on.
    """
    bar = bars(quiet=quiet, counted=counted)
    if bar is None:
        yield (lambda **_: None) if sys.stderr.isatty() else _Lines(name, counted, total).update
        return
    with bar:
        yield partial(bar.update, bar.add_task(one_line(name), total=total))


@contextmanager
def searching(corpus: str | None, *, quiet: bool = False, optional: bool = False) -> Iterator[str]:
    """Work on a corpus inside, as `gate.services.indexes.searching` does, and show how far it is while it is indexed.

    One that is there already shows nothing.
    """
    from gate.services.indexes import searching as searching_quietly

    with ExitStack() as kept:
        with ExitStack() as shown:
            updates: list[Callable[..., Any]] = []

            def update(counted: str, done: int, total: int) -> None:
                if not updates:
                    updates.append(
                        shown.enter_context(progress(Path(corpus).resolve().name if corpus else "", quiet, counted))
                    )
                updates[0](completed=done, total=total, counted=counted)

            index = kept.enter_context(searching_quietly(corpus, optional=optional, progress=update))
        yield index


class _Lines:
    """How far something is, in a line a minute."""

    def __init__(self, name: str, counted: str, total: int | None) -> None:
        self._name, self._counted, self._total, self._done = one_line(name), counted, total, 0
        self._told, self._lock = time.monotonic(), threading.Lock()

    def update(
        self, *, completed: int | None = None, total: int | None = None, advance: int = 0, counted: str = ""
    ) -> None:
        """See what `progress` yields."""
        with self._lock:
            self._done = (self._done if completed is None else completed) + advance
            self._total = self._total if total is None else total
            self._counted = counted or self._counted
            if time.monotonic() - self._told < LINE_S:
                return
            self._told = time.monotonic()
            of_all = "" if self._total is None else f" of {self._total:,}"
            say(f"gate: {self._name}: {self._done:,}{of_all} {self._counted}".rstrip(), err=True)
