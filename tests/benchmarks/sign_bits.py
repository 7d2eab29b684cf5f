"""Comparing the signs of vectors.

The bits of 200,000 and of a million rows of 384 dimensions, made up, compared with a query's: in blocks that fit the
cache, as an index is searched, and in one pass over all of them. CPU time, the two in turn, median of nine.
"""

from __future__ import annotations

import time
from statistics import median
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from gate.adapters.embedded import snapshot
from tests.benchmarks.table import Row

ROWS, WORDS, TIMES = (200_000, 1_000_000), 384 // 64, 9


def measure() -> list[Row]:
    """Compare both ways, at both sizes."""
    return [row for rows in ROWS for row in _of(rows)]


def _of(rows: int) -> list[Row]:
    chance = np.random.default_rng(18)
    columns = chance.integers(0, 2**63, (WORDS, rows), dtype=np.uint64)
    wanted = chance.integers(0, 2**63, WORDS, dtype=np.uint64)
    spent: tuple[list[float], list[float]] = [], []
    found: list[NDArray[np.uint16]] = []
    for _ in range(TIMES):
        for block, times in zip((snapshot.SCANNED_ROWS, rows), spent, strict=True):
            into = np.empty(rows, dtype=np.uint16)
            with mock.patch.object(snapshot, "SCANNED_ROWS", block):
                began = time.process_time()
                snapshot.count_differing(columns, wanted, into)
                times.append(time.process_time() - began)
            found.append(into)
    same = all(np.array_equal(found[0], each) for each in found)
    blocks, whole = (1_000 * median(times) for times in spent)
    return [
        Row(f"{rows:,} rows: in blocks, in one pass", f"{blocks:.1f} ms, {whole:.1f} ms"),
        Row(f"{rows:,} rows: in blocks to in one pass", f"{blocks / whole:.2f}", "< 0.8", blocks < 0.8 * whole),
        Row(f"{rows:,} rows: the same rows are found", "yes" if same else "no", "yes", same),
    ]
