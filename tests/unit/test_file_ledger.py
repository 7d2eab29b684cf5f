"""A file of a corpus that has not changed is not read again; one that has is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from gate import wiring
from gate.services.corpora import Marks, add_paths
from gate.services.paths import file_ledger


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(file_ledger, "SETTLED_NS", 0)
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nBoat {name} is blue.\n")
    return folder


def add(**how: Any) -> tuple[int, int, int]:
    outcome = add_paths([Path("docs")], "boats", **how)
    return outcome.indexed, outcome.unchanged, outcome.removed


def found(query: str) -> int:
    return len(wiring.current().search_engine().search_docs(query, "boats"))


def test_only_a_changed_file_is_read_again(docs: Path, read: list[str]) -> None:
    assert add() == (3, 0, 0)
    read.clear()
    assert add() == (0, 3, 0)
    assert read == []
    (docs / "b.md").write_text("# b\n\nBoat b is red, and long.\n")
    assert add() == (1, 2, 1)
    assert read == ["docs/b.md"]
    assert (found("red"), found("blue")) == (1, 2)


def test_a_file_that_was_only_touched_is_told_by_its_hash(docs: Path, read: list[str]) -> None:
    add()
    read.clear()
    os.utime(docs / "a.md")
    assert add() == (0, 3, 0)
    assert read == []


def test_a_change_that_keeps_size_and_time_is_seen(docs: Path) -> None:
    add()
    about = (docs / "a.md").stat()
    (docs / "a.md").write_text("# a\n\nBoat a is grey.\n")
    os.utime(docs / "a.md", ns=(about.st_atime_ns, about.st_mtime_ns))
    assert (docs / "a.md").stat().st_size == about.st_size
    assert add() == (1, 2, 1)


def test_what_was_removed_otherwise_is_read_again(docs: Path) -> None:
    add()
    wiring.current().search_engine().delete_documents(["docs/a.md"], "boats")
    assert add() == (1, 2, 0)


def test_a_file_that_went_and_came_back_is_read_again(docs: Path) -> None:
    add()
    (docs / "a.md").rename(docs.parent / "a.md")
    assert add(sync=True) == (0, 2, 1)
    (docs.parent / "a.md").rename(docs / "a.md")
    assert add() == (1, 2, 0)


def test_other_marks_are_put_on_every_file(docs: Path) -> None:
    add()
    assert add(marks=Marks(tenant="acme")) == (3, 0, 0)


def test_a_file_that_was_emptied_leaves_nothing(docs: Path) -> None:
    add()
    (docs / "a.md").write_text("")
    assert add() == (0, 2, 1)
    assert add() == (0, 2, 0)


def test_a_file_that_could_not_be_read_is_tried_again(docs: Path) -> None:
    (docs / "a.md").write_bytes(b"\xff")
    assert add() == (2, 0, 0)
    (docs / "a.md").write_text("Boat a is blue.")
    assert add() == (1, 2, 0)


def test_passages_that_bring_their_own_names_are_read_each_time(docs: Path, read: list[str]) -> None:
    (docs / "d.jsonl").write_text('{"id": "d", "content": "Boat d is blue."}\n')
    add()
    read.clear()
    assert add(sync=True) == (0, 4, 0)
    assert read == ["docs/d.jsonl"]


def test_a_dry_run_counts_what_has_not_changed(docs: Path, read: list[str]) -> None:
    add()
    read.clear()
    assert add(dry_run=True) == (0, 3, 0)
    assert read == []
