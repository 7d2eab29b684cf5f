"""Reads a repository's names: a git work tree, a listing, or a plain list."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from gate.errors import InputError
from gate.rules.paths import normalise, shown
from gate.rules.repository import Repository

GIT_TIMEOUT_S = 120


def open_repository(artifact: Mapping[str, Any], root: str | None = None) -> Repository:
    """Read the repository that an artifact describes.

    Args:
        artifact: `{"kind": "worktree"|"listing"|"files", "path"?, "files"?, "commit"?}`.
        root: folder that a relative `path` starts from.

    Raises:
        InputError: it cannot be read at all; entries that cannot be used are in `problems`.
    """
    kind = str(artifact.get("kind", "files"))
    if kind not in READERS:
        raise InputError(f"the repository's kind {shown(kind)} is not known; known: {', '.join(READERS)}")
    return READERS[kind](artifact, root)


def _files(artifact: Mapping[str, Any], root: str | None) -> Repository:
    del root
    files = artifact.get("files")
    if not isinstance(files, list):
        raise InputError("the repository has no list of files")
    return _from_names(files)


def _worktree(artifact: Mapping[str, Any], root: str | None) -> Repository:
    folder = Path(root or ".") / str(artifact.get("path") or ".")
    command = ["git", "-C", str(folder), "ls-files", "-z", "--cached"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=GIT_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"git could not list the work tree ({type(error).__name__})") from None
    if done.returncode:
        raise InputError("the folder is not a git work tree")
    return _from_names(name.decode("utf-8", "surrogateescape") for name in done.stdout.split(b"\0") if name)


def _from_names(names: Iterable[Any]) -> Repository:
    files: dict[str, None] = {}
    problems = []
    for name in names:
        try:
            files[normalise(name if isinstance(name, str) else "")] = None
        except InputError as error:
            problems.append((shown(name), error.safe_message))
    return Repository(tuple(files), problems=tuple(problems))


READERS: dict[str, Callable[[Mapping[str, Any], str | None], Repository]] = {
    "files": _files,
    "listing": _files,
    "worktree": _worktree,
}
