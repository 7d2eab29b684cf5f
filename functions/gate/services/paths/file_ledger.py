"""What was read of each file of a corpus, so that a file that has not changed is not read again."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from gate import wiring
from gate.adapters.readers import Found, Problem
from gate.adapters.readers.folders import (
    READER_VERSION,
    CorpusFile,
    Inventory,
    LeftOut,
    Line,
    digest_of,
    names_its_own,
    read_files,
    time_for,
)
from gate.errors import DamagedIndexError

SETTLED_NS = 2_000_000_000
"""A file that changed less long before it was read may have changed again within the same tick of the clock."""


class FileLedger:
    """The files of a corpus in the embedded store, as they were read last.

    It holds for the very generation of the index that it was written for: whatever else writes there makes it void.

    Args:
        how: what else decides what is stored of a file: marks, and whether it is redacted.
        here: the index is in the embedded store, whatever engine the settings name.
    """

    def __init__(self, index: str, how: Mapping[str, Any], *, here: bool = False) -> None:
        gate = wiring.current()
        self._store = gate.embedded_store() if here or gate.settings.search == "embedded" else None
        self._index, self._now = index, time.time_ns()
        settings = (READER_VERSION, gate.settings.redactor)
        self._how = hashlib.sha256(json.dumps([settings, how], sort_keys=True, default=str).encode()).hexdigest()
        self._lines: dict[str, Line] = {}
        self._written_ns = 0
        if self._store is not None and index and self._store.exists(index):
            found = self._store.notes(index).get("read") or {}
            with suppress(DamagedIndexError):  # of what is damaged nothing is known; whoever opens it is told
                if found.get("how") == self._how and found.get("version") == self._store.manifest(index).version:
                    self._lines, self._written_ns = found["files"], found["at"]
        self._new: dict[str, Line] = {}
        self._digests: dict[str, str] = {}
        self.hashed = 0

    def digest(self, file: CorpusFile) -> str:
        """The SHA-256 of a file, as it was read last where its size and times say so; empty: it cannot be opened.

        `hashed` counts those that had to be read for it.
        """
        line = self._lines.get(file.location)
        if line and line[1] and list(file.stamp) == line[0] and max(file.stamp[2:4]) <= self._written_ns - SETTLED_NS:
            return line[1]
        if file.location not in self._digests:
            self._digests[file.location] = digest_of(file)
            self.hashed += 1
        return self._digests[file.location]

    def same(self, files: Iterable[CorpusFile]) -> dict[str, Line]:
        """Return what was written down of each file that has not changed."""
        lines = ((file, self._lines.get(file.location)) for file in files)
        return {file.location: line for file, line in lines if line and line[1] and self.digest(file) == line[1]}

    def ids(self) -> set[str]:
        """The ids of all passages that are written down."""
        return {key for _, _, ids in self._lines.values() for key in ids}

    def unchanged(self, files: Iterable[CorpusFile]) -> dict[str, list[str]]:
        """Return the ids of the passages of each file that is as it was read last: by size and times, else by hash."""
        found = {}
        for file in files:
            line = self._lines.get(file.location)
            if line is None:
                continue
            stamp, sha, ids = line
            if file.size != stamp[4] or self.digest(file) != sha:
                continue
            found[file.location] = ids
            self._new[file.location] = (list(file.stamp), sha, ids)
        return found

    def before(self, files: Iterable[CorpusFile]) -> set[str]:
        """Return the ids of the passages that these files had."""
        return {key for file in files if (line := self._lines.get(file.location)) for key in line[2]}

    def read(self, files: Iterable[CorpusFile], empty: list[LeftOut]) -> Iterator[Found]:
        """Read these files, and write down what was read of them; what is read of a file is a passage of that file."""
        files = [*files]
        shared = time_for(files)
        for file in files:
            ids: list[str] = []
            is_good = True
            digest: list[str] = []
            for each in read_files(Inventory((file,)), empty, digest, shared):
                is_good = is_good and not isinstance(each, Problem)
                if not isinstance(each, Problem):
                    ids.append(each["id"])
                yield each if isinstance(each, Problem) else {**each, "document": file.location}
            if is_good and digest and not names_its_own(file):
                self._new[file.location] = (list(file.stamp), digest[0], ids)

    def forget(self, files: Iterable[str]) -> None:
        """Have these files read again next time: what is stored of them bears other ids than were read."""
        for location in files:
            self._lines.pop(location, None)
            self._new.pop(location, None)

    def keep(self, *, alone: bool) -> None:
        """Write the ledger beside the index.

        Args:
            alone: the index holds nothing of other files any more.
        """
        if self._store is None or not self._store.exists(self._index):
            return
        files = self._new if alone else {**self._lines, **self._new}
        self._store.note(self._index, {**self._store.notes(self._index), "read": self.written(self._index, files)})

    def written(self, index: str, files: Mapping[str, Line]) -> dict[str, Any]:
        """What is kept beside an index of the files that it holds now."""
        assert self._store is not None
        version = self._store.manifest(index).version
        return {"version": version, "how": self._how, "at": self._now, "files": dict(files)}
