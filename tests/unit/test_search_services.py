"""What agents get from the search services: corpora given as files, filters and thresholds of a run."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gate import services, wiring
from gate.errors import InputError, SettingsError
from gate.services.indexes import describe_corpus
from gate.services.paths.path_index import index_corpus
from gate.services.run import using
from gate.settings import Settings
from tests.entrance import Entrance

PASSAGES = [
    {"id": "r1", "title": "Refunds", "content": "Refunds are paid within 30 days.", "source": "policy"},
    {"id": "s1", "title": "Shipping", "content": "Parcels ship within two days.", "tenant": "acme"},
    {"id": "w1", "content": "The warranty lasts 24 months.", "published_date": "2024-06-01", "source": "law"},
]


class Counter:
    """An embedder for tests: counts of three words as a vector."""

    name = "counter/1"
    dimension = 4

    def embed(self, texts: Sequence[str]) -> Any:
        rows = [[t.lower().count(w) for w in ("refund", "parcel", "warranty")] + [0.1] for t in texts]
        array = np.array(rows, dtype=np.float32)
        return array / np.linalg.norm(array, axis=1, keepdims=True)


@pytest.fixture(autouse=True)
def home(entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    entrance.use(Settings(home=tmp_path / "home", embedder="none"))
    return tmp_path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "handbook.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in PASSAGES), encoding="utf-8")
    return path


def test_a_jsonl_corpus_is_indexed_once_and_named_by_its_content(corpus: Path) -> None:
    name = index_corpus(str(corpus))
    assert name.startswith("handbook-")
    assert index_corpus(str(corpus)) == name
    corpus.write_text(json.dumps(PASSAGES[0]), encoding="utf-8")
    assert index_corpus(str(corpus)) != name


def test_an_index_holds_the_very_text_that_its_fingerprint_is_of(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody writes to the file while it is being indexed, after the first time that it is read."""
    now, then = (json.dumps({"id": "r1", "content": f"Refunds are paid within {days} days."}) for days in (14, 90))
    corpus.write_text(now)
    read = Path.read_bytes

    def read_and_changed(path: Path) -> bytes:
        data = read(path)
        corpus.write_text(then)
        return data

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Path, "read_bytes", read_and_changed)
        index_corpus(str(corpus))
    for text, days in ((now, "14 days"), (then, "90 days")):
        corpus.write_text(text)
        [found] = services.search_docs("refunds", index_corpus(str(corpus)))
        assert days in found["content"]


def used_days_ago(home: Path, index: str, days: float) -> None:
    at = time.time() - days * 86_400
    os.utime(home / "home" / "indexes" / index / "origin", (at, at))


def test_an_index_of_a_corpus_that_changed_goes_a_day_after_its_last_use(corpus: Path, home: Path) -> None:
    first = index_corpus(str(corpus))
    for number, (days, left) in enumerate(((0.5, True), (1.5, False))):
        used_days_ago(home, first, days)
        corpus.write_text(json.dumps(PASSAGES[number]), encoding="utf-8")
        newest = index_corpus(str(corpus))
        assert wiring.current().embedded_store().exists(first) is left
        assert wiring.current().embedded_store().exists(newest)


@pytest.mark.parametrize(("there", "days", "left"), [(True, 29, True), (True, 31, False), (False, 2, False)])
def test_an_index_goes_when_nobody_used_it_for_a_month_or_its_path_is_gone(
    corpus: Path, home: Path, there: bool, days: int, left: bool
) -> None:
    other = home / "other.jsonl"
    other.write_text(json.dumps(PASSAGES[0]), encoding="utf-8")
    index = index_corpus(str(other))
    used_days_ago(home, index, days)
    if not there:
        other.unlink()
    index_corpus(str(corpus))
    assert wiring.current().embedded_store().exists(index) is left


def test_using_an_index_keeps_it_and_one_made_by_name_is_never_pruned(corpus: Path, home: Path) -> None:
    wiring.current().embedded_store().index_documents(PASSAGES, "kept")
    index = index_corpus(str(corpus))
    used_days_ago(home, index, 40)
    assert index_corpus(str(corpus)) == index
    corpus.write_text(json.dumps(PASSAGES[0]), encoding="utf-8")
    index_corpus(str(corpus))
    assert {"kept", index} <= set(wiring.current().embedded_store().names())


def test_a_damaged_index_of_a_corpus_is_made_again_from_the_corpus(
    entrance: Entrance, corpus: Path, home: Path
) -> None:
    name = index_corpus(str(corpus))
    (home / "home" / "indexes" / name / "manifest.json").write_text("{}")
    entrance.use(wiring.current().settings)
    assert index_corpus(str(corpus)) == name
    assert services.search_docs("refunds", name)[0]["id"] == "r1"


def test_keyword_search_returns_the_documented_fields(corpus: Path) -> None:
    found = services.search_docs("When are refunds paid?", index_corpus(str(corpus)))
    assert {key: found[0][key] for key in ("id", "title", "source", "rank", "retriever")} == {
        "id": "r1",
        "title": "Refunds",
        "source": "policy",
        "rank": 1,
        "retriever": "keyword",
    }
    assert set(found[0]) == {
        *("content", "id", "title", "section", "url"),
        *("published_date", "source", "score", "rank", "retriever"),
    }


