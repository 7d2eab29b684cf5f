"""Rows on disk: passages as JSON lines, what filters need as columns, vectors as floats and as sign bits."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gate.adapters.embedded.index_manifest import Manifest, PartRecord
from gate.adapters.embedded.integrity import check
from gate.ports import SearchFilter
from gate.retrieval.passages import canonical, day, last_day

Floats = NDArray[np.float32]
Words = NDArray[np.uint64]

END, TENANT, SOURCE, CLASSIFICATION, PUBLISHED, SUM = range(6)
"""Columns of a part; each value is 64 bits. END: where the row's line ends; texts are hashed; dates are yyyymmdd; SUM:
checksum of the line, compared whenever it is read."""
COLUMNS = 6
SALVAGED = 4_096


def code(text: str | None) -> int:
    """Return 64 bits that stand for a text in a column; 0 for none."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") if text else 0


def line_sum(line: bytes) -> int:
    """Return 64 bits of a line's SHA-256."""
    return int.from_bytes(hashlib.sha256(line).digest()[:8], "little")


def sign_bits(vectors: Floats) -> Words:
    """Return the signs, 64 a word, as columns: shape (words, rows), so that a scan reads memory in one stream."""
    bits = np.packbits(vectors > 0, axis=1, bitorder="little")
    padded = np.zeros((len(vectors), -(-bits.shape[1] // 8) * 8), dtype=np.uint8)
    padded[:, : bits.shape[1]] = bits
    return np.ascontiguousarray(padded.view(np.uint64).T)


def unit_rows(vectors: Any) -> Floats:
    """Return rows at length one; a row without direction becomes NaN."""
    floats = np.asarray(vectors, dtype=np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(floats, axis=1, keepdims=True)
    lengths[~np.isfinite(lengths) | (lengths == 0.0)] = np.nan
    return np.asarray(floats / lengths, dtype=np.float32)


class PartWriter:
    """Writes one part, row by row; nothing refers to it before the manifest does."""

    def __init__(self, folder: Path, name: str, dimension: int | None) -> None:
        self._folder, self._name = folder, name
        self._lines = (folder / f"{name}.jsonl").open("wb")
        self._floats = (folder / f"{name}.f32").open("wb") if dimension else None
        self._columns: list[Words] = []
        self._rows = 0
        self._bits: list[Words] = []
        self._end = 0

    def __len__(self) -> int:
        return self._rows

    def add(self, passages: Sequence[Mapping[str, Any]], vectors: Floats | None) -> None:
        """Append passages, and their vectors in the same order."""
        if not passages:
            return
        columns = np.zeros((COLUMNS, len(passages)), dtype="<u8")
        for at, passage in enumerate(passages):
            line = canonical(passage) + b"\n"
            self._lines.write(line)
            self._end += len(line)
            texts = (code(passage.get(name)) for name in ("tenant", "source", "classification"))
            columns[:, at] = (self._end, *texts, day(passage.get("published_date")), line_sum(line))
        self._columns.append(columns)
        self._rows += len(passages)
        if self._floats is not None and vectors is not None:
            self._floats.write(np.ascontiguousarray(vectors, dtype="<f4").tobytes())
            self._bits.append(sign_bits(vectors))

    def close(self) -> list[str]:
        """Flush everything to the disk; returns the names of the files."""
        names = [f"{self._name}.jsonl", f"{self._name}.columns"]
        _save(self._folder / names[1], np.hstack(self._columns) if self._columns else np.zeros((COLUMNS, 0), "<u8"))
        _flush(self._lines)
        if self._floats is not None:
            names += [f"{self._name}.f32", f"{self._name}.bits"]
            _flush(self._floats)
            _save(self._folder / names[3], np.hstack(self._bits) if self._bits else np.zeros((0, 0), dtype="<u8"))
        return names

    def abandon(self) -> None:
        """Close the files, even where the disk has no room for what they still hold; the writer removes them."""
        for file in (self._lines, self._floats):
            with suppress(OSError):
                if file is not None:
                    file.close()


def _flush(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()


def _save(path: Path, array: NDArray[Any]) -> None:
    with path.open("wb") as file:
        file.write(array.tobytes())
        _flush(file)


class PartReader:
    """One part, memory-mapped."""

    def __init__(self, folder: Path, name: str, rows: int, dimension: int | None) -> None:
        self.rows = rows
        self._lines = _map(folder / f"{name}.jsonl", "u1", ((folder / f"{name}.jsonl").stat().st_size,))
        self.columns = cast(Words, _map(folder / f"{name}.columns", "<u8", (COLUMNS, rows)))
        self.floats: Floats | None = None
        self.bits: Words | None = None
        if dimension:
            self.floats = cast(Floats, _map(folder / f"{name}.f32", "<f4", (rows, dimension)))
            self.bits = cast(Words, _map(folder / f"{name}.bits", "<u8", (-(-dimension // 64), rows)))

    def line(self, row: int) -> bytes:
        """Return the stored line of a row of this part.

        Raises:
            ValueError: it is not what was written.
        """
        start = int(self.columns[END, row - 1]) if row else 0
        line = self._lines[start : int(self.columns[END, row])].tobytes()
        if line_sum(line) != self.columns[SUM, row]:
            raise ValueError("the line has changed")
        return line

    def passage(self, row: int) -> dict[str, Any]:
        """Return the passage of a row of this part."""
        return cast(dict[str, Any], json.loads(self.line(row)))

    def passes(self, where: SearchFilter) -> NDArray[np.bool_]:
        """Return which rows a filter lets through."""
        passing = np.ones(self.rows, dtype=np.bool_)
        if where.tenant is not None:
            passing &= self.columns[TENANT] == code(where.tenant)
        for column, values in ((SOURCE, where.sources), (CLASSIFICATION, where.classifications)):
            if values:
                passing &= np.isin(self.columns[column], np.array([code(value) for value in values], dtype=np.uint64))
        published = self.columns[PUBLISHED]
        if where.published_from is not None:
            passing &= published >= max(1, day(where.published_from))
        if where.published_to is not None:
            passing &= (published > 0) & (published <= last_day(where.published_to))
        return passing


def _map(path: Path, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
    if 0 in shape:
        return np.zeros(shape, dtype=dtype)
    return np.memmap(path, dtype=dtype, mode="r", shape=shape)


def merge_parts(folder: Path, parts: Sequence[PartRecord], name: str, dimension: int | None) -> int:
    """Write neighbouring parts as one; rows keep their numbers. Returns how many rows it has."""
    readers = [PartReader(folder, part.name, part.rows, dimension) for part in parts]
    _join(folder, [f"{part.name}.jsonl" for part in parts], f"{name}.jsonl")
    columns = [np.array(reader.columns) for reader in readers]
    for before, after in pairwise(columns):
        after[END] += before[END, -1]
    _save(folder / f"{name}.columns", np.hstack(columns))
    if dimension:
        _join(folder, [f"{part.name}.f32" for part in parts], f"{name}.f32")
        _save(folder / f"{name}.bits", np.hstack([reader.bits for reader in readers if reader.bits is not None]))
    return sum(part.rows for part in parts)


def _join(folder: Path, names: Sequence[str], name: str) -> None:
    with (folder / name).open("wb") as joined:
        for each in names:
            with (folder / each).open("rb") as file:
                shutil.copyfileobj(file, joined, 1 << 20)
        _flush(joined)


def salvage(folder: Path, manifest: Manifest) -> Iterator[tuple[list[dict[str, Any]], Floats | None]]:
    """Return live passages and their vectors in blocks, from the files that hold the truth alone.

    Raises:
        DamagedIndexError: one of those files is damaged.
    """
    truth = [
        f"{part.name}{kind}" for part in manifest.parts for kind in (".jsonl", *[".f32"] * bool(manifest.dimension))
    ]
    truth += [manifest.dead] if manifest.dead else []
    check(folder, manifest, truth)
    dead = np.fromfile(folder / manifest.dead, dtype=np.bool_) if manifest.dead else np.zeros(manifest.rows, np.bool_)
    for part in manifest.parts:
        shape = (part.rows, manifest.dimension or 0)
        floats = _map(folder / f"{part.name}.f32", "<f4", shape) if manifest.dimension else None
        with (folder / f"{part.name}.jsonl").open("rb") as lines:
            for start in range(0, part.rows, SALVAGED):
                block = [json.loads(line) for line in islice(lines, SALVAGED)]
                live = np.flatnonzero(~dead[part.first + start : part.first + start + len(block)])
                yield [block[at] for at in live], floats[start + live] if floats is not None else None
