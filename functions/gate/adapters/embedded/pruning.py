"""Which indexes made from a path are of no use any more: a changed corpus is a new index, and old ones add up."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gate.adapters.local_files import write_atomically

ORIGIN = "origin"
"""File in an index's folder: the path it was made from, and that path's checksum. Its modification time is the last
use. An index without one was made by name and is never pruned."""

DAY_S = 86_400
IDLE_DAYS = 30
GRACE_DAYS = 1
"""An index that may serve a check that is running now stays, whatever became of its path."""


def note_use(folder: Path, corpus: Path) -> None:
    """Write down what an index was made from, and that it is used now, where that can be written."""
    path = str(corpus.resolve())
    with suppress(OSError):  # whoever may not write here removes nothing here either
        write_atomically(folder / ORIGIN, f"{path}\n{_checksum(path)}".encode("utf-8", "surrogateescape"))


def origin(folder: Path) -> Path | None:
    """Return the path that an index was made from; None: it was made by name, or the path cannot be read any more."""
    try:
        path, _, checksum = (folder / ORIGIN).read_bytes().decode("utf-8", "surrogateescape").rpartition("\n")
    except OSError:
        return None
    return Path(path) if checksum == _checksum(path) else None


def newest(root: Path, corpus: Path) -> str:
    """Name the index of a path that was used last; empty: there is none."""
    path = corpus.resolve()
    made = {folder.name: last for folder, last in _last_uses(root) if origin(folder) == path} if root.is_dir() else {}
    return max(made, key=lambda name: made[name], default="")


def stale(root: Path) -> Iterator[str]:
    """Name the indexes that nobody used for 30 days, or for one, where their path is gone or indexed anew since."""
    used = dict(_last_uses(root))
    made = {folder: path for folder in used if (path := origin(folder)) is not None}
    newest = {path: max(used[folder] for folder in made if made[folder] == path) for path in set(made.values())}
    for folder, last in used.items():
        path = made.get(folder)
        superseded = path is not None and (last < newest[path] or not path.exists())
        if (time.time() - last) / DAY_S > (GRACE_DAYS if superseded else IDLE_DAYS):
            yield folder.name


def _last_uses(root: Path) -> Iterator[tuple[Path, float]]:
    for folder in root.iterdir():
        with suppress(OSError):  # made by name, or removed just now by another process
            yield folder, (folder / ORIGIN).stat().st_mtime


def _checksum(path: str) -> str:
    return hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:16]
