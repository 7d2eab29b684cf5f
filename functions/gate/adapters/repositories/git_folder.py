"""Finds the git folder of a work tree, without reading any configuration: what it says is an attacker's.

A `.git` that is a file points elsewhere. It is followed to two places that no repository can make up: `.git/modules` of
a work tree around this one (a submodule), and a folder of `git worktree` whose own file names this very `.git`.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from gate.adapters.repositories.plain_files import PlainFiles
from gate.errors import InputError

_PARTS = ("HEAD", "objects", "refs")
"""What git itself takes a folder for a git folder by."""
_POINTER_BYTES = 4096
_POINTER = re.compile(rb"gitdir: ([^\0\r\n]+)[\r\n]*")


@dataclass(frozen=True)
class GitFolder:
    """Where the parts of a repository lie.

    Attributes:
        own: HEAD and index of this work tree.
        common: references and objects, which work trees of one repository share.
        top: the work tree; None: the repository is bare.
        inside: the folder that was asked for, relative to `top`; empty for `top` itself.
    """

    own: PlainFiles
    common: PlainFiles
    top: Path | None
    inside: str = ""


def git_folder_of(folder: Path, root: Path) -> GitFolder | None:
    """Find the repository that a folder belongs to; None: to none.

    Args:
        folder: resolved.
        root: what the operator named, resolved: `folder` or a folder above it. A repository below it is refused; one
            around it is used where it belongs to the same user.

    Raises:
        InputError: the repository is nested below the root, damaged, or elsewhere.
    """
    if ".git" in folder.relative_to(root).parts:
        raise InputError("the repository's path leads into a .git folder")
    for place in (folder, *folder.parents):
        if not place.is_relative_to(root) and not _is_by_same_user(place, root):
            continue
        found = _git_folder_at(place)
        if found is None:
            continue
        if place != root and place.is_relative_to(root):
            raise InputError("the repository is nested below repo_root", hint="name it as the root itself")
        own, common = found
        if own.top == place:
            if place != folder:
                raise InputError("the repository's path leads into a bare repository")
            return GitFolder(own, common, None)
        inside = folder.relative_to(place).as_posix()
        return GitFolder(own, common, place, "" if inside == "." else inside)
    return None


def _git_folder_at(place: Path) -> tuple[PlainFiles, PlainFiles] | None:
    files = PlainFiles(place)
    status = files.status(".git")
    if status is None:
        return (files, files) if _is_git_folder(files) else None
    if stat.S_ISDIR(status.st_mode):
        own = PlainFiles(place / ".git")
        if _is_git_folder(own):
            return own, own
        if own.holds("HEAD"):
            raise InputError("the repository's .git folder is damaged")
        return None
    pointer = files.read(".git", _POINTER_BYTES)
    match = _POINTER.fullmatch(pointer or b"")
    if not match:
        raise InputError("the repository's .git is neither a folder nor a pointer to one")
    return _followed(place, Path(os.path.normpath(place / os.fsdecode(match[1]))))


def _is_git_folder(files: PlainFiles) -> bool:
    head, *folders = (files.status(name) for name in _PARTS)
    plain = head is not None and stat.S_ISREG(head.st_mode)
    return plain and all(folder is not None and stat.S_ISDIR(folder.st_mode) for folder in folders)


def _followed(place: Path, target: Path) -> tuple[PlainFiles, PlainFiles]:
    for above in place.parents:
        modules = above / ".git" / "modules"
        if target.is_relative_to(modules) and target != modules:
            around = PlainFiles(above)
            inside = target.relative_to(above).as_posix()
            if around.holds(f"{inside}/HEAD", f"{inside}/objects"):
                own = PlainFiles(target)
                return own, own
    if target.parent.name == "worktrees":
        own = PlainFiles(target)
        named = own.read("gitdir", _POINTER_BYTES) or b""
        back = os.path.normpath(target / os.fsdecode(named.rstrip(b"\r\n").replace(b"\0", b"")))
        if back == os.fspath(place / ".git") and (own.read("commondir", _POINTER_BYTES) or b"").strip() == b"../..":
            common = PlainFiles(target.parent.parent)
            if _is_git_folder(common):
                return own, common
    raise InputError(
        "the repository's .git points to another place",
        hint="a clone, a submodule and a work tree that git made and did not move are read",
    )


def _is_by_same_user(place: Path, root: Path) -> bool:
    """Whether what lies around the root was put there by its owner, or by who runs this."""
    trusted = {root.stat().st_uid, os.geteuid() if hasattr(os, "geteuid") else root.stat().st_uid}
    marks = [place / ".git", place / "HEAD"]
    return all(os.lstat(mark).st_uid in trusted for mark in marks if os.path.lexists(mark))
