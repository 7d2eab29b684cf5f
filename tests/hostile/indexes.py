"""The index: which names a work tree is said to track."""

from __future__ import annotations

import os
import struct

from tests.hostile.histories import EMPTY
from tests.hostile.scene import Scene, git, tree_of
from tests.hostile.table import case

INDEX = "`.git/index`"
BROKEN = "index is damaged"


@case(INDEX, "a pipe", "refused", disk="no plain file")
def index_is_a_pipe(scene: Scene) -> None:
    (scene.top / ".git" / "index").unlink()
    os.mkfifo(scene.top / ".git" / "index")


@case(INDEX, "a link to somebody's", "refused", disk="no plain file")
def index_is_a_link(scene: Scene) -> None:
    (scene.top / ".git" / "index").unlink()
    (scene.top / ".git" / "index").symlink_to(scene.outside / "victim" / ".git" / "index")


@case(INDEX, "four billion entries, it says", "refused", disk="more than 500000 entries")
def index_of_four_billion(scene: Scene) -> None:
    (scene.top / ".git" / "index").write_bytes(b"DIRC" + struct.pack(">II", 2, 0xFFFFFFFF) + bytes(200))


@case(INDEX, "a terabyte of nothing", "refused", disk="larger than")
def index_is_huge(scene: Scene) -> None:
    with (scene.top / ".git" / "index").open("r+b") as file:
        file.truncate(1 << 40)


@case(INDEX, "cut off, or with a wrong sum", "refused", disk=BROKEN)
def index_is_cut_off(scene: Scene) -> None:
    place = scene.top / ".git" / "index"
    place.write_bytes(place.read_bytes()[:-40] + bytes(20))


@case(INDEX, "version 4: 30 MB that stand for 200 GB of names", "refused", disk="too long names")
def index_of_long_names(scene: Scene) -> None:
    first = ("100644", EMPTY, b"\0" + b"n" * (1 << 20) + b"\0", 0xFFF)
    scene.index([first, *(("100644", EMPTY, b"\1x\0", 0xFFF) for _ in range(200_000))], version=4)


@case(
    INDEX,
    "names of what lies outside: `../outside/…`, `/etc/passwd`, `.git/config`, `a/../../…`",
    "left out, by name, whether they are there or not",
)
def index_of_names_outside(scene: Scene) -> None:
    git(scene.top, "update-index", "--index-version", "2")
    names = [
        b"../outside/secret-plan.txt",
        b"/etc/passwd",
        b".git/config",
        b"a/../../outside/secret-plan.txt",
        b"..",
        b"",
    ]
    honest = [b".gitignore", b"README.md", b"latest", b"src/a.py", b"src/b.py"]
    scene.index([("100644", EMPTY, name, 0) for name in [*honest, *names, b"./README.md", b"src//a.py"]])


@case(INDEX, "tracked files behind a link that leads out", "not looked at")
def tracked_behind_a_link(scene: Scene) -> None:
    honest = [b".gitignore", b"README.md", b"latest", b"src/a.py", b"src/b.py"]
    scene.index([("100644", EMPTY, name, 0) for name in [*honest, b"src/out/secret-plan.txt", b"src/out/victim/x"]])
    (scene.top / "src" / "out").symlink_to(scene.outside)
    (scene.top / ".gitignore").write_text("out\n")


@case(INDEX, "split, with the other half elsewhere", "refused", disk="index is split")
def split_index(scene: Scene) -> None:
    scene.index([("100644", EMPTY, b"README.md", 0)], more=b"link" + struct.pack(">I", 20) + bytes(20))
    (scene.top / ".git" / f"sharedindex.{'0' * 40}").symlink_to(scene.outside / "victim" / ".git" / "index")


@case(INDEX, "an extension that a reader must know, and nobody knows", "refused", disk=BROKEN)
def unknown_extension(scene: Scene) -> None:
    scene.index([("100644", EMPTY, b"README.md", 0)], more=b"evil" + struct.pack(">I", 4) + b"evil")


@case(INDEX, "extensions full of garbage: cached trees, untracked cache, fsmonitor")
def garbage_in_extensions(scene: Scene) -> None:
    names = [b".gitignore", b"README.md", b"latest", b"src/a.py", b"src/b.py"]
    more = b"".join(
        name + struct.pack(">I", 400) + b"\xff" * 400 for name in (b"TREE", b"UNTR", b"FSMN", b"EOIE", b"REUC")
    )
    scene.index([("100644", EMPTY, name, 0) for name in names], more=more)


@case(INDEX, "a folder that stands for a bomb of folders (sparse index)", "refused", disk="too many", commit="too many")
def sparse_bomb(scene: Scene) -> None:
    tree = scene.loose("tree", tree_of([("100644", "f", EMPTY)]))
    for _ in range(30):
        tree = scene.loose("tree", tree_of([("40000", f"d{n}", tree) for n in range(10)]))
    scene.commit(tree)
    scene.index([("40000", tree, b"big/", 0x4000)], version=3)


@case(INDEX, "a tracked file that is a pipe, a folder or gone by now")
def tracked_and_changed(scene: Scene) -> None:
    git(scene.top, "update-index", "--add", "--cacheinfo", f"100644,{EMPTY},src/pipe")
    git(scene.top, "update-index", "--add", "--cacheinfo", f"100644,{EMPTY},gone/.gitignore")
    os.mkfifo(scene.top / "src" / "pipe")
