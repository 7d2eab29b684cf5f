"""Citations for a segment, embedding and redaction included.

100,000 passages of 80 words (the corpus of `search`, each with a phone number and an e-mail address), five citations,
segments whose reason is twelve words out of a passage. The query is embedded for real where the embedder's weights are
installed; the passages' vectors are made up. Redacted with `patterns`; the audit record is written. Warm.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from gate import wiring
from gate.agents.retrieve_citations import retrieve_citations
from gate.settings import Settings
from gate.wiring import Wiring
from tests.benchmarks.search import Corpus
from tests.benchmarks.table import Row

SIZE, GOAL_MS, WARM_UP = 100_000, 60.0, 10
CONTACT = " Call 555-123-4567 or write to desk@example.com."


def measure() -> list[Row]:
    """Build the index, ask it with segments, and report the quantiles."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with wiring.entered(Wiring(Settings(home=folder))):
            return _measured(Corpus(SIZE, folder))


def _measured(corpus: Corpus) -> list[Row]:
    embedder, index = wiring.current().embedder(), wiring.current().settings.index
    passages = ({**passage, "content": passage["content"] + CONTACT} for passage in corpus.passages())
    name = embedder.name if embedder else None
    vectors = corpus.vectors if embedder else None
    wiring.current().embedded_store().index_documents(passages, index, vectors=vectors, embedder=name)
    took, cpu = [], []
    for query, _ in corpus.queries() * 2:
        began, used = time.perf_counter(), time.process_time()
        found = retrieve_citations({"use_case_label": "Payment Plans", "reasons": [query]})
        took.append((time.perf_counter() - began) * 1_000)
        cpu.append((time.process_time() - used) * 1_000)
        assert len(found) == 5
        assert "[REDACTED_PHONE]" in found[0]["redacted_text"]
    p50, p95 = np.percentile(took[WARM_UP:], (50, 95))
    what = f"{SIZE:,} passages, embedder {name or 'none: keywords alone'}"
    return [
        Row(f"{what}: p50", f"{p50:.1f} ms"),
        Row(f"{what}: p95 of CPU time", f"{np.percentile(cpu[WARM_UP:], 95):.1f} ms"),
        Row(f"{what}: p95", f"{p95:.1f} ms", f"≤ {GOAL_MS:.0f} ms", bool(p95 <= GOAL_MS)),
    ]
