"""The store on disk: generations, damage, locks. How it searches is in tests/contract/test_search_engine.py."""

from __future__ import annotations

import errno
import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from gate.adapters.embedded import EmbeddedSearch, snapshot, writer
from gate.adapters.embedded import index_manifest as manifests
from gate.adapters.embedded.part_files import sign_bits
from gate.errors import InputError, SearchUnavailableError, SettingsError
from gate.ports import NO_FILTER


def passages(count: int, *, first: int = 0, word: str = "falcon") -> list[dict[str, str]]:
    return [{"id": f"p{n}", "content": f"The {word} number n{n} flew."} for n in range(first, first + count)]


def vectors(count: int, *, seed: int = 0, dimension: int = 64) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedSearch:
    return EmbeddedSearch(tmp_path)


def test_ingesting_twice_changes_nothing(store: EmbeddedSearch, tmp_path: Path) -> None:
    store.index_documents(passages(5), "birds")
    before = manifests.read(tmp_path / "birds")
    again = store.index_documents(passages(5), "birds")
    assert (again.indexed, again.unchanged) == (0, 5)
    assert manifests.read(tmp_path / "birds") == before


def test_a_changed_passage_replaces_the_old_one(store: EmbeddedSearch) -> None:
    store.index_documents(passages(5), "birds")
    outcome = store.index_documents(passages(1, first=2, word="heron"), "birds")
    assert (outcome.indexed, outcome.unchanged, store.count("birds")) == (1, 0, 5)
    assert [found["id"] for found in store.search_docs("heron", "birds")] == ["p2"]
    assert "p2" not in [found["id"] for found in store.search_docs("falcon", "birds", k=10)]


def test_many_small_writes_stay_few_files_and_lose_nothing(store: EmbeddedSearch) -> None:
    for batch in range(9):
        store.index_documents(passages(3, first=3 * batch), "birds", vectors=vectors(3, seed=batch), embedder="e")
    manifest = store.check("birds")
    assert (manifest.documents, len(manifest.parts) <= 4) == (27, True)
    assert sorted(store.ids("birds")) == sorted(f"p{n}" for n in range(27))
    for batch in range(9):
        best = store.vector_search(vectors(3, seed=batch)[1], "birds", k=1)[0]
        assert (best["id"], round(best["score"], 4)) == (f"p{3 * batch + 1}", 1.0)


def test_nothing_is_left_on_disk_that_the_manifest_does_not_name(store: EmbeddedSearch, tmp_path: Path) -> None:
    for batch in range(4):
        store.index_documents(passages(3, first=3 * batch), "birds")
    store.delete_documents(["p1"], "birds")
    folder = tmp_path / "birds"
    on_disk = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {name for name in on_disk if not name.endswith(".lock")} == {*store.check("birds").files, manifests.NAME}


def test_what_a_killed_writer_left_is_removed_by_the_next(store: EmbeddedSearch, tmp_path: Path) -> None:
    store.index_documents(passages(3), "birds")
    (tmp_path / "birds" / "text-000002").mkdir()
    (tmp_path / "birds" / "text-000002" / "half").write_text("x")
    (tmp_path / "birds" / "part-000002.jsonl").write_text("{")
    store.index_documents(passages(3, first=3), "birds")
    assert store.count("birds") == 6
    assert not (tmp_path / "birds" / "text-000002" / "half").exists()


def test_the_second_writer_is_told_so(store: EmbeddedSearch, tmp_path: Path) -> None:
    store.index_documents(passages(1), "birds")
    with FileLock(tmp_path / "birds" / ".lock"), pytest.raises(SearchUnavailableError, match="being written"):
        EmbeddedSearch(tmp_path).index_documents(passages(2), "birds")


def test_a_failed_write_leaves_the_generation_before(store: EmbeddedSearch) -> None:
    store.index_documents(passages(2), "birds")

    def broken() -> Iterator[dict[str, str]]:
        yield from passages(2, first=2)
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError):
        store.index_documents(broken(), "birds")
    assert store.count("birds") == 2
    store.check("birds")


def everything_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"}


def test_a_replacement_that_fails_leaves_what_it_was_to_replace(store: EmbeddedSearch, tmp_path: Path) -> None:
    store.index_documents(passages(2), "birds", vectors=vectors(2), embedder="e")
    before = everything_in(tmp_path / "birds")

    def broken() -> Iterator[dict[str, str]]:
        yield from passages(2, first=2)
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(SettingsError, match="no space left"):
        store.index_documents(broken(), "birds", vectors=vectors(4), embedder="e", replace=True)
    assert everything_in(tmp_path / "birds") == before
    assert EmbeddedSearch(tmp_path).search_docs("n1", "birds")[0]["id"] == "p1"


