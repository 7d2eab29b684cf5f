"""Git's index: the files that a work tree tracks. Versions 2 to 4, SHA-1 and SHA-256."""

from __future__ import annotations

import hashlib
import struct
from typing import NamedTuple, NoReturn

from gate.adapters.repositories.entries import MAX_FILES
from gate.adapters.repositories.unpacking import offset_number
from gate.errors import InputError

MAX_INDEX_BYTES = 256 * 1024 * 1024
MAX_NAME_BYTES = 256 * 1024 * 1024
"""All paths together: version 4 lets a small file stand for long ones."""
_HASHES = (hashlib.sha1, hashlib.sha256)
_FIXED = 40
"""Bytes of an entry in front of its id."""
_NAME_LENGTH, _EXTENDED = 0xFFF, 0x4000
_SKIP_WORKTREE = 0x4000
_KNOWN_EXTENSIONS = (b"sdir",)
"""Those that a reader must know: they start with a small letter. `sdir`: folders may stand for their files."""


class Tracked(NamedTuple):
    """One file.

    Attributes:
        path: as git has it; a folder of a sparse index ends with `/`.
        mode: git's file mode.
        id: of the object, in hexadecimal digits.
        absent: the work tree is not expected to have it (a sparse checkout).
    """

    path: str
    mode: str
    id: str
    absent: bool


def read_index(data: bytes) -> list[Tracked]:
    """Read an index.

    Raises:
        InputError: it is damaged, split, of a version that is not known, or has too many or too long names.
    """
    magic, version, count = struct.unpack_from(">4sII", data) if len(data) >= 12 else (b"", 0, 0)
    if magic != b"DIRC" or version not in (2, 3, 4):
        _damaged()
    if count > MAX_FILES:
        raise InputError(f"the repository's index has more than {MAX_FILES} entries")
    for algorithm in _HASHES:
        size = algorithm().digest_size
        end = len(data) - size
        # An index of zeros in the sum's place has none (index.skipHash).
        if data[end:] in (algorithm(data[:end], usedforsecurity=False).digest(), bytes(size)):
            try:
                entries, at = _entries(data[:end], version, count, size)
            except (IndexError, ValueError, struct.error):
                continue
            _check_extensions(data[at:end])
            return entries
    return _damaged()


def _entries(data: bytes, version: int, count: int, id_size: int) -> tuple[list[Tracked], int]:
    entries = []
    name = b""
    at, total = 12, 0
    for _ in range(count):
        start = at
        (mode,) = struct.unpack_from(">I", data, at + 24)
        id_ = data[at + _FIXED : at + _FIXED + id_size]
        at += _FIXED + id_size
        (flags,) = struct.unpack_from(">H", data, at)
        at += 2
        more = 0
        if flags & _EXTENDED:
            (more,) = struct.unpack_from(">H", data, at)
            at += 2
        if version == 4:
            dropped, at = offset_number(data, at, MAX_NAME_BYTES)
            if dropped > len(name):
                raise ValueError
            end = data.index(b"\0", at)
            name = name[: len(name) - dropped] + data[at:end]
            at = end + 1
        else:
            end = data.index(b"\0", at)
            name = data[at:end]
            at = start + ((end - start + 8) & ~7)
        if min(len(name), _NAME_LENGTH) != flags & _NAME_LENGTH:
            raise ValueError
        total += len(name)
        if total > MAX_NAME_BYTES:
            raise InputError("the repository's index has too long names")
        path = name.decode("utf-8", "surrogateescape")
        entries.append(Tracked(path, f"{mode:06o}", id_.hex(), bool(more & _SKIP_WORKTREE)))
    return entries, at


def _check_extensions(data: bytes) -> None:
    at = 0
    while at < len(data):
        name = data[at : at + 4]
        if name == b"link":
            raise InputError("the repository's index is split", hint="git update-index --no-split-index joins it")
        if not name[:1].isupper() and name not in _KNOWN_EXTENSIONS:
            _damaged()
        at += 8 + int.from_bytes(data[at + 4 : at + 8])
    if at != len(data):
        _damaged()


def _damaged() -> NoReturn:
    raise InputError("the repository's index is damaged, or of a kind that is not known")
