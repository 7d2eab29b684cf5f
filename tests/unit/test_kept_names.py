"""Names in a repository's files are read once: again only of the files that have changed, and of all when in doubt."""

from __future__ import annotations

import re
import shutil
import sqlite3
import time
import zipfile
from collections.abc import Collection
from pathlib import Path
from types import ModuleType

import pytest

from gate.adapters.repositories import kept_names, open_repository
from gate.adapters.repositories.kept_names import KeptNames
from gate.adapters.repositories.plain_files import PlainFiles
from gate.errors import InputError
from gate.repository.names import file_names, lexicon
from gate.repository.names.file_names import FileNames, read_file_names
from gate.repository.names.lexicon import Lexicon, UnreadNamesError, read_lexicon
from gate.repository.names.settings import settings_keys
from gate.services import artifacts
from gate.services.artifacts import names_in
from gate.settings import Settings
from gate.wiring import Wiring, entered

PADDING = "# terns fly far\n" * 50
FILES = {
    "pyproject.toml": f'[project]\nscripts = {{tern = "tern:main"}}\n{PADDING}',
    "src/tern.py": f'def land(shore, *, wind=0): "x"\nTERN_PORT = "--lock-timeout"\n{PADDING}',
    "docs/usage.md": f"Run `tern migrate`, `land()`.\n{PADDING}",
}