def test_a_rebuild_that_fails_loses_no_passage(
    store: EmbeddedSearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.index_documents(passages(5), "birds")
    next((tmp_path / "birds").glob("*.columns")).unlink()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(writer.GenerationWriter, "add", full)
        with pytest.raises(SettingsError, match="no space left"):
            EmbeddedSearch(tmp_path).count("birds")
    assert [found["id"] for found in EmbeddedSearch(tmp_path).search_docs("n4", "birds", k=1)] == ["p4"]


@pytest.mark.parametrize("kind", [".columns", ".bits", "meta.json"])
def test_damage_to_what_can_be_derived_is_named_and_repaired(
    store: EmbeddedSearch, tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    store.index_documents(passages(5), "birds", vectors=vectors(5), embedder="e")
    store.delete_documents(["p3"], "birds")
    victim = next(path for path in (tmp_path / "birds").rglob("*") if path.name.endswith(kind))
    victim.write_bytes(b"\x00" * victim.stat().st_size)
    with caplog.at_level(logging.WARNING):
        reopened = EmbeddedSearch(tmp_path)
        assert [found["id"] for found in reopened.search_docs("n4", "birds", k=1)] == ["p4"]
    assert victim.name in caplog.text
    assert reopened.vector_search(vectors(5)[4], "birds", k=1)[0]["id"] == "p4"
    assert reopened.count("birds") == 4
    reopened.check("birds")


def test_a_damaged_index_is_mended_before_it_is_written_to(store: EmbeddedSearch, tmp_path: Path) -> None:
    store.index_documents(passages(5), "birds")
    victim = next((tmp_path / "birds").glob("*.columns"))
    victim.write_bytes(b"\x00" * victim.stat().st_size)
    assert EmbeddedSearch(tmp_path).index_documents(passages(5, first=3), "birds").indexed == 3
    victim = next((tmp_path / "birds").glob("*.columns"))
    victim.write_bytes(b"\x00" * victim.stat().st_size)
    assert EmbeddedSearch(tmp_path).delete_documents(["p1"], "birds") == 1
    assert EmbeddedSearch(tmp_path).check("birds").documents == 7


@pytest.mark.parametrize("kind", [".jsonl", ".f32"])
def test_damage_to_the_truth_is_named_and_never_answered_from(store: EmbeddedSearch, tmp_path: Path, kind: str) -> None:
    store.index_documents(passages(5), "birds", vectors=vectors(5), embedder="e")
    victim = next(path for path in (tmp_path / "birds").glob(f"*{kind}"))
    data = bytearray(victim.read_bytes())
    data[10] ^= 0xFF
    victim.write_bytes(data)
    before = everything_in(tmp_path / "birds")
    for _ in range(2):
        with pytest.raises(SettingsError, match=f"{victim.name} has changed"):
            EmbeddedSearch(tmp_path).search_docs("n4", "birds")
    assert everything_in(tmp_path / "birds") == before


def test_an_unreadable_manifest_is_named(store: EmbeddedSearch, tmp_path: Path) -> None:
    store.index_documents(passages(1), "birds")
    (tmp_path / "birds" / manifests.NAME).write_text('{"format": 9}')
    with pytest.raises(SettingsError, match=r"manifest\.json cannot be read"):
        EmbeddedSearch(tmp_path).count("birds")
    assert list((tmp_path / "birds").glob("*.jsonl"))


def test_an_index_of_another_version_is_rebuilt_from_its_passages(store: EmbeddedSearch, tmp_path: Path) -> None:
    store.index_documents(passages(5), "birds", vectors=vectors(5), embedder="e")
    old = manifests.read(tmp_path / "birds")
    manifests.publish(tmp_path / "birds", old.model_copy(update={"tantivy": "0.1.0"}))
    reopened = EmbeddedSearch(tmp_path)
    assert reopened.search_docs("n4", "birds")[0]["id"] == "p4"
    assert manifests.read(tmp_path / "birds").generation == old.generation + 1


def test_an_index_of_the_first_format_is_rebuilt_from_its_passages(store: EmbeddedSearch, tmp_path: Path) -> None:
    store.index_documents(passages(5), "birds", vectors=vectors(5), embedder="e")
    folder = tmp_path / "birds"
    old = manifests.read(folder).model_dump()
    old["files"] = {name: {"bytes": file["bytes"], "sha256": file["sha256"]} for name, file in old["files"].items()}
    (folder / manifests.NAME).write_text(json.dumps({**old, "format": 1, "checksum": ""}))
    columns = next(folder.glob("*.columns"))
    columns.write_bytes(columns.read_bytes()[: 5 * 5 * 8])
    reopened = EmbeddedSearch(tmp_path)
    assert reopened.search_docs("n4", "birds")[0]["id"] == "p4"
    assert (manifests.read(folder).format, reopened.check("birds").documents) == (manifests.FORMAT, 5)


def test_an_index_in_a_folder_that_may_not_be_written_is_read(
    store: EmbeddedSearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Permissions stop nobody who runs the tests as root: here the system says so, and nothing is found written."""
    store.index_documents(passages(5), "birds")
    text = next((tmp_path / "birds").glob("text-*"))
    (text / ".tantivy-meta.lock").unlink()
    (text / ".tantivy-meta.lock").mkdir()  # tantivy cannot have this lock
    before = sorted(text.iterdir())
    with pytest.raises(SettingsError, match="cannot be opened"):
        snapshot.open_snapshot(tmp_path / "birds")
    with monkeypatch.context() as system:
        system.setattr(os, "access", lambda path, mode: False)
        assert EmbeddedSearch(tmp_path).search_docs("n4", "birds", k=1)[0]["id"] == "p4"
    assert sorted(text.iterdir()) == before


def test_the_version_of_an_index_follows_its_passages(store: EmbeddedSearch) -> None:
    store.index_documents(passages(3), "one")
    store.index_documents(passages(3), "two")
    assert store.describe("one")["version"] == store.describe("two")["version"]
    store.index_documents(passages(1, first=3), "two")
    assert store.describe("one")["version"] != store.describe("two")["version"]


def test_a_name_that_would_leave_the_folder_is_refused(store: EmbeddedSearch) -> None:
    for name in ("../secrets", "/etc", "", ".hidden", "UPPER"):
        with pytest.raises(InputError):
            store.search_docs("x", name)


def test_an_old_reader_keeps_its_generation_while_a_new_one_is_written(store: EmbeddedSearch) -> None:
    store.index_documents(passages(3), "birds", vectors=vectors(3), embedder="e")
    before = store.snapshot("birds")
    store.index_documents(passages(3, word="heron"), "birds", vectors=vectors(3, seed=1), embedder="e", replace=True)
    assert len(before.search("falcon", 5, NO_FILTER)) == 3
    assert before.nearest(vectors(3)[0], 1)[0][0] == 0
    assert store.search_docs("falcon", "birds") == []


def test_the_sign_bit_scan_finds_what_the_exact_product_finds(
    store: EmbeddedSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "EXACT_ROWS", 500)
    monkeypatch.setattr(writer, "EXACT_ROWS", 500)
    monkeypatch.setattr(writer, "RESCORED", (400,))
    centres = vectors(40, seed=7, dimension=128)
    clustered = np.repeat(centres, 50, axis=0) + 0.4 * vectors(2_000, seed=8, dimension=128)
    store.index_documents(passages(2_000), "birds", vectors=clustered, embedder="e")
    opened = store.snapshot("birds")
    assert opened.manifest.rescored == 400
    hits = 0
    for query in clustered[::100]:
        exact = {row for row, _ in opened.nearest(query, 10, exact=True)}
        hits += len(exact & {row for row, _ in opened.nearest(query, 10)})
    assert hits / 200 >= 0.98


@pytest.mark.parametrize("rows", [1, 99, 100, 101, 250])
def test_the_scan_in_blocks_counts_the_signs_that_differ_in_every_row(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "SCANNED_ROWS", 100)
    query, held = vectors(1, seed=3, dimension=130), vectors(rows, dimension=130)
    counts = np.full(rows, 9_999, dtype=np.uint16)
    snapshot.count_differing(sign_bits(held), sign_bits(query)[:, 0], counts)
    assert counts.tolist() == np.sum((held > 0) != (query > 0), axis=1).tolist()


def test_more_rows_are_compared_where_a_few_do_not_find_enough(
    store: EmbeddedSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "EXACT_ROWS", 500)
    monkeypatch.setattr(writer, "EXACT_ROWS", 500)
    monkeypatch.setattr(writer, "RESCORED", (20, 1_999))
    store.index_documents(passages(2_000), "birds", vectors=vectors(2_000), embedder="e")
    assert store.snapshot("birds").manifest.rescored == 1_999


def test_vectors_whose_signs_say_nothing_are_scanned_exactly(
    store: EmbeddedSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "EXACT_ROWS", 500)
    monkeypatch.setattr(writer, "EXACT_ROWS", 500)
    monkeypatch.setattr(writer, "RESCORED", (20, 30))
    noisy = vectors(2_000, dimension=64)
    store.index_documents(passages(2_000), "birds", vectors=noisy, embedder="e")
    assert store.snapshot("birds").manifest.rescored == 0
