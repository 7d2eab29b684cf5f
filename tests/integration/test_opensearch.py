"""OpenSearch where it differs from the other engines: its wire, its errors, its two ways of being hosted."""

from __future__ import annotations

import inspect
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from botocore.exceptions import NoCredentialsError
from opensearchpy import OpenSearch
from opensearchpy import exceptions as sdk
from urllib3 import exceptions as transport

from gate.adapters.opensearch import OpenSearchEngine, opensearch_client
from gate.adapters.opensearch.bodies import cosine, index_body
from gate.adapters.opensearch.opensearch_client import Endpoint
from gate.errors import (
    DamagedIndexError,
    DependencyError,
    GateError,
    InternalError,
    SearchUnavailableError,
    SettingsError,
    TooSlowError,
)
from gate.ports import IndexOutcome
from tests.stubs.search import Answer, SearchStub

pytestmark = pytest.mark.integration

WITH: dict[type, dict[str, Any]] = {NoCredentialsError: {}}


@pytest.fixture
def stub() -> Iterator[SearchStub]:
    server = SearchStub()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.adapters.opensearch.whole_answers.PARTIAL_WAIT_S", 0.0)


def found(*records: dict[str, Any], failed_shards: int = 0, lost_shards: int = 0) -> dict[str, Any]:
    hits = [{"_id": record["id"], "_score": 1.0, "_source": record} for record in records]
    shards = {"total": 2, "successful": 2 - failed_shards - lost_shards, "skipped": 0, "failed": failed_shards}
    return {"timed_out": False, "_shards": shards, "hits": {"hits": hits}}


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, InternalError),
        (401, SettingsError),
        (403, SettingsError),
        (404, SettingsError),
        (429, SearchUnavailableError),
        (500, SearchUnavailableError),
        (502, SearchUnavailableError),
        (503, SearchUnavailableError),
        (504, SearchUnavailableError),
    ],
)
def test_each_http_status_has_its_meaning(stub: SearchStub, status: int, expected: type[GateError]) -> None:
    stub.answer = lambda method, path: (status, {"error": {"type": "secret_text_exception", "reason": "secret"}})
    with pytest.raises(expected) as raised:
        OpenSearchEngine(Endpoint(stub.url)).search_docs("secret", "corpus")
    assert "reason" not in raised.value.safe_message
    assert "secret " not in raised.value.safe_message


def test_every_error_of_the_client_becomes_one_of_ours() -> None:
    errors: list[Any] = [
        kind for _, kind in inspect.getmembers(sdk, inspect.isclass) if issubclass(kind, sdk.OpenSearchException)
    ]
    errors += [sdk.ImproperlyConfigured, transport.ProtocolError, NoCredentialsError]
    assert len(errors) >= 12
    for kind in errors:
        three = issubclass(kind, sdk.TransportError)
        with pytest.raises(GateError), opensearch_client.translated("corpus"):
            raise kind("N/A", "why", {}) if three else kind(**WITH[kind]) if kind in WITH else kind("why")


def test_what_the_engine_quotes_of_a_query_is_left_out() -> None:
    quoting = opensearch_client.meaning(400, "failed to parse [Dr Moor lives at 5 Elm Road]", "corpus")
    naming = opensearch_client.meaning(400, "parsing_exception", "corpus")
    assert quoting.safe_message == "the search engine does not understand us (HTTP 400)"
    assert naming.safe_message == "the search engine does not understand us (HTTP 400, parsing_exception)"


@pytest.mark.parametrize(
    "answer",
    [[], None, 5, {"count": "abc"}, {"hits": []}, {"timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": 5}}],
)
def test_an_answer_of_another_form_is_unavailable(stub: SearchStub, answer: Any) -> None:
    stub.answer = lambda method, path: (200, answer)
    engine = OpenSearchEngine(Endpoint(stub.url))
    for ask in (
        lambda: engine.count("corpus"),
        lambda: engine.search_docs("x", "corpus"),
        lambda: engine.chunk_shas(["a"], "corpus"),
    ):
        with pytest.raises(SearchUnavailableError):
            ask()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (None, "no fields"),
        (["secret"], "no fields"),
        ({"id": "a", "content": None, "chunk_sha": 1}, "no text in `"),
        ({"id": 5, "content": "secret", "chunk_sha": "s"}, "no text in `id`"),
        ({"id": "a", "content": ["secret"]}, "no text in `"),
        ({"id": "a", "content": "x", "chunk_sha": "s", "published_date": ["secret"]}, "in `published_date`"),
        ({"id": "a", "content": "x", "chunk_sha": "s", "document": {"secret": 1}}, "in `document`"),
    ],
)
def test_a_document_that_is_no_passage_is_named_with_its_index_and_nothing_of_it_is_told(
    stub: SearchStub, source: Any, said: str
) -> None:
    answer = found()
    answer["hits"]["hits"] = [{"_id": "a\x1b[31m" + "b" * 600, "_score": 1.0, "_source": source}]
    stub.answer = lambda method, path: (200, answer)
    engine = OpenSearchEngine(Endpoint(stub.url))
    for ask in (lambda: engine.search_docs("x", "corpus"), lambda: engine.chunk_shas(["a"], "corpus")):
        with pytest.raises(DamagedIndexError) as raised:
            ask()
        told = raised.value.safe_message
        assert told.startswith("index 'corpus' is damaged: its document 'a\\x1b[31mbbb")
        assert said in told
        assert "secret" not in told
        assert len(told) < 220
        assert told.isprintable()