def test_without_an_embedder_vector_search_finds_nothing(corpus: Path) -> None:
    assert services.vector_search("refunds", index_corpus(str(corpus))) == []


def test_with_an_embedder_a_corpus_is_searched_by_meaning(entrance: Entrance, corpus: Path) -> None:
    entrance.give(embedder=Counter())
    index = index_corpus(str(corpus))
    found = services.vector_search("warranty", index, k=1)
    assert [(each["id"], each["retriever"]) for each in found] == [("w1", "vector")]
    assert wiring.current().search_engine().describe(index)["embedder"] == "counter/1"


def test_the_report_says_whether_meaning_was_searched(entrance: Entrance, corpus: Path) -> None:
    assert describe_corpus(index_corpus(str(corpus)))["retrieval"] == "keywords alone"
    entrance.give(embedder=Counter(), embeds=True)
    index = index_corpus(str(corpus))
    assert describe_corpus(index)["retrieval"] == "keywords and vectors"
    entrance.give(embedder=None, embeds=False)
    assert describe_corpus(index)["retrieval"] == "keywords alone"


def test_an_index_of_another_embedder_is_refused(entrance: Entrance, corpus: Path) -> None:
    entrance.give(embedder=Counter())
    index = index_corpus(str(corpus))

    class Other(Counter):
        name = "other/1"

    entrance.give(embedder=Other())
    with pytest.raises(SettingsError, match="counter/1"):
        services.vector_search("warranty", index)


def test_the_runs_filter_applies_inside_the_services(corpus: Path) -> None:
    index = index_corpus(str(corpus))
    with using({"search": {"tenant": "acme"}}):
        assert [found["id"] for found in services.search_docs("days", index)] == ["s1"]
    with using({"search": {"sources": ["policy"]}}):
        assert [found["id"] for found in services.search_docs("days", index)] == ["r1"]
    with using({"search": {"published_from": "2024-01"}}):
        assert [found["id"] for found in services.search_docs("days warranty", index)] == ["w1"]


def test_top_k_and_thresholds_come_from_the_run(corpus: Path) -> None:
    index = index_corpus(str(corpus))
    with using({"search": {"top_k": 1}}):
        assert len(services.search_docs("days", index)) == 1
    with using({"search": {"min_score": 1e9}}):
        assert services.search_docs("days", index) == []


def test_a_date_that_is_none_is_refused_rather_than_ignored(corpus: Path) -> None:
    index = index_corpus(str(corpus))
    with using({"search": {"published_from": "yesterday"}}), pytest.raises(InputError, match="published_from"):
        services.search_docs("days", index)


def test_similarity_search_gives_page_content_and_metadata(corpus: Path) -> None:
    found = services.similarity_search("refunds", 2, str(corpus))
    assert found[0].page_content == PASSAGES[0]["content"]
    assert found[0].metadata["id"] == "r1"
    assert found[0].metadata["url"] is None


def test_similarity_search_without_a_path_prefers_the_configured_index(corpus: Path) -> None:
    corpus.rename(services.DEFAULT_JSONL_PATH)
    assert services.similarity_search("refunds", 1)[0].metadata["id"] == "r1"
    wiring.current().search_engine().index_documents([{"id": "x", "content": "refunds in the index"}], "trusted_docs")
    assert services.similarity_search("refunds", 1)[0].metadata["id"] == "x"


def test_similarity_search_without_a_path_searches_the_index_of_the_run(corpus: Path) -> None:
    Path(services.DEFAULT_JSONL_PATH).write_text(json.dumps({"id": "x", "content": "Refunds elsewhere."}))
    with using({"elasticsearch": {"index": index_corpus(str(corpus))}}):
        assert services.similarity_search("refunds", k=1)[0].metadata["id"] == "r1"


def test_similarity_search_without_any_corpus_says_so() -> None:
    with pytest.raises(SettingsError, match="trusted_docs"):
        services.similarity_search("refunds", 1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the corpus is empty"),
        (b"\n\n", "the corpus is empty"),
        (b'{"content": "fine"}\n{"content": \n', "line 2: not JSON"),
        (b'{"content": "fine"}\n[1]\n', "line 2: not a JSON object"),
        (b'{"title": "no text"}\n', "line 1: no text"),
        (b'{"content": "\xff\xfe"}\n', "line 1: not UTF-8"),
    ],
)
def test_a_damaged_corpus_says_what_and_where(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        index_corpus(str(path))


def test_a_missing_corpus_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        index_corpus(str(tmp_path / "nowhere"))


def test_a_folder_without_documents_says_which_formats_are_known(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "logo.png").write_bytes(b"x")
    with pytest.raises(InputError, match="no file that can be read") as raised:
        index_corpus(str(tmp_path / "docs"))
    assert ".md" in raised.value.hint


def test_a_folder_is_read_by_structure(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    (folder / "deep").mkdir(parents=True)
    (folder / "guide.md").write_text("# Guide\n\nHello.\n\n## Limits\n\nThe limit is 40 requests.\n", encoding="utf-8")
    (folder / "deep" / "notes.txt").write_text("Plain notes about limits.", encoding="utf-8")
    found = services.search_docs("limit of requests", index_corpus(str(folder)))
    assert (found[0]["title"], found[0]["section"]) == ("Guide", "Limits")
    assert {each["title"] for each in found} == {"Guide", "notes"}
