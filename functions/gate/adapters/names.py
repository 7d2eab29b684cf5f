"""From raw entries to a `Repository`: every name is checked, every name that cannot be used is kept with the reason."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gate.errors import InputError
from gate.rules.manifest import Repository
from gate.rules.paths import normalise, shown

MAX_FILES = 500_000
"""More names than the largest public repositories have."""
MAX_TEXT_BYTES = 1_000_000
"""A configuration file larger than this is not read."""
LINK_MODE = "120000"
SUBMODULE_MODE = "160000"
FOLDER_MODE = "040000"

_SUBMODULE = re.compile(r"^\s*path\s*=\s*(\S.*?)\s*$", re.MULTILINE)


def is_wanted(path: str) -> bool:
    """Whether a file's contents say how paths are meant."""
    return path.rpartition("/")[2] in (".gitignore", ".gitmodules")


def place_of(artifact: Mapping[str, Any], root: str | None) -> Path:
    """Where an artifact's `path` lies; with a root it must stay inside, links resolved.

    Raises:
        InputError: it does not.
    """
    place = Path(root or ".") / str(artifact.get("path") or ".")
    try:
        inside = root is None or place.resolve().is_relative_to(Path(root).resolve())
    except (OSError, ValueError, RuntimeError):
        inside = False
    if not inside or "\0" in str(place):
        raise InputError("the repository's path leaves repo_root")
    return place


def repository_of(
    entries: Iterable[tuple[str, str]],
    *,
    links: Mapping[str, str] | None = None,
    texts: Mapping[str, str] | None = None,
    name: str = "",
    problems: Iterable[tuple[str, str]] = (),
) -> Repository:
    """Check raw entries.

    Args:
        entries: name as read, and git's file mode (`100644`, `120000` a link, `160000` a submodule).
        links: what links hold, by name.
        texts: contents of the wanted files, by name.
        name: what the repository is called.
        problems: what was already left out, with the reason.

    Raises:
        InputError: there are too many entries.
    """
    files: dict[str, None] = {}
    submodules: list[str] = []
    left_out = list(problems)
    for count, (raw, mode) in enumerate(entries, 1):
        if count > MAX_FILES:
            raise InputError(f"the repository has more than {MAX_FILES} entries")
        try:
            path = normalise(raw)
            _check_link(path, (links or {}).get(raw))
        except InputError as error:
            left_out.append((shown(raw), error.safe_message))
            continue
        if mode == SUBMODULE_MODE:
            submodules.append(path)
        elif mode != FOLDER_MODE:
            files[path] = None
    submodules += _SUBMODULE.findall((texts or {}).get(".gitmodules", ""))
    kept = {path: target for path, target in (links or {}).items() if path in files}
    return Repository(
        tuple(files),
        links=kept,
        texts=dict(texts or {}),
        submodules=tuple(submodules),
        problems=tuple(left_out),
        name=name,
    )


def _check_link(path: str, target: str | None) -> None:
    if target is None:
        return
    whole = posixpath.join(posixpath.dirname(path), target.replace("\\", "/"))
    try:
        normalise(whole)
    except InputError:
        raise InputError("the link leads out of the repository") from None
