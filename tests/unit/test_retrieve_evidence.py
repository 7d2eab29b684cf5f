"""The evidence finder: what it asks of the two searches, and what it makes of their answers."""

from __future__ import annotations

import time
from contextvars import ContextVar
from threading import Barrier
from typing import Any

import pytest

from gate.agents import retrieve_evidence as agent
from gate.agents.retrieve_evidence import deduplicate, retrieve_evidence
from gate.errors import SearchUnavailableError
from tests.entrance import Entrance

KEYWORD = [{"content": "doc A"}, {"content": "doc B"}]
VECTOR = [{"content": "doc B"}, {"content": "doc C"}]
UNION = [{"content": "doc A"}, {"content": "doc B"}, {"content": "doc C"}]


class Searches:
    """Scripted stand-ins for both searches, which remember what they were asked."""

    def __init__(self, keyword: list[dict[str, Any]], vector: list[dict[str, Any]]) -> None:
        self.keyword, self.vector = keyword, vector
        self.asked: list[tuple[str, str, str]] = []

    def search_docs(self, query: str, index: str = "trusted_docs") -> list[dict[str, Any]]:
        self.asked.append(("keyword", query, index))
        return list(self.keyword)

    def vector_search(self, text: str, index: str = "trusted_docs", k: int = 5) -> list[dict[str, Any]]:
        self.asked.append(("vector", text, index))
        return list(self.vector)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Searches:
    scripted = Searches(KEYWORD, VECTOR)
    monkeypatch.setattr(agent, "search_docs", scripted.search_docs)
    monkeypatch.setattr(agent, "vector_search", scripted.vector_search)
    return scripted


def state_of(*texts: str, index: str = "trusted_docs", **more: Any) -> dict[str, Any]:
    claims = [{"text": text, "source_prompt": "q", "source_response": "a", **more} for text in texts]
    return {"claims": claims, "config": {"elasticsearch": {"index": index}}}


def test_each_claim_produces_one_evidence_entry(searches: Searches) -> None:
    state = state_of("one", "two", "three")
    retrieve_evidence(state)
    assert [entry["claim"] for entry in state["evidence"]] == state["claims"]


def test_keyword_and_vector_results_are_combined_and_duplicates_removed(searches: Searches) -> None:
    state = state_of("one")
    retrieve_evidence(state)
    assert state["evidence"] == [{"claim": state["claims"][0], "documents": UNION}]


def test_no_results_from_either_search_leave_documents_empty(searches: Searches) -> None:
    searches.keyword, searches.vector = [], []
    state = state_of("one")
    retrieve_evidence(state)
    assert state["evidence"][0]["documents"] == []


def test_the_index_name_comes_from_the_config(searches: Searches) -> None:
    retrieve_evidence(state_of("one", index="handbook-2026"))
    assert {index for _, _, index in searches.asked} == {"handbook-2026"}


def test_each_search_is_called_once_per_claim(searches: Searches) -> None:
    retrieve_evidence(state_of("one", "two"))
    assert sorted(searches.asked) == [
        ("keyword", "one", "trusted_docs"),
        ("keyword", "two", "trusted_docs"),
        ("vector", "one", "trusted_docs"),
        ("vector", "two", "trusted_docs"),
    ]


def test_no_claims_give_no_evidence_and_ask_nothing(searches: Searches) -> None:
    state = state_of()
    retrieve_evidence(state)
    assert state["evidence"] == []
    assert searches.asked == []


def test_a_claim_without_an_id_adds_no_further_key(searches: Searches) -> None:
    state = state_of("one")
    retrieve_evidence(state)
    assert set(state) == {"claims", "config", "evidence"}


def test_a_claim_with_an_id_gets_a_fused_order_of_document_ids(searches: Searches) -> None:
    searches.keyword = [{"id": "a", "content": "A"}, {"id": "b", "content": "B"}]
    searches.vector = [{"id": "b", "content": "B"}, {"id": "c", "content": "C"}]
    state = state_of("one", claim_id="c0001")
    retrieve_evidence(state)
    assert state["ranking"] == [{"claim_id": "c0001", "ids": ["b", "a", "c"]}]
    assert [document["id"] for document in state["evidence"][0]["documents"]] == ["a", "b", "c"]


def test_a_search_that_fails_fails_the_branch(searches: Searches, monkeypatch: pytest.MonkeyPatch) -> None:
    def asleep(text: str, index: str = "", k: int = 5) -> list[dict[str, Any]]:
        raise SearchUnavailableError("asleep")

    monkeypatch.setattr(agent, "vector_search", asleep)
    state = state_of("one", "two")
    with pytest.raises(SearchUnavailableError):
        retrieve_evidence(state)
    assert "evidence" not in state


def test_searches_in_threads_see_the_callers_context(monkeypatch: pytest.MonkeyPatch) -> None:
    tenant: ContextVar[str] = ContextVar("tenant", default="nobody")
    monkeypatch.setattr(agent, "search_docs", lambda query, index: [{"content": tenant.get()}])
    monkeypatch.setattr(agent, "vector_search", lambda text, index: [])
    tenant.set("acme")
    state = state_of(*(f"claim {number}" for number in range(20)))
    retrieve_evidence(state)
    assert {entry["documents"][0]["content"] for entry in state["evidence"]} == {"acme"}


def test_both_searches_of_a_claim_wait_for_a_service_at_the_same_time(
    entrance: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    both, tenant = Barrier(2), ContextVar("tenant", default="nobody")

    def search(text: str, index: str) -> list[dict[str, Any]]:
        both.wait(5)
        return [{"content": f"{tenant.get()}: {text}"}]

    entrance.change(search="https://search.invalid")
    monkeypatch.setattr(agent, "search_docs", search)
    monkeypatch.setattr(agent, "vector_search", search)
    tenant.set("acme")
    state = state_of("one", context="Of lamps:")
    retrieve_evidence(state)
    assert state["evidence"][0]["documents"] == [{"content": "acme: one"}, {"content": "acme: Of lamps: one"}]


def test_documents_without_content_are_compared_as_a_whole() -> None:
    results = [{"title": "x"}, {"title": "x"}, {"title": "y"}, {"content": "x"}, {"content": "x", "id": "2"}]
    assert deduplicate(results) == [{"title": "x"}, {"title": "y"}, {"content": "x"}]


def test_content_that_is_a_list_can_be_compared() -> None:
    assert deduplicate([{"content": ["a"]}, {"content": ["a"]}]) == [{"content": ["a"]}]


def test_very_many_documents_are_compared_in_linear_time_and_equal_ones_dropped() -> None:
    many = [{"title": str(number), "tags": [number]} for number in range(5_000)]
    began = time.process_time()
    assert deduplicate([*many, {"tags": [1.0], "title": "1"}, {"content": ["a"]}, {"content": ["a"], "id": "b"}]) == [
        *many,
        {"content": ["a"]},
    ]
    assert time.process_time() - began < 0.5
