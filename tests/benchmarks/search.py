"""Search on this machine.

Passages of Zipfian text (80 words, vocabulary of 300,000, the commonest 30 being stop words), 384 numbers a vector in
4,000 clusters of Zipfian size, spread along 48 directions as embeddings are; queries of 12 words out of a passage, and
its vector with noise. One thread, warm; goals are by the clock, and the machine was shared with other work.
Hybrid is both arms with 100 candidates each, fused; embedding is apart. SQLite FTS5 stands beside it in the same run
at 100k. `search_million` does the same at a million.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gate.adapters.embedded import EmbeddedSearch
from tests.benchmarks.table import Row
from tests.memory import most_memory

SIZES = (10_000, 100_000)
DIMENSION, DIRECTIONS, CLUSTERS, VOCABULARY, WORDS = 384, 48, 4_000, 300_000, 80
COMMON = "the of and to in a is that it was for on are as with they at be this by not but or an no if such then there"
STOP_WORDS = COMMON.split()
QUERIES = 60
EXACT_QUERIES = 40
MILLION = 1_000_000


class Times(NamedTuple):
    """Milliseconds at the median and at the 95th percentile: by the clock, and of this process's work."""

    median: float
    late: float
    cpu_median: float
    cpu_late: float


class Corpus:
    """Passages and vectors that are the same every time."""

    def __init__(self, size: int, folder: Path) -> None:
        self.size = size
        self._random = np.random.default_rng(7)
        self._centres = self._random.normal(size=(CLUSTERS, DIMENSION)).astype(np.float32)
        directions = self._random.normal(size=(DIRECTIONS, DIMENSION)).astype(np.float32) / np.float32(DIRECTIONS**0.5)
        self._sizes = 1 / np.arange(1, CLUSTERS + 1)
        self.vectors = np.memmap(folder / "vectors", dtype=np.float32, mode="w+", shape=(size, DIMENSION))
        for start in range(0, size, 50_000):
            rows = min(50_000, size - start)
            clusters = self._random.choice(CLUSTERS, rows, p=self._sizes / self._sizes.sum())
            spread = self._random.normal(size=(rows, DIRECTIONS)).astype(np.float32) @ directions
            self.vectors[start : start + rows] = self._centres[clusters] + 0.6 * spread

    def text(self, number: int) -> str:
        """The words of a passage."""
        random = np.random.default_rng(number)
        ranks = np.minimum(random.zipf(1.25, WORDS), VOCABULARY)
        return " ".join(STOP_WORDS[rank - 1] if rank <= len(STOP_WORDS) else f"w{rank:x}" for rank in ranks)

    def passages(self) -> Iterator[dict[str, str]]:
        """Every passage."""
        return ({"id": f"p{n}", "content": self.text(n), "tenant": f"t{n % 20}"} for n in range(self.size))

    def queries(self) -> list[tuple[str, Any]]:
        """Words and vectors that are asked for."""
        random = np.random.default_rng(11)
        asked = []
        for number in random.choice(self.size, QUERIES, replace=False):
            words = random.choice(self.text(int(number)).split(), 12)
            asked.append((" ".join(words), self.vectors[number] + 0.1 * random.normal(size=DIMENSION)))
        return asked


def measure() -> list[Row]:
    """Measure every size."""
    return [row for size in SIZES for row in measured(size)]


