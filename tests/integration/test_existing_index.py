"""An index of somebody else's: what its owner may have done, and what is said of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from gate.adapters.existing_corpora.existing_index import ExistingIndex
from gate.adapters.existing_corpora.field_names import FieldNames
from gate.adapters.opensearch.opensearch_client import Endpoint
from gate.errors import InternalError, SearchUnavailableError, SettingsError
from gate.ports import SearchFilter
from tests.stubs.search import SearchStub

pytestmark = pytest.mark.integration

PROPERTIES = {
    "body": {"type": "text"},
    "headline": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
    "when": {"type": "date"},
    "label": {"type": "text"},
    "meta": {"properties": {"owner": {"type": "keyword"}}},
    "v": {"type": "knn_vector", "dimension": 2},
    "other": {"type": "alias", "path": "body"},
}
FIELDS = FieldNames(content="body", title="headline.raw", published_date="when", tenant="meta.owner", source="label")


class Owner(SearchStub):
    """An index `wiki` with these fields, whose searches find these documents."""

    def __init__(self, *sources: dict[str, Any], properties: Any = PROPERTIES, holders: tuple[str, ...] = ("wiki-1",)):
        super().__init__()
        mapping = {name: {"mappings": {"properties": properties}} for name in holders}
        hits = [
            {"_index": holders[at % len(holders)], "_id": "7", "_score": 2.0 - at, "_source": source}
            for at, source in enumerate(sources)
        ]
        found = {"timed_out": False, "_shards": {"total": 1, "successful": 1, "failed": 0}, "hits": {"hits": hits}}
        self.answer = lambda method, path: (200, mapping if "_mapping" in path else found)

    def asked(self) -> dict[str, Any]:
        """The last search."""
        body: dict[str, Any] = json.loads(gzip.decompress(self.requests[-1][3]))
        return body


@pytest.fixture
def owner() -> Iterator[list[Owner]]:
    stubs: list[Owner] = []
    yield stubs
    for stub in stubs:
        stub.close()


def engine_of(owner: list[Owner], *sources: dict[str, Any], fields: FieldNames = FIELDS, **how: Any) -> ExistingIndex:
    owner.append(Owner(*sources, **how))
    return ExistingIndex(Endpoint(owner[-1].url), fields)


def test_a_passage_is_read_from_nested_flat_and_multi_fields(owner: list[Owner]) -> None:
    engine = engine_of(owner, {"body": ["One.", "Two."], "headline": "Hi", "meta.owner": 5, "when": "2024-05-01"})
    found = engine.search_docs("one two", "wiki", where=SearchFilter(tenant="5"))
    assert [(one["id"], one["content"], one["title"]) for one in found] == [("7", "One.\nTwo.", "Hi")]
    asked = owner[-1].asked()
    assert set(asked["_source"]) == {"body", "headline", "when", "meta.owner", "label"}
    matched = asked["query"]["bool"]["must"][0]["bool"]["should"]
    assert matched == [{"multi_match": {"query": "one two", "fields": ["body", "headline.raw"], "boost": 1.0}}]
    assert {"terms": {"meta.owner": ["5"]}} in asked["query"]["bool"]["filter"]


def test_what_the_engine_lets_through_beside_the_filter_is_dropped(owner: list[Owner]) -> None:
    engine = engine_of(owner, {"body": "Theirs.", "meta": {"owner": "globex"}}, {"body": "No tenant."})
    assert engine.search_docs("x", "wiki", where=SearchFilter(tenant="acme")) == []


def test_documents_of_two_indexes_behind_one_alias_keep_apart(owner: list[Owner]) -> None:
    engine = engine_of(owner, {"body": "One."}, {"body": "Two."}, holders=("wiki-1", "wiki-2"))
    both = [one["id"] for one in engine.search_docs("x", "wiki")]
    assert both == ["wiki-1/7", "wiki-2/7"]
    assert engine.origins(both, "wiki") == {one: one for one in both}
    assert (owner[-1].asked()["size"], owner[-1].asked()["query"]) == (2, {"ids": {"values": ["7"]}})


def test_of_a_long_document_the_piece_that_the_query_is_about_is_evidence(owner: list[Owner]) -> None:
    filler = "Parcels are sorted in the hall.\n\n" * 400
    engine = engine_of(owner, {"body": f"{filler}The heron weighs two kilograms.\n\n{filler}"})
    (found,) = engine.search_docs("How much does a heron weigh?", "wiki")
    assert "heron weighs two" in found["content"]
    assert len(found["content"]) <= 1_200
    assert found["id"].startswith("7#")
    assert engine.origins([found["id"]], "wiki") == {found["id"]: "7"}


def test_a_document_without_a_text_is_no_passage(owner: list[Owner]) -> None:
    engine = engine_of(owner, {"headline": "Only a title"}, {"body": "  "}, {"body": "A text."})
    assert [one["content"] for one in engine.search_docs("x", "wiki")] == ["A text."]


@pytest.mark.parametrize("odd", [{"a": 1}, [{"a": 1}], [["x", {"y": 1}]]])
def test_a_field_that_holds_no_text_is_named(owner: list[Owner], odd: Any) -> None:
    with pytest.raises(SettingsError, match=r"index 'wiki': `body` of its document '7' is neither text nor number"):
        engine_of(owner, {"body": odd}).search_docs("x", "wiki")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        (FieldNames(content="text"), "index 'wiki' has no field `text`"),
        (FieldNames(content="meta"), "`meta` is of type object"),
        (FieldNames(content="other"), "`other` is of type alias"),
        (FieldNames(content="when"), "`when` is of type date, and no text"),
        (FieldNames(content="body", search=["v"]), "`v` is of type knn_vector, and no text"),
        (FieldNames(content="body", vector="body", embedder="e"), "`body` holds no vectors of one size"),
    ],
)
def test_a_field_that_cannot_be_what_it_is_named_as_is_told(owner: list[Owner], fields: FieldNames, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        engine_of(owner, fields=fields).search_docs("x", "wiki")


@pytest.mark.parametrize(
    ("where", "says"),
    [
        (SearchFilter(sources=("a",)), "`label` is of type text: it cannot limit a search"),
        (SearchFilter(classifications=("a",)), "no field holds `classification`"),
    ],
)
def test_a_search_that_cannot_be_limited_is_refused(owner: list[Owner], where: SearchFilter, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        engine_of(owner, {"body": "x"}).search_docs("x", "wiki", where=where)


def test_vectors_that_do_not_come_back_are_told(owner: list[Owner]) -> None:
    fields = FieldNames(content="body", vector="v", embedder="e")
    for held in ({}, {"v": [1.0]}):
        with pytest.raises(SettingsError, match="`v` does not come back"):
            engine_of(owner, {"body": "x", **held}, fields=fields).vector_search([1.0, 0.0], "wiki")
    with pytest.raises(SearchUnavailableError, match="`v` holds no vector"):
        engine_of(owner, {"body": "x", "v": [1.0, "n"]}, fields=fields).vector_search([1.0, 0.0], "wiki")


def test_a_cosine_does_not_depend_on_how_the_engine_scores(owner: list[Owner]) -> None:
    fields = FieldNames(content="body", vector="v", embedder="e")
    engine = engine_of(owner, {"body": "a", "v": [0.0, 9.0]}, {"body": "b", "v": [3.0, 4.0]}, fields=fields)
    found = engine.vector_search([0.6, 0.8], "wiki")
    assert [(one["content"], round(one["score"], 3)) for one in found] == [("b", 1.0), ("a", 0.8)]


def test_nothing_is_written_or_listed(owner: list[Owner]) -> None:
    engine = engine_of(owner)
    for act in (
        lambda: engine.ensure_index("wiki"),
        lambda: engine.index_documents([{"content": "x"}], "wiki"),
        lambda: engine.delete_documents(["7"], "wiki"),
        lambda: engine.chunk_shas(["7"], "wiki"),
        lambda: engine.ids("wiki"),
    ):
        with pytest.raises(SettingsError, match="searched, and never written"):
            act()
    assert owner[-1].requests == []


def test_a_query_that_the_index_refuses_is_no_evidence_of_nothing(owner: list[Owner]) -> None:
    engine = engine_of(owner)
    mapping = owner[-1].answer
    owner[-1].answer = lambda method, path: mapping(method, path) if "_mapping" in path else (400, {"error": {}})
    with pytest.raises(InternalError, match="HTTP 400"):
        engine.search_docs("x", "wiki")
