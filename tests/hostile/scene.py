"""What a hostile repository is made with: an honest one, a place outside it, and git's formats by hand."""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

IDENTITY = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
HONEST = {"README.md": "see src/a.py\n", "src/a.py": "", "src/b.py": "", ".gitignore": "*.log\n"}
SECRET = "secret-plan.txt"
KINDS = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}


def git(folder: Path, *arguments: str, given: bytes | None = None) -> str:
    """Run git, to make a repository with."""
    command = ["git", *IDENTITY, "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, input=given).stdout.decode().strip()


def honest(folder: Path) -> None:
    """Make a repository of one commit on `main`, all of it loose objects."""
    folder.mkdir(parents=True)
    for name, text in HONEST.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "latest").symlink_to("src")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")


def id_of(kind: str, data: bytes) -> str:
    """The id of an object."""
    return hashlib.sha1(b"%s %d\0%s" % (kind.encode(), len(data), data)).hexdigest()


def tree_of(entries: Sequence[tuple[str, str, str]]) -> bytes:
    """A tree of modes, names and ids, in the order given."""
    return b"".join(
        b"%s %s\0%s" % (mode.encode(), os.fsencode(name), bytes.fromhex(id_)) for mode, name, id_ in entries
    )


def size_of(number: int) -> bytes:
    """A number as differences write it."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def head_of(kind: int, size: int) -> bytes:
    """The head of an object in a pack."""
    first = kind << 4 | size & 15
    return bytes([first | 0x80]) + size_of(size >> 4) if size >> 4 else bytes([first])


def copy_of(start: int, length: int) -> bytes:
    """The step of a difference that copies from its base."""
    return b"\xff" + start.to_bytes(4, "little") + length.to_bytes(3, "little")


@dataclass
class Scene:
    """One hostile repository and its surroundings.

    Attributes:
        folder: everything of this scene.
        readings: what the gate is asked for: `artifact` and `root`, one after the other.
    """

    folder: Path
    readings: list[tuple[dict[str, Any], str | None]] = field(default_factory=list)

    @property
    def top(self) -> Path:
        """The repository."""
        return self.folder / "top"

    @property
    def outside(self) -> Path:
        """What nobody may look into: a file, a pipe, a repository of somebody else."""
        return self.folder / "outside"

    @property
    def marker(self) -> Path:
        """The file that is there where a command was run."""
        return self.folder / "marker"

    @property
    def command(self) -> str:
        """What a hostile setting would run."""
        return f"touch {self.marker} #"

    def config(self, text: str) -> None:
        """Add to the repository's configuration; `$run` is the command, `$outside` the folder."""
        with (self.top / ".git" / "config").open("a") as file:
            file.write(text.replace("$run", self.command).replace("$outside", str(self.outside)) + "\n")

    def loose(self, kind: str, data: bytes, *, named: str = "") -> str:
        """Write a loose object; `named`: under an id that is not its own."""
        id_ = named or id_of(kind, data)
        self.loose_bytes(id_, zlib.compress(b"%s %d\0%s" % (kind.encode(), len(data), data)))
        return id_

    def loose_bytes(self, id_: str, packed: bytes) -> None:
        """Write the file of a loose object."""
        place = self.top / ".git" / "objects" / id_[:2] / id_[2:]
        place.parent.mkdir(exist_ok=True)
        place.unlink(missing_ok=True)
        place.write_bytes(packed)

    def commit(self, tree: str, more: str = "") -> str:
        """Make a commit of a tree, on `main`."""
        text = f"tree {tree}\n{more}author t <t@example.org> 0 +0000\ncommitter t <t@example.org> 0 +0000\n\nx\n"
        id_ = self.loose("commit", text.encode())
        (self.top / ".git" / "refs" / "heads" / "main").write_text(f"{id_}\n")
        return id_

    def pack(self, objects: Sequence[tuple[str, bytes]], *, ends: Sequence[int] | None = None) -> None:
        """Write a pack and its index: ids, and the bytes of each object with its head."""
        data = b"PACK" + struct.pack(">II", 2, len(objects))
        offsets = []
        for id_, packed in objects:
            offsets.append((bytes.fromhex(id_), len(data)))
            data += packed
        offsets.sort()
        ends = ends or [sum(id_[0] <= byte for id_, _ in offsets) for byte in range(256)]
        index = b"\377tOc" + struct.pack(">I256I", 2, *ends) + b"".join(id_ for id_, _ in offsets)
        index += bytes(4 * len(offsets)) + b"".join(struct.pack(">I", offset) for _, offset in offsets)
        data += hashlib.sha1(data).digest()
        index += data[-20:]
        place = self.top / ".git" / "objects" / "pack"
        (place / f"pack-{'a' * 40}.pack").write_bytes(data)
        (place / f"pack-{'a' * 40}.idx").write_bytes(index + hashlib.sha1(index).digest())

    def index(self, entries: Sequence[tuple[str, str, bytes, int]], *, version: int = 2, more: bytes = b"") -> None:
        """Write an index: mode, id, name (in version 4: as it is written) and flags beyond the common ones."""
        parts = [b"DIRC" + struct.pack(">II", version, len(entries))]
        for mode, id_, name, flags in entries:
            length = min(len(name), 0xFFF) if version < 4 else flags
            extended = 0x4000 if version == 3 else 0
            entry = bytes(24) + struct.pack(">I", int(mode, 8)) + bytes(12) + bytes.fromhex(id_)
            entry += struct.pack(">H", length | extended) + (struct.pack(">H", flags) if extended else b"") + name
            parts.append(entry + (b"" if version == 4 else bytes(8 - len(entry) % 8)))
        data = b"".join([*parts, more])
        (self.top / ".git" / "index").write_bytes(data + hashlib.sha1(data).digest())


def packed(kind: str, data: bytes) -> bytes:
    """An object as a pack holds it."""
    return head_of(KINDS[kind], len(data)) + zlib.compress(data)


def delta(base: str, steps: bytes, base_size: int, size: int) -> bytes:
    """A difference as a pack holds it, by the id of its base."""
    text = size_of(base_size) + size_of(size) + steps
    return head_of(7, len(text)) + bytes.fromhex(base) + zlib.compress(text)
