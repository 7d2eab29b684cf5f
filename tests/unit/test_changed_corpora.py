"""Of a corpus at a path that has changed, only what changed is read and embedded."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gate import wiring
from gate.adapters.readers.folders import CorpusFile, digest_of
from gate.cli.file_places import place_of_passage
from gate.errors import InputError
from gate.model import NamedSource
from gate.retrieval.cited_documents import matching
from gate.services.paths import file_ledger, path_index
from gate.services.paths.path_index import index_corpus
from gate.settings import Settings
from tests.entrance import Entrance


class Embedder:
    """Writes down what it is given."""

    name, dimension = "noting/1", 2

    def __init__(self) -> None:
        self.given: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.given += texts
        return [[1.0, len(text)] for text in texts]


@pytest.fixture
def embedder(entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Embedder:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(file_ledger, "SETTLED_NS", 0)
    embedder = Embedder()
    entrance.use(Settings(home=tmp_path / "home", embedder="none"))
    entrance.give(embedder=embedder, embeds=True)
    return embedder


@pytest.fixture
def docs(tmp_path: Path, embedder: Embedder) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in "abcdefgh":
        (folder / f"{name}.md").write_text(f"# {name}\n\nBoat {name} is blue.\n")
    return folder


def held(index: str) -> dict[str, str]:
    """Every passage of an index by its document."""
    store = wiring.current().embedded_store()
    return {each["document"]: each["content"] for each in store.snapshot(index).passages()}


def found(query: str, index: str) -> list[str]:
    return [each["content"] for each in wiring.current().embedded_store().search_docs(query, index)]


def test_how_far_a_corpus_is_counts_the_files_that_are_read_and_the_passages_that_are_embedded(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_index, "EMBEDDED_AT_ONCE", 3)
    told: list[tuple[str, int, int]] = []
    index = index_corpus("docs", progress=lambda *how_far: told.append(how_far))
    read, embedded = told[:8], told[8:]
    assert read == [("files read", done, 8) for done in range(8)]
    assert embedded == [("passages embedded", done, 8) for done in (0, 3, 6)]
    assert len(held(index)) == 8


def test_of_a_folder_only_the_changed_file_is_read_and_embedded(
    docs: Path, read: list[str], embedder: Embedder
) -> None:
    first = index_corpus("docs")
    read.clear()
    embedder.given.clear()
    (docs / "b.md").write_text("# b\n\nBoat b is red, and long.\n")
    second = index_corpus("docs")
    assert second != first
    assert read == ["b.md"]
    assert len(embedder.given) == 1
    assert found("red", second) == ["b\n\nBoat b is red, and long."]
    assert len(held(second)) == 8
    assert held(first)["b.md"] == "b\n\nBoat b is blue."


def test_an_index_made_of_changes_is_the_one_that_would_be_made_of_all(docs: Path, embedder: Embedder) -> None:
    index_corpus("docs")
    (docs / "b.md").write_text("# b\n\nBoat b is red.\n")
    (docs / "c.md").unlink()
    (docs / "d.md").rename(docs / "z.md")
    (docs / "new.md").write_text("# new\n\nA new boat.\n")
    by_changes = index_corpus("docs")
    store = wiring.current().embedded_store()
    passages, (near, *_) = held(by_changes), store.vector_search([1.0, 2.0], by_changes)
    store.delete(by_changes)
    for name in store.names():
        store.delete(name)
    assert index_corpus("docs") == by_changes
    assert held(by_changes) == passages
    assert store.vector_search([1.0, 2.0], by_changes)[0]["id"] == near["id"]


def test_a_file_that_was_only_touched_is_read_once_more_and_no_more(
    docs: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    index = index_corpus("docs")
    os.utime(docs / "a.md", (1, 1))
    hashed: list[str] = []

    def noted(file: CorpusFile) -> str:
        hashed.append(file.location)
        return digest_of(file)

    monkeypatch.setattr("gate.services.paths.file_ledger.digest_of", noted)
    read.clear()
    assert [index_corpus("docs") for _ in range(2)] == [index, index]
    assert (read, hashed) == ([], ["a.md"])


def test_a_change_that_keeps_size_and_time_is_seen(docs: Path) -> None:
    index_corpus("docs")
    about = (docs / "a.md").stat()
    (docs / "a.md").write_text("# a\n\nBoat a is grey.\n")
    os.utime(docs / "a.md", ns=(about.st_atime_ns, about.st_mtime_ns))
    assert found("grey", index_corpus("docs"))


def test_what_could_not_be_read_is_told_again_and_read_again(docs: Path) -> None:
    (docs / "a.md").write_bytes(b"\xff")
    (docs / "empty.md").write_text("")
    store, first = wiring.current().embedded_store(), index_corpus("docs")
    (docs / "b.md").write_text("Boat b is red.")
    second = index_corpus("docs")
    assert store.notes(second)["unread"] == store.notes(first)["unread"]
    assert [each[0] for each in store.notes(second)["unread"]] == ["a.md", "empty.md"]
    (docs / "a.md").write_text("Boat a is pink.")
    assert found("pink", index_corpus("docs"))


def test_passages_with_names_of_their_own_are_replaced_and_take_nothing_else_along(docs: Path) -> None:
    rows = docs / "rows.jsonl"
    rows.write_text('{"id": "a.md", "content": "A row."}\n{"id": "r", "content": "Boat r is blue."}\n')
    index_corpus("docs")
    rows.write_text('{"id": "r", "content": "Boat r is red."}\n')
    index = index_corpus("docs")
    assert found("red", index) == ["Boat r is red."]
    assert held(index)["a.md"] == "a\n\nBoat a is blue."
    assert not found("row", index)


def test_a_folder_of_which_nothing_is_left_is_refused(docs: Path) -> None:
    index_corpus("docs")
    for path in docs.iterdir():
        path.write_text("")
    with pytest.raises(InputError, match="the corpus is empty"):
        index_corpus("docs")


def test_where_much_has_changed_nothing_dead_is_kept(docs: Path, embedder: Embedder) -> None:
    store, index = wiring.current().embedded_store(), index_corpus("docs")
    for number, name in enumerate("abcd"):
        (docs / f"{name}.md").write_text(f"# {name}\n\nBoat {name} is red {number}.\n")
        index = index_corpus("docs")
    manifest = store.manifest(index)
    assert manifest.documents == 8
    assert manifest.rows <= 10
    assert len(embedder.given) == 12
    assert set(store.check(index).files) == set(manifest.files)


def test_a_damaged_index_is_made_again_from_all(docs: Path, read: list[str], tmp_path: Path) -> None:
    first = index_corpus("docs")
    [part] = (tmp_path / "home" / "indexes" / first).glob("part-*.jsonl")
    part.write_bytes(b"x" * part.stat().st_size)
    (docs / "b.md").write_text("# b\n\nBoat b is red.\n")
    read.clear()
    second = index_corpus("docs")
    assert sorted(set(read)) == sorted(path.name for path in docs.iterdir())
    assert len(held(second)) == 8


def test_another_embedder_starts_anew(docs: Path, entrance: Entrance, read: list[str]) -> None:
    index_corpus("docs")
    read.clear()
    other: Any = Embedder()
    other.name = "noting/2"
    entrance.give(embedder=other, embeds=True)
    index_corpus("docs")
    assert len(read) == len(other.given) == 8


def rows(*pairs: tuple[str, str]) -> str:
    return "".join(json.dumps({"id": id, "content": content}) + "\n" for id, content in pairs)


def test_of_rows_of_one_id_the_last_one_stands_after_another_row_has_changed(docs: Path) -> None:
    told = [("fee", "The fee is 10 EUR."), ("fee", "The fee is 20 EUR.")]
    (docs / "rows.jsonl").write_text(rows(*told, ("boat", "The boat leaves at 9.")))
    assert found("fee", index_corpus("docs")) == ["The fee is 20 EUR."]
    (docs / "rows.jsonl").write_text(rows(*told, ("boat", "The boat leaves at 8.")))
    assert found("fee", index_corpus("docs")) == ["The fee is 20 EUR."]


@pytest.mark.parametrize("name", ["zz.jsonl", "0.jsonl"])
def test_a_row_takes_no_passage_s_place_whether_it_comes_first_or_goes(
    name: str, docs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store, index = wiring.current().embedded_store(), index_corpus("docs")
    [taken] = store.ids(index, documents=["c.md"])
    honest = found("Boat c", index)[0]
    (docs / name).write_text(rows((taken, "Boat c is made of gold."), ("fee", "The fee is 10 EUR.")))
    for _ in range(2):  # on top of the index there was, and from nothing
        index = index_corpus("docs")
        assert store.search_docs("Boat c", index, k=2)[0]["id"] == taken
        assert set(found("Boat c", index)) >= {honest, "Boat c is made of gold."}
        assert f"{name}: the id {taken!r} is that of a passage of c.md: stored as" in caplog.text
        store.delete(index)
    (docs / name).write_text(rows(("fee", "The fee is 10 EUR.")))
    assert found("Boat c", index_corpus("docs"))[0] == honest
    assert not found("gold", index_corpus("docs"))


@pytest.mark.parametrize("id", ["c.md#fee", "c.md", "C.MD#fee", "old/c.md#fee", "c.md#fee#1"])
def test_a_row_that_says_it_is_another_file_is_cited_and_shown_as_the_file_that_holds_it(
    id: str, docs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    row = {"id": id, "document": "c.md", "content": "The boat c costs 90 EUR, says the guide."}
    (docs / "rows.jsonl").write_text(json.dumps(row))
    index = index_corpus("docs")
    store: Any = wiring.current().embedded_store()
    hits: Any = store.search_docs("boat c costs", index)
    source = NamedSource(mark="c.md", title="c.md", url="")
    (lies,) = [each for each in hits if "90" in each["content"]]
    assert not [each for each in matching(source, hits) if "90" in each["content"]]
    assert [each["id"].partition("#")[0] for each in matching(source, hits)] == ["c.md"]
    assert store.origins([lies["id"]], index) == {lies["id"]: "rows.jsonl"}
    assert place_of_passage(lies, "docs") == {"file": "docs/rows.jsonl", "line": 1}
    assert f"rows.jsonl: the id {id!r} is one of c.md: stored as 'rows.jsonl#~" in caplog.text


def test_a_row_may_be_called_after_a_file_that_the_corpus_does_not_have(docs: Path) -> None:
    (docs / "rows.jsonl").write_text(rows(("guide.md#fee", "The fee is 10 EUR.")))
    index = index_corpus("docs")
    assert wiring.current().embedded_store().search_docs("fee", index)[0]["id"] == "guide.md#fee"


@pytest.mark.parametrize("name", ["{outside}", "../outside.md", ".env", "link.md", "a/../../outside.md"])
@pytest.mark.parametrize("corpus", ["docs", None])
def test_a_row_that_names_a_file_outside_or_hidden_is_looked_up_in_none(
    docs: Path, monkeypatch: pytest.MonkeyPatch, name: str, corpus: str | None
) -> None:
    outside, said = docs.parent / "outside.md", "The fee is 4711 EUR."
    for file in (outside, docs / ".env"):
        file.write_text(said)
    (docs / "link.md").symlink_to(outside)
    (docs / "a").mkdir()
    if corpus is None:
        monkeypatch.chdir(docs)
    assert place_of_passage({"id": f"{name.format(outside=outside)}#1", "content": said}, corpus) == {}


def test_rows_of_one_id_in_two_files_are_both_found_whatever_changes(
    docs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (docs / "b.jsonl").write_text(rows(("fee", "The fee is 10 EUR.")))
    (docs / "c.jsonl").write_text(rows(("fee", "The fee is 20 EUR.")))
    assert set(found("fee", index_corpus("docs"))) == {"The fee is 10 EUR.", "The fee is 20 EUR."}
    assert "c.jsonl: the id 'fee' is that of a passage of b.jsonl: stored as 'fee~" in caplog.text
    (docs / "a.jsonl").write_text(rows(("fee", "The fee is 5 EUR.")))
    assert len(found("fee", index_corpus("docs"))) == 3
    (docs / "b.jsonl").unlink()
    assert set(found("fee", index_corpus("docs"))) == {"The fee is 5 EUR.", "The fee is 20 EUR."}
    (docs / "a.jsonl").unlink()
    assert found("fee", index_corpus("docs")) == ["The fee is 20 EUR."]


def test_pages_that_lie_deep_and_say_the_same_are_each_found(docs: Path) -> None:
    for name in "ab":
        deep = docs / name / ("long" * 20) / ("path" * 20)
        deep.mkdir(parents=True)
        (deep / "page.md").write_text("The harbour is closed.")
    assert len(found("harbour", index_corpus("docs"))) == 2


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        (b'"c.md#', b'"c.md*'),  # an id that nothing bears: what it stood for would stay for good
        (b'"read": {', b'"read": [{}], "rest": {'),
        (b'"at": ', b'"at": "x", "then": '),
        (b'"files": {', b'"files": [], "rest": {'),
    ],
)
def test_notes_of_an_index_that_were_damaged_are_none(docs: Path, written: bytes, instead: bytes) -> None:
    first = index_corpus("docs")
    (notes,) = docs.parent.glob(f"home/indexes/{first}/notes.json")
    assert written in notes.read_bytes()
    notes.write_bytes(notes.read_bytes().replace(written, instead))
    (docs / "c.md").write_text("# c\n\nBoat c is red.\n")
    second = index_corpus("docs")
    texts = [each["content"] for each in wiring.current().embedded_store().snapshot(second).passages()]
    assert len(texts) == 8
    assert not any("Boat c is blue" in text for text in texts)
