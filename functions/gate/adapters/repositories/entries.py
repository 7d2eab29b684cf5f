"""From raw entries to a `Repository`: every name is checked, every name that cannot be used is kept with the reason."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

from gate.errors import InputError
from gate.repository.manifest import Repository
from gate.repository.paths import normalise, printable

MAX_FILES = 500_000
"""More names than the largest public repositories have."""
MAX_TEXT_BYTES = 1_000_000
"""A configuration file larger than this is not read."""
FILE_MODE = "100644"
LINK_MODE = "120000"
SUBMODULE_MODE = "160000"
FOLDER_MODE = "040000"

_SUBMODULE = re.compile(r"^[^\S\n]*path[^\S\n]*=[^\S\n]*(\S[^\n]*)", re.MULTILINE)


def is_wanted(path: str) -> bool:
    """Whether a file's contents say how paths are meant."""
    return path.rpartition("/")[2] in (".gitignore", ".gitmodules")


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
            left_out.append((printable(raw), error.safe_message))
            continue
        if mode == SUBMODULE_MODE:
            submodules.append(path)
        elif mode != FOLDER_MODE:
            files[path] = None
    for folder in map(str.rstrip, _SUBMODULE.findall((texts or {}).get(".gitmodules", ""))):
        try:
            submodules.append(normalise(folder))
        except InputError as error:
            left_out.append((printable(folder), error.safe_message))
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
