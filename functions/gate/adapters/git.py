"""Reads a git work tree through the git command: as it lies on the disk, or at a commit. Nothing is checked out."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gate.adapters.names import LINK_MODE, MAX_TEXT_BYTES, is_wanted, place_of, repository_of
from gate.errors import InputError
from gate.rules.manifest import Repository

TIMEOUT_S = 120
_COMMIT = re.compile(r"[0-9A-Za-z][0-9A-Za-z._/~^-]{0,199}")
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.untrackedCache=false")
"""A repository's own configuration must not run anything."""
Entry = tuple[str, str, str]
"""Name, mode, object id (empty for a file that git does not know)."""


def read_worktree(artifact: Mapping[str, Any], root: str | None) -> Repository:
    """Read `artifact["path"]` (below `root`), at `artifact["commit"]` where there is one; a plain folder is walked.

    Raises:
        InputError: no such folder, no such commit, or git failed.
    """
    folder = place_of(artifact, root)
    if not folder.is_dir():
        raise InputError("the repository's folder does not exist")
    name = folder.resolve().name
    if not _is_git(folder):
        return _read_folder(folder, name)
    commit = artifact.get("commit") or (
        "HEAD" if _git(folder, "rev-parse", "--is-bare-repository") == b"true\n" else ""
    )
    if commit:
        return _read_commit(folder, _resolved(folder, str(commit)), name)
    return _read_disk(folder, name)


def _is_git(folder: Path) -> bool:
    try:
        _git(folder, "rev-parse", "--git-dir")
    except InputError:
        return False
    return True


def _resolved(folder: Path, commit: str) -> str:
    if not _COMMIT.fullmatch(commit):
        raise InputError("the commit's name is not one that git knows")
    try:
        return _git(folder, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}").decode().strip()
    except InputError:
        raise InputError("the repository has no such commit") from None


def _read_commit(folder: Path, commit: str, name: str) -> Repository:
    entries = []
    for line in _records(_git(folder, "ls-tree", "-r", "-z", commit)):
        head, _, path = line.partition("\t")
        mode, _, sha = head.split(" ")
        entries.append((path, mode, sha))
    contents = _blobs(folder, [entry for entry in entries if entry[1] == LINK_MODE or is_wanted(entry[0])])
    links = {path: contents[path] for path, mode, _ in entries if mode == LINK_MODE and path in contents}
    texts = {path: text for path, text in contents.items() if path not in links}
    return repository_of(((path, mode) for path, mode, _ in entries), links=links, texts=texts, name=name)


def _blobs(folder: Path, entries: list[Entry]) -> dict[str, str]:
    """Contents of objects by name, in one call."""
    wanted = "".join(f"{sha}\n" for _, _, sha in entries).encode()
    out = _git(folder, "cat-file", "--batch", given=wanted) if entries else b""
    contents = {}
    position = 0
    for path, _, _ in entries:
        end = out.index(b"\n", position)
        head = out[position:end].split()
        position = end + 1
        if head[-1] == b"missing":
            continue
        size = int(head[2])
        if size <= MAX_TEXT_BYTES:
            contents[path] = out[position : position + size].decode("utf-8", "replace")
        position += size + 1
    return contents


def _read_disk(folder: Path, name: str) -> Repository:
    """What is on the disk: tracked files that are still there, and new ones that are not ignored."""
    entries = []
    for line in _records(_git(folder, "ls-files", "-z", "--stage")):
        head, _, path = line.partition("\t")
        entries.append((path, head.split(" ")[0]))
    gone = set(_records(_git(folder, "ls-files", "-z", "--deleted")))
    entries += [(path, "100644") for path in _records(_git(folder, "ls-files", "-z", "--others", "--exclude-standard"))]
    here = {path: mode for path, mode in entries if path not in gone}
    return _with_contents(folder, here, name)


def _read_folder(folder: Path, name: str) -> Repository:
    """A folder that git does not know: every file in it."""
    here = {}
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        links = [name for name in folders if Path(place, name).is_symlink()]
        for file in sorted(files) + links:
            path = Path(place, file)
            here[path.relative_to(folder).as_posix()] = LINK_MODE if path.is_symlink() else "100644"
    return _with_contents(folder, here, name)


def _with_contents(folder: Path, modes: Mapping[str, str], name: str) -> Repository:
    links = {path: target for path in modes if (target := _link(folder / path)) is not None}
    texts = {path: text for path in modes if is_wanted(path) and (text := _text(folder / path)) is not None}
    return repository_of(modes.items(), links=links, texts=texts, name=name)


def _link(path: Path) -> str | None:
    try:
        return str(path.readlink()) if path.is_symlink() else None
    except OSError:
        return None


def _text(path: Path) -> str | None:
    try:
        small = not path.is_symlink() and path.stat().st_size <= MAX_TEXT_BYTES
        return path.read_text("utf-8", "replace") if small else None
    except OSError:
        return None


def _records(out: bytes) -> Iterator[str]:
    return (line.decode("utf-8", "surrogateescape") for line in out.split(b"\0") if line)


def _git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    try:
        done = subprocess.run(
            ["git", *_SAFE, "-C", str(folder), *arguments],
            input=given,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise InputError(f"git could not be run ({type(error).__name__})") from None
    if done.returncode:
        raise InputError(f"git {arguments[0]} failed")
    return done.stdout