@pytest.mark.parametrize("answer", [None, 5, {"corpus": 5}])
def test_a_description_of_another_form_is_unavailable(stub: SearchStub, answer: Any) -> None:
    stub.answer = lambda method, path: (200, answer)
    with pytest.raises(SearchUnavailableError):
        OpenSearchEngine(Endpoint(stub.url)).embedder_of("corpus")


def test_an_engine_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(SearchUnavailableError):
        OpenSearchEngine(Endpoint("http://127.0.0.1:9")).search_docs("x", "corpus")


def test_an_answer_that_is_no_json_is_unavailable_not_empty(stub: SearchStub) -> None:
    stub.answer = lambda method, path: (200, b"<html>sign in</html>")
    with pytest.raises(DependencyError):
        OpenSearchEngine(Endpoint(stub.url)).search_docs("x", "corpus")


def test_a_sleeping_collection_that_wakes_in_time_is_not_noticed(stub: SearchStub) -> None:
    answers = iter([(503, {}), (503, {}), (200, found({"id": "a", "content": "x"}))])
    stub.answer = lambda method, path: next(answers)
    assert OpenSearchEngine(Endpoint(stub.url)).search_docs("x", "corpus")[0]["id"] == "a"


def test_a_sleeping_collection_that_does_not_answer_is_asked_three_times_and_is_then_too_slow(
    stub: SearchStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opensearch_client, "TIMEOUT_S", 0.2)
    released = threading.Event()

    def asleep(method: str, path: str) -> Answer:
        released.wait(5)
        return 200, {}

    stub.answer = asleep
    with pytest.raises(TooSlowError, match="no answer in its time, 3 times"):
        OpenSearchEngine(Endpoint(stub.url)).search_docs("x", "corpus")
    released.set()


def test_a_batch_of_writes_may_take_longer_than_a_search(stub: SearchStub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opensearch_client, "TIMEOUT_S", 0.2)
    there = iter([found({"id": "a", "document": "a.md"})])

    def slow_to_write(method: str, path: str) -> Answer:
        if "_bulk" in path:
            time.sleep(0.8)
            return 200, {"errors": False, "items": [{"delete": {"_id": "a", "status": 200}}]}
        if "_mapping" in path:
            return 200, {"corpus-1": {"mappings": {"_meta": {}}}}
        return 200, next(there, found()) if "_search" in path else {}

    stub.answer = slow_to_write
    assert OpenSearchEngine(Endpoint(stub.url)).delete_documents(["a.md"], "corpus") == 1
    assert sum("_bulk" in path for _, path, _, _ in stub.requests) == 1


def test_an_answer_from_some_shards_is_asked_for_again(stub: SearchStub) -> None:
    answers = iter([found(failed_shards=1), found({"id": "a", "content": "x"})])
    stub.answer = lambda method, path: (200, next(answers))
    assert OpenSearchEngine(Endpoint(stub.url)).search_docs("x", "corpus")[0]["id"] == "a"


@pytest.mark.parametrize("partial", [found(failed_shards=1), {**found(), "timed_out": True}, found(lost_shards=1)])
def test_an_answer_from_some_shards_is_never_taken_for_the_whole(stub: SearchStub, partial: dict[str, Any]) -> None:
    stub.answer = lambda method, path: (200, partial)
    with pytest.raises(SearchUnavailableError, match="part of the index"):
        OpenSearchEngine(Endpoint(stub.url)).search_docs("x", "corpus")


def test_what_a_filter_forbids_is_dropped_even_if_the_engine_returns_it(stub: SearchStub) -> None:
    from gate.ports import SearchFilter

    stub.answer = lambda method, path: (200, found({"id": "a", "content": "x", "tenant": "globex"}))
    engine = OpenSearchEngine(Endpoint(stub.url))
    assert engine.search_docs("x", "corpus", where=SearchFilter(tenant="acme")) == []


