"""Every hostile repository: what it holds, and what that does here. docs/security.md shows this table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.hostile.scene import Scene

READ = ""
"""The repository is read as if the thing were not there."""


@dataclass(frozen=True)
class Case:
    """One hostile repository.

    Attributes:
        group: where the thing lies.
        holds: what the repository holds.
        here: what it does here.
        disk: how the work tree's reading ends: the refusal, or `READ`.
        commit: how the reading of HEAD ends.
        build: makes it, from an honest repository with a place outside.
        looks_at: what is opened outside, relative to the place outside.
    """

    group: str
    holds: str
    here: str
    disk: str
    commit: str
    build: Callable[[Scene], None]
    looks_at: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """A name for tests."""
        return self.build.__name__


CASES: list[Case] = []


def case(
    group: str,
    holds: str,
    here: str = "not read",
    *,
    disk: str = READ,
    commit: str = READ,
    looks_at: tuple[str, ...] = (),
) -> Callable[[Callable[[Scene], None]], Callable[[Scene], None]]:
    """Enter a repository into the table."""

    def enter(build: Callable[[Scene], None]) -> Callable[[Scene], None]:
        CASES.append(Case(group, holds, here, disk, commit, build, looks_at))
        return build

    return enter


def security_table() -> str:
    """The table as docs/security.md shows it."""
    from tests.hostile import configured, histories, indexes, places, trees

    rows = ["| | a repository can hold | here |", "| --- | --- | --- |"]
    group = ""
    for module in (configured, histories, indexes, trees, places):
        for one in CASES:
            if one.build.__module__ == module.__name__:
                rows.append(f"| {one.group if one.group != group else ''} | {one.holds} | {one.here} |")
                group = one.group
    return "\n".join(rows) + "\n"
