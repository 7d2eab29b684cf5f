"""Corpora given as a path: indexed in the embedded store, and where they change anew, of what changed alone."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Sequence
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate import wiring
from gate.adapters.readers import Problem
from gate.adapters.readers.folders import Inventory, LeftOut, fingerprint, inventory, omissions, whole
from gate.errors import DamagedIndexError, SearchUnavailableError, SettingsError
from gate.services.indexes import OnIndexing, name_of, vectors_of
from gate.services.paths.file_ledger import FileLedger

if TYPE_CHECKING:  # a deployed function has no numpy
    from gate.adapters.embedded import EmbeddedSearch

log = logging.getLogger(__name__)

SHOWN = 5
"""Rows that bear another id than they brought that are named; the rest is counted."""
BUSY_S = 300.0
"""How long one process waits while another indexes the same corpus."""
EMBEDDED_AT_ONCE = 256
"""Passages between two looks at how far it is."""


def index_corpus(
    path: str, left_out: Sequence[LeftOut] = (), progress: OnIndexing = lambda counted, done, total: None
) -> str:
    """Index a corpus (JSONL, or a folder of documents) in the embedded store, unless it is there already.

    Where the same path was indexed before, its unchanged files are neither read nor embedded again. Indexes made
    earlier, of paths that are gone or have changed since, go when a new one is made (`pruning`).

    Args:
        left_out: what is no part of the corpus beside what is found not to be.
        progress: called while files are read and passages embedded.

    Returns:
        The index's name: it holds a hash of the corpus and of the embedder, so that a changed corpus is a new index.

    Raises:
        InputError: nothing there, nothing in it, or a line that is no passage; says where.
    """
    corpus, deadline = Path(path), time.monotonic() + BUSY_S
    store = wiring.current().embedded_store()
    while True:
        indexing = _Indexing(store, corpus, left_out, progress)
        if _usable(store, indexing.name):
            indexing.note_again()
            store.note_use(indexing.name, corpus)
            return indexing.name
        try:
            name = indexing.make()
        except SearchUnavailableError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            store.note_use(name, corpus)
            store.prune()
            return name


class _Indexing:
    """A corpus as it is now, beside the newest index that was made of the same path. `name`: of the index it takes."""

    def __init__(self, store: EmbeddedSearch, corpus: Path, left_out: Sequence[LeftOut], progress: OnIndexing) -> None:
        gate = wiring.current()
        self._store, self._corpus, self._embedder, self._progress = store, corpus, gate.embedder(), progress
        self._more = gate.settings.language, name_of(self._embedder) or ""
        self._before = store.newest_of(corpus)
        self._ledger = FileLedger(self._before, {"corpus": self._more}, here=True)
        found = inventory(corpus)
        self._found = replace(found, left_out=(*found.left_out, *left_out))
        self.name = _index_name(corpus, fingerprint(self._found, *self._more, digest=self._ledger.digest))

    def make(self) -> str:
        """Make the index; returns its name, of the bytes that were read: the corpus may have changed meanwhile."""
        try:
            return self._make(reuse=bool(self._ledger.ids()) and not self._store.exists(self.name))
        except DamagedIndexError as damage:
            log.warning("%s; indexing the corpus again", damage.safe_message)
            return self._make(reuse=False)

    def _make(self, *, reuse: bool) -> str:
        same = self._ledger.same(self._found.files) if reuse else {}
        read_now = whole(self._corpus, *self._more, same=same, progress=partial(self._progress, "files read"))
        _tell(read_now.renamed)
        name = _index_name(self._corpus, read_now.fingerprint)
        if reuse:
            held = self._store.chunk_shas([each["id"] for each in read_now.passages], self._before)
            new = [each for each in read_now.passages if held.get(each["id"]) != each["chunk_sha"]]
            gone = self._ledger.ids() - {key for _, _, ids in read_now.lines.values() for key in ids}
            self._store.succeed(self._before, name, new, sorted(gone), vectors=self._vectors(new))
        else:
            vectors = self._vectors(read_now.passages)
            self._store.index_documents(
                read_now.passages, name, vectors=vectors, embedder=name_of(self._embedder), replace=True
            )
        _note(self._store, name, self._found, read_now.unread, self._ledger.written(name, read_now.lines))
        return name

    def _vectors(self, passages: list[dict[str, Any]]) -> Any:
        if self._embedder is None:
            return None
        rows: list[Any] = []
        for start in range(0, len(passages), EMBEDDED_AT_ONCE):
            self._progress("passages embedded", start, len(passages))
            rows.extend(vectors_of(self._embedder, passages[start : start + EMBEDDED_AT_ONCE]))
        return rows

    def note_again(self) -> None:
        """Write down what is left out now, and of files that were only touched that they are the same."""
        notes = self._store.notes(self.name)
        unread = [LeftOut(*each) for each in notes.get("unread", [])]
        read = notes.get("read")
        if self._before == self.name and self._ledger.hashed and read:
            stamps = {file.location: list(file.stamp) for file in self._found.files}
            lines = {at: (stamps.get(at, stamp), sha, ids) for at, (stamp, sha, ids) in read["files"].items()}
            read = self._ledger.written(self.name, lines)
        _note(self._store, self.name, self._found, unread, read)


def _tell(renamed: Sequence[Problem]) -> None:
    for each in renamed[:SHOWN]:
        log.warning("%s: %s", each.where, each.why)
    if len(renamed) > SHOWN:
        log.warning("and %d more ids that two files bring", len(renamed) - SHOWN)


def _note(
    store: EmbeddedSearch, index: str, found: Inventory, unread: Sequence[LeftOut], read: dict[str, Any] | None
) -> None:
    """Write down what of a corpus is not in its index, and what was read of each file."""
    left_out = omissions(found, unread)
    now = {"unread": [list(astuple(each)) for each in unread], "left_out": left_out, "read": read}
    if now != store.notes(index):
        store.note(index, now)


def _index_name(corpus: Path, sha: str) -> str:
    readable = re.sub("[^a-z0-9]+", "-", corpus.resolve().stem.lower()).strip("-")[:60]
    return f"{readable or 'corpus'}-{sha[:40]}"


def _usable(store: EmbeddedSearch, name: str) -> bool:
    """Whether an index is there and whole; the corpus is the truth, so a damaged one is made anew from it."""
    try:
        return store.exists(name) and store.count(name) > 0 and "unread" in store.notes(name)
    except SettingsError as damage:
        log.warning("%s; indexing the corpus again", damage.safe_message)
        return False
