"""Ground a segment of a conversation in passages of the corpus, with personal data redacted."""

from __future__ import annotations

from typing import Any

from gate import services
from gate.rules.query_building import build_query_from_segment
from gate.services import DEFAULT_JSONL_PATH, similarity_search

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
        Citations: `id`, `title`, `section`, `text`, `redacted_text`, `url`, `published_date`, `source`.
    """
    query = redact_pii(build_query_from_segment(segment_result))
    return [_citation(document) for document in similarity_search(query, k=top_k, jsonl_path=jsonl_path)]


def redact_pii(text: str) -> str:
    """Hide e-mail addresses, phone numbers, Social Security numbers and what else is configured in `text`."""
    return services.redact(text).text


def attach_citations(state: dict[str, Any]) -> None:
    """Write `state["citations"]`: the passages for `state["segment"]`; without a segment there are none."""
    segment = state.get("segment")
    if segment is None:
        state["citations"] = []
        return
    state["citations"] = retrieve_citations(segment, top_k=services.search_options().get("top_k", TOP_K))


def _citation(document: Any) -> dict[str, Any]:
    text, metadata = document.page_content or "", document.metadata or {}
    return {
        "id": metadata.get("id"),
        "title": metadata.get("title"),
        "section": metadata.get("section"),
        "text": text,
        "redacted_text": redact_pii(text),
        "url": metadata.get("url"),
        "published_date": metadata.get("published_date"),
        "source": metadata.get("source") or "corpus",
    }


def main() -> None:
    """Print the citations of a sample segment: a quick check by hand."""
    print(f"DEFAULT_JSONL_PATH: {DEFAULT_JSONL_PATH}")  # noqa: T201
    print(f"query: {build_query_from_segment(SAMPLE_SEGMENT)}")  # noqa: T201
    for number, citation in enumerate(retrieve_citations(SAMPLE_SEGMENT, top_k=3), start=1):
        print(f"\n{number}. {citation['title'] or citation['id']} ({citation['source']}) {citation['url'] or ''}")  # noqa: T201
        print(f"   {citation['redacted_text'][:200]}")  # noqa: T201


if __name__ == "__main__":
    main()
