"""Indexes of any size, damaged: what is served is what was indexed, or one line says why nothing is."""

from __future__ import annotations

import logging
import os
import random
import shutil
from pathlib import Path

import pytest

from gate.adapters.embedded import EmbeddedSearch, integrity
from gate.adapters.embedded import index_manifest as manifests
from gate.errors import SettingsError
from tests.unit.test_embedded_store import passages, vectors


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """An index of three generations: 60 passages, of which one was replaced and one deleted."""
    store = EmbeddedSearch(tmp_path)
    store.index_documents(passages(60), "birds", vectors=vectors(60), embedder="e")
    store.index_documents(passages(1, first=7, word="heron"), "birds", vectors=vectors(1, seed=1), embedder="e")
    store.delete_documents(["p9"], "birds")
    return tmp_path / "birds"


@pytest.fixture
def unsampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have an index be so large that its sample misses what is damaged: an opening looks at one block."""
    monkeypatch.setattr(integrity, "OPENING_BYTES", 1)


def rot(path: Path, at: int | None = None, bit: int = 0) -> None:
    """Flip a bit the way that a disk does: nobody wrote, so the file's time stays. A file shared by link is parted."""
    stat = path.stat()
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if at is None else at] ^= 1 << bit
    path.unlink()
    path.write_bytes(data)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def largest(index: Path, kind: str) -> Path:
    return max(index.glob(kind), key=lambda path: path.stat().st_size)


def served(root: Path, query: str = "number flew") -> list[str]:
    """Everything that a new process is served, by words and by vector."""
    store = EmbeddedSearch(root)
    found = [*store.search_docs(query, "birds", k=100), *store.vector_search(vectors(1)[0], "birds", k=100)]
    return sorted({each["content"] for each in found})


def attempt(root: Path) -> tuple[list[str], str]:
    """What a new process is served, and the reason if it is nothing."""
    try:
        return served(root), ""
    except SettingsError as error:
        return [], error.safe_message


@pytest.mark.usefixtures("unsampled")
def test_a_changed_digit_in_a_large_index_is_never_evidence(index: Path) -> None:
    part = largest(index, "part-*.jsonl")
    rot(part, at=part.read_bytes().index(b"number n4 ") + len("number n"))
    store = EmbeddedSearch(index.parent)
    assert store.search_docs("n5", "birds", k=1)[0]["id"] == "p5"
    for _ in range(2):
        with pytest.raises(SettingsError, match=rf"'birds' is damaged: {part.name} has changed"):
            EmbeddedSearch(index.parent).search_docs("n4", "birds", k=60)
    with pytest.raises(SettingsError, match="has changed"):
        store.vector_search(vectors(60)[4], "birds", k=1)


@pytest.mark.usefixtures("unsampled")
def test_a_file_that_somebody_wrote_to_has_all_of_a_large_index_looked_at(
    index: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = served(index.parent)
    columns = next(index.glob("part-*.columns"))
    data = bytearray(columns.read_bytes())
    data[-1] ^= 1
    columns.write_bytes(data)
    with caplog.at_level(logging.WARNING):
        assert served(index.parent) == before
    assert f"{columns.name} has changed; rebuilding" in caplog.text


@pytest.mark.usefixtures("unsampled")
def test_suspicion_ends_where_all_is_found_whole(index: Path) -> None:
    os.utime(next(index.glob("part-*.jsonl")))
    integrity.suspect(index)
    newest = max(path.stat().st_mtime_ns for path in index.glob("part-*"))
    served(index.parent)
    assert (index / manifests.NAME).stat().st_mtime_ns >= newest


def test_every_opening_of_a_large_index_samples_other_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrity, "BLOCK", 1_000)
    EmbeddedSearch(tmp_path).index_documents(passages(200), "birds", vectors=vectors(200), embedder="e")
    floats = largest(tmp_path / "birds", "part-*.f32")
    text = sum(path.stat().st_size for path in tmp_path.glob("birds/text-*/*"))
    monkeypatch.setattr(integrity, "OPENING_BYTES", text + 20_000)
    rot(floats)
    assert any(floats.name in attempt(tmp_path)[1] for _ in range(400))


@pytest.mark.usefixtures("unsampled")
def test_damage_is_not_given_a_new_checksum_when_parts_are_joined(index: Path) -> None:
    part = next(index.glob("part-*.f32"))
    rot(part)
    store = EmbeddedSearch(index.parent)
    with pytest.raises(SettingsError, match=f"{part.name} has changed"):
        store.index_documents(passages(60, first=100), "birds", vectors=vectors(60, seed=2), embedder="e")


@pytest.mark.hostile
@pytest.mark.usefixtures("unsampled")
@pytest.mark.parametrize("kind", ["*.jsonl", "*.f32", "*.bits", "*.columns", "dead-*", "text-*/*"])
def test_no_flipped_bit_of_a_large_index_is_served(index: Path, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    """Vectors and terms only order what is found: what is found with a flipped one is still what was indexed."""
    chance = random.Random(kind)
    whole = set(served(index.parent))
    copy = index.parent / "copy"
    shutil.copytree(index, copy / "birds")
    victims = [path.relative_to(index) for path in sorted(index.glob(kind)) if path.stat().st_size]
    assert victims
    for victim in victims:
        for _ in range(4):
            shutil.rmtree(copy)
            shutil.copytree(index, copy / "birds")
            size = (copy / "birds" / victim).stat().st_size
            rot(copy / "birds" / victim, chance.randrange(size), chance.randrange(8))
            found, why = attempt(copy)
            assert set(found) <= whole
            assert bool(found) != ("is damaged" in why)


@pytest.mark.hostile
def test_no_flipped_bit_of_the_manifest_is_believed(index: Path) -> None:
    before, manifest = served(index.parent), index / manifests.NAME
    whole, chance = manifest.read_bytes(), random.Random(1)
    for at in range(0, len(whole), 3):
        rot(manifest, at, chance.randrange(8))
        found, why = attempt(index.parent)
        assert found == before or "manifest.json" in why
        manifest.write_bytes(whole)


def test_a_path_that_cannot_be_read_any_more_is_no_path(index: Path) -> None:
    store = EmbeddedSearch(index.parent)
    store.note_use("birds", index)
    assert store.origin("birds") == index
    for at in range((index / "origin").stat().st_size):
        rot(index / "origin", at)
        assert store.origin("birds") is None
        store.note_use("birds", index)
    store.prune()
    assert store.exists("birds")
