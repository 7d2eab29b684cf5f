"""Reviews on this machine: one file of SQLite, which the server and the command both use."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gate.adapters.local_files import keep_from_git
from gate.errors import StorageUnavailableError
from gate.ports import KeptReview

WAIT_S = 30.0
TABLES = """
PRAGMA journal_mode = wal; PRAGMA synchronous = full; PRAGMA secure_delete = on;
CREATE TABLE IF NOT EXISTS reviews (
  run TEXT PRIMARY KEY, document TEXT NOT NULL, revision INTEGER NOT NULL, waiting INTEGER NOT NULL);
"""
WRITTEN_BACK = "PRAGMA wal_checkpoint(TRUNCATE)"
"""Behind a deletion: what was removed still stands in the log of what was written, until it is written back."""
ADDED = "INSERT OR IGNORE INTO reviews VALUES (?, ?, 1, ?)"
CHANGED = "UPDATE reviews SET document = ?, waiting = ?, revision = revision + 1 WHERE run = ? AND revision = ?"


class LocalReviews:
    """`ReviewStore` in a file, made when something is first kept; safe for threads and processes."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._file: sqlite3.Connection | None = None

    def get(self, run: str) -> KeptReview | None:
        """See `ReviewStore`."""
        rows = self._rows("SELECT document, revision FROM reviews WHERE run = ?", run)
        return KeptReview(*rows[0]) if rows else None

    def put(self, run: str, document: str, revision: int, *, waiting: bool) -> bool:
        """See `ReviewStore`."""
        with self._open() as file, file:
            if not revision:
                return file.execute(ADDED, (run, document, waiting)).rowcount > 0
            return file.execute(CHANGED, (document, waiting, run, revision)).rowcount > 0

    def waiting(self) -> list[str]:
        """See `ReviewStore`."""
        return [row[0] for row in self._rows("SELECT document FROM reviews WHERE waiting ORDER BY rowid")]

    def forget(self, run: str) -> None:
        """See `ReviewStore`."""
        if self._path.exists():
            with self._open() as file:
                with file:
                    file.execute("DELETE FROM reviews WHERE run = ?", (run,))
                file.execute(WRITTEN_BACK).fetchall()

    def _rows(self, query: str, *values: str) -> list[tuple[str, int]]:
        if not self._path.exists():
            return []
        with self._open() as file:
            return list(file.execute(query, values).fetchall())

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                if self._file is None:
                    keep_from_git(self._path.parent)
                    self._file = sqlite3.connect(self._path, timeout=WAIT_S, check_same_thread=False)
                    self._file.executescript(TABLES)
                yield self._file
        except (sqlite3.Error, OSError) as error:
            raise StorageUnavailableError(f"{self._path.name} cannot be used ({type(error).__name__})") from None