def measured(size: int) -> list[Row]:
    """Build, open and ask an index of `size` passages."""
    with tempfile.TemporaryDirectory() as name:
        folder, label = Path(name), f"{size // 1000:,}k" if size < MILLION else f"{size // MILLION}M"
        corpus = Corpus(size, folder)
        goal = size >= MILLION
        store = EmbeddedSearch(folder / "indexes")
        began = time.perf_counter()
        store.index_documents(corpus.passages(), "bench", vectors=corpus.vectors, embedder="noise/1")
        built = time.perf_counter() - began
        began = time.perf_counter()
        opened = EmbeddedSearch(folder / "indexes")
        opened.count("bench")
        open_ms = 1_000 * (time.perf_counter() - began)
        rows = _arms(opened, corpus, label, goal)
        disk = sum(path.stat().st_size for path in (folder / "indexes").rglob("*") if path.is_file()) / 1e6
        rows += [
            Row(f"{label}: open", f"{open_ms:.0f} ms", *(("< 100 ms", open_ms < 100) if goal else ())),
            Row(f"{label}: build, embedding apart", f"{built:.0f} s, {size / built:,.0f} passages/s"),
            Row(f"{label}: disk, floats included", f"{disk:,.0f} MB"),
            Row(f"{label}: peak memory so far", f"{most_memory() / 2**20:,.0f} MB"),
        ]
        if size == 100_000:
            rows += _sqlite(corpus, folder, label)
        return rows


def _arms(store: EmbeddedSearch, corpus: Corpus, label: str, goal: bool) -> list[Row]:
    asked = corpus.queries()
    keyword = times(lambda at: store.search_docs(asked[at][0], "bench", k=10))
    vector = times(lambda at: store.vector_search(asked[at][1], "bench", k=10))
    hybrid = times(lambda at: store.hybrid_search(*asked[at], "bench", k=10))
    found = _recall(store, corpus)
    return [
        Row(f"{label}: BM25 p50 / p95", duration_cell(keyword), *(("p95 < 15 ms", keyword.late < 15) if goal else ())),
        Row(f"{label}: vectors p50 / p95", duration_cell(vector)),
        Row(f"{label}: hybrid p50 / p95", duration_cell(hybrid), *(("p95 < 50 ms", hybrid.late < 50) if goal else ())),
        Row(f"{label}: recall@10 against exact", f"{found:.3f}", *(("≥ 0.98", found >= 0.98) if goal else ())),
    ]


def _recall(store: EmbeddedSearch, corpus: Corpus) -> float:
    snapshot = store.snapshot("bench")
    hits = 0
    for _, vector in corpus.queries()[:EXACT_QUERIES]:
        exact = {row for row, _ in snapshot.nearest(vector, 10, exact=True)}
        hits += len(exact & {row for row, _ in snapshot.nearest(vector, 10)})
    return hits / (10 * EXACT_QUERIES)


def _sqlite(corpus: Corpus, folder: Path, label: str) -> list[Row]:
    """The same text in SQLite's full text search."""
    base = sqlite3.connect(folder / "fts.db")
    base.execute("create virtual table passages using fts5(content, tokenize='porter')")
    began = time.perf_counter()
    base.executemany("insert into passages values (?)", ((each["content"],) for each in corpus.passages()))
    base.commit()
    built = time.perf_counter() - began
    told = [[word for word in dict.fromkeys(words.split()) if word not in STOP_WORDS] for words, _ in corpus.queries()]
    asked = [" OR ".join(f'"{word}"' for word in words or ["w0"]) for words in told]
    query = "select rowid, bm25(passages) from passages where passages match ? order by bm25(passages) limit 10"
    spent = times(lambda at: base.execute(query, (asked[at],)).fetchall())
    return [
        Row(f"{label}: BM25 in SQLite FTS5, stop words cut too, p50 / p95", duration_cell(spent)),
        Row(f"{label}: build in SQLite FTS5", f"{built:.0f} s"),
    ]


def times(ask: Callable[[int], Any], count: int = QUERIES) -> Times:
    """Measure every query, after a round to warm up."""
    wall, cpu = [], []
    for warm in (True, False):
        for at in range(count):
            began, worked = time.perf_counter(), time.process_time()
            ask(at)
            if not warm:
                wall.append(1_000 * (time.perf_counter() - began))
                cpu.append(1_000 * (time.process_time() - worked))
    return Times(*np.percentile(wall, (50, 95)), *np.percentile(cpu, (50, 95)))


def duration_cell(times: Times) -> str:
    """As a cell of the table."""
    return f"{times.median:.1f} / {times.late:.1f} ms, CPU {times.cpu_median:.1f} / {times.cpu_late:.1f} ms"
