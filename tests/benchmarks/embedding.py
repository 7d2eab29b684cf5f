"""Embedding on this machine.

MiniLM in int8: claims one at a time, as a check embeds them; a corpus from JSON Lines to an index that can be asked.
Claims are sentences of the demonstration corpus, passages of about 90 words are made of its sentences.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
import time
from pathlib import Path

from gate import wiring
from gate.adapters import minilm
from gate.services.paths.path_index import index_corpus
from gate.settings import Settings
from gate.wiring import Wiring
from tests.benchmarks.search import duration_cell, times
from tests.benchmarks.table import Row
from tests.memory import most_memory

CORPUS = Path(__file__).parents[2] / "events" / "demo" / "corpus.jsonl"
CLAIMS, PASSAGES, WORDS = 150, 1_000, 90


def measure() -> list[Row]:
    """Measure claims, then a corpus."""
    cache = Settings().models.expanduser()
    began = time.perf_counter()
    embedder = minilm.MiniLMEmbedder(cache)
    loaded = time.perf_counter() - began
    texts = [json.loads(line)["content"] for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    sentences = [each for text in texts for each in re.split(r"(?<=[.!?])\s+", text) if len(each.split()) >= 6]
    spent = times(lambda at: embedder.embed([sentences[at % len(sentences)]]), CLAIMS)
    rate = _ingested(sentences)
    return [
        Row("load the model", f"{1_000 * loaded:.0f} ms"),
        Row("a claim p50 / p95", duration_cell(spent), "p95 < 10 ms", spent.late < 10),
        Row(f"ingest {PASSAGES:,} passages of {WORDS} words, embedding included", f"{rate:.0f} passages/s"),
        Row("peak memory", f"{most_memory() / 2**20:.0f} MB"),
    ]


def _ingested(sentences: list[str]) -> float:
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus.jsonl"
        with corpus.open("w", encoding="utf-8") as file:
            for number in range(PASSAGES):
                words = " ".join(chance.choices(sentences, k=12)).split()[:WORDS]
                file.write(json.dumps({"id": f"p{number}", "content": " ".join(words)}) + "\n")
        with wiring.entered(Wiring(Settings(home=Path(folder) / "home", embedder="minilm"))):
            began = time.perf_counter()
            index_corpus(str(corpus))
            spent = time.perf_counter() - began
    return PASSAGES / spent
