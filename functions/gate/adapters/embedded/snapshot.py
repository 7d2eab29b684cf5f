"""One generation, open for reading. It stays whole while writers work on the next."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gate.adapters.embedded import index_manifest as manifests
from gate.adapters.embedded.analysis import version as analysis_version
from gate.adapters.embedded.index_manifest import Manifest
from gate.adapters.embedded.integrity import check_opening
from gate.adapters.embedded.part_files import Floats, PartReader, Words, sign_bits
from gate.adapters.embedded.text_index import VERSION as TEXT_VERSION
from gate.adapters.embedded.text_index import DamagedTextError, TextReader
from gate.errors import DamagedIndexError
from gate.ports import NO_FILTER, SearchFilter
from gate.repository.names.corpus_names import LIKE, names_in
from gate.retrieval.passages import allowed
from gate.retrieval.vectors import unit

EXACT_ROWS = 50_000
"""Up to this many rows the exact product takes 3 ms, and nothing is approximated."""
SCANNED_ROWS = 32_768
"""Rows whose signs are compared at once: what is between (256 KB of differing bits) stays in the second-level cache."""
Rows = NDArray[np.intp]
Answer = TypeVar("Answer")


class Snapshot:
    """Reads one generation."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        try:
            self._text = TextReader(folder / manifest.text, manifest.language)
        except DamagedTextError:
            raise DamagedIndexError(folder.name, f"{manifest.text} cannot be opened") from None
        self._parts = [
            (part.first, PartReader(folder, part.name, part.rows, manifest.dimension)) for part in manifest.parts
        ]
        self.dead = np.zeros(manifest.rows, dtype=np.bool_)
        if manifest.dead:
            self.dead[:] = np.fromfile(folder / manifest.dead, dtype=np.bool_)

    @cached_property
    def _live(self) -> Rows:
        return np.flatnonzero(~self.dead)

    def passage(self, row: int) -> dict[str, Any]:
        """Return the passage of a row.

        Raises:
            DamagedIndexError: it is not what was written, was deleted, or does not exist.
        """
        try:
            if self.dead[row]:
                raise ValueError("nothing that is searched names a deleted row")
            first, part = self._part(row)
            return part.passage(row - first)
        except (ValueError, IndexError):
            raise DamagedIndexError(self.folder.name, f"row {row} has changed") from None

    def passages(self) -> Iterator[dict[str, Any]]:
        """Return every live passage, in the order of its row."""
        for row in self._live:
            yield self.passage(int(row))

    def search(self, query: str, k: int, where: SearchFilter) -> list[tuple[int, float]]:
        """Return (row, BM25 score), best first."""
        return self._of_text(lambda text: text.search(query, k, where))

    def naming(self, names: Collection[str], k: int, where: SearchFilter) -> list[tuple[int, float]]:
        """Return (row, score) of passages in which each of these stands as a name."""
        return self._of_text(lambda text: text.naming(names, k, where))

    def names_like(self, names: Collection[str], where: SearchFilter) -> list[str]:
        """Return the names of the passages whose names share most with these."""
        found = (self.passage(row) for row in self._of_text(lambda text: text.like(names, LIKE, where)))
        return list(dict.fromkeys(name for passage in found if allowed(passage, where) for name in names_in(passage)))

    def find(self, field: str, values: Sequence[str]) -> list[tuple[int, dict[str, Any]]]:
        """Return (row, passage) where `field` (`id`, `document`) is one of `values`."""
        return [(row, self.passage(row)) for row in self._of_text(lambda text: text.rows(field, values))]

    def languages(self) -> dict[str, int]:
        """How many passages are of documents in each language."""
        return self._of_text(lambda text: text.languages())

    @property
    def indexed(self) -> int:
        """How many passages the text index holds."""
        return self._text.documents

    def _of_text(self, ask: Callable[[TextReader], Answer]) -> Answer:
        try:
            return ask(self._text)
        except DamagedTextError:
            raise DamagedIndexError(self.folder.name, f"{self.manifest.text} cannot be read") from None

    def vector(self, row: int) -> Floats:
        """Return the vector of a row."""
        first, part = self._part(row)
        assert part.floats is not None
        return np.asarray(part.floats[row - first])

    def _part(self, row: int) -> tuple[int, PartReader]:
        return next((first, part) for first, part in reversed(self._parts) if first <= row)

    def nearest(
        self, vector: Sequence[float] | Floats, k: int, where: SearchFilter = NO_FILTER, *, exact: bool = False
    ) -> list[tuple[int, float]]:
        """Return (row, cosine), best first; `exact` compares every row.

        Raises:
            InputError: the vector has another dimension than the index, or no direction.
        """
        query = np.asarray(unit(vector, self.manifest.dimension, self.folder.name), dtype=np.float32)
        if self.manifest.dimension is None or not self.manifest.documents:
            return []
        rows = self._passing(where)
        if self.manifest.rescored and len(rows) > EXACT_ROWS and not exact:
            rows = self._similar_signs(query, rows)
        scores = self._cosines(query, rows)
        order = np.argsort(-scores, kind="stable")[:k] if len(rows) <= 4 * k else _best(scores, k)
        return [(int(rows[at]), float(scores[at])) for at in order]

    def _passing(self, where: SearchFilter) -> Rows:
        if where == NO_FILTER:
            return self._live
        passing = np.concatenate([part.passes(where) for _, part in self._parts])
        return np.flatnonzero(passing & ~self.dead)

    def _cosines(self, query: Floats, rows: Rows) -> Floats:
        scores = np.empty(len(rows), dtype=np.float32)
        for first, part in self._parts:
            assert part.floats is not None
            low, high = np.searchsorted(rows, (first, first + part.rows))
            inside = rows[low:high] - first
            whole = len(inside) == part.rows
            scores[low:high] = (part.floats if whole else part.floats[inside]) @ query
        return scores

    def _similar_signs(self, query: Floats, rows: Rows) -> Rows:
        wanted = sign_bits(query[None, :])[:, 0]
        distances = np.empty(self.manifest.rows, dtype=np.uint16)
        for first, part in self._parts:
            assert part.bits is not None
            count_differing(part.bits, wanted, distances[first : first + part.rows])
        near = distances if len(rows) == len(distances) else distances[rows]
        reach = np.searchsorted(np.cumsum(np.bincount(near)), self.manifest.rescored)
        return rows[np.flatnonzero(near <= reach)]