@pytest.mark.parametrize("service", ["es", "aoss"])
def test_requests_are_signed_for_the_service(stub: SearchStub, monkeypatch: pytest.MonkeyPatch, service: str) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    stub.answer = lambda method, path: (200, found())
    endpoint = Endpoint(stub.url, service, region="eu-central-1")
    OpenSearchEngine(endpoint).search_docs("x", "corpus")
    headers = {name.lower(): value for name, value in stub.requests[0][2].items()}
    assert f"/eu-central-1/{service}/aws4_request" in headers["authorization"]
    assert "x-amz-content-sha256" in headers["authorization"]


def test_a_user_and_a_password_are_sent_as_basic_authentication(stub: SearchStub) -> None:
    stub.answer = lambda method, path: (200, found())
    OpenSearchEngine(Endpoint(stub.url, user="u", password="p")).search_docs("x", "corpus")
    headers = {name.lower(): value for name, value in stub.requests[0][2].items()}
    assert headers["authorization"] == "Basic dTpw"


def test_what_is_missing_to_sign_with_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    with pytest.raises(SettingsError, match="credentials"):
        OpenSearchEngine(Endpoint("https://x.invalid", service="es"))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with pytest.raises(SettingsError, match="GATE_REGION"):
        OpenSearchEngine(Endpoint("https://x.invalid", service="es"))
    with pytest.raises(SettingsError, match="GATE_SEARCH_SERVICE"):
        OpenSearchEngine(Endpoint("https://x.invalid", service="elastic"))


def test_elasticsearch_is_refused_by_name(stub: SearchStub) -> None:
    mapping = {"i": {"mappings": {"properties": {"vector": {"dimension": 2}}}}}
    stub.answer = lambda method, path: (200, {"version": {"number": "8.1.0"}} if path == "/" else mapping)
    with pytest.raises(SettingsError, match="not OpenSearch"):
        OpenSearchEngine(Endpoint(stub.url)).vector_search([1.0, 0.0], "corpus")


def test_scores_of_both_vector_engines_give_the_cosine() -> None:
    for value in (-0.75, 0.0, 0.5, 1.0):
        assert cosine((1 + value) / 2, serverless=False) == pytest.approx(value)
        assert cosine(1 + value if value >= 0 else 1 / (1 - value), serverless=True) == pytest.approx(value)


# ------------------------------------------------------------ on a real node


@pytest.fixture
def index() -> str:
    return f"t-{uuid.uuid4().hex[:12]}"


@pytest.mark.opensearch
def test_an_index_with_a_shard_on_no_node_is_not_searched_by_what_is_left(opensearch_url: str, index: str) -> None:
    """The engine itself calls that no failure: `failed` is 0, and the passages of the lost shard are not there."""
    alone = {"number_of_shards": 2, "number_of_replicas": 0, "index.routing.allocation.total_shards_per_node": 1}
    client = OpenSearch(opensearch_url)
    client.indices.create(index=index, body={"settings": alone}, params={"wait_for_active_shards": 0})
    try:
        with pytest.raises(SearchUnavailableError):
            OpenSearchEngine(Endpoint(opensearch_url)).search_docs("x", index)
    finally:
        client.indices.delete(index=index)


@pytest.mark.opensearch
def test_what_the_engine_itself_refuses_is_named_and_the_rest_is_kept(opensearch_url: str, index: str) -> None:
    engine = OpenSearchEngine(Endpoint(opensearch_url))
    documents: list[dict[str, Any]] = [
        {"id": "good", "content": "fine"},
        {"id": "far", "content": "secret text", "start": 2**40},
        {"id": "also good", "content": "fine too"},
    ]
    outcome = engine.index_documents(documents, index)
    assert outcome.indexed == 2
    assert list(outcome.failed) == ["far"]
    assert "parsing" in outcome.failed["far"]
    assert "secret" not in outcome.failed["far"]
    assert engine.count(index) == 2


