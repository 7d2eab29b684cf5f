"""Which indexes made from a path are of no use any more: a changed corpus is a new index, and old ones add up."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

ORIGIN = "origin"
"""File in an index's folder that holds the path it was made from; its modification time is the last use. An index
without one was made by name and is never pruned."""

DAY_S = 86_400
IDLE_DAYS = 30
GRACE_DAYS = 1
"""An index that may serve a check that is running now stays, whatever became of its path."""


def note_use(folder: Path, corpus: Path) -> None:
    """Write down what an index was made from, and that it is used now."""
    (folder / ORIGIN).write_text(str(corpus.resolve()), encoding="utf-8")


def origin(folder: Path) -> Path | None:
    """Return the path that an index was made from; None for one that was made by name."""
    try:
        return Path((folder / ORIGIN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def stale(root: Path) -> Iterator[str]:
    """Name the indexes that nobody used for 30 days, or for one, where their path is gone or indexed anew since."""
    made = {folder: path for folder in root.iterdir() if (path := origin(folder)) is not None}
    used = {folder: (folder / ORIGIN).stat().st_mtime for folder in made}
    newest = {path: max(used[folder] for folder in made if made[folder] == path) for path in set(made.values())}
    for folder, path in made.items():
        idle_days = (time.time() - used[folder]) / DAY_S
        superseded = used[folder] < newest[path] or not path.exists()
        if idle_days > (GRACE_DAYS if superseded else IDLE_DAYS):
            yield folder.name
