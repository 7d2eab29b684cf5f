"""Knowledge bases of Bedrock: what is asked, what comes back, and what goes wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.adapters.existing_corpora.field_names import FieldNames, field_names
from gate.adapters.existing_corpora.knowledge_bases import UNNAMED, KnowledgeBases
from gate.errors import GateError, InputError, SearchUnavailableError, SettingsError
from gate.ports import SearchFilter
from gate.settings import Settings
from gate.wiring import Wiring
from tests.entrance import Entrance
from tests.stubs.knowledge_base import KnowledgeBaseStub, Refused, serving

pytestmark = pytest.mark.integration
BASE = "KB12345678"


@pytest.fixture
def service() -> Iterator[KnowledgeBaseStub]:
    with serving() as stub:
        stub.fill(
            BASE, [{"id": "a", "content": "The heron weighs 2 kg.", "tenant": "acme", "published_date": "2024-02"}]
        )
        yield stub


def engine_of(fields: FieldNames = UNNAMED) -> KnowledgeBases:
    return KnowledgeBases(fields, region="us-east-1")


def answering(service: KnowledgeBaseStub, *results: dict[str, Any]) -> KnowledgeBases:
    service.retrieve = lambda base, body: {"retrievalResults": list(results)}  # type: ignore[method-assign]
    return engine_of()


def test_a_text_is_asked_with_what_limits_the_search(service: KnowledgeBaseStub) -> None:
    where = SearchFilter(tenant="acme", sources=("a", "b"))
    engine_of().search_docs("What does a heron weigh?", BASE, k=3, where=where)
    assert service.asked == [
        {
            "retrievalQuery": {"text": "What does a heron weigh?"},
            "retrievalConfiguration": {
                "vectorSearchConfiguration": {
                    "numberOfResults": 3,
                    "filter": {
                        "andAll": [
                            {"in": {"key": "tenant", "value": ["acme"]}},
                            {"in": {"key": "source", "value": ["a", "b"]}},
                        ]
                    },
                }
            },
        }
    ]


def test_dates_are_compared_here_over_all_that_a_base_gives(service: KnowledgeBaseStub) -> None:
    engine = engine_of()
    assert engine.search_docs("heron", BASE, where=SearchFilter(published_from="2024-03")) == []
    assert len(engine.search_docs("heron", BASE, where=SearchFilter(published_to="2024-02"))) == 1
    asked = service.asked[-1]["retrievalConfiguration"]["vectorSearchConfiguration"]
    assert asked == {"numberOfResults": 100}


def test_metadata_may_be_called_otherwise(service: KnowledgeBaseStub) -> None:
    service.fill(BASE, [{"id": "a", "content": "The heron weighs 2 kg.", "title": "Birds"}])
    (found,) = engine_of(FieldNames(section="title")).search_docs("heron", BASE)
    assert (found["section"], found["title"]) == ("Birds", "a")
    with pytest.raises(SettingsError, match="no field holds `tenant`"):
        engine_of(FieldNames(section="title")).search_docs("heron", BASE, where=SearchFilter(tenant="acme"))
    with pytest.raises(SettingsError, match="has metadata, and no other fields"):
        engine_of(FieldNames(content="text"))


def test_a_chunk_of_a_document_in_a_bucket_says_where_it_stands(service: KnowledgeBaseStub) -> None:
    engine = answering(
        service,
        {
            "content": {"type": "TEXT", "text": "Refunds take 30 days."},
            "location": {"type": "S3", "s3Location": {"uri": "s3://docs/hand%20book.pdf"}},
            "score": 0.5,
            "metadata": {"x-amz-bedrock-kb-chunk-id": "c1", "x-amz-bedrock-kb-document-page-number": 4.0},
        },
    )
    (found,) = engine.search_docs("refunds", BASE)
    assert found == {
        "content": "Refunds take 30 days.",
        "id": "s3://docs/hand%20book.pdf#c1",
        "title": "hand book.pdf",
        "section": "page 4",
        "url": "s3://docs/hand%20book.pdf",
        "published_date": None,
        "source": None,
        "score": 0.5,
        "rank": 1,
        "retriever": "hybrid",
    }
    assert engine.origins([found["id"]], BASE) == {found["id"]: "s3://docs/hand%20book.pdf"}


def test_rows_and_recordings_are_read_and_pictures_are_no_passages(service: KnowledgeBaseStub) -> None:
    row = [{"columnName": "fee", "columnValue": "5", "type": "STRING"}, {"columnName": "city", "columnValue": "Rome"}]
    engine = answering(
        service,
        {"content": {"type": "ROW", "row": row}, "location": {"type": "SQL", "sqlLocation": {"query": "SELECT 1"}}},
        {"content": {"type": "AUDIO", "audio": {"s3Uri": "s3://a", "transcription": "He said five."}}},
        {"content": {"type": "IMAGE", "byteContent": "data:image/png;base64,AA"}},
    )
    found = engine.search_docs("fee", BASE)
    assert [one["content"] for one in found] == ["fee: 5\ncity: Rome", "He said five."]
    assert all(one["id"] for one in found)


def test_a_base_that_finds_nothing_is_empty_and_one_that_is_not_there_is_none(service: KnowledgeBaseStub) -> None:
    service.fill("EMPTY12345", [])
    engine = engine_of()
    assert (engine.exists("EMPTY12345"), engine.count("EMPTY12345")) == (True, 0)
    assert (engine.exists(BASE), engine.count(BASE)) == (True, None)
    assert not engine.exists("NOWHERE123")
    assert len(service.asked) == 3  # each is remembered
    with pytest.raises(InputError, match="cannot be a knowledge base"):
        engine.search_docs("heron", "trusted_docs")


@pytest.mark.parametrize(
    ("status", "code", "expected", "says"),
    [
        (403, "AccessDeniedException", SettingsError, "may not be used"),
        (404, "ResourceNotFoundException", SettingsError, "there is no knowledge base 'KB12345678'"),
        (400, "ValidationException", SettingsError, "refused the search"),
        (424, "DependencyFailedException", SearchUnavailableError, "failed"),
        (402, "ServiceQuotaExceededException", SearchUnavailableError, "failed"),
    ],
)
def test_each_error_of_the_service_has_its_meaning(
    service: KnowledgeBaseStub, status: int, code: str, expected: type[GateError], says: str
) -> None:
    service.failing = Refused(status, code)
    with pytest.raises(expected, match=says) as raised:
        engine_of().search_docs("heron", BASE)
    assert "secret" not in raised.value.reason


def test_an_answer_of_another_form_is_no_evidence(service: KnowledgeBaseStub) -> None:
    service.retrieve = lambda base, body: {"found": []}  # type: ignore[method-assign]
    with pytest.raises(SearchUnavailableError, match="no usable answer"):
        engine_of().search_docs("heron", BASE)
    engine = answering(service, {"content": {"text": "x"}, "metadata": {"title": {"a": 1}}})
    with pytest.raises(SettingsError, match="metadata `title` is neither text nor number"):
        engine.search_docs("heron", BASE)


def test_the_setting_names_the_engine_and_nothing_is_written(service: KnowledgeBaseStub) -> None:
    gate = Wiring(Settings(search="knowledge-base", region="us-east-1", search_fields='{"title": "name"}'))
    engine = gate.search_engine()
    assert isinstance(engine, KnowledgeBases)
    assert field_names("", UNNAMED) is UNNAMED
    with pytest.raises(SettingsError, match="searched, and never written"):
        engine.ensure_index(BASE)
    assert service.asked == []


def test_an_answer_is_checked_against_a_base_that_is_named(
    service: KnowledgeBaseStub, entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = wiring.current().settings
    entrance.use(settings.model_copy(update={"search": "knowledge-base", "region": "us-east-1", "index": BASE}))
    (tmp_path / "answer.md").write_text("The heron weighs 2 kg.\n")
    report = json.loads(gate("check", "answer.md", "--corpus", BASE, "-f", "json"))
    assert [verdict["status"] for verdict in report["claims"]] == ["supported"]
    assert report["corpus"]["retrieval"] == "as the knowledge base searches"
    explained = gate("ask", "How heavy is a heron?", "--explain")
    assert f"corpus   {BASE}\n" in explained
    assert "vectors  as the knowledge base searches" in explained
    assert f"ok      search     knowledge-base: passages in {BASE}, as the knowledge base searches" in gate("doctor")
    assert "its corpora are searched, and never written" in gate("index", "add", "answer.md", code=2)


def gate(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli.group, list(arguments))
    assert result.exit_code == code, result.output + str(result.exception)
    return result.output
