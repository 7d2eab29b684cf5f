"""How passages are ranked for claims, questions and whole answers: repeated words, and two ways to fuse both arms.

`python -m tests.quality.pooled` pools the passages of each labelled set (`GATE_DATA`), searches the pool for each
query, and prints nDCG@10: of the keyword arm where a word that stands n times in a query weighs 1, √n or n, and of both
arms fused by reciprocal rank or by the distribution of their scores. Of more than 300 queries so many are drawn.
"""

from __future__ import annotations

import json
import math
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev, stdev
from typing import Any
from unittest import mock

from gate.adapters.embedded import EmbeddedSearch
from gate.retrieval.fusion import reciprocal_rank
from tests.quality.retrieval import embedder

K, CANDIDATES, MOST = 10, 100, 300
FEW_WORDS = 60
WEIGHTS: dict[str, Callable[[int], float]] = {"1": lambda times: 1.0, "√n": math.sqrt, "n": float}
Hits = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Pool:
    """Passages, and queries with the passages that bear on each."""

    name: str
    queries: tuple[tuple[str, frozenset[str]], ...]
    passages: tuple[str, ...]


def pools() -> Iterator[Pool]:
    """The labelled sets, each as it is searched."""
    answers = _rows("rag-answers-a")
    yield _pool("questions of readers", ((row["question"], row["passages"]) for row in answers))
    yield _pool("whole answers", ((row["answer"], row["passages"]) for row in answers))
    first = ((" ".join(row["answer"].split()[:FEW_WORDS]), row["passages"]) for row in answers)
    yield _pool("first 60 words of answers", first)
    abstracts = {str(row["id"]): f"{row.get('title', '')}\n{row['content']}" for row in _rows("scifact-corpus")}
    claims = [(row["claim"], [abstracts[str(key)] for key in row["relevant"]]) for row in _rows("scifact-claims-a")]
    yield _pool("SciFact, claims over abstracts", claims, [*abstracts.values()][:1_200])
    for name, file in (
        ("SciFact, claims over rationales", "scifact-rte-train"),
        ("BEGIN (Wizard of Wikipedia)", "begin-wow-dev"),
        ("WiCE", "wice-claim-oracle-dev"),
        ("Fool Me Twice", "fm2-dev"),
        ("FEVER symmetric", "fever-sym-dev"),
    ):
        yield _pool(name, ((row["claim"], [" ".join(row["evidence"])]) for row in _rows(file)))


def _rows(name: str) -> list[dict[str, Any]]:
    text = (Path(os.environ["GATE_DATA"]) / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _pool(name: str, asked: Any, more: Sequence[str] = ()) -> Pool:
    wanted: dict[str, set[str]] = {}
    for query, passages in asked:
        wanted.setdefault(query, set()).update(text for text in passages if text.strip())
    kept = [query for query, texts in wanted.items() if texts]
    kept = random.Random(18).sample(kept, MOST) if len(kept) > MOST else kept
    texts = list(dict.fromkeys([*(text for each in wanted.values() for text in sorted(each)), *more]))
    ids = {text: str(at) for at, text in enumerate(texts)}
    return Pool(name, tuple((query, frozenset(ids[text] for text in wanted[query])) for query in kept), tuple(texts))


def gain(ranked: Sequence[str], wanted: frozenset[str]) -> float:
    """nDCG at ten of a ranking, where a passage bears on the query or does not."""
    won = sum(1 / math.log2(at + 2) for at, key in enumerate(ranked[:K]) if key in wanted)
    return won / sum(1 / math.log2(at + 2) for at in range(min(K, len(wanted))))


def by_distribution(arms: Sequence[Hits]) -> list[str]:
    """Fuse by scores: each arm's between its mean less and its mean more three standard deviations, added up."""
    total: dict[str, float] = {}
    for hits in arms:
        scores = [each["score"] for each in hits]
        low, span = (fmean(scores) - 3 * pstdev(scores), 6 * pstdev(scores)) if scores else (0.0, 0.0)
        for each in hits:
            total[each["id"]] = total.get(each["id"], 0.0) + ((each["score"] - low) / span if span else 0.5)
    return sorted(total, key=lambda key: -total[key])


def measured(pool: Pool) -> tuple[list[float], list[float], list[float]]:
    """Mean nDCG by weight; and of each query fused by rank, and by distribution."""
    model = embedder()
    assert model is not None, "the embedder's weights are not installed"
    with tempfile.TemporaryDirectory() as home:
        engine = EmbeddedSearch(Path(home))
        passages = [{"id": str(at), "content": text} for at, text in enumerate(pool.passages)]
        engine.index_documents(passages, "pool", vectors=model.embed(pool.passages), embedder=model.name)
        means = []
        for weight in WEIGHTS.values():
            with mock.patch("gate.adapters.embedded.text_index.weight", weight):
                found = [engine.search_docs(query, "pool", k=K) for query, _ in pool.queries]
            means.append(fmean(gain(_ids(hits), wanted) for hits, (_, wanted) in zip(found, pool.queries, strict=True)))
        rank, scores = [], []
        vectors = model.embed([query for query, _ in pool.queries])
        for (query, wanted), vector in zip(pool.queries, vectors, strict=True):
            arms = [
                engine.search_docs(query, "pool", k=CANDIDATES),
                engine.vector_search(vector, "pool", k=CANDIDATES),
            ]
            rank.append(gain([key for key, _ in reciprocal_rank([_ids(hits) for hits in arms])], wanted))
            scores.append(gain(by_distribution(arms), wanted))
    return means, rank, scores


def _ids(hits: Hits) -> list[str]:
    return [each["id"] for each in hits]


def main() -> None:
    """Print both tables."""
    print(f"| queries | number | words, mean | passages | {' | '.join(WEIGHTS)} | rank | scores | difference | + | − |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for pool in pools():
        means, rank, scores = measured(pool)
        apart = [other - one for one, other in zip(rank, scores, strict=True)]
        words = fmean(len(query.split()) for query, _ in pool.queries)
        shown = " | ".join(f"{mean:.3f}" for mean in means)
        sure = f"{fmean(apart):+.4f} ± {1.96 * stdev(apart) / math.sqrt(len(apart)):.4f}"
        better, worse = sum(each > 0 for each in apart), sum(each < 0 for each in apart)
        print(
            f"| {pool.name} | {len(apart)} | {words:.0f} | {len(pool.passages):,} | {shown} | {fmean(rank):.3f} | "
            f"{fmean(scores):.3f} | {sure} | {better} | {worse} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
