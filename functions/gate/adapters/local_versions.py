"""Which version of each document a corpus holds, on this machine: what a DynamoDB table is on AWS."""

from __future__ import annotations

import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gate.errors import StorageUnavailableError
from gate.ports import DocumentVersion

WAIT_S = 30.0
TABLE = """
CREATE TABLE IF NOT EXISTS documents (
  corpus TEXT, document TEXT, version TEXT NOT NULL DEFAULT '', sequencer TEXT NOT NULL DEFAULT '',
  whole INTEGER NOT NULL DEFAULT 0, noted INTEGER NOT NULL DEFAULT 0, claim TEXT NOT NULL DEFAULT '',
  until REAL NOT NULL DEFAULT 0, PRIMARY KEY (corpus, document))
"""
DURABILITY = "PRAGMA journal_mode = wal; PRAGMA synchronous = normal;"
"""What a loss of power may take is the last notes: what they are about is then taken in once more."""
FOUND = "SELECT document, version, sequencer, whole FROM documents WHERE noted AND corpus = ?"


class LocalVersions:
    """`DocumentVersions` in a file of SQLite; safe for threads and processes."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        self._file: sqlite3.Connection | None = None

    def claim(self, corpus: str, document: str, seconds: float) -> str:
        """See `DocumentVersions`."""
        claim, now = uuid.uuid4().hex, time.time()
        taken = (
            "INSERT INTO documents (corpus, document, claim, until) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE "
            "SET claim = excluded.claim, until = excluded.until WHERE until < ?"
        )
        return claim if self._change(taken, (corpus, document, claim, now + seconds, now)) else ""

    def note(self, corpus: str, found: DocumentVersion, claim: str) -> bool:
        """See `DocumentVersions`."""
        sentence = (
            "UPDATE documents SET version = ?, sequencer = ?, whole = ?, noted = 1 "
            "WHERE corpus = ? AND document = ? AND claim = ?"
        )
        values = (found.version, found.sequencer, found.is_whole, corpus, found.document, claim)
        return self._change(sentence, values)

    def extend(self, corpus: str, document: str, claim: str, seconds: float) -> bool:
        """See `DocumentVersions`."""
        sentence = "UPDATE documents SET until = ? WHERE corpus = ? AND document = ? AND claim = ?"
        return self._change(sentence, (time.time() + seconds, corpus, document, claim))

    def release(self, corpus: str, document: str, claim: str) -> None:
        """See `DocumentVersions`."""
        sentence = "UPDATE documents SET claim = '', until = 0 WHERE corpus = ? AND document = ? AND claim = ?"
        self._change(sentence, (corpus, document, claim))

    def known(self, corpus: str, documents: Sequence[str]) -> dict[str, DocumentVersion]:
        """See `DocumentVersions`."""
        with self._open() as file:
            rows = [file.execute(f"{FOUND} AND document = ?", (corpus, each)).fetchone() for each in documents]
        return {row[0]: _version(row) for row in rows if row}

    def every(self, corpus: str) -> Iterator[DocumentVersion]:
        """See `DocumentVersions`."""
        with self._open() as file:
            rows = file.execute(f"{FOUND} ORDER BY document", (corpus,)).fetchall()
        return (_version(row) for row in rows)

    def _change(self, sentence: str, values: tuple[object, ...]) -> bool:
        with self._open() as file, file:
            return file.execute(sentence, values).rowcount > 0

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                if self._file is None:
                    self._path.parent.mkdir(parents=True, exist_ok=True)
                    self._file = sqlite3.connect(self._path, timeout=WAIT_S, check_same_thread=False)
                    self._file.executescript(DURABILITY + TABLE)
                yield self._file
        except (sqlite3.Error, OSError) as error:
            raise StorageUnavailableError(f"{self._path.name} cannot be used ({type(error).__name__})") from None


def _version(row: tuple[str, str, str, int]) -> DocumentVersion:
    return DocumentVersion(row[0], row[1], row[2], bool(row[3]))
