"""Corpora that are added to, synchronised and redacted."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gate.errors import InputError, SettingsError
from gate.services import corpora
from gate.services.corpora import Ingested, Marks, add_paths
from tests.entrance import Entrance
from tests.fakes.search import MemorySearch


@pytest.fixture(autouse=True)
def engine(entrance: Entrance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MemorySearch]:
    monkeypatch.chdir(tmp_path)
    fake = MemorySearch()
    entrance.give(search_engine=fake)
    entrance.give(embedder=None)
    return fake  # type: ignore[return-value]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nFalcons fly.\n\n## More\n\nHerons wade.\n")
    (folder / "b.txt").write_text("Owls hunt at night.")
    return folder


def add(*paths: Path, **how: Any) -> Ingested:
    return add_paths([path.relative_to(Path.cwd()) for path in paths], "birds", **how)


def counts(outcome: Ingested) -> tuple[int, int, int]:
    return outcome.indexed, outcome.unchanged, outcome.removed


def test_adding_the_same_again_changes_nothing(docs: Path) -> None:
    assert counts(add(docs)) == (3, 0, 0)
    assert counts(add(docs)) == (0, 3, 0)


def test_documents_are_named_by_the_path_that_was_given(docs: Path, engine: MemorySearch) -> None:
    add(docs)
    assert {each["document"] for each in engine._index("birds").passages.values()} == {"docs/a.md", "docs/b.txt"}


def test_a_changed_document_leaves_nothing_of_its_old_text(docs: Path, engine: MemorySearch) -> None:
    add(docs)
    (docs / "a.md").write_text("# A\n\nFalcons fly.\n\n## More\n\nStorks wade.\n")
    assert counts(add(docs / "a.md")) == (1, 1, 1)
    assert engine.search_docs("herons", "birds") == []
    assert len(engine.search_docs("owls", "birds")) == 1


def test_sync_removes_documents_that_disappeared(docs: Path, engine: MemorySearch) -> None:
    add(docs)
    (docs / "b.txt").unlink()
    assert counts(add(docs)) == (0, 2, 0)
    assert counts(add(docs, sync=True)) == (0, 2, 1)
    assert engine.search_docs("owls", "birds") == []


def test_nothing_is_removed_when_something_could_not_be_read(docs: Path, engine: MemorySearch) -> None:
    add(docs)
    (docs / "b.txt").write_bytes(b"\xff\xfe\xff")
    outcome = add(docs, sync=True)
    assert [problem.where for problem in outcome.problems] == ["docs/b.txt"]
    assert "none removed" in outcome.kept
    assert len(engine.search_docs("owls", "birds")) == 1


def test_what_cannot_be_read_is_named_and_the_rest_is_kept(tmp_path: Path, engine: MemorySearch) -> None:
    corpus = tmp_path / "c.jsonl"
    corpus.write_text('{"id": "a", "content": "fine"}\n{"id": "b"}\nnot json\n{"id": "d", "content": "fine too"}\n')
    outcome = add(corpus)
    assert outcome.indexed == 2
    assert [(problem.where, problem.why) for problem in outcome.problems] == [
        ("c.jsonl, line 2", "no text in `content`"),
        ("c.jsonl, line 3", "not JSON (Expecting value at column 1)"),
    ]


def test_a_path_that_is_not_there_stops_everything_before_it_begins(docs: Path, engine: MemorySearch) -> None:
    with pytest.raises(InputError, match=r"nowhere\.md"):
        add(docs, Path.cwd() / "nowhere.md")
    assert not engine.exists("birds")


def test_personal_data_can_be_hidden_before_anything_is_stored(tmp_path: Path, engine: MemorySearch) -> None:
    page = tmp_path / "c.txt"
    page.write_text("Write to jane@example.com about falcons.")
    assert counts(add(page, redact=True)) == (1, 0, 0)
    (stored,) = engine._index("birds").passages.values()
    assert "jane@example.com" not in json.dumps(stored)
    assert "[REDACTED_EMAIL]" in stored["content"]
    assert counts(add(page, redact=True)) == (0, 1, 0)


def test_personal_data_is_hidden_in_titles_and_headings_too(tmp_path: Path, engine: MemorySearch) -> None:
    page = tmp_path / "c.md"
    page.write_text("# Written by jane@example.com\n\nFalcons fly.\n\n## Ask 415-555-0123\n\nHerons wade.\n")
    add(page, redact=True)
    stored = json.dumps(list(engine._index("birds").passages.values()))
    assert "jane@example.com" not in stored
    assert "415-555-0123" not in stored
    assert "[REDACTED_PHONE]" in stored


def test_personal_data_is_hidden_in_address_source_and_date_of_a_row_too(tmp_path: Path, engine: MemorySearch) -> None:
    row = {"id": "1", "text": "Falcons fly.", "url": "mailto:jane@example.com", "source": "jane@example.com"}
    (tmp_path / "c.jsonl").write_text(json.dumps(row | {"published_date": "2026 jane@example.com"}))
    add(tmp_path / "c.jsonl", redact=True)
    (stored,) = engine._index("birds").passages.values()
    assert "jane@example.com" not in json.dumps(stored)


def test_marks_apply_where_a_document_brings_none_of_its_own(tmp_path: Path, engine: MemorySearch) -> None:
    corpus = tmp_path / "c.jsonl"
    corpus.write_text('{"id": "a", "content": "x", "source": "own"}\n{"id": "b", "content": "y"}\n')
    add(corpus, marks=Marks(source="shared", tenant="acme"))
    held = engine._index("birds").passages
    assert (held["a"]["source"], held["b"]["source"], held["b"]["tenant"]) == ("own", "shared", "acme")


def test_progress_is_told_batch_by_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "BATCH", 2)
    corpus = tmp_path / "c.jsonl"
    corpus.write_text("".join(json.dumps({"id": f"p{n}", "content": "x"}) + "\n" for n in range(5)))
    told: list[int] = []
    add(corpus, progress=told.append)
    assert told == [2, 4, 5]


class Fixed:
    """An embedder that gives every text the same vector, and counts them."""

    name, dimension = "fixed/1", 2

    def __init__(self) -> None:
        self.texts = 0

    def embed(self, texts: list[str]) -> np.ndarray:
        self.texts += len(texts)
        return np.tile(np.array([[1.0, 0.0]], dtype=np.float32), (len(texts), 1))


def test_only_what_is_new_is_embedded(entrance: Entrance, docs: Path) -> None:
    embedder = Fixed()
    entrance.give(embedder=embedder)
    add(docs)
    (docs / "c.txt").write_text("Kites hover.")
    add(docs)
    assert embedder.texts == 4


def test_vectors_of_two_embedders_never_meet_in_one_index(entrance: Entrance, docs: Path) -> None:
    entrance.give(embedder=Fixed())
    add(docs)
    entrance.give(embedder=None)
    with pytest.raises(SettingsError, match="fixed/1"):
        add(docs)


def test_rows_are_read_one_after_the_other(tmp_path: Path) -> None:
    page = tmp_path / "rows.jsonl"
    with page.open("w") as lines:
        for number in range(20_000):
            lines.write(json.dumps({"id": f"r{number % 8}", "content": f"Boat {number} " + "is blue. " * 100}) + "\n")
    tracemalloc.start()
    try:
        add(page, dry_run=True)
        assert tracemalloc.get_traced_memory()[1] < page.stat().st_size / 4
    finally:
        tracemalloc.stop()


def test_rows_end_at_any_end_of_a_line_and_an_empty_file_is_told(tmp_path: Path) -> None:
    page = tmp_path / "rows.jsonl"
    page.write_bytes(b'{"id": "a", "content": "x"}\r{"id": "b", "content": "y"}\r\n\n{"id": "c", "content": "z"}')
    assert counts(add(page)) == (3, 0, 0)
    page.write_bytes(b"\n")
    assert add(page).left_out["names"] == [{"where": "rows.jsonl", "why": "holds no text"}]
