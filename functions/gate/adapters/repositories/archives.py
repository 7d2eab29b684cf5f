"""Reads the names in a zip or tar archive. Nothing is unpacked to disk; what could be a bomb is refused whole."""

from __future__ import annotations

import base64
import binascii
import bz2
import gzip
import io
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import IO, Any

from gate.adapters.repositories.entries import LINK_MODE, MAX_FILES, MAX_TEXT_BYTES, is_wanted, repository_of
from gate.adapters.repositories.entries_found import MAX_TEXTS_BYTES
from gate.adapters.repositories.plain_files import PlainFiles, place_of
from gate.errors import InputError
from gate.repository.manifest import Contents, Repository
from gate.repository.paths import normalise
from gate.zip_members import opened, unpacked

MAX_ARCHIVE_BYTES = 512 * 1024 * 1024
MAX_UNPACKED_BYTES = 4 * 1024 * 1024 * 1024
MAX_RATIO = 50
"""Unpacked to packed: source code packs about 5 to 1, zeros 1,000 to 1."""
FREE_BYTES = 10 * 1024 * 1024
"""The ratio is not looked at below this size."""

MAX_XZ_MEMORY = 200_000_000
"""Bytes that unpacking xz may take: it keeps the last 64 MB where it packs best, but 4 GB where an archive says so."""

LONG_HEADER = 1024
MAX_HEADERS_EFFORT = 2 * 10**9
"""Squares of the sizes of all headers of a tar that are longer: Python 3.11 takes quadratic time for one of digits."""
_HEADERS = frozenset({b"L", b"K", b"x", b"g", b"X"})
"""Types of entries that hold the name, or the attributes, of others: they are read whole, however large."""
_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    EOFError,
    OSError,
    zlib.error,
    lzma.LZMAError,
    ValueError,
    NotImplementedError,
    OverflowError,
    RecursionError,
)
_ZIP_END = b"PK\5\6"
_ZIP_END_BYTES = 22
"""Without the comment, which is all that may follow."""
_ZIP_STARTS = (b"PK\3\4", _ZIP_END)
_PACKED_NAME = re.compile(r"-(?:[0-9a-f]{7,40}|v?\d[\w.+]*|main|master)$")


