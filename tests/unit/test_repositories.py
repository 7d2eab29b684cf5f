"""Repositories: the same names, however they come; what could be hostile is named and left out."""

from __future__ import annotations

import base64
import gzip
import io
import lzma
import struct
import subprocess
import sys
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from gate.adapters.repositories import archives, open_repository
from gate.adapters.repositories.plain_files import PlainFiles
from gate.errors import InputError
from tests.memory import most_memory
from tests.zipped_documents import understated

FILES = {"README.md": "see [x](src/a.py)", "src/a.py": "", "src/b c.py": "", ".gitignore": "*.log\n", "docs/é.md": ""}


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    command = ["git", *identity, "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def worktree(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "latest").symlink_to("docs")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "one")
    return root


def a_zip(entries: dict[str, bytes], **how: int) -> dict[str, str]:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", how.get("compression", zipfile.ZIP_STORED)) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return {"kind": "archive", "base64": base64.b64encode(buffer.getvalue()).decode()}


def a_tar(entries: list[tarfile.TarInfo], mode: str = "w:gz", data: bytes = b"") -> dict[str, str]:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for entry in entries:
            archive.addfile(entry, io.BytesIO(data) if entry.isfile() else None)
    return {"kind": "archive", "base64": base64.b64encode(buffer.getvalue()).decode()}


def archive_of(data: bytes) -> dict[str, str]:
    return {"kind": "archive", "base64": base64.b64encode(data).decode()}


def data_of(artifact: dict[str, str]) -> bytes:
    return base64.b64decode(artifact["base64"])


def entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, size
    return info


def test_a_work_tree_is_what_lies_on_the_disk_without_what_is_ignored(worktree: Path) -> None:
    (worktree / "new.py").write_text("")
    (worktree / "made.log").write_text("")
    (worktree / "src" / "a.py").unlink()

    repository = open_repository({"kind": "worktree", "path": str(worktree)})

    assert set(repository.files) == set(FILES) - {"src/a.py"} | {"new.py", "latest"}
    assert repository.links == {"latest": "docs"}
    assert repository.texts == {".gitignore": "*.log\n"}
    assert repository.name == "repo"
    assert repository.ignored("other.log")


def test_a_commit_is_read_whatever_lies_on_the_disk(worktree: Path) -> None:
    commit = git(worktree, "rev-parse", "HEAD")
    git(worktree, "rm", "-q", "-r", "src")
    git(worktree, "commit", "-qm", "two")

    repository = open_repository({"kind": "worktree", "path": str(worktree), "commit": commit})

    assert set(repository.files) == {*FILES, "latest"}
    assert repository.links == {"latest": "docs"}
    assert open_repository({"kind": "worktree", "path": str(worktree), "commit": "main"}).files


def test_a_bare_repository_is_read_at_its_head(worktree: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(worktree), "bare")

    assert set(open_repository({"kind": "worktree", "path": str(tmp_path / "bare")}).files) == {*FILES, "latest"}


def test_a_submodule_is_a_folder_whose_files_are_not_listed(worktree: Path) -> None:
    sha = git(worktree, "rev-parse", "HEAD")
    git(worktree, "update-index", "--add", "--cacheinfo", f"160000,{sha},external/lib")
    git(worktree, "commit", "-qm", "submodule")

    repository = open_repository({"kind": "worktree", "path": str(worktree), "commit": "HEAD"})

    assert repository.submodules == ("external/lib",)
    assert repository.in_submodule("external/lib/readme.md")
    assert repository.has("external/lib")


@pytest.mark.skipif(sys.platform != "linux", reason="no other system says where an open file lies")
def test_a_folder_that_becomes_a_link_while_the_repository_is_read_leads_nowhere(tmp_path: Path) -> None:
    for folder in ("top/docs", "outside"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.md").write_text(folder)
    (tmp_path / "link").symlink_to("top")
    files = PlainFiles(tmp_path / "link")
    assert files.read("docs/a.md", 100) == b"top/docs"
    (tmp_path / "top" / "docs").rename(tmp_path / "gone")
    (tmp_path / "top" / "docs").symlink_to(tmp_path / "outside")
    assert files.read("docs/a.md", 100) is None


def test_a_folder_that_git_does_not_know_is_walked(tmp_path: Path) -> None:
    (tmp_path / "a" / ".git").mkdir(parents=True)
    (tmp_path / "a" / "b.py").write_text("")

    assert open_repository({"kind": "worktree", "path": "a"}, str(tmp_path)).files == ("b.py",)


def test_a_listing_is_names_or_what_git_ls_tree_prints(worktree: Path) -> None:
    text = git(worktree, "ls-tree", "-r", "HEAD")

    assert set(open_repository({"kind": "listing", "text": text}).files) == {*FILES, "latest"}
    assert open_repository({"kind": "listing", "files": ["a.py", "b/c.py"]}).files == ("a.py", "b/c.py")


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_archive_is_read_without_its_top_folder(mode: str) -> None:
    entries = [entry("pkg-1.0", tarfile.DIRTYPE), entry("pkg-1.0/a.py"), entry("pkg-1.0/l", tarfile.SYMTYPE, "a.py")]

    repository = open_repository(a_tar(entries, mode))

    assert repository.files == ("a.py", "l")
    assert repository.links == {"l": "a.py"}
    assert repository.name == "pkg"


def test_a_zip_archive_brings_its_gitignore() -> None:
    repository = open_repository(a_zip({"src/a.py": b"", ".gitignore": b"*.log\n", ".git/config": b"x"}))

    assert repository.files == ("src/a.py", ".gitignore")
    assert repository.ignored("x.log")


@pytest.mark.parametrize("first", ["src/a.py", "PK\3\4"], ids=["named as files are", "named as a zip begins"])
def test_a_tar_that_holds_a_zip_near_its_end_is_read_as_the_tar(first: str) -> None:
    inner = data_of(a_zip({"src/invented.py": b""}))
    with_zip = a_tar([entry(first, size=len(inner)), entry("b.py", size=len(inner))], "w", inner)

    repository = open_repository(with_zip)

    assert repository.files == (first, "b.py")
    assert repository.contents
    assert list(repository.contents(lambda path: True)) == [(first, inner), ("b.py", inner)]


@pytest.mark.parametrize(
    "data",
    [
        data_of(a_zip({"a.py": b""})) + b"and more",
        data_of(a_zip({"a.py": b""})) + bytes(1024),
        b"#!/usr/bin/env python\n" + data_of(a_zip({"a.py": b""})),
    ],
    ids=["text behind it", "zeros behind it", "text before it"],
)
def test_a_zip_with_something_around_it_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="damaged, or of a kind"):
        open_repository(archive_of(data))


def test_a_zip_with_a_comment_and_an_empty_zip_are_read() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.py", b"")
        archive.comment = b"made by hand"

    assert open_repository(archive_of(buffer.getvalue())).files == ("a.py",)
    assert open_repository(a_zip({})).files == ()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../evil.py", "the path leaves the repository"),
        ("/etc/passwd", "the path is absolute"),
        ("C:\\evil.py", "the path is absolute"),
        ("a/../../evil.py", "the path leaves the repository"),
    ],
)
def test_an_entry_that_would_land_elsewhere_is_left_out_by_name(name: str, reason: str) -> None:
    for artifact in (a_zip({name: b"", "ok.py": b""}), a_tar([entry(name), entry("ok.py")])):
        repository = open_repository(artifact)

        assert repository.files == ("ok.py",)
        assert [why for _, why in repository.problems] == [reason]


