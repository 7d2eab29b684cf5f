"""Whether the files of an index are what its manifest says: looked at whole, or at as much as fits into an opening.

Chance damages files (a disk, a copy that broke off, an editor), and this finds it. Whoever may write to the folder can
write a manifest too: nothing here is a signature.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from secrets import SystemRandom

from gate.adapters.embedded.index_manifest import NAME, File, Manifest
from gate.errors import DamagedIndexError

BLOCK = 1 << 18
"""Bytes that share a checksum."""
OPENING_BYTES = 16_000_000
"""An opening reads no more than this (about 15 ms). A larger index is sampled, other blocks each time."""
_DIGITS = 16


def block_sum(data: bytes) -> str:
    """The checksum of a block: 64 bits as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()[:_DIGITS]


def measure(path: Path) -> File:
    """Return a file's size and checksums."""
    whole, size, sums = hashlib.sha256(), 0, []
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            whole.update(block)
            size += len(block)
            sums.append(block_sum(block))
    return File(bytes=size, sha256=whole.hexdigest(), blocks="".join(sums))


def check(folder: Path, manifest: Manifest, names: Iterable[str] | None = None) -> None:
    """Compare every byte of every file, or of those named.

    Raises:
        DamagedIndexError: names the first file that differs.
    """
    named = manifest.files if names is None else names
    _check_sizes(folder, manifest, named)
    for name in named:
        if measure(folder / name).sha256 != manifest.files[name].sha256:
            raise DamagedIndexError(folder.name, f"{name} has changed")


def check_opening(folder: Path, manifest: Manifest) -> None:
    """Compare what an opening has time for: sizes, which rows are deleted, then blocks until `OPENING_BYTES` are read.

    The text index comes first, as nothing else would notice; passages have a checksum a row besides, which is compared
    whenever one is read. An index of which a file is newer than the manifest is under suspicion (see `suspect`) and
    looked at whole.

    Raises:
        DamagedIndexError: names the first file that differs.
    """
    if _suspicious(folder, manifest):
        check(folder, manifest)
        _trust(folder)
        return
    _check_sizes(folder, manifest, manifest.files)
    for name, at, block in _read(folder, _sample(manifest)):
        if block_sum(block) != manifest.files[name].blocks[_DIGITS * at : _DIGITS * (at + 1)]:
            raise DamagedIndexError(folder.name, f"{name} has changed")


def _sample(manifest: Manifest) -> list[tuple[str, int]]:
    """Choose what an opening reads: (name of a file, number of a block in it), in order."""
    dead, text, rest = list[tuple[str, int]](), list[tuple[str, int]](), list[tuple[str, int]]()
    for name, file in manifest.files.items():
        kind = dead if name == manifest.dead else text if name.startswith(f"{manifest.text}/") else rest
        kind += [(name, at) for at in range(-(-file.bytes // BLOCK))]
    chance, count = SystemRandom(), max(1, OPENING_BYTES // BLOCK)
    return sorted(dead + [*chance.sample(text, len(text)), *chance.sample(rest, len(rest))][:count])


def _read(folder: Path, blocks: list[tuple[str, int]]) -> Iterator[tuple[str, int, bytes]]:
    for name, chosen in groupby(blocks, key=itemgetter(0)):
        with (folder / name).open("rb") as file:
            for _, at in chosen:
                file.seek(at * BLOCK)
                yield name, at, file.read(BLOCK)


def _check_sizes(folder: Path, manifest: Manifest, names: Iterable[str]) -> None:
    for name in names:
        path = folder / name
        if not path.is_file():
            raise DamagedIndexError(folder.name, f"{name} is missing")
        if path.stat().st_size != manifest.files[name].bytes:
            raise DamagedIndexError(folder.name, f"{name} has changed")


def suspect(folder: Path) -> None:
    """Have the next opening look at all of an index: its manifest, written last, gets to be the oldest file."""
    with suppress(OSError):
        os.utime(folder / NAME, (0, 0))


def _trust(folder: Path) -> None:
    """Let the manifest be the newest file again; in a folder that may not be written every opening looks at all."""
    with suppress(OSError):
        os.utime(folder / NAME)


def _suspicious(folder: Path, manifest: Manifest) -> bool:
    written = (folder / NAME).stat().st_mtime_ns
    with suppress(FileNotFoundError):  # what is missing is said by the check
        return any((folder / name).stat().st_mtime_ns > written for name in manifest.files)
    return False
