"""Which version of each document a corpus holds: the table in DynamoDB does what the file on this machine does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gate.adapters.aws.dynamo_versions import DynamoVersions
from gate.adapters.local_versions import LocalVersions
from gate.ports import DocumentVersion, DocumentVersions
from tests.dynamo_tables import REGION, a_table

pytestmark = pytest.mark.integration
FIRST, SECOND = DocumentVersion("a.md", '"1"', "0A"), DocumentVersion("a.md", '"2"', "0B", is_whole=False)


@pytest.fixture(params=["local", "dynamo"])
def versions(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[DocumentVersions]:
    if request.param == "local":
        yield LocalVersions(tmp_path / "documents.sqlite")
        return
    with a_table(monkeypatch, "documents", "corpus", "document") as table:
        yield DynamoVersions(table, REGION)


def test_a_document_has_one_worker_until_its_time_is_over_or_it_lets_go(versions: DocumentVersions) -> None:
    first = versions.claim("birds", "a.md", 60)
    assert first
    assert not versions.claim("birds", "a.md", 60)
    assert versions.claim("fish", "a.md", 60)
    assert versions.extend("birds", "a.md", first, -1)
    second = versions.claim("birds", "a.md", 60)
    assert second
    assert not versions.extend("birds", "a.md", first, 60)
    versions.release("birds", "a.md", first)
    assert not versions.claim("birds", "a.md", 60)
    versions.release("birds", "a.md", second)
    assert versions.claim("birds", "a.md", 60)


def test_only_who_has_a_document_may_note_what_is_held_of_it(versions: DocumentVersions) -> None:
    claim = versions.claim("birds", "a.md", 60)
    assert versions.known("birds", ["a.md"]) == {}
    assert versions.note("birds", FIRST, claim)
    assert not versions.note("birds", SECOND, "another")
    assert versions.known("birds", ["a.md", "b.md"]) == {"a.md": FIRST}
    assert versions.note("birds", SECOND, claim)
    assert list(versions.every("birds")) == [SECOND]
    assert list(versions.every("fish")) == []


def test_each_search_has_its_own_and_one_that_is_taken_back_what_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    with a_table(monkeypatch, "documents", "corpus", "document") as table:
        old, new = (DynamoVersions(table, REGION, search=f"https://{name}.internal") for name in ("old", "new"))
        assert old.note("birds", FIRST, old.claim("birds", "a.md", 60))
        assert (list(new.every("birds")), new.known("birds", ["a.md"])) == ([], {})
        claim = new.claim("birds", "a.md", 60)
        assert claim, "what is taken into one search keeps nobody from the other"
        assert new.note("birds", SECOND, claim)
        assert list(DynamoVersions(table, REGION, search="https://old.internal/").every("birds")) == [FIRST]


def test_more_documents_are_known_than_one_request_asks_for(versions: DocumentVersions) -> None:
    names = [f"d{n}" for n in range(120)]
    for name in names:
        versions.note("birds", DocumentVersion(name, "1"), versions.claim("birds", name, 60))
    assert set(versions.known("birds", names)) == set(names) == {each.document for each in versions.every("birds")}