def packed(files: dict[str, bytes], kind: str) -> dict[str, str]:
    if kind == "zip":
        return a_zip(files)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in files.items():
            archive.addfile(entry(name, size=len(data)), io.BytesIO(data))
    return archive_of(buffer.getvalue())


@pytest.mark.parametrize("kind", ["tar", "zip"])
@pytest.mark.parametrize("folder", [".git", "./.git", "sub/.git", "./sub/.GIT", ".\\.git"])
def test_a_git_folder_is_no_part_of_what_an_archive_holds_however_it_is_spelt(folder: str, kind: str) -> None:
    files = {"./a.py": b"a", f"{folder}/COMMIT_EDITMSG": b"call open_vault()", f"{folder}/.gitignore": b"*"}

    repository = open_repository(packed(files, kind))

    assert (repository.files, repository.problems) == (("a.py",), ())
    assert not repository.ignored("b.py")
    assert repository.contents
    assert list(repository.contents(lambda path: True)) == [("a.py", b"a")]


@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_an_archive_of_a_folder_here_is_read_as_one_that_was_packed_by_name(kind: str) -> None:
    files = {"a.py": b"a", ".gitignore": b"dist/\n", ".gitmodules": b'[submodule "lib"]\n\tpath = vendor/lib\n'}

    here = open_repository(packed({f"./{name}": data for name, data in files.items()}, kind))

    assert here == open_repository(packed(files, kind))
    assert here.ignored("dist/app.py")
    assert here.in_submodule("vendor/lib/core.c")


