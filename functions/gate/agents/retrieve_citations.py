"""Ground a segment of a conversation in passages of the corpus, with personal data redacted."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gate import wiring
from gate.errors import InputError
from gate.ports import Redacted
from gate.retrieval.citations import Found, citation
from gate.retrieval.fusion import reciprocal_rank
from gate.retrieval.segment_query import Signals, build_query_from_segment, queries_from_segment
from gate.services import DEFAULT_JSONL_PATH, run, similarity_search
from gate.services.audit_log import audit, record
from gate.services.search import why_nothing
from gate.text.visible import visible

__all__ = ["attach_citations", "build_query_from_segment", "redact_pii", "retrieve_citations"]

TOP_K = 5
SAMPLE_SEGMENT = {
    "use_case": "payment_plans",
    "use_case_label": "Payment Plans",
    "funnel_stage": "StartedFormOrFlow",
    "intent_level": "medium",
    "reasons": ["interested in: Payment Plans", "started form but did not finish"],
}


def retrieve_citations(
    segment_result: dict[str, Any], top_k: int = TOP_K, jsonl_path: str | None = None
) -> list[dict[str, Any]]:
    """Find passages that answer a segment, best first, each with its text as stored and as it may be shown.

    Args:
        segment_result: the segmenter's answer: `use_case`, `use_case_label`, `funnel_stage`, `intent_level`, `reasons`.
        top_k: how many citations at most.
        jsonl_path: a corpus to search in place of the configured one.

    Returns:
        Citations: `id`, `title`, `section`, `text`, `redacted_text`, `url`, `published_date`, `source`; with
        `config.citations.details` also `score`, `similarity`, `redactions` and `policy`.

    Raises:
        InputError: `top_k` is below 1.
    """
    if top_k < 1:
        raise InputError("top_k is below 1")
    began = time.perf_counter()
    options = run.citation_options()
    queries = [redact_pii(query) for query in queries_from_segment(segment_result, options.signals or Signals())]
    found = _search(queries, top_k, jsonl_path)
    redacted: list[Redacted] = []

    def redact(text: str) -> Redacted:
        redacted.append(wiring.current().redactor().redact(text))
        return redacted[-1]

    citations = [dict(citation(document, redact, options)) for document in found]
    _report(queries, citations, redacted, jsonl_path)
    record("RetrievalTime", (time.perf_counter() - began) * 1_000, unit="ms")
    return citations


def redact_pii(text: str) -> str:
    """Hide e-mail addresses, phone numbers, Social Security numbers and what else is configured in `text`."""
    return wiring.current().redactor().redact(text).text


def attach_citations(state: dict[str, Any]) -> None:
    """Write `state["citations"]`: the passages for `state["segment"]`; without a segment there are none."""
    segment = state.get("segment")
    if segment is None:
        state["citations"] = []
        return
    state["citations"] = retrieve_citations(segment, top_k=run.search_options().get("top_k") or TOP_K)


def _search(queries: Sequence[str], top_k: int, jsonl_path: str | None) -> list[Found]:
    """Search for every query; several lists are fused by rank."""
    lists = [similarity_search(query, k=top_k, jsonl_path=jsonl_path) for query in queries]
    if len(lists) == 1:
        return list(lists[0])
    by_key: dict[str, Found] = {_key(document): document for found in reversed(lists) for document in found}
    ranked = reciprocal_rank([[_key(document) for document in found] for found in lists])
    return [by_key[key] for key, _ in ranked[:top_k]]


def _key(document: Found) -> str:
    return str((document.metadata or {}).get("id") or document.page_content)


def _report(
    queries: Sequence[str], citations: Sequence[dict[str, Any]], redacted: Sequence[Redacted], jsonl_path: str | None
) -> None:
    """Put on record what was asked and found: hashes, ids and counts."""
    kinds = Counter(one.kind for result in redacted for one in result.redactions)
    record("RetrievalQueries", len(queries))
    record("CitationsFound", len(citations))
    for kind, count in kinds.items():
        record("Redactions", count, kind=kind)
    if not citations:
        cause, hint = why_nothing(queries[0], jsonl_path)
        record("EmptyResults", cause=cause, hint=hint)
    who = run.identity()
    audit(
        "citations",
        {
            "who": who,
            "query_sha256": [hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest() for query in queries],
            "documents": [one["id"] for one in citations],
            "redactions": dict(kinds),
            "policy": wiring.current().redactor().redact("").policy,
        },
        run_id=who["run_id"],
    )


def _sample_corpus() -> str | None:
    """The corpus that a clone ships with, where nothing else is there to be searched."""
    gate, shipped = wiring.current(), Path(__file__).parents[3] / "events" / "demo" / "corpus.jsonl"
    known = Path(DEFAULT_JSONL_PATH).is_file() or gate.search_engine().exists(gate.settings.index)
    return None if known or not shipped.is_file() else str(shipped)


def main() -> None:
    """Print the citations of a sample segment: a quick check by hand."""
    print(f"DEFAULT_JSONL_PATH: {DEFAULT_JSONL_PATH}")  # noqa: T201
    print(f"query: {build_query_from_segment(SAMPLE_SEGMENT)}")  # noqa: T201
    for number, one in enumerate(retrieve_citations(SAMPLE_SEGMENT, 3, _sample_corpus()), start=1):
        print(visible(f"\n{number}. {one['title'] or one['id']} ({one['source']}) {one['url'] or ''}"))  # noqa: T201
        print(visible(f"   {one['redacted_text'][:200]}"))  # noqa: T201


if __name__ == "__main__":
    main()
