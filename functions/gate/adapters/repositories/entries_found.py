"""What a reader has found of a repository, before its names are checked."""

from __future__ import annotations

from gate.adapters.repositories.entries import FOLDER_MODE, LINK_MODE, repository_of
from gate.errors import InputError
from gate.repository.manifest import Repository
from gate.repository.paths import printable

MAX_TEXTS_BYTES = 64 * 1024 * 1024
"""All configuration files and links of a repository together."""
_REFUSED = frozenset({"", ".", "..", ".git"})
"""Parts of a path that git takes from nobody."""


def is_refused(path: str) -> bool:
    """Whether git itself refuses a part of the path."""
    return not _REFUSED.isdisjoint(path.split("/"))


class EntriesFound:
    """Names, and the contents of those few that say how names are meant."""

    def __init__(self) -> None:
        self._modes: dict[str, str] = {}
        self._links: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._problems: list[tuple[str, str]] = []
        self._room = MAX_TEXTS_BYTES

    def add(self, path: str, mode: str) -> bool:
        """Note a file, and say so; a name that git would refuse is left out."""
        if is_refused(path):
            self.leave_out(path, "git would refuse the name")
            return False
        self._modes[path] = mode
        return True

    def keep(self, path: str, mode: str, data: bytes) -> None:
        """Note what a link or a configuration file holds.

        Raises:
            InputError: they hold too much together.
        """
        self.spend(len(data))
        if mode == LINK_MODE:
            self._links[path] = data.decode("utf-8", "surrogateescape")
        else:
            self._texts[path] = data.decode("utf-8", "replace")

    def spend(self, size: int) -> None:
        """Count what was read of such files.

        Raises:
            InputError: it is too much.
        """
        self._room -= size
        if self._room < 0:
            raise InputError(f"the repository's links and ignore files hold more than {MAX_TEXTS_BYTES} bytes")

    def leave_out(self, path: str, reason: str) -> None:
        """Note what could not be read, and why."""
        self._problems.append((printable(path), reason))

    def repository(self, name: str) -> Repository:
        """Everything, checked."""
        modes = ((path, mode) for path, mode in self._modes.items() if mode != FOLDER_MODE)
        return repository_of(modes, links=self._links, texts=self._texts, problems=self._problems, name=name)