@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_the_top_folder_of_an_archive_is_left_off_however_it_is_spelt(kind: str) -> None:
    repository = open_repository(packed({"./tern-1.0/src/a.py": b"a", "./tern-1.0//.gitignore": b"*.log\n"}, kind))

    assert (repository.files, repository.name) == (("src/a.py", ".gitignore"), "tern")
    assert repository.ignored("x.log")


@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_of_an_entry_that_is_left_out_nothing_is_read(kind: str) -> None:
    files = {"../x.py": b"def open_vault(): ...", "/etc/passwd": b"root", "../.gitignore": b"*", "a.py": b"a"}

    repository = open_repository(packed(files, kind))

    assert len(repository.problems) == 3
    assert repository.texts == {}
    assert repository.contents
    assert list(repository.contents(lambda path: True)) == [("a.py", b"a")]


@pytest.mark.parametrize("target", ["/etc/passwd", "../../outside", "C:\\x"])
def test_a_link_that_leads_out_is_left_out_by_name(target: str, worktree: Path) -> None:
    archived = open_repository(a_tar([entry("ok.py"), entry("l", tarfile.SYMTYPE, target)]))
    (worktree / "out").symlink_to(target)
    git(worktree, "add", "out")

    assert archived.files == ("ok.py",)
    assert archived.problems == (("l", "the link leads out of the repository"),)
    assert ("out", "the link leads out of the repository") in open_repository(
        {"kind": "worktree", "path": str(worktree)}
    ).problems


def test_devices_pipes_and_hard_links_are_left_out_by_name() -> None:
    entries = [entry("ok.py"), entry("f", tarfile.FIFOTYPE), entry("h", tarfile.LNKTYPE, "ok.py")]

    assert [name for name, _ in open_repository(a_tar(entries)).problems] == ["f", "h"]


def test_names_that_are_not_utf8_are_left_out_by_name(tmp_path: Path) -> None:
    (tmp_path / "ok.py").write_text("")
    (Path(str(tmp_path)) / b"caf\xe9.py".decode("utf-8", "surrogateescape")).write_text("")

    repository = open_repository({"kind": "worktree", "path": str(tmp_path)})

    assert repository.files == ("ok.py",)
    assert [reason for _, reason in repository.problems] == ["the path is not valid UTF-8"]


@pytest.mark.parametrize("name", ["a\0b.py", 7, None, "", {"x": 1}])
def test_a_list_keeps_what_can_be_used(name: object) -> None:
    repository = open_repository({"kind": "files", "files": ["ok.py", name]})

    assert repository.files == ("ok.py",)
    assert len(repository.problems) == 1


def test_an_archive_with_an_entry_without_a_name_is_read_without_it() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo(""), b"")
        archive.writestr("top/a.py", b"")

    repository = open_repository({"kind": "archive", "base64": base64.b64encode(buffer.getvalue()).decode()})

    assert repository.files == ("top/a.py",)
    assert [name for name, _ in repository.problems] == [""]


def test_an_archive_that_unpacks_to_far_more_than_it_is_gets_refused() -> None:
    zeros = bytes(24 * 1024 * 1024)
    bombs = [
        a_zip({"bomb": zeros}, compression=zipfile.ZIP_DEFLATED),
        a_tar([entry("bomb", size=len(zeros))], "w:gz", zeros),
        a_tar([entry("bomb", size=len(zeros))], "w:xz", zeros),
    ]

    for bomb in bombs:
        with pytest.raises(InputError, match="more than 50 times its size"):
            open_repository(bomb)


