"""Opening an index of 100,000 passages.

The corpus of `search`, with vectors and without. Each opening is by a new store in this process, files in memory.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from gate.adapters.embedded import EmbeddedSearch
from tests.benchmarks.search import Corpus
from tests.benchmarks.table import Row

SIZE, OPENINGS = 100_000, 11


def measure() -> list[Row]:
    """Build both indexes and open them."""
    with tempfile.TemporaryDirectory() as name:
        corpus, root = Corpus(SIZE, Path(name)), Path(name) / "indexes"
        store = EmbeddedSearch(root)
        store.index_documents(corpus.passages(), "words")
        store.index_documents(corpus.passages(), "vectors", vectors=corpus.vectors, embedder="noise/1")
        return [_opened(root, index) for index in ("words", "vectors")]


def _opened(root: Path, index: str) -> Row:
    spent = []
    for _ in range(OPENINGS):
        store, began = EmbeddedSearch(root), time.process_time()
        store.count(index)
        spent.append(1_000 * (time.process_time() - began))
    size = sum(path.stat().st_size for path in (root / index).rglob("*") if path.is_file()) / 1e6
    return Row(
        f"{SIZE:,} passages, {index}, {size:.0f} MB: CPU to open, median of {OPENINGS}",
        f"{statistics.median(spent):.1f} ms",
    )