class EntryNames:
    """What an archive holds, as it is read."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, str]] = []
        self.links: dict[str, str] = {}
        self.texts: dict[str, str] = {}
        self.problems: list[tuple[str, str]] = []
        self._unpacked = 0
        self._room = MAX_TEXTS_BYTES

    def add(self, name: str, size: int, packed: int, *, link: str | None = None) -> None:
        """Note an entry; too many, or too large in all, ends the reading."""
        self._unpacked += size
        check_size(self._unpacked, packed)
        if len(self.entries) >= MAX_FILES:
            raise InputError(f"the archive has more than {MAX_FILES} entries")
        self.entries.append((name, LINK_MODE if link is not None else "100644"))
        if link is not None:
            self.keep(name, link, is_link=True)

    def keep(self, name: str, text: str, *, is_link: bool) -> None:
        """Note what a link or a configuration file holds; too much in all ends the reading."""
        self._room -= len(text)
        if self._room < 0:
            raise InputError(f"the archive's links and ignore files hold more than {MAX_TEXTS_BYTES} bytes")
        (self.links if is_link else self.texts)[name] = text


def check_size(unpacked: int, packed: int) -> None:
    """Refuse what unpacks to too much, or to too much of what it was."""
    if unpacked > MAX_UNPACKED_BYTES:
        raise InputError(f"the archive unpacks to more than {MAX_UNPACKED_BYTES} bytes")
    if unpacked > FREE_BYTES and unpacked > packed * MAX_RATIO:
        raise InputError(f"the archive unpacks to more than {MAX_RATIO} times its size")


def read_archive(artifact: Mapping[str, Any], root: str | None) -> Repository:
    """Read `artifact["base64"]`, or the file `artifact["path"]` below `root`; its single top folder is left off.

    Raises:
        InputError: it is no archive, is damaged, or could be a bomb; entries with unusable names are in `problems`.
    """
    data, name = _data(artifact, root)
    try:
        names = _zip(data) if _is_zip(data) else _tar(data)
    except InputError:
        raise
    except _BROKEN:
        raise InputError(
            "the archive is damaged, or of a kind that is not known (zip, tar, tar.gz, tar.bz2, tar.xz)"
        ) from None
    top = _top_folder([path for path, _ in names.entries], name)
    texts = {path.removeprefix(top): text for path, text in names.texts.items()}
    repository = repository_of(
        ((path.removeprefix(top), mode) for path, mode in names.entries if not _is_git(path.removeprefix(top))),
        links={path.removeprefix(top): target for path, target in names.links.items()},
        texts=texts,
        problems=names.problems,
        name=_PACKED_NAME.sub("", top.rstrip("/")),
    )
    files = frozenset(repository.files)
    return replace(
        repository,
        texts={path: text for path, text in texts.items() if path in files},
        contents=_contents(data, top, files.difference(repository.links)),
    )


def _contents(data: bytes, top: str, files: Collection[str]) -> Contents:
    """What the files of an archive hold, which was read whole before."""

    def contents(wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes | None]]:
        try:
            if _is_zip(data):
                with _opened_zip(data) as archive:
                    for info in archive.infolist():
                        path = _spelt(info.orig_filename).removeprefix(top)
                        is_file = path in files and not info.filename.endswith("/")
                        if is_file and info.file_size <= MAX_TEXT_BYTES and wanted(path):
                            yield path, unpacked(archive, info)
                return
            with _opened_tar(data) as packed:
                for entry in packed:
                    path = _spelt(entry.name).removeprefix(top)
                    if path in files and entry.isfile() and entry.size <= MAX_TEXT_BYTES and wanted(path):
                        file = packed.extractfile(entry)
                        yield path, file.read() if file else None
        except (RuntimeError, *_BROKEN):  # an encrypted entry is a RuntimeError
            yield "", None

    return contents


def _data(artifact: Mapping[str, Any], root: str | None) -> tuple[bytes, str]:
    if "base64" in artifact:
        try:
            return base64.b64decode(str(artifact["base64"]), validate=True), str(artifact.get("name") or "")
        except binascii.Error:
            raise InputError("the archive is not valid Base64") from None
    path = place_of(artifact, root)
    data = PlainFiles(path.parent).read(path.name, MAX_ARCHIVE_BYTES)
    if data is None:
        raise InputError("the archive cannot be read: there is no plain file")
    return data, path.name


def _is_zip(data: bytes) -> bool:
    """By how it begins: a tar may hold a ZIP near its end, where a ZIP has its list, and one called as a ZIP begins."""
    if not data.startswith(_ZIP_STARTS):
        return False
    try:
        tarfile.TarInfo.frombuf(data[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return True
    return False


def _opened_zip(data: bytes) -> zipfile.ZipFile:
    archive = opened(data, MAX_FILES)
    if archive is None:
        raise InputError(f"the archive has more than {MAX_FILES} entries")
    if not data.startswith(_ZIP_END, len(data) - _ZIP_END_BYTES - len(archive.comment)):
        raise zipfile.BadZipFile("something stands behind its end")
    return archive


def _zip(data: bytes) -> EntryNames:
    names = EntryNames()
    with _opened_zip(data) as archive:
        for entry in archive.infolist():
            if entry.filename.endswith("/"):
                continue
            name = _spelt(entry.orig_filename)
            names.add(name, entry.file_size, len(data))
            is_link = stat.S_ISLNK(entry.external_attr >> 16)
            if is_link or is_wanted(name):
                _read_zip_entry(archive, entry, names, is_link=is_link)
    return names


def _read_zip_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, names: EntryNames, *, is_link: bool) -> None:
    if entry.file_size > MAX_TEXT_BYTES:
        names.problems.append((entry.filename, f"the entry is larger than {MAX_TEXT_BYTES} bytes"))
        return
    try:
        text = unpacked(archive, entry).decode("utf-8", "replace")
    except (RuntimeError, *_BROKEN):  # an encrypted entry is a RuntimeError
        names.problems.append((entry.filename, "the entry is encrypted, damaged or not packed by deflate"))
        return
    names.keep(_spelt(entry.orig_filename), text, is_link=is_link)


class _Xz(io.RawIOBase):
    """What xz has packed, in one stream or several. The library's own file takes what memory an archive asks for."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._stream = _xz_stream()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """A byte or more, `size` at most; none where all has been read."""
        while True:
            piece = b""
            if self._stream.eof:
                piece = self._next_stream()
                if not piece:
                    return b""
                self._stream = _xz_stream()
            elif self._stream.needs_input:
                piece = self._packed.read(io.DEFAULT_BUFFER_SIZE)
                if not piece:
                    raise EOFError
            try:
                data = self._stream.decompress(piece, size)
            except lzma.LZMAError as error:
                if "Memory usage limit" not in str(error):
                    raise
                raise InputError(f"the archive takes more than {MAX_XZ_MEMORY} bytes of memory to unpack") from None
            if data:
                return data

    def _next_stream(self) -> bytes:
        """How what follows a stream begins, without the zeros between them."""
        piece = self._stream.unused_data.lstrip(b"\0")
        while not piece and (read := self._packed.read(io.DEFAULT_BUFFER_SIZE)):
            piece = read.lstrip(b"\0")
        return piece