@pytest.mark.parametrize("kind", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("name", [".gitignore", "a.py"])
def test_an_entry_that_says_too_little_of_its_size_does_not_fill_the_memory(name: str, kind: int) -> None:
    bomb = base64.b64encode(understated(name, b"*.log\n", 150, kind)).decode()

    before = most_memory()
    repository = open_repository({"kind": "archive", "base64": bomb})
    assert repository.contents
    held = list(repository.contents(lambda path: True))

    assert repository.files == (name,)
    assert repository.texts == {}
    assert held == [("", None)]
    assert most_memory() - before < 60_000_000


def with_dictionary(packed: bytes, code: int) -> bytes:
    """A stream of xz that says its dictionary has the size of a code: 30 is 128 MB, 40 is 4 GB."""
    start, end = 12, 12 + packed[12] * 4  # the header of its first block, a checksum behind it
    header = packed[start:end].replace(b"\x21\x01" + packed[start + 4 : start + 5], bytes([0x21, 1, code]), 1)
    return packed[:start] + header + struct.pack("<I", zlib.crc32(header)) + packed[end + 4 :]


@pytest.mark.parametrize("behind", [False, True], ids=["first", "behind another stream"])
@pytest.mark.parametrize("code", [33, 40], ids=["384 MB", "4 GB"])
def test_xz_that_asks_for_a_large_dictionary_is_refused_before_it_has_it(code: int, behind: bool) -> None:
    half = entry("a.py", size=4096).tobuf() + bytes(4096)
    first = lzma.compress(half) if behind else b""
    bomb = first + with_dictionary(lzma.compress(entry("b.py").tobuf() + bytes(10_240)), code)

    with pytest.raises(InputError, match=r"^the archive takes more than 200000000 bytes of memory to unpack$"):
        open_repository({"kind": "archive", "base64": base64.b64encode(bomb).decode()})


def test_xz_as_it_packs_best_and_in_several_streams_is_read() -> None:
    halves = entry("a.py", size=4096).tobuf() + bytes(4096), entry("b.py").tobuf() + bytes(10_240)
    packed = lzma.compress(halves[0], preset=9) + bytes(8) + with_dictionary(lzma.compress(halves[1]), 30) + bytes(4)

    assert open_repository({"kind": "archive", "base64": base64.b64encode(packed).decode()}).files == ("a.py", "b.py")


@pytest.mark.parametrize("cut", [lambda packed: packed[:-40], lambda packed: packed[:-24] + b"not of xz at all" * 2])
def test_xz_that_ends_within_a_stream_is_damaged(cut: Callable[[bytes], bytes]) -> None:
    packed = cut(lzma.compress(entry("a.py", size=50_000).tobuf() + Random(1).randbytes(50_000)))
    with pytest.raises(InputError, match="the archive is damaged"):
        open_repository({"kind": "archive", "base64": base64.b64encode(packed).decode()})


def test_an_archive_is_held_once_while_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "a.tar").open("wb") as file:
        file.truncate(150_000_000)

    before = most_memory()
    assert open_repository({"kind": "archive", "path": str(tmp_path / "a.tar")}).files == ()
    assert most_memory() - before < 200_000_000


def test_an_archive_with_a_list_of_millions_of_entries_is_refused_before_that_is_read() -> None:
    listed = zipfile.ZipInfo("a")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(listed, b"")
    whole = buffer.getvalue()
    start, end = whole.index(b"PK\1\2"), whole.index(b"PK\5\6")
    entries = whole[start:end] * 1_000_000
    closing = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(entries), start, 0)
    bomb = base64.b64encode(whole[:start] + entries + closing).decode()

    before = most_memory()
    with pytest.raises(InputError, match="more than 500000 entries"):
        open_repository({"kind": "archive", "base64": bomb})
    assert most_memory() - before < 200_000_000


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE])
def test_a_tar_whose_names_and_attributes_hold_too_much_is_refused(kind: bytes) -> None:
    header = entry("x", kind, size=600_000)
    whole = header.tobuf(tarfile.GNU_FORMAT) + b"9" * header.size + entry("a.py").tobuf() + bytes(1024)

    before = time.process_time()
    with pytest.raises(InputError, match="long names and extended headers hold too much"):
        open_repository({"kind": "archive", "base64": base64.b64encode(whole).decode()})
    assert time.process_time() - before < 5


