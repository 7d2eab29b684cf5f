"""What an index consists of: one small file, renamed into place, that names every other file.

<index>/manifest.json      the generation in force; what it does not name does not exist
<index>/part-000003.*      passages and vectors, written once: `.jsonl`, `.columns`, and with vectors `.f32`, `.bits`
<index>/text-000003/       tantivy's index of that generation; unchanged files are hard links into the one before
<index>/dead-000003.npy    rows that were deleted or replaced
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from gate.errors import SettingsError

NAME = "manifest.json"
FULL_CHECK_BYTES = 64_000_000
"""Up to this size an index is checked byte by byte when it is opened; a larger one by its files' sizes."""


class DamagedIndexError(SettingsError):
    """An index on disk is not what its manifest says, or was written by another version."""

    def __init__(self, index: str, what: str) -> None:
        super().__init__(
            f"index {index!r} is damaged: {what}", hint=f"gate index delete {index}, then add the corpus again"
        )


class Record(BaseModel):
    """Base of what the manifest holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class File(Record):
    """Size and SHA-256 of a file."""

    bytes: int
    sha256: str


class Part(Record):
    """Passages written together: `name` of its files, number of its first row, and how many."""

    name: str
    first: int
    rows: int

    def files(self, dimension: int | None) -> list[str]:
        """Names of the files that hold it."""
        kinds = (".jsonl", ".columns", ".f32", ".bits") if dimension else (".jsonl", ".columns")
        return [self.name + kind for kind in kinds]


class Manifest(Record):
    """One generation of an index. `rows` counts dead ones too, `documents` does not.

    `rescored`: rows with the nearest sign bits that are compared as floats; 0: every row is.
    """

    format: Literal[1] = 1
    generation: int
    documents: int
    rows: int
    parts: tuple[Part, ...]
    text: str
    dead: str | None
    embedder: str | None
    dimension: int | None
    rescored: int = 0
    language: str
    analyzer: str
    tantivy: str
    files: dict[str, File]

    @property
    def version(self) -> str:
        """Names what the index holds: the same passages, written in the same order, have the same version."""
        truth = [self.files[f"{part.name}.jsonl"].sha256 for part in self.parts]
        dead = self.files[self.dead].sha256 if self.dead else ""
        return hashlib.sha256("\n".join([*truth, dead, self.embedder or ""]).encode()).hexdigest()[:12]


def read(folder: Path) -> Manifest:
    """Read the manifest in force.

    Raises:
        FileNotFoundError: there is no such index.
        DamagedIndexError: it cannot be read.
    """
    data = (folder / NAME).read_bytes()
    try:
        return Manifest.model_validate_json(data)
    except ValidationError:
        raise DamagedIndexError(folder.name, f"{NAME} cannot be read") from None


def publish(folder: Path, manifest: Manifest) -> None:
    """Put a generation in force: after this, and not before, readers see it."""
    write_durably(folder / NAME, manifest.model_dump_json().encode())


def write_durably(path: Path, data: bytes) -> None:
    """Write, flush to the disk, and rename into place."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    Path(temporary).replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Flush a folder's names to the disk, where folders can be opened."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def measure(path: Path) -> File:
    """Return a file's size and checksum."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return File(bytes=path.stat().st_size, sha256=digest)


def check(folder: Path, manifest: Manifest, *, full: bool | None = None) -> None:
    """Compare the files with the manifest; `full` None: every byte, where the index is small.

    Raises:
        DamagedIndexError: names the first file that differs.
    """
    if full is None:
        full = sum(file.bytes for file in manifest.files.values()) <= FULL_CHECK_BYTES
    for name, expected in manifest.files.items():
        path = folder / name
        if not path.is_file():
            raise DamagedIndexError(folder.name, f"{name} is missing")
        if path.stat().st_size != expected.bytes or (full and measure(path) != expected):
            raise DamagedIndexError(folder.name, f"{name} has changed")
