"""Reads corpora: a file, or every file of a folder that has a reader (`gate.adapters.readers`)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gate.adapters.readers import READERS, Found, Problem, reason
from gate.errors import InputError
from gate.text.encodable import encodable

READER_VERSION = "3"
"""Raise it when a reader cuts differently: cached indexes of corpora are then made anew."""


def files(path: Path) -> list[tuple[Path, str]]:
    """Return the files of a corpus and where each lies in it, in order; hidden ones and unknown formats are left out.

    Raises:
        InputError: there is nothing at `path`, or nothing that can be read.
    """
    if path.is_file():
        if path.suffix.lower() not in READERS:
            raise InputError(f"{path}: unknown format", hint="known: " + ", ".join(READERS))
        return [(path, path.name)]
    if not path.is_dir():
        raise InputError(f"{path}: no such file or folder")
    inside = ((each, each.relative_to(path)) for each in sorted(path.rglob("*")))
    found = [
        (each, where.as_posix())
        for each, where in inside
        if each.suffix.lower() in READERS and each.is_file() and not any(part.startswith(".") for part in where.parts)
    ]
    for each, where in found:
        if not encodable(where):
            raise InputError(f"{each}: the name is not UTF-8", hint="rename the file")
    if not found:
        raise InputError(f"{path}: no file that can be read", hint="known: " + ", ".join(READERS))
    return found


def read(data: bytes, location: str) -> Iterator[Found]:
    """Read one file's bytes with the reader of its name; what it cannot read is a problem, not the end."""
    try:
        yield from READERS[Path(location).suffix.lower()](data, location)
    except (ValueError, RecursionError) as error:
        yield Problem(location, reason(error))


def read_corpus(path: Path, *, named_from_here: bool = False) -> Iterator[Found]:
    """Read a file, or every file of a folder.

    Args:
        named_from_here: name documents by the path as it was given, so that two folders can share an index; without
            it by their place in the corpus alone.
    """
    for file, location in files(path):
        try:
            data = file.read_bytes()
        except OSError as error:
            yield Problem(str(file), error.strerror or "cannot be read")
            continue
        yield from read(data, file.as_posix() if named_from_here else location)


def fingerprint(path: Path, *more: str) -> str:
    """Return a hash of everything that decides what a corpus's index holds."""
    digest = _Fingerprint(more)
    for file, location in files(path):
        digest.add(location, _bytes(file))
    return digest.hex()


def whole(path: Path, *more: str) -> tuple[list[dict[str, Any]], str]:
    """Read a corpus of which every passage must be good.

    Returns:
        The passages, and the fingerprint of the very bytes that they were read from.

    Raises:
        InputError: says which line or file is not, or that there is nothing in it.
    """
    digest, passages = _Fingerprint(more), list[dict[str, Any]]()
    for file, location in files(path):
        data = _bytes(file)
        digest.add(location, data)
        passages += _good(read(data, location))
    if not passages:
        raise InputError(f"{path}: the corpus is empty")
    return passages, digest.hex()


class _Fingerprint:
    """A hash over the files of a corpus, in order; `more` is what else decides what an index of it holds."""

    def __init__(self, more: Iterable[str]) -> None:
        self._digest = hashlib.sha256("\x00".join([READER_VERSION, *more]).encode())

    def add(self, location: str, data: bytes) -> None:
        """Count a file in."""
        self._digest.update(f"\x00{location}\x00".encode() + hashlib.sha256(data).digest())

    def hex(self) -> str:
        """The hash so far."""
        return self._digest.hexdigest()


def _good(found: Iterable[Found]) -> Iterator[dict[str, Any]]:
    for each in found:
        if isinstance(each, Problem):
            raise InputError(f"{each.where}: {each.why}")
        yield each


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