def saying(size: bytes) -> bytes:
    """A tar of one file whose header says another size, in twelve bytes."""
    header = bytearray(entry("a.py").tobuf())
    header[124:136], header[148:156] = size, b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + bytes(10_240)


def in_pax(records: bytes, kind: bytes = tarfile.XHDTYPE) -> bytes:
    header = entry("x", kind, size=len(records)).tobuf(tarfile.GNU_FORMAT)
    return header + records + bytes(-len(records) % tarfile.BLOCKSIZE)


FILE_AND_END = entry("a.py").tobuf() + bytes(1024)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (saying(b"\x80" + b"\xff" * 11), "unpacks to more than"),
        (saying(b"77777777777\0"), "unpacks to more than"),
        (saying(b"\xff" * 12), "damaged"),
        (in_pax(b"22 size=999999999999999\n") + FILE_AND_END, "unpacks to more than"),
    ],
    ids=["of 2^88 bytes", "of 8 GB", "of -1 byte", "of 10^15 bytes by an attribute"],
)
def test_a_tar_that_says_a_size_which_no_file_has_is_refused_at_once(data: bytes, said: str) -> None:
    before = time.process_time()
    with pytest.raises(InputError, match=said):
        open_repository(archive_of(data))
    assert time.process_time() - before < 1


@pytest.mark.parametrize(
    "data",
    [
        in_pax(b"11 path=ab\n") * 1500 + FILE_AND_END,
        in_pax(b"11 path=ab\n", tarfile.XGLTYPE) * 1500 + FILE_AND_END,
        in_pax(b"abc\0", tarfile.GNUTYPE_LONGNAME) * 1500 + FILE_AND_END,
        entry("b.py").tobuf() + in_pax(b"11 path=ab\n") * 1500 + FILE_AND_END,
        in_pax(b"9" * 1000 + b" path=ab\n") + FILE_AND_END,
    ],
    ids=["attributes", "attributes for all", "long names", "behind a file", "a length of 1,000 digits"],
)
def test_a_tar_of_headers_that_follow_headers_or_lie_about_their_length_is_damaged(data: bytes) -> None:
    with pytest.raises(InputError, match="the archive is damaged"):
        open_repository(archive_of(data))


def a_tar_of_files(count: int) -> bytes:
    """Without its end: a block for the header of each file, and a block for what it holds."""
    return b"".join(entry(f"{number}.py", size=512).tobuf() + b"#" * 512 for number in range(count))


END = bytes(1024)


@pytest.mark.parametrize(
    "data",
    [
        a_tar_of_files(2) + b"x" + a_tar_of_files(1)[1:] + END,
        a_tar_of_files(2) + bytes(4096) + a_tar_of_files(1) + END,
        a_tar_of_files(2) + bytes(512) + a_tar_of_files(1)[512:] + END,
        a_tar_of_files(2) + in_pax(b"0 path=ab\n") + FILE_AND_END,
        a_tar_of_files(3)[:-200],
        a_tar_of_files(3)[:-512],
        a_tar_of_files(3)[:-800],
        a_tar_of_files(3),
        gzip.compress(a_tar_of_files(3)),
    ],
    ids=[
        "a letter of a header changed",
        "a hole within it",
        "a header of zeros",
        "attributes without a length",
        "cut in a file",
        "cut behind a header",
        "cut in a header",
        "cut between two files",
        "packed when it was cut",
    ],
)
def test_a_tar_that_is_damaged_or_has_no_end_is_not_taken_for_its_first_files(data: bytes) -> None:
    with pytest.raises(InputError, match="damaged"):
        open_repository(archive_of(data))


@pytest.mark.parametrize("end", [bytes(512), bytes(1024), bytes(10_240)])
def test_a_tar_ends_with_a_block_of_zeros_or_more(end: bytes) -> None:
    assert open_repository(archive_of(a_tar_of_files(2) + end)).files == ("0.py", "1.py")


