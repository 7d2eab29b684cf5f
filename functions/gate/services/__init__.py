"""The specifications' functions. What a run asks of them (filters, k, thresholds) is set around an agent's call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gate import wiring
from gate.ports import Question
from gate.services import run
from gate.services.search import DEFAULT_JSONL_PATH, TOP_K, above_thresholds, new_search, query_vector

__all__ = ["DEFAULT_JSONL_PATH", "FoundDocument", "call_llm", "search_docs", "similarity_search", "vector_search"]


def call_llm(prompt: str, system: str = "") -> str:
    """Answer `prompt` under `system` with the configured model; the local verifier answers fenced claims alone."""
    return wiring.current().language_model(run.source_kind()).complete(Question(prompt, system)).text


def search_docs(query: str, index: str = "trusted_docs") -> list[dict[str, Any]]:
    """Find passages by keywords, best first."""
    engine, options = wiring.current().search_engine(), run.search_options()
    found = engine.search_docs(query, index, k=options.get("top_k", TOP_K), where=run.search_filter())
    return [document for document in found if document["score"] >= options.get("min_score", 0.0)]


def vector_search(text: str, index: str = "trusted_docs", k: int = TOP_K) -> list[dict[str, Any]]:
    """Find passages by meaning, best first; without an embedder, or in an index without vectors, there are none."""
    engine, options = wiring.current().search_engine(), run.search_options()
    vector = query_vector(text, engine, index)
    if vector is None:
        return []
    found = engine.vector_search(vector, index, k=options.get("top_k", k), where=run.search_filter())
    return [document for document in found if document["score"] >= options.get("min_similarity", -1.0)]


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A passage as retrievers know it: its text, and everything else about it."""

    page_content: str
    metadata: dict[str, Any]


def similarity_search(query: str, k: int = TOP_K, jsonl_path: str | None = None) -> list[FoundDocument]:
    """Find the k passages that answer a query best, by keywords and meaning together.

    Below the run's thresholds (`min_similarity`, `min_score`) nothing is returned; where either is set, or the run
    asks for details, each passage's `similarity` (cosine) is in its metadata.

    Args:
        jsonl_path: a corpus file or folder to search; None: the index that the run names, outside a run the configured
            engine's default index, or, where there is none, `DEFAULT_JSONL_PATH`.
    """
    options = run.search_options()
    found = above_thresholds(
        new_search(query, jsonl_path),
        k,
        similarity=options.get("min_similarity"),
        score=options.get("min_score"),
        details=run.citation_options().details,
    )
    return [
        FoundDocument(document["content"], {key: value for key, value in document.items() if key != "content"})
        for document in found
    ]
