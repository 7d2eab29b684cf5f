"""A segment becomes citations with personal data hidden; the search is a stand-in here."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import Any

import pytest

from gate.agents import retrieve_citations as agent

SEGMENT = {
    "use_case": "payment_plans",
    "use_case_label": "Payment Plans",
    "funnel_stage": "StartedFormOrFlow",
    "intent_level": "medium",
    "reasons": ["interested in: Payment Plans", "started form but did not finish"],
}


@dataclass
class Found:
    page_content: str | None
    metadata: dict[str, Any] | None = field(default_factory=dict)


PAYMENT_PLANS = Found(
    "If you owe money you can call 555-123-4567 or email debt@example.com to...",
    {
        "id": "doc_123",
        "title": "How Payment Plans Work",
        "section": "Overview",
        "url": "https://docs.example.com/payment-plans",
        "published_date": "2024-06-01",
        "source": "corpus",
        "score": 0.5,
    },
)


class Search:
    """Returns what it is given and keeps what it was asked."""

    def __init__(self, *found: Found) -> None:
        self.found = list(found)
        self.asked: list[tuple[str, int, str | None]] = []

    def __call__(self, query: str, k: int, jsonl_path: str | None) -> list[Found]:
        self.asked.append((query, k, jsonl_path))
        return self.found[:k]


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Search:
    stand_in = Search(PAYMENT_PLANS)
    monkeypatch.setattr(agent, "similarity_search", stand_in)
    return stand_in


def test_the_example_gives_the_citation_that_is_shown(search: Search) -> None:
    assert agent.retrieve_citations(SEGMENT, top_k=3) == [
        {
            "id": "doc_123",
            "title": "How Payment Plans Work",
            "section": "Overview",
            "text": "If you owe money you can call 555-123-4567 or email debt@example.com to...",
            "redacted_text": "If you owe money you can call [REDACTED_PHONE] or email [REDACTED_EMAIL] to...",
            "url": "https://docs.example.com/payment-plans",
            "published_date": "2024-06-01",
            "source": "corpus",
        }
    ]
    query = "Payment Plans | StartedFormOrFlow | intent: medium | interested in: Payment Plans"
    assert search.asked == [(query, 3, None)]


def test_the_signature_is_as_specified() -> None:
    parameters = inspect.signature(agent.retrieve_citations).parameters
    assert {name: one.default for name, one in parameters.items()} == {
        "segment_result": inspect.Parameter.empty,
        "top_k": 5,
        "jsonl_path": None,
    }


def test_what_a_passage_lacks_is_none_and_its_source_is_the_corpus(search: Search) -> None:
    search.found = [Found(None, {}), Found("x", None), Found("y", {"source": "tax_irs"})]
    citations = agent.retrieve_citations({})
    nothing = dict.fromkeys(("id", "title", "section", "url", "published_date"))
    assert citations[0] == {**nothing, "text": "", "redacted_text": "", "source": "corpus"}
    assert [citation["source"] for citation in citations] == ["corpus", "corpus", "tax_irs"]


def test_a_path_and_a_number_are_handed_on(search: Search) -> None:
    agent.retrieve_citations({}, top_k=2, jsonl_path="other.jsonl")
    assert search.asked == [("help options and next steps", 2, "other.jsonl")]


def test_personal_data_in_a_segment_does_not_reach_the_search(search: Search) -> None:
    agent.retrieve_citations({"reasons": ["wrote from ann@example.com"]})
    assert search.asked[0][0] == "wrote from [REDACTED_EMAIL]"


def test_a_state_with_a_segment_gets_citations(search: Search) -> None:
    state: dict[str, Any] = {"segment": SEGMENT}
    agent.attach_citations(state)
    assert [citation["id"] for citation in state["citations"]] == ["doc_123"]


def test_a_state_without_a_segment_gets_none(search: Search) -> None:
    state: dict[str, Any] = {"segment": None}
    agent.attach_citations(state)
    assert state["citations"] == []
    assert search.asked == []


def test_redact_pii_hides_the_three_kinds() -> None:
    shown = agent.redact_pii("a@example.com, (555) 123-4567, 123-45-6789")
    assert shown == "[REDACTED_EMAIL], [REDACTED_PHONE], [REDACTED_SSN]"


def test_the_manual_runner_prints_the_corpus_and_redacted_matches(
    search: Search, capsys: pytest.CaptureFixture[str]
) -> None:
    agent.main()
    printed = capsys.readouterr().out
    assert "corpus.jsonl" in printed
    assert "How Payment Plans Work" in printed
    assert "[REDACTED_PHONE]" in printed
    assert "555-123-4567" not in printed