def test_a_long_name_in_a_tar_is_read() -> None:
    name = "/".join(["folder" * 10] * 40) + ".py"
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        whole = entry(name).tobuf(form) + bytes(1024)
        assert open_repository({"kind": "archive", "base64": base64.b64encode(whole).decode()}).files == (name,)


def test_an_archive_with_too_many_entries_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_FILES", 3)

    with pytest.raises(InputError, match="more than 3 entries"):
        open_repository(a_zip({f"{n}.py": b"" for n in range(5)}))


@pytest.mark.parametrize(
    "artifact",
    [
        a_zip({f"{folder}/.gitignore": b"*.log\n" for folder in "abc"}),
        a_tar([entry(f"{folder}/.gitignore", size=6) for folder in "abc"], data=b"*.log\n"),
        a_tar([entry(f"{folder}/link", tarfile.SYMTYPE, "target") for folder in "abc"]),
    ],
    ids=["zip", "tar", "links"],
)
def test_an_archive_whose_ignore_files_and_links_hold_too_much_together_is_refused(
    artifact: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.adapters.repositories.archives.MAX_TEXTS_BYTES", 18, raising=False)
    assert len(open_repository(artifact).files) == 3
    monkeypatch.setattr("gate.adapters.repositories.archives.MAX_TEXTS_BYTES", 17, raising=False)

    with pytest.raises(InputError, match="links and ignore files hold more than 17 bytes"):
        open_repository(artifact)


def test_an_entry_whose_name_begins_with_a_zero_byte_ends_nothing() -> None:
    data = base64.b64decode(a_zip({"a.py": b"", "zero.py": b""})["base64"]).replace(b"zero.py", b"\0ero.py")
    repository = open_repository({"kind": "archive", "base64": base64.b64encode(data).decode()})

    assert repository.contents
    assert ("a.py", b"") in list(repository.contents(lambda path: True))


def test_an_encrypted_entry_is_named() -> None:
    artifact = a_zip({".gitignore": b"*.log", "a.py": b""})
    data = bytearray(base64.b64decode(artifact["base64"]))
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(magic) + offset] |= 1
    repository = open_repository({"kind": "archive", "base64": base64.b64encode(bytes(data)).decode()})

    assert repository.files == (".gitignore", "a.py")
    assert repository.problems == ((".gitignore", "the entry is encrypted, damaged or not packed by deflate"),)


@pytest.mark.parametrize(
    ("artifact", "message"),
    [
        ({"kind": "floppy"}, "kind floppy is not known"),
        ({"kind": "files"}, "no list of files"),
        ({"kind": "worktree", "path": "/nowhere/at/all"}, "does not exist"),
        ({"kind": "archive", "path": "/nowhere.zip"}, "cannot be read"),
        ({"kind": "archive", "base64": "?"}, "not valid Base64"),
        ({"kind": "archive", "base64": base64.b64encode(b"no archive" * 100).decode()}, "damaged, or of a kind"),
        ({"kind": "archive", "base64": base64.b64encode(b"\x1f\x8bbroken").decode()}, "damaged, or of a kind"),
    ],
)
def test_what_cannot_be_read_at_all_is_one_clear_line(artifact: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        open_repository(artifact)


@pytest.mark.parametrize("commit", ["--upload-pack=x", "nope", "a;b", "$(x)"])
def test_a_commit_that_is_not_there_is_one_clear_line(commit: str, worktree: Path) -> None:
    with pytest.raises(InputError, match="commit"):
        open_repository({"kind": "worktree", "path": str(worktree), "commit": commit})


@pytest.mark.parametrize("path", ["..", "../other", "/etc", "inside/../..", "link"])
def test_a_path_must_lie_in_the_folder_that_the_operator_named(path: str, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to("/etc")

    for kind in ("worktree", "archive"):
        with pytest.raises(InputError, match="leaves repo_root"):
            open_repository({"kind": kind, "path": path}, str(root))


def test_a_manifest_of_a_hundred_thousand_files_is_read_quickly() -> None:
    names = [f"pkg{n % 997}/module{n % 31}/file{n}.py" for n in range(100_000)]
    began = time.perf_counter()

    repository = open_repository({"kind": "files", "files": names})

    assert len(repository.files) == 100_000
    assert repository.has("pkg5/module7")
    assert time.perf_counter() - began < 10
