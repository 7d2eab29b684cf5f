"""How far a command is, on the standard error where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from gate.text.visible import one_line

if TYPE_CHECKING:
    from rich.progress import Progress


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

    name = TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), Figures(), TextColumn(counted), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


@contextmanager
def progress(name: str, quiet: bool, counted: str, *, total: int | None = None) -> Iterator[Callable[..., Any]]:
    """Show a bar while something is done.

    Args:
        name: what is done.
        quiet: show nothing.
        counted: what is counted, after the figures.
        total: how many there are; None: not known, or told by a later update.

    Yields:
        a function to call from any thread as it goes on, with `completed` and `total`, or with `advance`.
    """
    bar = bars(quiet=quiet, counted=counted)
    if bar is None:
        yield lambda **_: None
        return
    with bar:
        yield partial(bar.update, bar.add_task(one_line(name), total=total))