def _xz_stream() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, MAX_XZ_MEMORY)


_OPENERS: Mapping[bytes, Callable[[IO[bytes]], Any]] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": _Xz}


class _Counted(io.RawIOBase):
    """An unpacked stream that stops a bomb while it is read."""

    def __init__(self, inner: IO[bytes], packed: int) -> None:
        self._inner = inner
        self._packed = packed
        self._count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._inner.read(min(size, 1 << 20) if size >= 0 else 1 << 20)
        self._count += len(data)
        check_size(self._count, self._packed)
        return data


def _opened_tar(data: bytes) -> tarfile.TarFile:
    opener = _OPENERS.get(data[:2])
    raw = opener(io.BytesIO(data)) if opener else io.BytesIO(data)
    counted = _Counted(raw, len(data))
    return tarfile.open(
        fileobj=counted, mode="r|", encoding="utf-8", errors="surrogateescape", tarinfo=_entries(len(data))
    )


def _entries(packed: int) -> type[tarfile.TarInfo]:
    """The entries of one tar; what none of that size can hold, and too much in long names, end the reading."""
    left = MAX_HEADERS_EFFORT

    class Entry(tarfile.TarInfo):
        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Entry:
            nonlocal left
            if not buf:
                raise InputError("the archive is damaged: it has no end")
            entry = super().frombuf(buf, encoding, errors)
            if entry.size < 0:
                raise tarfile.ReadError("a size below nothing")
            if entry.type in _HEADERS and entry.size > LONG_HEADER:
                left -= entry.size**2
                if left < 0:
                    raise InputError("the archive's long names and extended headers hold too much")
            return entry

        @classmethod
        def fromtarfile(cls, archive: tarfile.TarFile) -> Entry:
            try:
                entry = super().fromtarfile(archive)
            except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
                raise
            except tarfile.HeaderError as error:  # which the library takes for the end
                raise tarfile.ReadError(str(error)) from None
            # The library passes over a file block by block, and goes on where there are none.
            check_size(archive.offset, packed)
            return entry

    return Entry


def _tar(data: bytes) -> EntryNames:
    names = EntryNames()
    with _opened_tar(data) as archive:
        for entry in archive:
            if entry.isdir():
                continue
            link = entry.linkname if entry.issym() else None
            name = _spelt(entry.name)
            names.add(name, 0, len(data), link=link)
            if not (entry.isfile() or entry.issym()):
                names.entries.pop()
                names.problems.append((entry.name, "the entry is a hard link, a device or a pipe"))
            elif entry.isfile() and is_wanted(name) and entry.size <= MAX_TEXT_BYTES:
                file = archive.extractfile(entry)
                text = file.read().decode("utf-8", "replace") if file else ""
                names.keep(name, text, is_link=False)
        _check_end(archive)
    return names


def _check_end(archive: tarfile.TarFile) -> None:
    """Refuse a tar with something behind its end: a hole in the middle looks like one."""
    while rest := archive.fileobj.read(1 << 20) if archive.fileobj else b"":
        if rest.strip(b"\0"):
            raise tarfile.ReadError("something stands behind its end")


def _spelt(name: str) -> str:
    """A name as the repository has it, whoever packed it; one that cannot be used as it is, to be told of."""
    try:
        return normalise(name)
    except InputError:
        return name


def _top_folder(paths: list[str], name: str) -> str:
    """The folder that an archive packs everything into, where it is only packing: `name-1.0/`."""
    tops = {path.partition("/")[0] if "/" in path else "" for path in paths}
    if len(tops) != 1:
        return ""
    top = tops.pop()
    return f"{top}/" if top and (_PACKED_NAME.search(top) or name.startswith(top)) else ""


def _is_git(path: str) -> bool:
    """A checkout keeps no such folder: git refuses the name below the root and in any case, as some disks have it."""
    return ".git" in path.lower().split("/")
