"""The search engine of a laptop: tantivy for keywords, memory-mapped vectors, no server."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

from gate.adapters.embedded import index_manifest as manifests
from gate.adapters.embedded import pruning
from gate.adapters.embedded.analysis import query_terms
from gate.adapters.embedded.index_manifest import Manifest
from gate.adapters.embedded.integrity import check
from gate.adapters.embedded.open_indexes import Answer, OpenIndexes
from gate.adapters.embedded.snapshot import Snapshot
from gate.adapters.embedded.sole_writer import sole_writer
from gate.adapters.embedded.writer import GenerationWriter, Setup, next_generation, succeed, sweep
from gate.adapters.local_files import write_atomically
from gate.errors import DamagedIndexError, InputError, SearchUnavailableError
from gate.ports import NO_FILTER, IndexOutcome, SearchFilter
from gate.retrieval.fusion import reciprocal_rank
from gate.retrieval.passages import allowed, result
from gate.retrieval.vectors import check_vectors, dimension_of

log = logging.getLogger(__name__)

NOTES = "notes.json"
"""File in an index's folder: what of the corpus is not in it."""
CANDIDATES = 100
"""Passages of each arm that a hybrid search fuses."""
_INDEX_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,127}")


class EmbeddedSearch:
    """A `SearchEngine` over a folder; each index is a folder in it (see `manifest`).

    Safe for threads and processes: one writer at a time per index, any number of readers, each on a whole generation.
    """

    name = "embedded"

    def __init__(self, root: Path, *, language: str = "english") -> None:
        self._root, self._language = root, language
        self._open_indexes = OpenIndexes()

    # ---------------------------------------------------------------- reading

    def search_docs(
        self, query: str, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by keywords (BM25)."""

        def search(snapshot: Snapshot) -> list[dict[str, Any]]:
            return _results(snapshot, snapshot.search(query, k, where), "keyword", where)

        return self._read(index, search)

    def vector_search(
        self, vector: Sequence[float], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by cosine similarity; an index without vectors has none to find."""

        def search(snapshot: Snapshot) -> list[dict[str, Any]]:
            return _results(snapshot, snapshot.nearest(vector, k, where), "vector", where)

        return self._read(index, search)

    def hybrid_search(
        self, query: str, vector: Sequence[float] | None, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by both, fused by rank; `score` is the fused one."""

        def search(snapshot: Snapshot) -> list[dict[str, Any]]:
            arms = [snapshot.search(query, CANDIDATES, where)]
            if vector is not None:
                arms.append(snapshot.nearest(vector, CANDIDATES, where))
            fused = reciprocal_rank([[str(row) for row, _ in hits] for hits in arms])[:k]
            return _results(snapshot, [(int(row), score) for row, score in fused], "hybrid", where)

        return self._read(index, search)

    def naming(
        self, names: Collection[str], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]] | None:
        """Find passages in which each of these stands as a name."""

        def search(snapshot: Snapshot) -> list[dict[str, Any]]:
            return _results(snapshot, snapshot.naming(names, k, where), "keyword", where)

        return self._read(index, search)

    def names_like(self, names: Collection[str], index: str, *, where: SearchFilter = NO_FILTER) -> list[str]:
        """Return the names of passages whose names share most words with these."""
        return self._read(index, lambda snapshot: snapshot.names_like(names, where))

    def chunk_shas(self, ids: Sequence[str], index: str) -> dict[str, str]:
        """Return the `chunk_sha` of those ids that the index holds."""
        found = self._read(index, lambda snapshot: snapshot.find("id", ids))
        return {record["id"]: record["chunk_sha"] for _, record in found}

    def ids(self, index: str, *, documents: Sequence[str] | None = None) -> Iterator[str]:
        """Return the id of every passage, or of those cut from these documents."""
        if documents is None:
            return iter(self._read(index, lambda snapshot: [record["id"] for record in snapshot.passages()]))
        return iter([record["id"] for _, record in self._read(index, lambda found: found.find("document", documents))])

    def origins(self, ids: Sequence[str], index: str) -> dict[str, str]:
        """Return the document that each of these passages was cut from."""
        found = self._read(index, lambda snapshot: snapshot.find("id", ids))
        return {record["id"]: record.get("document") or record["id"] for _, record in found}

    def count(self, index: str) -> int:
        """How many passages the index holds."""
        return self.snapshot(index).manifest.documents

    def describe(self, index: str) -> dict[str, Any]:
        """What the report says of the corpus."""
        snapshot = self.snapshot(index)
        manifest = snapshot.manifest
        return {
            "name": index,
            "version": manifest.version,
            "engine": self.name,
            "passages": manifest.documents,
            "embedder": manifest.embedder,
            "languages": self._read(index, lambda found: found.languages()),
        }

    def exists(self, index: str) -> bool:
        """Whether there is such an index."""
        return (self._folder(index) / manifests.NAME).is_file()

    def analyze(self, query: str, index: str) -> list[str]:
        """Return the terms that keyword search looks up."""
        return list(query_terms(query, self.snapshot(index).manifest.language))

    def embedder_of(self, index: str) -> str | None:
        """Name of the embedder whose vectors the index holds."""
        return self.snapshot(index).manifest.embedder

    def snapshot(self, index: str) -> Snapshot:
        """Return the generation in force, open.

        Raises:
            SettingsError: there is no such index, or it is damaged beyond what its passages can restore.
        """
        return self._open_indexes.snapshot(self._folder(index))

    def _read(self, index: str, work: Callable[[Snapshot], Answer]) -> Answer:
        return self._open_indexes.read(self._folder(index), work)

    # ---------------------------------------------------------------- writing

    def ensure_index(self, index: str, *, embedder: str | None = None, dimension: int | None = None) -> None:
        """Make an empty index unless there is one."""
        if not self.exists(index):
            with self._writing(index):
                if not self.exists(index):
                    setup = Setup(self._language, embedder, dimension)
                    with self._start(index, None, setup) as writer:
                        writer.finish()

    def index_documents(
        self,
        documents: Iterable[Mapping[str, Any]],
        index: str,
        *,
        vectors: Any = None,
        embedder: str | None = None,
        replace: bool = False,
    ) -> IndexOutcome:
        """Add or replace documents by `id`, all in one generation; the index is made if there is none.

        With `replace` the index holds exactly these documents afterwards; until then readers see the old ones.
        """
        if self.exists(index) and not replace:
            self.snapshot(index)  # one that is damaged is written anew before this writer has the lock
        with self._writing(index):
            old = self.snapshot(index) if self.exists(index) and not replace else None
            setup = _setup(old, self._language, embedder, vectors)
            check_vectors(vectors, setup.dimension, index)
            with self._start(index, old, setup) as writer:
                outcome = writer.add(documents, vectors)
                if writer.changed:
                    writer.finish()
            return outcome

    def succeed(
        self, old: str, index: str, documents: Sequence[Mapping[str, Any]], gone: Sequence[str], *, vectors: Any = None
    ) -> None:
        """Make an index of what `old` holds without the passages `gone`, and of these documents; `old` stays.

        Nothing is done where the index has been made meanwhile.

        Raises:
            DamagedIndexError: `old` is damaged, or no more.
        """
        base = self.snapshot(old)
        check_vectors(vectors, base.manifest.dimension, index)
        with self._writing(index):
            try:
                if not self.exists(index):
                    succeed(self._folder(index), base, documents, gone, vectors)
            except FileNotFoundError as missing:
                raise DamagedIndexError(old, f"{Path(missing.filename).name} is missing") from missing

    def delete_documents(self, ids: Sequence[str], index: str, *, of: Collection[str] | None = None) -> int:
        """Remove passages by id, or by the id of the document they were cut from; returns how many there were.

        Args:
            of: remove by the ids of passages alone, and only such as were cut from these documents.
        """
        self.snapshot(index)  # see `index_documents`
        with self._writing(index):
            old = self.snapshot(index)
            setup = Setup(old.manifest.language, old.manifest.embedder, old.manifest.dimension)
            with self._start(index, old, setup) as writer:
                removed = writer.delete(ids) if of is None else writer.delete(ids, fields=("id",), of=of)
                if removed:
                    writer.finish()
            return removed

    def check(self, index: str) -> Manifest:
        """Compare every byte of an index with its manifest; what its passages can restore is restored.

        Raises:
            SettingsError: names what differs.
        """

        def compare(snapshot: Snapshot) -> Manifest:
            check(snapshot.folder, snapshot.manifest)
            return snapshot.manifest

        return self._read(index, compare)

    def delete(self, index: str) -> bool:
        """Remove an index, damaged or not, with all it holds; returns whether there was one."""
        if not self.exists(index):
            return False
        with self._writing(index):
            (self._folder(index) / manifests.NAME).unlink(missing_ok=True)
            shutil.rmtree(self._folder(index), ignore_errors=True)
        self._open_indexes.forget(self._folder(index))
        return True

    def names(self) -> list[str]:
        """Return the names of all indexes, in order."""
        return sorted(path.parent.name for path in self._root.glob(f"*/{manifests.NAME}"))

    def manifest(self, index: str) -> Manifest:
        """Return what is written down of an index, without opening it.

        Raises:
            DamagedIndexError: it cannot be read.
        """
        return manifests.read(self._folder(index))

    def newest_of(self, corpus: Path) -> str:
        """Return the index made of a path that was used last; empty: there is none."""
        return pruning.newest(self._root, corpus)

    def origin(self, index: str) -> Path | None:
        """Return the path that an index was made from; None: it was made by name."""
        return pruning.origin(self._folder(index))

    def note_use(self, index: str, corpus: Path) -> None:
        """Write down that an index was made from a path and is used now: such indexes are pruned one day."""
        pruning.note_use(self._folder(index), corpus)

    def notes(self, index: str) -> dict[str, Any]:
        """Return what was noted of an index beside its passages; empty where nothing was, or not what was written."""
        try:
            checksum, _, data = (self._folder(index) / NOTES).read_bytes().partition(b"\n")
            found = json.loads(data) if checksum == _checksum(data) else {}
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def note(self, index: str, notes: Mapping[str, Any]) -> None:
        """Note something of an index beside its passages, where that can be written; a checksum stands before it."""
        data = json.dumps(notes, ensure_ascii=False).encode()
        with suppress(OSError):
            write_atomically(self._folder(index) / NOTES, _checksum(data) + b"\n" + data)

    def prune(self) -> None:
        """Remove indexes made from paths that are of no use any more; one that cannot be removed now stays."""
        for index in list(pruning.stale(self._root)):
            with suppress(SearchUnavailableError, OSError):
                self.delete(index)

    def _start(self, index: str, base: Snapshot | None, setup: Setup) -> GenerationWriter:
        folder = self._folder(index)
        generation = next_generation(folder)
        try:
            sweep(folder, manifests.read(folder))
        except FileNotFoundError:
            sweep(folder, None)
        except DamagedIndexError:
            log.warning("index %r: its manifest cannot be read; what it named stays until the new one is whole", index)
        return GenerationWriter(folder, base, setup, generation)

    def _writing(self, index: str) -> AbstractContextManager[None]:
        return sole_writer(self._folder(index))

    def _folder(self, index: str) -> Path:
        if not _INDEX_NAME.fullmatch(index):
            raise InputError(f"{index[:128]!r} cannot name an index", hint="lower-case letters, digits, . _ -")
        return self._root / index


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _setup(old: Snapshot | None, language: str, embedder: str | None, vectors: Any) -> Setup:
    if old is not None:
        return Setup(old.manifest.language, old.manifest.embedder, old.manifest.dimension)
    dimension = dimension_of(vectors)
    return Setup(language, embedder if dimension else None, dimension)


def _results(
    snapshot: Snapshot, hits: Sequence[tuple[int, float]], retriever: str, where: SearchFilter
) -> list[dict[str, Any]]:
    """Read the passages; what the filter does not allow is dropped here once more."""
    passages = [(snapshot.passage(row), score) for row, score in hits]
    kept = [(found, score) for found, score in passages if allowed(found, where)]
    return [
        result(found, score=score, rank=rank, retriever=retriever) for rank, (found, score) in enumerate(kept, start=1)
    ]
