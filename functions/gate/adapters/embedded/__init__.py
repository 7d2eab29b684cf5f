"""The search engine of a laptop: tantivy for keywords, memory-mapped vectors, no server."""

from __future__ import annotations

import logging
import re
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from gate.adapters.embedded import manifest as manifests
from gate.adapters.embedded import pruning
from gate.adapters.embedded.analysis import query_terms
from gate.adapters.embedded.manifest import DamagedIndexError, Manifest
from gate.adapters.embedded.parts import salvage
from gate.adapters.embedded.snapshot import Snapshot, open_snapshot
from gate.adapters.embedded.writer import GenerationWriter, Setup, next_generation, sweep
from gate.adapters.local_files import keep_from_git
from gate.errors import InputError, SearchUnavailableError, SettingsError
from gate.ports import NO_FILTER, IndexOutcome, SearchFilter
from gate.rules.fusion import reciprocal_rank
from gate.rules.passages import allowed, result
from gate.rules.vectors import check_vectors, dimension_of

log = logging.getLogger(__name__)

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
        self._open: dict[str, tuple[tuple[int, ...], Snapshot]] = {}
        self._lock = threading.Lock()

    # ---------------------------------------------------------------- reading

    def search_docs(
        self, query: str, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by keywords (BM25)."""
        snapshot = self.snapshot(index)
        return _results(snapshot, snapshot.text.search(query, k, where), "keyword", where)

    def vector_search(
        self, vector: Sequence[float], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by cosine similarity; an index without vectors has none to find."""
        snapshot = self.snapshot(index)
        return _results(snapshot, snapshot.nearest(vector, k, where), "vector", where)

    def hybrid_search(
        self, query: str, vector: Sequence[float] | None, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by both, fused by rank; `score` is the fused one."""
        snapshot = self.snapshot(index)
        arms = [snapshot.text.search(query, CANDIDATES, where)]
        if vector is not None:
            arms.append(snapshot.nearest(vector, CANDIDATES, where))
        fused = reciprocal_rank([[str(row) for row, _ in hits] for hits in arms])[:k]
        return _results(snapshot, [(int(row), score) for row, score in fused], "hybrid", where)

    def chunk_shas(self, ids: Sequence[str], index: str) -> dict[str, str]:
        """Return the `chunk_sha` of those ids that the index holds."""
        return {record["id"]: record["chunk_sha"] for _, record in self.snapshot(index).find("id", ids)}

    def ids(self, index: str, *, documents: Sequence[str] | None = None) -> Iterator[str]:
        """Return the id of every passage, or of those cut from these documents."""
        snapshot = self.snapshot(index)
        if documents is None:
            return (record["id"] for record in snapshot.passages())
        return (record["id"] for _, record in snapshot.find("document", documents))

    def count(self, index: str) -> int:
        """How many passages the index holds."""
        return self.snapshot(index).manifest.documents

    def describe(self, index: str) -> dict[str, Any]:
        """What the report says of the corpus."""
        manifest = self.snapshot(index).manifest
        return {
            "name": index,
            "version": manifest.version,
            "engine": self.name,
            "passages": manifest.documents,
            "embedder": manifest.embedder,
        }

    def exists(self, index: str) -> bool:
        """Whether there is such an index."""
        return (self._folder(index) / manifests.NAME).is_file()

    def analyze(self, query: str, index: str) -> list[str]:
        """Return the terms that keyword search looks up."""
        return query_terms(query, self.snapshot(index).manifest.language)

    def embedder_of(self, index: str) -> str | None:
        """Name of the embedder whose vectors the index holds."""
        return self.snapshot(index).manifest.embedder

    def snapshot(self, index: str) -> Snapshot:
        """Return the generation in force, open.

        Raises:
            SettingsError: there is no such index, or it is damaged beyond what its passages can restore.
        """
        folder = self._folder(index)
        try:
            stat = (folder / manifests.NAME).stat()
            stamp = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            with self._lock:
                known = self._open.get(index)
                if known is None or known[0] != stamp:
                    known = self._open[index] = (stamp, self._opened(index))
            return known[1]
        except FileNotFoundError:
            raise SettingsError(f"there is no index {index!r}", hint="gate index add PATH --corpus NAME") from None

    def _opened(self, index: str) -> Snapshot:
        folder = self._folder(index)
        try:
            return open_snapshot(folder)
        except DamagedIndexError as damage:
            log.warning("%s; rebuilding it from its passages", damage.safe_message)
            with self._writing(index):
                rebuild(folder)
            return open_snapshot(folder)

    # ---------------------------------------------------------------- writing

    def ensure_index(self, index: str, *, embedder: str | None = None, dimension: int | None = None) -> None:
        """Make an empty index unless there is one."""
        if not self.exists(index):
            with self._writing(index):
                if not self.exists(index):
                    setup = Setup(self._language, embedder, dimension)
                    self._start(index, None, setup).finish()

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
        with self._writing(index):
            old = self.snapshot(index) if self.exists(index) and not replace else None
            setup = _setup(old, self._language, embedder, vectors)
            check_vectors(vectors, setup.dimension, index)
            writer = self._start(index, old, setup)
            try:
                outcome = writer.add(documents, vectors)
            except BaseException:
                writer.abandon()
                raise
            if writer.changed:
                writer.finish()
            else:
                writer.abandon()
            return outcome

    def delete_documents(self, ids: Sequence[str], index: str) -> int:
        """Remove passages by id, or by the id of the document they were cut from; returns how many there were."""
        with self._writing(index):
            old = self.snapshot(index)
            setup = Setup(old.manifest.language, old.manifest.embedder, old.manifest.dimension)
            writer = self._start(index, old, setup)
            removed = writer.delete(ids)
            if removed:
                writer.finish()
            else:
                writer.abandon()
            return removed

    def check(self, index: str) -> Manifest:
        """Compare every byte of an index with its manifest.

        Raises:
            SettingsError: names what differs.
        """
        manifest = self.snapshot(index).manifest
        manifests.check(self._folder(index), manifest, full=True)
        return manifest

    def delete(self, index: str) -> bool:
        """Remove an index, damaged or not, with all it holds; returns whether there was one."""
        if not self.exists(index):
            return False
        with self._writing(index):
            (self._folder(index) / manifests.NAME).unlink(missing_ok=True)
            shutil.rmtree(self._folder(index), ignore_errors=True)
        self._open.pop(index, None)
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

    def origin(self, index: str) -> Path | None:
        """Return the path that an index was made from; None: it was made by name."""
        return pruning.origin(self._folder(index))

    def note_use(self, index: str, corpus: Path) -> None:
        """Write down that an index was made from a path and is used now: such indexes are pruned one day."""
        pruning.note_use(self._folder(index), corpus)

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

    @contextmanager
    def _writing(self, index: str) -> Iterator[None]:
        folder = self._folder(index)
        keep_from_git(self._root.parent)  # indexes lie in the folder that blobs lie in
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(folder / ".lock", timeout=0, thread_local=False):
                yield
        except Timeout:
            raise SearchUnavailableError(
                f"index {index!r} is being written by another process", hint="try again when it is done"
            ) from None

    def _folder(self, index: str) -> Path:
        if not _INDEX_NAME.fullmatch(index):
            raise InputError(f"{index[:128]!r} cannot name an index", hint="lower-case letters, digits, . _ -")
        return self._root / index


def rebuild(folder: Path) -> Manifest:
    """Write a new generation from the passages and vectors of the one in force; the caller holds the lock.

    Raises:
        DamagedIndexError: those are damaged too.
    """
    old = manifests.read(folder)
    sweep(folder, old)
    setup = Setup(old.language, old.embedder, old.dimension)
    writer = GenerationWriter(folder, None, setup, next_generation(folder))
    try:
        for records, vectors in salvage(folder, old):
            writer.add(records, vectors)
    except BaseException:
        writer.abandon()
        raise
    return writer.finish()


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
