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

from gate.cleanup import note
from gate.errors import DamagedIndexError

NAME = "manifest.json"
FORMAT: Literal[2] = 2
"""Format 1 had no checksums of blocks, of rows and of the manifest; such an index is written anew when it is opened."""


class ManifestRecord(BaseModel):
    """Base of what the manifest holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class File(ManifestRecord):
    """Size and SHA-256 of a file; `blocks`: checksums of its blocks, one after the other (see `integrity`)."""

    bytes: int
    sha256: str
    blocks: str = ""


class PartRecord(ManifestRecord):
    """Passages written together: `name` of its files, number of its first row, and how many."""

    name: str
    first: int
    rows: int

    def files(self, dimension: int | None) -> list[str]:
        """Names of the files that hold it."""
        kinds = (".jsonl", ".columns", ".f32", ".bits") if dimension else (".jsonl", ".columns")
        return [self.name + kind for kind in kinds]


class Manifest(ManifestRecord):
    """One generation of an index. `rows` counts dead ones too, `documents` does not.

    `rescored`: rows with the nearest sign bits that are compared as floats; 0: every row is.
    `checksum`: of all the rest.
    """

    format: Literal[1, 2] = FORMAT
    generation: int
    documents: int
    rows: int
    parts: tuple[PartRecord, ...]
    text: str
    dead: str | None
    embedder: str | None
    dimension: int | None
    rescored: int = 0
    language: str
    analyzer: str
    tantivy: str
    files: dict[str, File]
    checksum: str = ""

    def computed(self) -> str:
        """What `checksum` has to be."""
        return hashlib.sha256(self.model_dump_json(exclude={"checksum"}).encode()).hexdigest()

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
        manifest = Manifest.model_validate_json(data)
    except ValidationError:
        raise DamagedIndexError(folder.name, f"{NAME} cannot be read") from None
    if manifest.checksum != manifest.computed() and (manifest.checksum or manifest.format == FORMAT):
        raise DamagedIndexError(folder.name, f"{NAME} has changed")
    return manifest


def publish(folder: Path, manifest: Manifest) -> None:
    """Put a generation in force: after this, and not before, readers see it."""
    sealed = manifest.model_copy(update={"checksum": manifest.computed()})
    write_durably(folder / NAME, sealed.model_dump_json().encode())


def write_durably(path: Path, data: bytes) -> None:
    """Write, flush to the disk, and rename into place."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    note(Path(temporary))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
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
