"""What was read of a repository's files before, so that a file that has not changed is not read again."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from gate.adapters.local_files import keep_from_git
from gate.repository.names import file_names
from gate.repository.names.file_names import FileNames, NamesReader, read_file_names
from gate.repository.names.settings import settings_keys

MOST_BYTES = 128_000_000
"""All entries together; those that were asked for longest ago go first."""
SMALLEST = 500
"""A file of fewer bytes is read as fast as it is looked up."""
BATCH = 500
"""Files whose names are written at once."""
WAIT_S = 2.0
DAY_S = 86_400
DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

_TABLE = """
PRAGMA journal_mode = wal; PRAGMA synchronous = normal;
CREATE TABLE IF NOT EXISTS files (key BLOB PRIMARY KEY, names BLOB NOT NULL, day INTEGER NOT NULL);
"""
_KEEP = "INSERT OR REPLACE INTO files VALUES (?, ?, ?)"
_USED = "UPDATE files SET day = ? WHERE key = ?"
_EVICT = """
DELETE FROM files WHERE key IN (
  SELECT key FROM (SELECT key, SUM(LENGTH(names)) OVER (ORDER BY day DESC, rowid DESC) AS total FROM files)
  WHERE total > ?)
"""
_SHAPE: TypeAdapter[FileNames] = TypeAdapter(FileNames)


class KeptNames:
    """The names of files by a hash of what the file holds, of how it is read and of what reads it; a file of SQLite.

    No run depends on it: where it cannot be used, files are read as they are without it.

    Args:
        path: of the file. One that is damaged is removed.
        most_bytes: of all entries together.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self._path, self._most_bytes = path, most_bytes

    @contextmanager
    def reader(self) -> Iterator[NamesReader]:
        """Give what reads one file after the other; in the end their names are kept."""
        reading = _Reading(self._path, self._most_bytes)
        try:
            yield reading.read
        finally:
            reading.close()


class _Reading:
    """Reads the files of one repository, in one thread."""

    def __init__(self, path: Path, most_bytes: int) -> None:
        self._path, self._most_bytes = path, most_bytes
        self._today = int(time.time() // DAY_S)
        self._new: dict[bytes, bytes] = {}
        self._used: list[bytes] = []
        self._file: sqlite3.Connection | None = None
        try:
            # Whatever is changed in the modules that read, files are read anew.
            modules = (file_names.__file__, settings_keys.__file__)
            self._reader = hashlib.sha256(b"".join(Path(each).read_bytes() for each in modules)).hexdigest()
            keep_from_git(path.parent)
            path.touch(mode=0o600)  # words of a repository that others may not be allowed to read
            self._file = sqlite3.connect(path, timeout=WAIT_S)
            self._file.executescript(_TABLE)
        except OSError:
            self._let_go(damaged=False)
        except sqlite3.Error as error:
            self._let_go(damaged=_is_damaged(error))

    def read(self, data: bytes, kind: str, programs: Collection[str]) -> FileNames:
        """Look up the names of a file, or read and note them."""
        if self._file is None or len(data) < SMALLEST:
            return read_file_names(data, kind, programs)
        key = self._key(data, kind, programs)
        known = self._known(key)
        if known is None:
            known = read_file_names(data, kind, programs)
            self._new[key] = zlib.compress(_SHAPE.dump_json(known), 1)
            if len(self._new) >= BATCH:
                self._write()
        return known

    def _key(self, data: bytes, kind: str, programs: Collection[str]) -> bytes:
        how = json.dumps([self._reader, kind, sorted(programs)]).encode()
        return hashlib.sha256(how + b"\n" + data).digest()

    def _known(self, key: bytes) -> FileNames | None:
        row = next(iter(self._ask("SELECT names, day FROM files WHERE key = ?", (key,))), None)
        if row is None:
            return None
        try:
            names = _SHAPE.validate_json(zlib.decompress(row[0]), strict=True)
        except (zlib.error, TypeError, ValidationError):
            return None
        if row[1] != self._today:
            self._used.append(key)
        return names

    def _ask(self, sentence: str, values: tuple[object, ...]) -> Iterable[tuple[bytes, int]]:
        try:
            return self._file.execute(sentence, values).fetchall() if self._file else ()
        except sqlite3.Error as error:
            self._let_go(damaged=_is_damaged(error))
            return ()

    def _write(self) -> None:
        """Keep what was read, and let go of what is too much."""
        new, self._new = self._new, {}
        try:
            if self._file and (new or self._used):
                with self._file as file:
                    file.executemany(_KEEP, ((key, names, self._today) for key, names in new.items()))
                    file.executemany(_USED, ((self._today, key) for key in self._used))
                    file.execute(_EVICT, (self._most_bytes,))
        except sqlite3.Error as error:
            self._let_go(damaged=_is_damaged(error))
        self._used = []

    def close(self) -> None:
        """Keep what was read last."""
        self._write()
        self._let_go(damaged=False)

    def _let_go(self, *, damaged: bool) -> None:
        """Do without the file from now on."""
        file, self._file = self._file, None
        with suppress(sqlite3.Error):
            if file:
                file.close()
        for ending in ("", "-wal", "-shm") if damaged else ():
            with suppress(OSError):
                Path(f"{self._path}{ending}").unlink(missing_ok=True)


def _is_damaged(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGED
