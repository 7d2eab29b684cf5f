"""References and objects: what a commit is found by, and what it unpacks to."""

from __future__ import annotations

import os
import shutil
import zlib

from tests.hostile.scene import Scene, copy_of, delta, git, id_of, packed, tree_of
from tests.hostile.table import case

REFS, OBJECTS = "references", "objects"
NO_COMMIT = "no such commit"
MISSING = "an object is not in the repository"
DAMAGED = "an object of the repository is damaged"
EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
"""The id of an empty file, which the honest repository has."""
OTHER = "b" * 40
MEGABYTE = 1 << 20


def _head(scene: Scene) -> str:
    return git(scene.top, "rev-parse", "HEAD")


@case(REFS, "HEAD that stands for a file elsewhere", "refused", commit=NO_COMMIT)
def head_leads_out(scene: Scene) -> None:
    (scene.outside / "id").write_text(git(scene.outside / "victim", "rev-parse", "HEAD"))
    (scene.top / ".git" / "HEAD").write_text("ref: refs/heads/../../../../outside/id\n")


@case(REFS, "HEAD that is a pipe", "refused", disk=".git folder is damaged", commit=".git folder is damaged")
def head_is_a_pipe(scene: Scene) -> None:
    (scene.top / ".git" / "HEAD").unlink()
    os.mkfifo(scene.top / ".git" / "HEAD")


@case(REFS, "HEAD that is a link", "refused", disk=".git folder is damaged", commit=".git folder is damaged")
def head_is_a_link(scene: Scene) -> None:
    (scene.top / ".git" / "HEAD").unlink()
    (scene.top / ".git" / "HEAD").symlink_to(scene.outside / "victim" / ".git" / "HEAD")


@case(REFS, "HEAD of 64 MB", "refused", disk="larger than 4096 bytes", commit="larger than 4096 bytes")
def head_is_huge(scene: Scene) -> None:
    (scene.top / ".git" / "HEAD").write_bytes(b"ref: refs/heads/main" + b"\n" * (64 * MEGABYTE))


@case(REFS, "references that stand for each other in a ring, and a branch that is a pipe", "refused", commit=NO_COMMIT)
def references_in_a_ring(scene: Scene) -> None:
    heads = scene.top / ".git" / "refs" / "heads"
    (heads / "main").write_text("ref: refs/heads/other\n")
    (heads / "other").write_text("ref: refs/heads/main\n")
    os.mkfifo(heads / "pipe")
    scene.readings.append(({"kind": "worktree", "path": str(scene.top), "commit": "HEAD"}, None))
    scene.readings.append(({"kind": "worktree", "path": str(scene.top), "commit": "pipe"}, None))


@case(REFS, "a branch that is a link to a file elsewhere", "refused", commit=NO_COMMIT)
def branch_is_a_link(scene: Scene) -> None:
    main = scene.top / ".git" / "refs" / "heads" / "main"
    main.unlink()
    main.symlink_to(scene.outside / "victim" / ".git" / "refs" / "heads" / "main")


@case(REFS, "`refs` that is a link to a folder elsewhere", "refused", disk="damaged", commit="damaged")
def references_elsewhere(scene: Scene) -> None:
    shutil.rmtree(scene.top / ".git" / "refs")
    (scene.top / ".git" / "refs").symlink_to(scene.outside / "victim" / ".git" / "refs")


@case(REFS, "`packed-refs` that is a pipe", "refused", commit=NO_COMMIT)
def packed_references_are_a_pipe(scene: Scene) -> None:
    (scene.top / ".git" / "refs" / "heads" / "main").unlink()
    os.mkfifo(scene.top / ".git" / "packed-refs")


@case(REFS, "`packed-refs` of a million lines that nearly fit", "looked through once; refused", commit=NO_COMMIT)
def packed_references_without_end(scene: Scene) -> None:
    (scene.top / ".git" / "refs" / "heads" / "main").unlink()
    (scene.top / ".git" / "packed-refs").write_text(f"{OTHER} refs/heads/main \n" * 1_000_000)