@pytest.mark.opensearch
def test_ids_that_the_engine_chooses_still_give_each_passage_once(
    opensearch_url: str, index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a Serverless collection for vectors, which refuses ids of ours (on a node, with its vector engine)."""
    from gate.adapters.opensearch import bodies

    lucene = bodies._method(serverless=False)
    monkeypatch.setattr(bodies, "_method", lambda serverless: lucene)
    engine = OpenSearchEngine(Endpoint(opensearch_url))
    engine._serverless = engine._indexes._serverless = True
    vectors = np.eye(3, 4, dtype=np.float32)
    passages = [{"id": f"p{n}", "content": f"passage number n{n}"} for n in range(3)]
    engine.index_documents(passages, index, vectors=vectors, embedder="e")
    engine._client.indices.refresh(index=index)
    changed = [{**passages[0], "content": "changed entirely"}, passages[1]]
    outcome = engine.index_documents(changed, index, vectors=vectors[:2], embedder="e")
    engine._client.indices.refresh(index=index)
    assert (outcome.indexed, outcome.unchanged) == (1, 1)
    assert sorted(engine.ids(index)) == ["p0", "p1", "p2"]
    assert engine.search_docs("changed", index)[0]["id"] == "p0"
    assert engine.hybrid_search("n2", vectors[2], index, k=1)[0]["id"] == "p2"


@pytest.mark.opensearch
def test_an_index_made_before_names_were_kept_is_used_as_it_is(opensearch_url: str, index: str) -> None:
    engine = OpenSearchEngine(Endpoint(opensearch_url))
    body = index_body("english", None, None, serverless=False)
    for added in ("names", "name_keys", "code_words"):
        del body["mappings"]["properties"][added]
    del body["mappings"]["_meta"]["names"]
    engine._client.indices.create(index=f"{index}--keywords-0", body={**body, "aliases": {index: {}}})
    one = {"id": "a", "content": "Run tern cast.", "code_words": "tern cast"}
    assert engine.index_documents([one], index).failed == {}
    assert (engine.naming(["cast"], index), engine.names_like(["cast"], index)) == (None, [])
    assert [each["id"] for each in engine.search_docs("cast", index)] == ["a"]
    engine.index_documents([one], index, replace=True)
    assert [each["id"] for each in engine.naming(["cast"], index) or ()] == ["a"]


@pytest.mark.opensearch
def test_replacing_a_corpus_leaves_no_index_behind(opensearch_url: str, index: str) -> None:
    engine = OpenSearchEngine(Endpoint(opensearch_url))
    for text in ("one", "two", "three"):
        engine.index_documents([{"id": "a", "content": text}], index, replace=True)
    physical = engine._client.indices.get(index=f"{index}--*")
    assert len(physical) == 1
    assert next(iter(physical.values()))["aliases"] == {index: {}}


@pytest.mark.opensearch
def test_a_replacement_that_fails_leaves_the_old_corpus(opensearch_url: str, index: str) -> None:
    engine = OpenSearchEngine(Endpoint(opensearch_url))
    engine.index_documents([{"id": "a", "content": "old"}], index)

    def broken() -> Iterator[dict[str, str]]:
        yield {"id": "b", "content": "new"}
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError):
        engine.index_documents(broken(), index, replace=True)
    assert list(engine.ids(index)) == ["a"]
    assert len(engine._client.indices.get(index=f"{index}--*")) == 1


@pytest.mark.opensearch
def test_of_two_documents_that_bring_one_id_at_once_one_is_refused(
    opensearch_url: str, index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    OpenSearchEngine(Endpoint(opensearch_url)).ensure_index(index)
    looked = threading.Barrier(2)
    stored = OpenSearchEngine._stored

    def look_together(*arguments: Any) -> Any:
        found = stored(*arguments)
        looked.wait(30)
        return found

    monkeypatch.setattr(OpenSearchEngine, "_stored", look_together)

    def add(document: str) -> IndexOutcome:
        one = {"id": "fee", "document": document, "content": f"The fee of {document}."}
        return OpenSearchEngine(Endpoint(opensearch_url)).index_documents([one], index)

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(add, ("a.jsonl", "b.jsonl")))
    assert sorted(each.indexed for each in outcomes) == [0, 1]
    assert [each.failed for each in outcomes if each.failed] == [{"fee": "version_conflict_engine_exception"}]


@pytest.mark.opensearch
def test_a_batch_that_is_sent_again_since_its_answer_was_lost_is_stored(opensearch_url: str, index: str) -> None:
    engine = OpenSearchEngine(Endpoint(opensearch_url))
    engine.index_documents([{"id": "old", "document": "a.md", "content": "The old fee."}], index)
    bulk = engine._client.bulk

    def lost_once(*arguments: Any, **named: Any) -> Any:
        bulk(*arguments, **named)
        return bulk(*arguments, **named)

    engine._client.bulk = lost_once
    both = [{"id": key, "document": "a.md", "content": f"The {key} fee."} for key in ("old", "new")]
    outcome = engine.index_documents(both, index)
    assert (outcome.indexed, outcome.unchanged, outcome.failed) == (1, 1, {})


@pytest.mark.opensearch
def test_processes_that_make_the_same_corpus_at_once_make_one(opensearch_url: str, index: str) -> None:
    def add(number: int) -> int:
        engine = OpenSearchEngine(Endpoint(opensearch_url))
        return engine.index_documents([{"id": f"p{number}", "content": "falcon"}], index).indexed

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(add, range(8))) == [1] * 8
    engine = OpenSearchEngine(Endpoint(opensearch_url))
    assert engine.count(index) == 8
    assert len(engine._client.indices.get(index=f"{index}--*")) == 1
