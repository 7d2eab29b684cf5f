"""The trail of decisions on this machine: one file of SQLite, which several processes may write to."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gate.adapters.local_files import keep_from_git, unusable
from gate.errors import SettingsError, StorageUnavailableError

WAIT_S = 30.0
LOWEST, HIGHEST = -(2**63), 2**63 - 1
PAGE = 1_000
"""Lines read at a time."""
TABLES = """
PRAGMA journal_mode = wal; PRAGMA synchronous = full;
CREATE TABLE IF NOT EXISTS lines (name TEXT, number INTEGER, line BLOB NOT NULL, PRIMARY KEY (name, number))
  WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS never_changed BEFORE UPDATE ON lines BEGIN SELECT RAISE(ABORT, 'written once'); END;
CREATE TRIGGER IF NOT EXISTS never_removed BEFORE DELETE ON lines BEGIN SELECT RAISE(ABORT, 'written once'); END;
"""
"""The key keeps two writers from writing one number; the triggers stop who forgets what this is, not who means to."""


class LocalTrail:
    """A `Trail` in a file; safe for threads and processes. What was added is on the disk when `add` returns."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._file: sqlite3.Connection | None = None
        with self._open():
            pass

    def last(self, name: str) -> bytes | None:
        """See `Trail`."""
        with self._open() as file:
            found = file.execute("SELECT line FROM lines WHERE name = ? ORDER BY number DESC LIMIT 1", (name,))
            row = found.fetchone()
        return _bytes(row[0]) if row else None

    def line(self, name: str, number: int) -> bytes | None:
        """See `Trail`."""
        if not (LOWEST <= number <= HIGHEST):
            return None
        with self._open() as file:
            row = file.execute("SELECT line FROM lines WHERE name = ? AND number = ?", (name, number)).fetchone()
        return _bytes(row[0]) if row else None

    def add(self, name: str, number: int, line: bytes) -> bool:
        """See `Trail`."""
        with self._open() as file, file:
            return file.execute("INSERT OR IGNORE INTO lines VALUES (?, ?, ?)", (name, number, line)).rowcount > 0

    def lines(self, name: str, start: int = 1) -> Iterator[tuple[int, bytes]]:
        """See `Trail`."""
        sentence = "SELECT number, line FROM lines WHERE name = ? AND number >= ? ORDER BY number LIMIT ?"
        start = (
            LOWEST if start <= 1 else start
        )  # a line before the first is somebody else's: whoever reads is to see it
        while True:
            with self._open() as file:
                rows = file.execute(sentence, (name, start, PAGE)).fetchall()
            yield from ((number, _bytes(line)) for number, line in rows)
            if len(rows) < PAGE:
                return
            start = rows[-1][0] + 1

    def names(self) -> list[str]:
        """See `Trail`."""
        with self._open() as file:
            return [_text(name) for (name,) in file.execute("SELECT DISTINCT name FROM lines ORDER BY name")]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                if self._file is None:
                    keep_from_git(self._path.parent)
                    self._file = _opened(self._path)
                yield self._file
        except OSError as error:
            raise unusable(error) from None
        except sqlite3.OperationalError as error:
            if _is_busy(error):
                raise StorageUnavailableError("another process holds the ledger", hint="try again") from None
            raise _refusal(error) from None
        except sqlite3.Error as error:
            raise _refusal(error) from None


def _opened(path: Path) -> sqlite3.Connection:
    """The file, made where it is not there. Of several that make it at once SQLite lets nobody wait: they try again."""
    until = time.monotonic() + WAIT_S
    while True:
        file = sqlite3.connect(path, timeout=WAIT_S, check_same_thread=False)
        try:
            file.executescript(TABLES)
        except sqlite3.Error as error:
            file.close()
            if not _is_busy(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return file


def _is_busy(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _refusal(error: sqlite3.Error) -> SettingsError:
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return SettingsError(f"the ledger cannot be used ({name})", hint="ledger.sqlite in the folder of GATE_HOME")


def _text(name: object) -> str:
    """A name; what is none was put there by somebody else, and no chain would show it."""
    if not isinstance(name, str):
        raise SettingsError("the ledger has lines under what is no name", hint="somebody else has written to it")
    return name


def _bytes(line: object) -> bytes:
    """A line as it stands there, whatever somebody has put in its place."""
    return line if isinstance(line, bytes) else str(line).encode("utf-8", "surrogatepass")
