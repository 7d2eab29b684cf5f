"""A `.git` of which one part is anything: HEAD, references, index, objects, packs and their indexes, ignore files."""

from __future__ import annotations

import hashlib
import shutil
import struct
import tempfile
import zlib
from pathlib import Path

from gate.adapters.repositories import open_repository
from tests.fuzz.targets import choice
from tests.hostile.scene import Scene, copy_of, delta, id_of, packed, tree_of

README = b"see src/a.py\n"
BLOB = id_of("blob", README)
TREE = tree_of([("100644", "README.md", BLOB)])
TREE_ID = id_of("tree", TREE)
COMMIT = f"tree {TREE_ID}\nauthor t <t@example.org> 0 +0000\ncommitter t <t@example.org> 0 +0000\n\nx\n".encode()
FILES = ("HEAD", "packed-refs", "refs/heads/main", "commondir", "../.gitignore", "../.gitmodules", "index")
PARTS = (*FILES, "summed index", "tree", "commit", "loose", "pack", "pack index")
READINGS = [(part, commit) for part in PARTS for commit in ("", "HEAD")]


def read(data: bytes) -> None:
    (part, commit), data = choice(data, *READINGS)
    folder = Path(tempfile.mkdtemp(prefix="gate-fuzz-"))
    try:
        scene = _honest(folder)
        _put(scene, part, data)
        open_repository({"kind": "worktree", "path": str(scene.top), **({"commit": commit} if commit else {})})
    finally:
        shutil.rmtree(folder)


def _honest(folder: Path) -> Scene:
    scene = Scene(folder)
    for name in ("objects/pack", "refs/heads"):
        (scene.top / ".git" / name).mkdir(parents=True)
    (scene.top / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (scene.top / "README.md").write_bytes(README)
    scene.loose("blob", README)
    scene.commit(scene.loose("tree", TREE))
    scene.index([("100644", BLOB, b"README.md", 0)])
    return scene


def _put(scene: Scene, part: str, data: bytes) -> None:
    git = scene.top / ".git"
    if part in FILES:
        (git / part).write_bytes(data)
    elif part == "summed index":
        (git / "index").write_bytes(_summed(data))
    elif part == "tree":
        scene.commit(scene.loose("tree", data))
    elif part == "commit":
        (git / "refs/heads/main").write_text(scene.loose("commit", data) + "\n")
    elif part == "loose":
        scene.loose_bytes(TREE_ID, data)
    else:
        (git / "objects" / TREE_ID[:2] / TREE_ID[2:]).unlink()
        scene.pack([(TREE_ID, data if part == "pack" else packed("tree", TREE))])
        if part == "pack index":
            pack = git / "objects" / "pack" / f"pack-{'a' * 40}.pack"
            pack.with_suffix(".idx").write_bytes(_summed(data + pack.read_bytes()[-20:]))


def _summed(data: bytes) -> bytes:
    return data + hashlib.sha1(data, usedforsecurity=False).digest()


_ENTRY = bytes(24) + struct.pack(">I", 0o100644) + bytes(12) + bytes.fromhex(BLOB) + struct.pack(">H", 9) + b"README.md"
_ENDS = [int(byte >= int(TREE_ID[:2], 16)) for byte in range(256)]
_WELL_READ = [
    ("HEAD", b"ref: refs/heads/main\n"),
    ("packed-refs", b"# pack-refs with: peeled\n" + b"a" * 40 + b" refs/heads/b\n^" + b"b" * 40 + b"\n"),
    ("refs/heads/main", id_of("commit", COMMIT).encode() + b"\n"),
    ("../.gitignore", b"*.log\n!/a/**/b[!c-e]\\ \n**/x?\n"),
    ("../.gitmodules", b'[submodule "x"]\n\tpath = lib/x\n\turl = ../x\n'),
    ("summed index", b"DIRC" + struct.pack(">II", 2, 1) + _ENTRY + b"\0"),
    ("tree", tree_of([("100644", "README.md", BLOB), ("120000", "latest", BLOB), ("40000", "src", TREE_ID)])),
    ("commit", COMMIT),
    ("commit", b"tree of no id\n\nx\n"),
    ("loose", zlib.compress(b"tree %d\0" % len(TREE) + TREE)),
    ("pack", packed("tree", TREE)),
    ("pack", delta(BLOB, copy_of(0, len(README)), len(README), len(README))),
    ("pack index", b"\377tOc" + struct.pack(">I256I", 2, *_ENDS) + bytes.fromhex(TREE_ID) + bytes(7) + b"\x0c"),
]
SEEDS = [bytes([READINGS.index((part, commit))]) + data for part, data in _WELL_READ for commit in ("", "HEAD")]