class Reads:
    """The files that were read, and not looked up."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def __call__(self, data: bytes, kind: str, programs: Collection[str]) -> FileNames:
        self.kinds.append(kind)
        return read_file_names(data, kind, programs)

    def taken(self) -> list[str]:
        found, self.kinds = self.kinds, []
        return found


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    found = Reads()
    monkeypatch.setattr(kept_names, "read_file_names", found)
    return found


@pytest.fixture
def tern(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / "tern" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tern" / path).write_text(text)
    return tmp_path / "tern"


@pytest.fixture
def kept(tmp_path: Path) -> KeptNames:
    return KeptNames(tmp_path / "home" / "names.sqlite")


def read(folder: Path, kept: KeptNames) -> Lexicon | None:
    with kept.reader() as reader:
        return read_lexicon(open_repository({"kind": "worktree", "path": str(folder)}), reader)


def test_an_unchanged_repository_is_not_read_again_and_has_the_same_names(
    tern: Path, kept: KeptNames, reads: Reads
) -> None:
    plain = read_lexicon(open_repository({"kind": "worktree", "path": str(tern)}))
    assert plain
    assert plain.used(("migrate",))
    assert read(tern, kept) == plain
    assert len(reads.taken()) == 3
    assert read(tern, kept) == plain
    assert reads.taken() == []


def test_a_file_that_changed_is_read_again_alone(tern: Path, kept: KeptNames, reads: Reads) -> None:
    read(tern, kept)
    reads.taken()
    (tern / "src/tern.py").write_text(FILES["src/tern.py"].replace("land", "dive"))
    found = read(tern, kept)
    assert reads.taken() == ["py"]
    assert found
    assert set(found.definitions) == {"dive"}


def test_a_file_that_moved_is_not_read_again_unless_it_is_read_in_another_way(
    tern: Path, kept: KeptNames, reads: Reads
) -> None:
    read(tern, kept)
    reads.taken()
    (tern / "src/tern.py").rename(tern / "src/swift.py")
    read(tern, kept)
    assert reads.taken() == []
    (tern / "src/swift.py").rename(tern / "src/swift.md")
    found = read(tern, kept)
    assert reads.taken() == ["document"]
    assert found
    assert not found.definitions


def test_another_program_of_the_repository_has_usages_read_again(tern: Path, kept: KeptNames, reads: Reads) -> None:
    read(tern, kept)
    reads.taken()
    (tern / "pyproject.toml").write_text(FILES["pyproject.toml"].replace("tern =", "tern = 'x:y', swift ="))
    read(tern, kept)
    assert len(reads.taken()) == 3


@pytest.mark.parametrize("module", [file_names, settings_keys])
def test_another_version_of_the_reader_reads_everything_again(
    module: ModuleType, tern: Path, kept: KeptNames, reads: Reads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(tern, kept)
    reads.taken()
    newer = tmp_path / "file_names.py"
    newer.write_bytes(Path(str(module.__file__)).read_bytes() + b"\n# changed\n")
    monkeypatch.setattr(module, "__file__", str(newer))
    read(tern, kept)
    assert len(reads.taken()) == 3


def test_what_is_kept_stays_within_its_bounds_and_the_oldest_goes_first(
    tern: Path, tmp_path: Path, reads: Reads
) -> None:
    small = KeptNames(tmp_path / "home" / "names.sqlite", most_bytes=3_000)
    words = {name: " ".join(f"{name}_{n * 7919}" for n in range(400)) for name in ("alpha", "beta")}
    for name, text in words.items():
        (tern / f"{name}.txt").write_text(text)
        read(tern, small)
    with sqlite3.connect(tmp_path / "home" / "names.sqlite") as file:
        assert file.execute("SELECT SUM(LENGTH(names)) FROM files").fetchone()[0] <= 3_000
    reads.taken()
    (tern / "alpha.txt").unlink()
    read(tern, small)
    assert "document" not in reads.taken()  # beta.txt came last and is still there


@pytest.mark.parametrize("damage", [b"no database at all" * 400, b""])
def test_a_damaged_file_is_made_anew(tern: Path, kept: KeptNames, reads: Reads, tmp_path: Path, damage: bytes) -> None:
    plain = read(tern, kept)
    reads.taken()
    place = tmp_path / "home" / "names.sqlite"
    place.write_bytes(damage or place.read_bytes()[: 4_096 * 2] + b"\xff" * 4_096)
    assert read(tern, kept) == plain
    read(tern, kept)
    reads.taken()
    assert read(tern, kept) == plain
    assert reads.taken() == []


@pytest.mark.parametrize("entry", [b"", b"x", b"x\x9c\xab\x56\x2a\xcf\x2f\xca\x49\x01\x00", "text", 7])
def test_a_damaged_entry_is_read_anew(tern: Path, kept: KeptNames, reads: Reads, tmp_path: Path, entry: object) -> None:
    plain = read(tern, kept)
    reads.taken()
    with sqlite3.connect(tmp_path / "home" / "names.sqlite") as file:
        file.execute("UPDATE files SET names = ?", (entry,))
    assert read(tern, kept) == plain
    assert len(reads.taken()) == 3
    assert read(tern, kept) == plain
    assert reads.taken() == []


def test_where_nothing_can_be_kept_files_are_read_all_the_same(tern: Path, reads: Reads, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert read(tern, KeptNames(tmp_path / "file" / "names.sqlite"))
    assert len(reads.taken()) == 3


def test_two_who_read_at_once_do_not_hold_each_other_up(tern: Path, kept: KeptNames, reads: Reads) -> None:
    repository = open_repository({"kind": "worktree", "path": str(tern)})
    with kept.reader() as one, kept.reader() as other:
        assert read_lexicon(repository, one) == read_lexicon(repository, other)
    reads.taken()
    assert read(tern, kept)
    assert reads.taken() == []


def an_archive(folder: Path) -> dict[str, str]:
    return {"kind": "archive", "path": shutil.make_archive(str(folder.parent / "tern"), "zip", folder)}


def test_of_a_work_tree_names_are_kept_for_its_owner_and_of_what_goes_with_the_run_none(
    tern: Path, tmp_path: Path
) -> None:
    place = tmp_path / "home" / "names.sqlite"
    with entered(Wiring(Settings(home=tmp_path / "home"))):
        assert names_in(open_repository(an_archive(tern)))
        assert not place.exists()
        assert names_in(open_repository({"kind": "worktree", "path": str(tern)}))
    assert place.stat().st_mode & 0o077 == 0


def test_what_was_read_is_kept_on_this_machine_alone(tmp_path: Path) -> None:
    here = Wiring(Settings(home=tmp_path)).kept_names()
    assert here
    with here.reader():
        assert (tmp_path / "names.sqlite").is_file()
    assert Wiring(Settings(home=tmp_path, blobs="s3://bucket/prefix")).kept_names() is None


def test_a_repository_of_more_names_than_memory_has_room_for_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexicon, "MOST_NAMES", 1_000)
    written = {
        "words": ("a.py", "\n".join(f"w{n}" for n in range(1_001))),
        "words of documents": ("a.md", " ".join(f"w{n}" for n in range(1_001))),
        "definitions": ("a.py", "def land():\n" * 600),
        "calls": ("a.md", " ".join(f"w{n % 40}.x{n // 40}(" for n in range(1_001))),
        "usages": ("a.txt", "$ tern land\n" * 1_001),
        "keys": ("a.yaml", "".join(f"w{n % 40}:\n  x{n // 40}: 1\n" for n in range(1_001))),
    }
    for kind, (name, text) in written.items():
        folder = tmp_path / kind
        folder.mkdir()
        (folder / "pyproject.toml").write_text('[project]\nscripts = {tern = "tern:main"}\n')
        (folder / name).write_text(text[: len(text) // 4])
        assert read_lexicon(open_repository({"kind": "worktree", "path": str(folder)})) is not None, kind
        (folder / name).write_text(text)
        with pytest.raises(UnreadNamesError, match=r"^the repository has more than 1000 names$"):
            read_lexicon(open_repository({"kind": "worktree", "path": str(folder)}))


def test_a_work_tree_that_takes_too_long_is_read_on_by_the_next_run(
    tmp_path: Path, reads: Reads, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(80):
        (tmp_path / f"a{n}.py").write_text("\n".join(f"w{n * 5_000 + word}" for word in range(5_000)))
    repository = open_repository({"kind": "worktree", "path": str(tmp_path)})
    monkeypatch.setattr(artifacts, "MAX_NAMES_S", 0.3)

    with entered(Wiring(Settings(home=tmp_path / "home"))):
        with pytest.raises(UnreadNamesError) as unread:
            names_in(repository)
        said = re.fullmatch(
            r"the repository takes more than 0\.3 s to read; (\d+) of its 80 files were read", str(unread.value)
        )
        assert said
        assert 0 < int(said[1]) < 80
        reads.taken()
        monkeypatch.setattr(artifacts, "MAX_NAMES_S", 60)
        assert names_in(repository)
    assert len(reads.taken()) <= 80 - int(said[1])


def test_a_work_tree_of_slow_files_is_not_waited_for_without_end(
    tern: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = PlainFiles.read

    def slowly(files: PlainFiles, path: str, limit: int) -> bytes | None:
        time.sleep(0.2)
        return whole(files, path, limit)

    repository = open_repository({"kind": "worktree", "path": str(tern)})
    monkeypatch.setattr(PlainFiles, "read", slowly)
    monkeypatch.setattr(artifacts, "MAX_WAIT_S", 0.3)
    with entered(Wiring(Settings(home=tmp_path / "home"))):
        with pytest.raises(UnreadNamesError, match=r"takes more than 0\.3 s by the clock to read; \d of its 3 files"):
            names_in(repository)
        state = {"artifacts": {"repo": {"kind": "worktree", "path": str(tern)}}}
        (tern / ".gitignore").write_text("*.log")
        (tern / "src/.gitignore").write_text("*.log")
        with pytest.raises(InputError, match=r"^the repository takes more than 0\.3 s by the clock to read$"):
            artifacts.open_repository(state)


def test_an_archive_takes_no_more_than_a_document_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifacts, "MAX_CPU_S", 0.2)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(40):
            archive.writestr(f"a{n}.py", "\n".join(f"w{n * 10_000 + word}" for word in range(10_000)))

    began = time.thread_time()
    with entered(Wiring(Settings(home=tmp_path))):
        repository = open_repository({"kind": "archive", "path": str(tmp_path / "a.zip")})
        with pytest.raises(
            UnreadNamesError, match=r"^the repository takes more than 0\.2 s to read; \d+ of its 40 files were read$"
        ):
            names_in(repository)
    assert time.thread_time() - began < 3
