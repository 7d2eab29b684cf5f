"""What is known of a repository at one commit, however it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Repository:
    """Names in a repository, POSIX and relative to its root.

    Attributes:
        files: every file, links included, in the order of the source.
        links: symbolic links and what they hold, as stored.
        texts: contents of the few files that say how paths are meant (`.gitignore`, site configuration).
        submodules: folders whose files belong to another repository.
        problems: entries that were left out, each with the reason.
    """

    files: tuple[str, ...]
    links: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    submodules: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
