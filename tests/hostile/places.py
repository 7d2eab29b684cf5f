"""Pointers: everything that says that the repository, or a part of it, lies elsewhere."""

from __future__ import annotations

import os
import shutil

from tests.hostile.scene import Scene, git
from tests.hostile.table import case

POINTERS = "pointers"
ELSEWHERE = "points to another place"
NEITHER = "neither a folder nor a pointer"


def _point(scene: Scene, text: str | bytes) -> None:
    shutil.rmtree(scene.top / ".git")
    (scene.top / ".git").write_bytes(text if isinstance(text, bytes) else text.encode())


@case(POINTERS, "`.git`, a file that points to somebody's repository", "refused", disk=ELSEWHERE, commit=ELSEWHERE)
def git_file_to_a_repository(scene: Scene) -> None:
    _point(scene, f"gitdir: {scene.outside}/victim/.git\n")


@case(POINTERS, "the same, relative, or in the form of a submodule", "refused", disk=ELSEWHERE, commit=ELSEWHERE)
def git_file_to_modules(scene: Scene) -> None:
    shutil.copytree(scene.outside / "victim" / ".git", scene.outside / "victim" / ".git" / "modules" / "x")
    _point(scene, "gitdir: ../outside/victim/.git/modules/x\n")


@case(
    POINTERS,
    "the same, to a work tree's folder that names another work tree",
    "refused; its file `gitdir` is all that is looked at",
    disk=ELSEWHERE,
    commit=ELSEWHERE,
    looks_at=("victim/.git/worktrees/theirs/gitdir",),
)
def git_file_to_a_work_tree(scene: Scene) -> None:
    git(scene.outside / "victim", "worktree", "add", "-q", "--detach", "../theirs")
    _point(scene, f"gitdir: {scene.outside}/victim/.git/worktrees/theirs\n")


@case(POINTERS, "`.git`, a file of 64 MB, or of anything else", "refused", disk="larger than", commit="larger than")
def git_file_of_garbage(scene: Scene) -> None:
    _point(scene, b"gitdir: " + b"x" * (1 << 26))


@case(POINTERS, "`.git`, a pipe", "refused", disk=NEITHER, commit=NEITHER)
def git_is_a_pipe(scene: Scene) -> None:
    shutil.rmtree(scene.top / ".git")
    os.mkfifo(scene.top / ".git")


@case(POINTERS, "`.git`, a link to somebody's", "refused", disk=NEITHER, commit=NEITHER)
def git_is_a_link(scene: Scene) -> None:
    shutil.rmtree(scene.top / ".git")
    (scene.top / ".git").symlink_to(scene.outside / "victim" / ".git")


@case(POINTERS, "`.git/commondir`: somebody's references and objects")
def common_folder_elsewhere(scene: Scene) -> None:
    (scene.top / ".git" / "commondir").write_text(f"{scene.outside}/victim/.git\n")
    (scene.top / ".git" / "gitdir").write_text(f"{scene.outside}/victim/.git\n")


@case(
    POINTERS,
    "a work tree's folder of its own making, whose `commondir` lies elsewhere",
    "refused",
    disk=ELSEWHERE,
    commit=ELSEWHERE,
)
def own_work_tree_folder(scene: Scene) -> None:
    _point(scene, "gitdir: fake/worktrees/x\n")
    place = scene.top / "fake" / "worktrees" / "x"
    place.mkdir(parents=True)
    (place / "gitdir").write_text(f"{scene.top}/.git\n")
    (place / "commondir").write_text(f"{scene.outside}/victim/.git\n")
    (place / "HEAD").write_text("ref: refs/heads/main\n")


@case(
    POINTERS,
    "a folder below the root with a `.git` of its own, that a transcript names",
    "refused",
    disk="nested below repo_root",
    commit="nested below repo_root",
)
def nested_by_name(scene: Scene) -> None:
    shutil.move(scene.top, scene.folder / "inner")
    scene.top.mkdir()
    shutil.move(scene.folder / "inner", scene.top / "inner")
    artifact = {"kind": "worktree", "path": "inner"}
    scene.readings = [(artifact, str(scene.top)), ({**artifact, "commit": "HEAD"}, str(scene.top))]


@case(POINTERS, "a path into `.git`, that a transcript names", "refused", disk="into a .git", commit="into a .git")
def path_into_git(scene: Scene) -> None:
    artifact = {"kind": "worktree", "path": ".git/refs"}
    scene.readings = [(artifact, str(scene.top)), ({**artifact, "commit": "HEAD"}, str(scene.top))]


@case(POINTERS, "a path through a link that leads out", "refused", disk="leaves repo_root", commit="leaves repo_root")
def path_through_a_link(scene: Scene) -> None:
    (scene.top / "out").symlink_to(scene.outside / "victim")
    artifact = {"kind": "worktree", "path": "out"}
    scene.readings = [(artifact, str(scene.top)), ({**artifact, "commit": "HEAD"}, str(scene.top))]


@case(POINTERS, "an archive that is a pipe, a device or a folder", "refused", disk="plain file", commit="plain file")
def archive_is_a_pipe(scene: Scene) -> None:
    os.mkfifo(scene.top / "code.zip")
    scene.readings = [({"kind": "archive", "path": name}, str(scene.top)) for name in ("code.zip", "src")]


@case(POINTERS, "names of commits that are options or commands", "refused", commit="commit")
def commit_names(scene: Scene) -> None:
    names = (
        "--upload-pack=touch x",
        "HEAD:../outside",
        "@{-1}",
        ":/secret",
        "main..x",
        "../../outside/id",
        "HEAD~999999",
    )
    whole = {"kind": "worktree", "path": str(scene.top)}
    scene.readings = [(whole, None), *(({**whole, "commit": name}, None) for name in names)]
