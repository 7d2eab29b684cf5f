"""Reads a repository's names, however it comes: one reader for each kind, in one table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gate.adapters.repositories.archives import read_archive
from gate.adapters.repositories.entries import repository_of
from gate.adapters.repositories.worktree import read_worktree
from gate.errors import InputError
from gate.repository.manifest import Repository
from gate.repository.paths import printable

_TREE_LINE = re.compile(r"(?P<mode>\d{6}) (?:blob|commit|tree) [0-9a-f]{40,64} *(?:\d+|-)?\t(?P<name>.+)")
_QUOTED = re.compile(r"\\(?:([0-7]{3})|(.))")
_ESCAPES = {"n": b"\n", "t": b"\t", "r": b"\r", "a": b"\a", "b": b"\b", "f": b"\f", "v": b"\v"}


def open_repository(artifact: Mapping[str, Any], root: str | None = None) -> Repository:
    """Read the repository that an artifact describes.

    Args:
        artifact: `{"kind": "worktree", "path", "commit"?}`, `{"kind": "archive", "path" or "base64"}`,
            `{"kind": "listing", "text" or "files"}` (lines of `git ls-tree -r`, or names),
            `{"kind": "files", "files"}`;
            the last two may bring `texts` (`{".gitignore": "…"}`) and `name`.
        root: folder that a relative `path` starts from.

    Raises:
        InputError: it cannot be read at all; entries that cannot be used are in `problems`.
    """
    kind = str(artifact.get("kind", "files"))
    if kind not in READERS:
        raise InputError(f"the repository's kind {printable(kind)} is not known; known: {', '.join(READERS)}")
    return READERS[kind](artifact, root)


def _listing(artifact: Mapping[str, Any], root: str | None) -> Repository:
    del root
    files = artifact.get("files")
    if files is None and isinstance(artifact.get("text"), str):
        files = [line for line in re.split(r"[\0\n]", artifact["text"]) if line]
    if not isinstance(files, list):
        raise InputError("the repository has no list of files")
    texts = {str(name): str(text) for name, text in (artifact.get("texts") or {}).items()}
    return repository_of(_entries(files), texts=texts, name=str(artifact.get("name") or ""))


def _entries(files: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for entry in files:
        line = entry if isinstance(entry, str) else ""
        match = _TREE_LINE.fullmatch(line)
        yield (_unquoted(match["name"]), match["mode"]) if match else (line, "100644")


def _unquoted(name: str) -> str:
    """A name as git prints it: in quotes with octal escapes where it is unusual."""
    if len(name) < 2 or not (name.startswith('"') and name.endswith('"')):
        return name
    plain = b""
    position = 0
    inner = name[1:-1]
    for match in _QUOTED.finditer(inner):
        octal, letter = match.groups()
        code = bytes([int(octal, 8) & 255]) if octal else _ESCAPES.get(letter, letter.encode())
        plain += inner[position : match.start()].encode("utf-8", "surrogatepass") + code
        position = match.end()
    return (plain + inner[position:].encode("utf-8", "surrogatepass")).decode("utf-8", "surrogateescape")


READERS: dict[str, Callable[[Mapping[str, Any], str | None], Repository]] = {
    "files": _listing,
    "listing": _listing,
    "worktree": read_worktree,
    "archive": read_archive,
}