@case(REFS, "references kept as `reftable`", "not read: the commit is refused", commit=NO_COMMIT)
def reftable(scene: Scene) -> None:
    (scene.top / ".git" / "reftable").mkdir()
    (scene.top / ".git" / "reftable" / "tables.list").write_text("../../../outside/secret-plan.txt\n")
    (scene.top / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")


@case(REFS, "`refs/replace`: another commit in the place of HEAD's")
def replaced(scene: Scene) -> None:
    head = _head(scene)
    evil = scene.commit(scene.loose("tree", tree_of([("100644", "secret-plan.txt", EMPTY)])))
    git(scene.top, "update-ref", "refs/heads/main", head)
    git(scene.top, "replace", head, evil)


@case(REFS, "`info/grafts` and `shallow`: made-up parents")
def grafted(scene: Scene) -> None:
    (scene.top / ".git" / "info" / "grafts").write_text(f"{_head(scene)} {OTHER}\n")
    (scene.top / ".git" / "shallow").write_text(f"{_head(scene)}\n{OTHER}\n")


@case(REFS, "a tag of a tag without end", "refused", commit=DAMAGED)
def tag_of_itself(scene: Scene) -> None:
    data = f"object {OTHER}\ntype tag\ntag x\n\n".encode()
    scene.loose("tag", data, named=OTHER)
    (scene.top / ".git" / "refs" / "tags" / "x").write_text(OTHER)
    (scene.top / ".git" / "HEAD").write_text("ref: refs/tags/x\n")


@case(OBJECTS, "`objects/info/alternates`: somebody's objects", "refused", commit=NO_COMMIT)
def alternates(scene: Scene) -> None:
    theirs = scene.outside / "victim" / ".git"
    (scene.top / ".git" / "objects" / "info" / "alternates").write_text(f"{theirs}/objects\n{scene.outside}/pipe\n")
    (scene.top / ".git" / "objects" / "info" / "http-alternates").write_text("http://nobody.invalid/objects\n")
    shutil.copy(theirs / "refs" / "heads" / "main", scene.top / ".git" / "refs" / "heads" / "main")


@case(OBJECTS, "`objects` that is a link to somebody's", "refused", disk="damaged", commit="damaged")
def objects_elsewhere(scene: Scene) -> None:
    shutil.rmtree(scene.top / ".git" / "objects")
    (scene.top / ".git" / "objects").symlink_to(scene.outside / "victim" / ".git" / "objects")


@case(OBJECTS, "an object, a pack and its index that are pipes or links", "refused", commit=NO_COMMIT)
def objects_that_are_pipes(scene: Scene) -> None:
    id_ = _head(scene)
    place = scene.top / ".git" / "objects" / id_[:2] / id_[2:]
    place.unlink()
    os.mkfifo(place)
    os.mkfifo(scene.top / ".git" / "objects" / "pack" / "pack-a.idx")
    (scene.top / ".git" / "objects" / "pack" / "pack-a.pack").symlink_to(scene.outside / "pipe")


@case(OBJECTS, "an object whose contents are others than its id says", "refused", commit=DAMAGED)
def object_of_another_id(scene: Scene) -> None:
    scene.loose("tree", tree_of([("100644", "secret-plan.txt", EMPTY)]), named=OTHER)
    scene.commit(OTHER)


@case(OBJECTS, "a commit that names no tree", "refused", commit="damaged")
def commit_without_a_tree(scene: Scene) -> None:
    commit = scene.loose("commit", b"tree of no id\n\nx\n")
    (scene.top / ".git" / "refs" / "heads" / "main").write_text(f"{commit}\n")


@case(OBJECTS, "a folder that holds itself", "refused", commit=DAMAGED)
def tree_in_itself(scene: Scene) -> None:
    scene.loose("tree", tree_of([("40000", "again", OTHER), ("100644", "secret-plan.txt", EMPTY)]), named=OTHER)
    scene.commit(OTHER)


@case(OBJECTS, "a loose object that unpacks to 4 GB", "refused", commit="larger than")
def loose_bomb(scene: Scene) -> None:
    engine = zlib.compressobj(1)
    data = engine.compress(b"tree %d\0" % (1 << 32))
    data += b"".join(engine.compress(bytes(MEGABYTE)) for _ in range(128)) + engine.flush()
    scene.loose_bytes(OTHER, data)
    scene.commit(OTHER)


@case(OBJECTS, "a loose object that unpacks to more than it says", "refused", commit=DAMAGED)
def loose_bomb_that_lies(scene: Scene) -> None:
    scene.loose_bytes(OTHER, zlib.compress(b"tree 5\0" + bytes(64 * MEGABYTE)))
    scene.commit(OTHER)


@case(OBJECTS, "a loose object of a kind that there is not", "refused", commit=DAMAGED)
def loose_object_of_no_kind(scene: Scene) -> None:
    scene.loose_bytes(OTHER, zlib.compress(b"x" * 100_000))
    scene.commit(OTHER)


@case(OBJECTS, "an ignore file of 18 MB in the commit", "named as not read")
def huge_ignore_file(scene: Scene) -> None:
    entries = git(scene.top, "ls-tree", "HEAD").replace("\t", " ").split("\n")
    kept = [(mode, name, id_) for mode, _, id_, name in (line.split(" ") for line in entries) if name != ".gitignore"]
    blob = scene.loose("blob", b"*.log\n" * (3 * MEGABYTE))
    scene.commit(scene.loose("tree", tree_of([("100644", ".gitignore", blob), *kept])))


@case(OBJECTS, "a pack whose objects say 4 GB", "refused", commit="larger than")
def pack_bomb(scene: Scene) -> None:
    data = bytes(8 * MEGABYTE)
    lie = bytes([0xA0 | 0x80]) + b"\xff\xff\xff\xff\x0f"  # a tree of 68 GB
    scene.pack([(OTHER, lie + zlib.compress(data))])
    scene.commit(OTHER)


@case(OBJECTS, "differences upon differences that make 1 MB into a terabyte", "refused", commit="larger than")
def delta_bomb(scene: Scene) -> None:
    objects, size = [("1" * 40, packed("tree", bytes(MEGABYTE)))], MEGABYTE
    for level in range(2, 7):
        step = min(size, 0xFFFFFF)
        steps = copy_of(0, step) * (size * 16 // step) + copy_of(0, size * 16 % step or step)
        exact = steps if size * 16 % step else steps[:-8]
        objects.append((f"{level}" * 40, delta(f"{level - 1}" * 40, exact, size, size * 16)))
        size *= 16
    scene.pack(objects)
    scene.commit("6" * 40)


@case(OBJECTS, "differences that build on each other in a ring", "refused", commit=DAMAGED)
def delta_ring(scene: Scene) -> None:
    scene.pack([("1" * 40, delta("2" * 40, b"\1x", 1, 1)), ("2" * 40, delta("1" * 40, b"\1x", 1, 1))])
    scene.commit("1" * 40)


@case(OBJECTS, "differences of millions of steps", "refused", commit="too much|more than|larger than|damaged")
def delta_of_many_steps(scene: Scene) -> None:
    steps = b"\1x" * (20 * MEGABYTE)
    scene.pack([("1" * 40, packed("tree", b"y")), (OTHER, delta("1" * 40, steps, 1, 20 * MEGABYTE))])
    scene.commit(OTHER)


@case(OBJECTS, "a pack's index that points anywhere", "refused", commit=DAMAGED)
def lying_pack_index(scene: Scene) -> None:
    scene.pack([(OTHER, packed("tree", b""))], ends=[0xFFFFFFFF] * 256)
    scene.commit(OTHER)


@case(OBJECTS, "packed bytes without end for a small object", "refused", commit=DAMAGED)
def empty_blocks(scene: Scene) -> None:
    block = b"\0\0\0\xff\xff"
    scene.pack([(OTHER, bytes([0xA5 & 0x2F | 0x20]) + b"\x78\x01" + block * (8 * MEGABYTE))])
    scene.commit(OTHER)


@case(OBJECTS, "`commit-graph`, `multi-pack-index`, bitmaps, `.keep`, `.promisor`: garbage")
def garbage_beside_the_objects(scene: Scene) -> None:
    objects = scene.top / ".git" / "objects"
    for name in (
        "info/commit-graph",
        "pack/multi-pack-index",
        "pack/x.bitmap",
        "pack/x.keep",
        "pack/x.promisor",
        "pack/x.rev",
    ):
        (objects / name).write_bytes(b"garbage" * 1000)


@case(OBJECTS, "ten folders in each of ten folders, thirty deep, all of them one", "refused", commit="too many")
def tree_bomb(scene: Scene) -> None:
    tree = scene.loose("tree", tree_of([("100644", "f", EMPTY)]))
    for _ in range(30):
        tree = scene.loose("tree", tree_of([("40000", f"d{n}", tree) for n in range(10)]))
    scene.commit(tree)


@case(OBJECTS, "the same without a single file", "refused", commit="too many")
def tree_bomb_of_nothing(scene: Scene) -> None:
    tree = scene.loose("tree", b"")
    for _ in range(60):
        tree = scene.loose("tree", tree_of([("40000", "a", tree), ("40000", "b", tree)]))
    scene.commit(tree)


@case(OBJECTS, "folders two thousand deep, with long names", "refused", commit="too long")
def deep_tree(scene: Scene) -> None:
    tree = scene.loose("tree", tree_of([("100644", "f", EMPTY)]))
    for _ in range(2_000):
        tree = scene.loose("tree", tree_of([("40000", "d" * 255, tree)]))
    scene.commit(tree)


@case(OBJECTS, "a name of 16 MB in many folders", "refused", commit="too long")
def wide_names(scene: Scene) -> None:
    tree = scene.loose("tree", tree_of([("100644", "n" * 16 * MEGABYTE, EMPTY)]))
    scene.commit(scene.loose("tree", tree_of([("40000", f"d{n:02}", tree) for n in range(20)])))


@case(
    OBJECTS,
    "files named `..`, `/etc/passwd`, `.git/config`, `a//b`, NUL, not in UTF-8, or in control characters",
    "left out, by name",
)
def names_in_a_commit(scene: Scene) -> None:
    inner = scene.loose("tree", tree_of([("100644", "..", EMPTY), ("100644", "config", EMPTY), ("100644", "", EMPTY)]))
    names = ["../secret-plan.txt", "/etc/passwd", "C:\\secret-plan.txt", "caf\udce9", "~/secret-plan.txt"]
    entries = git(scene.top, "ls-tree", "HEAD").replace("\t", " ").split("\n")
    kept = [(mode, name, id_) for mode, _, id_, name in (line.split(" ") for line in entries)]
    evil = [("100644", name, EMPTY) for name in names] + [("40000", ".git", inner), ("40000", "..", inner)]
    scene.commit(scene.loose("tree", tree_of([*kept, *evil])))


@case(OBJECTS, "links to `/etc`, to the folder above, to themselves, of a megabyte", "left out, or named as not read")
def links_in_a_commit(scene: Scene) -> None:
    entries = git(scene.top, "ls-tree", "HEAD").replace("\t", " ").split("\n")
    kept = [(mode, name, id_) for mode, _, id_, name in (line.split(" ") for line in entries)]
    targets = {"etc": b"/etc", "above": b"../outside/secret-plan.txt", "self": b"self", "huge": b"x" * MEGABYTE * 2}
    evil = [("120000", name, scene.loose("blob", target)) for name, target in targets.items()]
    scene.commit(scene.loose("tree", tree_of([*kept, *evil])))
    scene.readings = [({"kind": "worktree", "path": str(scene.top), "commit": "HEAD"}, None)] * 2


@case(OBJECTS, "a tree that is a file, and a file that is a tree", "refused", commit=DAMAGED)
def kinds_exchanged(scene: Scene) -> None:
    scene.commit(scene.loose("tree", tree_of([("40000", "src", EMPTY)])))


assert id_of("blob", b"") == EMPTY
