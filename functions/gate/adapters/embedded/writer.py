"""Makes the next generation: passages and vectors first, then the text index, then the manifest."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Self

import numpy as np

from gate.adapters.embedded import index_manifest as manifests
from gate.adapters.embedded.analysis import version as analysis_version
from gate.adapters.embedded.index_manifest import File, Manifest, PartRecord
from gate.adapters.embedded.integrity import check, measure
from gate.adapters.embedded.part_files import PartWriter, merge_parts, salvage, unit_rows
from gate.adapters.embedded.snapshot import EXACT_ROWS, Snapshot
from gate.adapters.embedded.text_index import VERSION as TEXT_VERSION
from gate.adapters.embedded.text_index import TextWriter, link, share
from gate.errors import DamagedIndexError
from gate.ports import IndexOutcome
from gate.retrieval.passages import origin, readable, whose
from gate.text.languages import document_language

BATCH = 1_024
WRITTEN = ("part-", "text-", "dead-")
RESCORED = (5_000, 20_000)
"""Rows with the nearest sign bits that are compared as floats: the first number that reaches the floor is kept.

At a million vectors 5,000 find all of the exact ten where vectors have the low rank of real embeddings (3 ms), and
0.95 of them where noise has full rank; there 20,000 find 0.99 (15 ms).
"""
MOST_ROWS_A_PASSAGE = 1.25
"""Dead rows cost time with every query and are counted by BM25."""
RECALL_FLOOR = 0.98
RECALL_SAMPLES = 32


@dataclass(frozen=True, slots=True)
class Setup:
    """What an index is built with; fixed for its life."""

    language: str
    embedder: str | None
    dimension: int | None


class GenerationWriter:
    """Writes one generation on top of `base`, or from nothing; the caller holds the index's lock.

    A context: what was written is removed at its end unless `finish` put it in force. What was there before stays, be
    it the base, or an index that is to be replaced.
    """

    def __init__(self, folder: Path, base: Snapshot | None, setup: Setup, generation: int) -> None:
        self._folder, self._base, self._setup, self._generation = folder, base, setup, generation
        self._old = base.manifest if base else None
        self._first = self._old.rows if self._old else 0
        self._dead: set[int] = set()
        self._added: dict[str, tuple[int, str, str]] = {}
        self._kept: set[str] = set()
        self._text_name = f"text-{generation:06d}"
        (folder / self._text_name).mkdir()
        if self._old:
            link(folder / self._old.text, folder / self._text_name)
        self._text = TextWriter(folder / self._text_name, setup.language)
        self._part = PartWriter(folder, f"part-{generation:06d}", setup.dimension)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._in_force():
            self._abandon()

    @property
    def changed(self) -> bool:
        """Whether the generation would differ from its base."""
        return self._base is None or bool(self._added or self._dead)

    def add(self, documents: Iterable[Mapping[str, Any]], vectors: Any = None) -> IndexOutcome:
        """Add or replace documents, `vectors` in the same order; says what became of each."""
        indexed = unchanged = 0
        failed: dict[str, str] = {}
        for start, batch in _batches(documents):
            block = unit_rows(vectors[start : start + len(batch)]) if vectors is not None else None
            records, wrong = readable(batch, start, block)
            failed |= wrong
            fresh = self._place([record for _, record in records], failed)
            indexed, unchanged = indexed + fresh.count(True), unchanged + fresh.count(False)
            taken = [at for (at, _), new in zip(records, fresh, strict=True) if new]
            lines = [record for (_, record), new in zip(records, fresh, strict=True) if new]
            self._part.add(lines, block[taken] if block is not None else None)
        return IndexOutcome(indexed, unchanged, failed)

    def _place(self, records: Sequence[Mapping[str, Any]], failed: dict[str, str]) -> list[bool | None]:
        """Give each record that is new or differs a row in the text index; says which were.

        None, and a reason in `failed`: its id is that of another document's passage.
        """
        known = self._stored([record["id"] for record in records])
        row, languages = self._first + len(self._part), _languages(records)
        fresh: list[bool | None] = []
        for record in records:
            key, sha = record["id"], record["chunk_sha"]
            before = self._added.get(key) or known.get(key)
            if before is not None and before[2] != origin(record):
                failed[key] = whose(before[2])
                fresh.append(None)
                continue
            fresh.append(before is None or before[1] != sha)
            if before is not None and before[1] == sha:
                continue
            if before is not None:
                self._dead.add(before[0])
                self._text.delete(key)
            self._text.add(record, row, languages[origin(record)])
            self._added[key] = (row, sha, origin(record))
            row += 1
        return fresh

    def _stored(self, ids: Sequence[str]) -> dict[str, tuple[int, str, str]]:
        if self._base is None:
            return {}
        return {
            record["id"]: (row, record["chunk_sha"], origin(record))
            for row, record in self._base.find("id", ids)
            if row not in self._dead
        }

    def delete(
        self, ids: Sequence[str], *, fields: Sequence[str] = ("id", "document"), of: Collection[str] | None = None
    ) -> int:
        """Remove passages by their id, or by the id of the document they were cut from; returns how many.

        Args:
            of: only such as were cut from these documents.
        """
        if self._base is None:
            return 0
        hits = [one for field in fields for one in self._base.find(field, ids)]
        found = {row: record for row, record in hits if of is None or origin(record) in of}
        for row, record in found.items():
            self._dead.add(row)
            self._text.delete(record["id"])
        return len(found)

    def finish(self) -> Manifest:
        """Complete the generation and put it in force."""
        rows = len(self._part)
        self._part.close()
        self._text.commit()
        manifests.sync_folder(self._folder / self._text_name)
        part = PartRecord(name=f"part-{self._generation:06d}", first=self._first, rows=rows)
        parts = merged(self._folder, [*(self._old.parts if self._old else ()), *([part] if rows else [])],
                       f"part-{self._generation:06d}-merged", self._setup.dimension)  # fmt: skip
        manifest = self._manifest(parts, self._write_dead(self._first + rows))
        manifest = manifest.model_copy(update={"rescored": self._rescored(manifest)})
        if self._old is not None:
            # What was read to write other files: damage must not get a checksum that vouches for it.
            check(self._folder, self._old, [name for name in self._old.files if name not in self._kept])
        manifests.publish(self._folder, manifest)
        with suppress(OSError):  # the generation is in force; the next writer sweeps again
            sweep(self._folder, manifest)
        return manifest

    def _in_force(self) -> bool:
        try:
            return manifests.read(self._folder).generation == self._generation
        except (FileNotFoundError, DamagedIndexError):
            return False

    def _abandon(self) -> None:
        self._part.abandon()
        self._text.abandon()
        for path in self._folder.iterdir():
            if path.name.startswith(tuple(f"{kind}{self._generation:06d}" for kind in WRITTEN)):
                with suppress(OSError):  # the next writer sweeps again
                    _remove(path)

    def _write_dead(self, rows: int) -> tuple[str | None, int]:
        dead = np.zeros(rows, dtype=np.bool_)
        if self._base is not None:
            dead[: self._first] = self._base.dead
        dead[list(self._dead)] = True
        if not dead.any():
            return None, 0
        name = f"dead-{self._generation:06d}"
        manifests.write_durably(self._folder / name, dead.tobytes())
        return name, int(dead.sum())

    def _manifest(self, parts: Sequence[PartRecord], dead: tuple[str | None, int]) -> Manifest:
        rows = sum(part.rows for part in parts)
        names: list[str] = [file for part in parts for file in part.files(self._setup.dimension)]
        names += [dead[0]] if dead[0] else []
        names += [f"{self._text_name}/{path.name}" for path in (self._folder / self._text_name).iterdir()
                  if path.suffix != ".lock"]  # fmt: skip
        return Manifest(
            generation=self._generation,
            documents=rows - dead[1],
            rows=rows,
            parts=tuple(parts),
            text=self._text_name,
            dead=dead[0],
            embedder=self._setup.embedder,
            dimension=self._setup.dimension,
            language=self._setup.language,
            analyzer=analysis_version(self._setup.language),
            tantivy=TEXT_VERSION,
            files={name: self._measured(name) for name in sorted(names)},
        )

    def _measured(self, name: str) -> File:
        """Checksum a file, unless it is the one of the generation before."""
        if self._old is not None:
            before = name.replace(self._text_name, self._old.text)
            known = self._old.files.get(before)
            if known and (name == before or (self._folder / name).samefile(self._folder / before)):
                self._kept.add(before)
                return known
        return measure(self._folder / name)

    def _rescored(self, manifest: Manifest) -> int:
        """Choose how many rows are compared as floats: few where their signs find the rest, every one (0) where not."""
        if manifest.dimension is None or manifest.rows <= EXACT_ROWS:
            return 0
        if self._old is not None and self._old.rescored and 2 * self._old.rows >= manifest.rows:
            return self._old.rescored
        return next((count for count in RESCORED if recall(self._folder, manifest, count) >= RECALL_FLOOR), 0)


def recall(folder: Path, manifest: Manifest, rescored: int, *, k: int = 10) -> float:
    """Return the share of the exact k nearest that the sign bits find, over sampled rows."""
    snapshot = Snapshot(folder, manifest.model_copy(update={"rescored": rescored}))
    live = np.flatnonzero(~snapshot.dead)
    sample = np.random.default_rng(0).choice(live, min(RECALL_SAMPLES, len(live)), replace=False)
    hits = 0
    for row in sample:
        vector = snapshot.vector(int(row))
        exact = {found for found, _ in snapshot.nearest(vector, k, exact=True)}
        hits += len(exact & {found for found, _ in snapshot.nearest(vector, k)})
    return hits / (k * len(sample))


def merged(folder: Path, parts: Sequence[PartRecord], name: str, dimension: int | None) -> list[PartRecord]:
    """Join the last parts while they are of like size, so that an index of n rows has about log n parts."""
    keep, tail = list(parts), 1
    while tail < len(keep) and keep[-tail - 1].rows <= 2 * sum(part.rows for part in keep[-tail:]):
        tail += 1
    if tail == 1:
        return keep
    rows = merge_parts(folder, keep[-tail:], name, dimension)
    return [*keep[:-tail], PartRecord(name=name, first=keep[-tail].first, rows=rows)]


def succeed(
    folder: Path, base: Snapshot, documents: Sequence[Mapping[str, Any]], gone: Sequence[str], vectors: Any
) -> None:
    """Make an index in `folder` of what another holds without `gone`, and of these; the caller holds the index's lock.

    Files are shared with the other one where they can be. Where many of its rows are dead, what lives is written anew.
    """
    old = base.manifest
    setup = Setup(old.language, old.embedder, old.dimension)
    sweep(folder, None)
    without = {*gone, *(each["id"] for each in documents)}  # an id may have passed from one file to another
    if old.rows > MOST_ROWS_A_PASSAGE * old.documents:
        with GenerationWriter(folder, None, setup, old.generation + 1) as writer:
            for records, rows in salvage(base.folder, old):
                kept = [at for at, record in enumerate(records) if record["id"] not in without]
                writer.add([records[at] for at in kept], rows[kept] if rows is not None else None)
            writer.add(documents, vectors)
            writer.finish()
        return
    for name in old.files:
        (folder / name).parent.mkdir(exist_ok=True)
        share(base.folder / name, folder / name)
    with GenerationWriter(folder, Snapshot(folder, old), setup, old.generation + 1) as writer:
        writer.delete(sorted(without), fields=("id",))
        writer.add(documents, vectors)
        writer.finish()


def next_generation(folder: Path) -> int:
    """Return a number that no file in the folder bears, not even one that a killed writer left."""
    numbers = [path.name.split("-")[1].split(".")[0] for path in folder.iterdir() if path.name.startswith(WRITTEN)]
    return 1 + max((int(number) for number in numbers if number.isdigit()), default=0)


def sweep(folder: Path, manifest: Manifest | None) -> None:
    """Remove what no manifest names: what a killed writer left, and the generation before."""
    named = {name.split("/")[0] for name in manifest.files} if manifest else set()
    for path in folder.iterdir():
        if path.name.startswith((*WRITTEN, ".new-")) and path.name not in named:
            _remove(path)


def _languages(records: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """In which language each document is written, by those of its passages that are here."""
    texts = defaultdict[str, list[str]](list)
    for record in records:
        texts[origin(record)].append(record["content"])
    return {document: document_language("\n".join(contents)) for document, contents in texts.items()}


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def _batches(documents: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, list[Mapping[str, Any]]]]:
    stream, start = iter(documents), 0
    while batch := list(islice(stream, BATCH)):
        yield start, batch
        start += len(batch)
