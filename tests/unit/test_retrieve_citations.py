"""A segment becomes citations with personal data hidden; the search is a stand-in here."""

from __future__ import annotations

import inspect
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from gate import wiring
from gate.agents import retrieve_citations as agent
from gate.errors import InputError
from gate.privacy.origins import redacted_citation
from gate.retrieval.citations import shortened
from gate.services.audit_log import recording
from gate.services.run import using
from tests.entrance import Entrance

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


@pytest.mark.parametrize("top_k", [0, -1])
def test_fewer_than_one_citation_is_refused(search: Search, top_k: int) -> None:
    with pytest.raises(InputError, match="top_k is below 1"):
        agent.retrieve_citations(agent.SAMPLE_SEGMENT, top_k=top_k)
    assert search.asked == []


def test_the_manual_runner_prints_the_corpus_and_redacted_matches(
    search: Search, capsys: pytest.CaptureFixture[str]
) -> None:
    agent.main()
    printed = capsys.readouterr().out
    assert "corpus.jsonl" in printed
    assert "How Payment Plans Work" in printed
    assert "[REDACTED_PHONE]" in printed
    assert "555-123-4567" not in printed


def asked(**config: Any) -> Any:
    return using({"citations": config})


def test_details_are_further_keys_and_come_only_when_asked_for(search: Search) -> None:
    with asked(details=True):
        [one] = agent.retrieve_citations(SEGMENT)
    assert one["score"] == 0.5
    assert one["similarity"] is None
    assert one["policy"] == "patterns/2"
    assert [one["redacted_text"][each["start"] : each["end"]] for each in one["redactions"]] == [
        "[REDACTED_PHONE]",
        "[REDACTED_EMAIL]",
    ]
    assert "555" not in str({key: value for key, value in one.items() if key != "text"})


@pytest.mark.parametrize(
    ("max_chars", "shown"), [(34, "If you owe money you can call…"), (12, "If you owe…"), (0, None)]
)
def test_text_is_cut_between_words_and_never_within_a_token(search: Search, max_chars: int, shown: str | None) -> None:
    with asked(max_chars=max_chars):
        [one] = agent.retrieve_citations(SEGMENT)
    whole = "If you owe money you can call [REDACTED_PHONE] or email [REDACTED_EMAIL] to..."
    assert one["redacted_text"] == (shown or whole)
    assert one["text"] == PAYMENT_PLANS.page_content


def test_a_token_that_no_blank_comes_before_is_left_out_whole() -> None:
    redacted = wiring.current().redactor().redact("Reservations(jane@example.com) are taken.")
    assert shortened(redacted, 20) == "Reservations(…"


def test_signals_add_queries_and_the_lists_are_fused(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    lists = {
        "payment plans": [Found("a", {"id": "a"}), Found("b", {"id": "b"})],
        "installment agreement": [Found("b", {"id": "b"}), Found("c", {"id": "c"})],
        "payment plans | Form 9465": [Found("b", {"id": "b"})],
    }
    seen: list[str] = []

    def find(query: str, k: int, jsonl_path: str | None) -> list[Found]:
        seen.append(query)
        return lists[query]

    monkeypatch.setattr(agent, "similarity_search", find)
    signals = {"synonyms": {"payment plans": ["installment agreement"]}, "products": {"payment_plans": ["Form 9465"]}}
    with asked(signals=signals):
        citations = agent.retrieve_citations({"use_case": "payment plans"}, top_k=2)
    assert seen == list(lists)
    assert [one["id"] for one in citations] == ["b", "a"]


def test_an_option_that_is_not_known_is_an_input_error(search: Search) -> None:
    with asked(maximum=3), pytest.raises(InputError, match=r"config\.citations\.maximum"):
        agent.retrieve_citations(SEGMENT)


def test_every_retrieval_is_on_record_without_text(search: Search, tmp_path: Path) -> None:
    with using({"caller": "arn:aws:iam::1:user/ann", "run_id": "r1", "search": {"tenant": "acme"}}):
        agent.retrieve_citations(SEGMENT | {"reasons": ["I am at a@example.com"]})
    [path] = (tmp_path / "gate" / "audit" / "citations").rglob("*.json")
    entry = json.loads(path.read_text())
    assert entry["who"] == {"caller": "arn:aws:iam::1:user/ann", "tenant": "acme", "run_id": "r1"}
    assert entry["documents"] == ["doc_123"]
    assert entry["policy"] == "patterns/2"
    assert entry["redactions"] == {"PHONE": 1, "EMAIL": 1}
    assert len(entry["query_sha256"][0]) == 64
    assert set(entry) == {"at", "who", "documents", "policy", "redactions", "query_sha256"}


def test_the_audit_can_be_turned_off(entrance: Entrance, search: Search, tmp_path: Path) -> None:
    entrance.change(audit=False)
    agent.retrieve_citations(SEGMENT)
    assert not (tmp_path / "gate" / "audit").exists()


def test_figures_say_how_many_queries_results_and_redactions_there_were(search: Search) -> None:
    with recording() as facts:
        agent.retrieve_citations(SEGMENT)
    figures = {(fact.name, fact.labels.get("kind")): fact.value for fact in facts}
    assert figures["RetrievalQueries", None] == 1
    assert figures["CitationsFound", None] == 1
    assert figures["Redactions", "PHONE"] == figures["Redactions", "EMAIL"] == 1
    assert figures["RetrievalTime", None] > 0


def test_an_empty_result_of_a_corpus_that_is_not_there_says_so(search: Search) -> None:
    search.found = []
    with recording() as facts:
        assert agent.retrieve_citations(SEGMENT, jsonl_path="nowhere.jsonl") == []
    [empty] = [fact for fact in facts if fact.name == "EmptyResults"]
    assert empty.labels["cause"] == "not_indexed"
    assert "nowhere.jsonl" in empty.labels["hint"]


def test_what_is_shown_has_no_stored_text_and_a_redacted_title() -> None:
    one = {
        "title": "Ask a@example.com",
        "section": None,
        "url": "mailto:a@example.com",
        "text": "a@example.com",
        "redacted_text": "x",
    }
    assert redacted_citation(one, wiring.current().redactor().redact) == {
        "title": "Ask [REDACTED_EMAIL]",
        "section": None,
        "url": "mailto:[REDACTED_EMAIL]",
        "text": "x",
        "redacted_text": "x",
    }


def test_id_source_and_date_of_a_citation_hold_no_personal_data() -> None:
    about = {"id": "a@example.com.md#1", "source": "from b@example.com", "published_date": "2026-01-01 c@example.com"}
    shown = redacted_citation({**about, "redacted_text": "x"}, wiring.current().redactor().redact)
    assert "example.com" not in str(shown)
    assert shown["id"].startswith("[REDACTED_EMAIL]#1~")
    other = redacted_citation(
        {**about, "id": "z@example.com.md#1", "redacted_text": "x"}, wiring.current().redactor().redact
    )
    assert other["id"] != shown["id"]


def test_id_source_and_date_without_personal_data_stay_as_they_are() -> None:
    about = {"id": "returns.md#1f0e", "source": "wiki", "published_date": "2026-01-01", "redacted_text": "x"}
    assert redacted_citation(about, wiring.current().redactor().redact) == about | {"text": "x"}