def count_differing(columns: Words, wanted: Words, into: NDArray[np.uint16]) -> None:
    """Write how many sign bits of each row differ from the query's; `columns` has the shape (words, rows)."""
    for start in range(0, len(into), SCANNED_ROWS):
        block = slice(start, start + SCANNED_ROWS)
        counts = into[block]
        counts[:] = np.bitwise_count(columns[0, block] ^ wanted[0])
        for column, word in zip(columns[1:], wanted[1:], strict=True):
            counts += np.bitwise_count(column[block] ^ word)


def _best(scores: Floats, k: int) -> NDArray[np.intp]:
    top = np.argpartition(-scores, k)[:k]
    return top[np.lexsort((top, -scores[top]))]


def open_snapshot(folder: Path) -> Snapshot:
    """Open the generation in force, checked as far as an opening has time for (`integrity.check_opening`).

    Raises:
        FileNotFoundError: there is no such index.
        DamagedIndexError: it is damaged, or another version wrote it; a generation that was replaced meanwhile
            is no damage.
    """
    while True:
        manifest = manifests.read(folder)
        try:
            return _open(folder, manifest)
        except DamagedIndexError:
            if manifests.read(folder).generation == manifest.generation:
                raise


def _open(folder: Path, manifest: Manifest) -> Snapshot:
    made_with = (manifest.format, manifest.tantivy, manifest.analyzer)
    if made_with != (manifests.FORMAT, TEXT_VERSION, analysis_version(manifest.language)):
        wrote = f"format {manifest.format}, {manifest.tantivy}, analysis {manifest.analyzer}"
        raise DamagedIndexError(folder.name, f"{wrote} wrote it")
    try:
        check_opening(folder, manifest)
        return Snapshot(folder, manifest)
    except OSError as error:
        raise DamagedIndexError(folder.name, f"{Path(error.filename or '?').name} cannot be read") from error
