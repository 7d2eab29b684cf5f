"""Blobs of runs are held in memory while there is room; all others are files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gate.adapters.local_files import FolderBlobStore
from gate.errors import InternalError, SettingsError


def files(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_of_a_run_only_the_first_blob_is_written_and_all_are_there(tmp_path: Path) -> None:
    store = FolderBlobStore(tmp_path, held_bytes=1_000)
    for key in ("runs/r/a", "runs/r/b", "runs/s/a", "reports/r/report.json", "reports/r/report.html"):
        store.put(key, key.encode())
    assert files(tmp_path) == ["reports/r/report.html", "reports/r/report.json", "runs/r/a", "runs/s/a"]
    assert store.get("runs/r/b") == b"runs/r/b"
    assert store.exists("runs/r/b")
    assert store.keys("runs/r") == ["runs/r/a", "runs/r/b"]


def test_what_has_no_room_is_written_and_a_run_that_ends_makes_room(tmp_path: Path) -> None:
    store = FolderBlobStore(tmp_path, held_bytes=10)
    for name, size in (("first", 50), ("held", 8), ("spilled", 3), ("small", 2)):
        store.put(f"runs/r/{name}", b"x" * size)
    assert files(tmp_path) == ["runs/r/first", "runs/r/spilled"]
    assert store.get("runs/r/spilled") == b"xxx"
    assert store.delete_prefix("runs/r/") == 4
    assert not store.exists("runs/r/held")
    store.put("runs/s/first", b"")
    store.put("runs/s/held", b"x" * 10)
    assert files(tmp_path) == ["runs/s/first"]


def test_a_held_blob_that_grows_out_of_the_room_is_replaced_by_its_file(tmp_path: Path) -> None:
    store = FolderBlobStore(tmp_path, held_bytes=10)
    for data in (b"first", b"x" * 9, b"y" * 11):
        store.put("runs/r/a", data)
    assert store.get("runs/r/a") == b"y" * 11
    store.put("runs/r/b", b"z" * 10)
    assert store.get("runs/r/b") == b"z" * 10
    assert files(tmp_path) == ["runs/r/a"]


def test_a_closed_store_holds_nothing_more(tmp_path: Path) -> None:
    store = FolderBlobStore(tmp_path, held_bytes=100)
    store.put("runs/r/a", b"x")
    store.close()
    with pytest.raises(InternalError):
        store.put("runs/r/b", b"x")
    assert not store.exists("runs/r/b")


OLD = "0" * 31 + "1"
FRESH = "0" * 31 + "2"


def aged(folder: Path) -> Path:
    """A folder with a file, that nothing was added to since 1970."""
    folder.mkdir(parents=True)
    (folder / "file").write_text("x")
    os.utime(folder, (0, 0))
    return folder


def test_of_what_is_old_only_the_folders_of_runs_are_removed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    aged(home / "runs" / OLD)
    kept = [aged(home / "runs" / name) for name in ("release-1", OLD[:-1], OLD.replace("1", "G"))]
    linked = aged(tmp_path / "elsewhere")
    (home / "runs" / ("a" * 32)).symlink_to(linked)
    (home / "runs" / ("b" * 32)).write_text("a file")
    os.utime(home / "runs" / ("b" * 32), (0, 0))
    (home / "runs" / FRESH).mkdir()
    assert FolderBlobStore(home).delete_older("runs/", 60) == 1
    assert not (home / "runs" / OLD).exists()
    assert all((folder / "file").exists() for folder in (*kept, linked))
    assert (home / "runs" / FRESH).exists()
    assert (home / "runs" / ("b" * 32)).exists()


def test_nothing_is_written_or_removed_behind_a_link_in_place_of_the_runs(tmp_path: Path) -> None:
    elsewhere = aged(tmp_path / "elsewhere" / OLD).parent
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "runs").symlink_to(elsewhere)
    store = FolderBlobStore(tmp_path / "home")
    for refused in (
        lambda: store.delete_older("runs/", 60),
        lambda: store.delete_prefix(f"runs/{OLD}/"),
        lambda: store.put(f"runs/{FRESH}/a", b"x"),
    ):
        with pytest.raises(SettingsError, match="a link stands where the gate keeps its runs"):
            refused()
    assert files(elsewhere) == [f"{OLD}/file"]


def test_a_run_that_another_process_removes_meanwhile_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = aged(tmp_path / "runs" / OLD)
    glob = Path.glob

    def late(self: Path, pattern: str) -> list[Path]:
        found = list(glob(self, pattern))
        for file in gone.iterdir():
            file.unlink()
        gone.rmdir()
        return found

    monkeypatch.setattr(Path, "glob", late)
    assert FolderBlobStore(tmp_path).delete_older("runs/", 60) == 0
