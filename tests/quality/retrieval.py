"""How well passages are found: SciFact's 150 test claims over its 5,183 abstracts, nDCG@10.

`python -m tests.quality.retrieval` prints the table that docs/retrieval.md records (GATE_DATA names the data; a node
is used if OPENSEARCH_URL names one).
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gate.adapters import minilm
from gate.adapters.embedded import EmbeddedSearch
from gate.ports import SearchEngine
from gate.retrieval.passages import passage_text
from gate.settings import Settings

K = 10
INDEX = "scifact"
ARMS = ("keyword", "vector", "hybrid")
KEPT = Path(__file__).parents[2] / ".gate" / "quality"
"""Vectors are kept here between runs: embedding the corpus takes three minutes of a core."""


@dataclass(frozen=True)
class Claim:
    """A claim, and the ids of the abstracts that bear on it."""

    text: str
    relevant: frozenset[str]


def data() -> Path | None:
    """The folder with the labelled sets."""
    folder = os.environ.get("GATE_DATA")
    return Path(folder) if folder else None


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (Path(os.environ["GATE_DATA"]) / name).read_text("utf-8").splitlines()]


@cache
def embedder() -> minilm.MiniLMEmbedder | None:
    """The embedder of a laptop, if its weights are there."""
    cache_folder = Settings().models.expanduser()
    return minilm.MiniLMEmbedder(cache_folder) if minilm.available(cache_folder) else None


def corpus() -> list[dict[str, Any]]:
    """The abstracts."""
    return _rows("scifact-corpus.jsonl")


def claims() -> list[Claim]:
    """The claims."""
    return [Claim(row["claim"], frozenset(map(str, row["relevant"]))) for row in _rows("scifact-claims-a.jsonl")]


@cache
def vectors() -> Any:
    """Vectors of the abstracts, or None without an embedder."""
    model = embedder()
    if model is None:
        return None
    kept = KEPT / f"{INDEX}-{model.name}.npy"
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        found = model.embed([passage_text(each) for each in corpus()])
        with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
            np.save(file, found)
        Path(file.name).replace(kept)
    return np.load(kept)


def fill(engine: SearchEngine) -> None:
    """Put the corpus into an engine."""
    model = embedder()
    outcome = engine.index_documents(
        corpus(), INDEX, vectors=vectors(), embedder=model.name if model else None, replace=True
    )
    assert not outcome.failed


def found(engine: SearchEngine, arm: str) -> list[list[str]]:
    """The ids of the first ten passages for each claim."""
    model = embedder()
    asked: dict[str, Callable[[Claim], list[dict[str, Any]]]] = {
        "keyword": lambda claim: engine.search_docs(claim.text, INDEX, k=K),
        "vector": lambda claim: engine.vector_search(model.embed([claim.text])[0], INDEX, k=K) if model else [],
        "hybrid": lambda claim: engine.hybrid_search(
            claim.text, model.embed([claim.text])[0] if model else None, INDEX, k=K
        ),
    }
    return [[each["id"] for each in asked[arm](claim)] for claim in claims()]


def ndcg(ranked: Sequence[str], relevant: frozenset[str]) -> float:
    """Normalized discounted cumulative gain of the first ten, relevance being yes or no."""
    gained = sum(1 / math.log2(rank + 1) for rank, key in enumerate(ranked[:K], start=1) if key in relevant)
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), K) + 1))


def mean_ndcg(ranked: Sequence[Sequence[str]]) -> float:
    """The mean over claims."""
    return float(np.mean([ndcg(each, claim.relevant) for each, claim in zip(ranked, claims(), strict=True)]))


def recall(ranked: Sequence[Sequence[str]]) -> float:
    """The share of relevant abstracts among the first ten, mean over claims."""
    pairs = zip(ranked, claims(), strict=True)
    return float(np.mean([len(claim.relevant & set(each)) / len(claim.relevant) for each, claim in pairs]))


def overlap(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]]) -> float:
    """The share of the first ten that two engines have in common, mean over claims."""
    return float(np.mean([len(set(a) & set(b)) / max(len(a), len(b), 1) for a, b in zip(one, other, strict=True)]))


def main() -> None:
    """Print the table."""
    if data() is None:
        sys.exit("GATE_DATA names no folder with the labelled sets")
    engines: dict[str, SearchEngine] = {"embedded": EmbeddedSearch(Path(tempfile.mkdtemp()))}
    if url := os.environ.get("OPENSEARCH_URL"):
        from gate.adapters.opensearch import OpenSearchEngine
        from gate.adapters.opensearch.opensearch_client import Endpoint

        engines["opensearch"] = OpenSearchEngine(Endpoint(url))
    ranked = {}
    print("| engine | arm | nDCG@10 | recall@10 |\n|---|---|---|---|")
    for name, engine in engines.items():
        fill(engine)
        for arm in ARMS:
            ranked[name, arm] = found(engine, arm)
            print(f"| {name} | {arm} | {mean_ndcg(ranked[name, arm]):.3f} | {recall(ranked[name, arm]):.3f} |")
    if "opensearch" in engines:
        for arm in ARMS:
            same = overlap(ranked["embedded", arm], ranked["opensearch", arm])
            print(f"overlap@10 of the two engines, {arm}: {same:.3f}")


if __name__ == "__main__":
    main()
