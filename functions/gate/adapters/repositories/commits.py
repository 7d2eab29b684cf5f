"""From a commit's name to its files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from gate.adapters.repositories.entries import FOLDER_MODE, MAX_FILES
from gate.adapters.repositories.git_folder import GitFolder
from gate.adapters.repositories.objects import Objects
from gate.adapters.repositories.references import References
from gate.adapters.repositories.unpacking import damaged
from gate.errors import InputError

MAX_STEPS = 10_000
"""Commits and tags to pass on the way from a name: `main~10000`."""
MAX_FOLDERS = 200_000
MAX_NAME_BYTES = 256 * 1024 * 1024
"""All paths of a commit together."""
_KEPT_ENTRIES = 200_000
_MAX_SHORT = 1000
"""Objects that share the digits of an abbreviated id."""
_NAME = re.compile(r"([0-9A-Za-z][0-9A-Za-z._/-]{0,199})((?:[~^][0-9]{0,6}){0,50})")
_FULL = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.IGNORECASE)
_SHORT = re.compile(r"(?:.+-g)?([0-9a-f]{4,63})", re.IGNORECASE)
"""An abbreviated id, alone or as `git describe` writes it."""
_HEADER = re.compile(rb"(tree|parent|object) ([0-9a-f]{64}|[0-9a-f]{40})\n")
_TREE_ENTRY = {size: re.compile(rb"([0-7]{5,6}) ([^\0]*)\0(.{%d})" % size, re.DOTALL) for size in (20, 32)}
Entry = tuple[str, str, str]
"""Path, git's mode, object id."""


class Commits:
    """The history of a repository."""

    def __init__(self, folder: GitFolder) -> None:
        self._references = References(folder)
        self.objects = Objects(folder.common, self._references.id_size)
        self._trees: dict[str, list[Entry]] = {}
        self._kept = 0

    def find(self, name: str) -> str:
        """The id of the commit that a name stands for: a branch, a tag, an id, with steps back (`~2`, `^2`).

        Raises:
            InputError: there is none, the name has no such form, or an object on the way cannot be read.
        """
        match = _NAME.fullmatch(name)
        if not match:
            raise InputError("the commit's name is not one that git knows")
        commit = self._named(match[1])
        steps = [(step, int(digits or 1)) for step, digits in re.findall(r"([~^])([0-9]*)", match[2])]
        if sum(count for step, count in steps if step == "~") > MAX_STEPS:
            raise InputError(f"the commit's name goes back more than {MAX_STEPS} steps")
        for step, count in steps:
            for parent in [1] * count if step == "~" else [count] if count else []:
                parents = self._pointers(commit, b"commit", b"parent")
                if parent > len(parents):
                    raise _no_commit()
                commit = parents[parent - 1]
        return commit

    def files(self, commit: str, inside: str = "") -> Iterator[Entry]:
        """The files of a commit, in git's order; those of one folder, relative to it.

        Raises:
            InputError: an object is missing, damaged or too large, or there is too much of them.
        """
        tree = self._pointers(commit, b"commit", b"tree")[0]
        for part in inside.split("/") if inside else ():
            mode, tree = next(((mode, id_) for name, mode, id_ in self._entries(tree) if name == part), ("", ""))
            if mode != FOLDER_MODE:
                return
        yield from self.files_of_tree(tree)

    def files_of_tree(self, tree: str) -> Iterator[Entry]:
        """The files of a tree and of the trees in it; errors as with `files`."""
        entries = folders = size = 0
        todo = [("", FOLDER_MODE, tree)]
        while todo:
            path, mode, id_ = todo.pop()
            if mode != FOLDER_MODE:
                yield path, mode, id_
                continue
            found = [(f"{path}/{name}" if path else name, mode, id_) for name, mode, id_ in self._entries(id_)]
            folders += 1
            entries += len(found)
            size += sum(len(entry[0]) for entry in found)
            if folders > MAX_FOLDERS or entries > MAX_FILES + MAX_FOLDERS or size > MAX_NAME_BYTES:
                raise InputError("the commit has too many files and folders, or too long paths")
            todo += reversed(found)

    def _entries(self, tree: str) -> list[Entry]:
        """The entries of a tree; a commit may hold the same one many times."""
        if tree not in self._trees:
            if self._kept > _KEPT_ENTRIES:
                self._trees, self._kept = {}, 0
            kind, data = self.objects.read(tree)
            if kind != b"tree":
                raise damaged()
            self._trees[tree] = _entries_of(data, self.objects.id_size)
            self._kept += len(self._trees[tree])
        return self._trees[tree]

    def _named(self, name: str) -> str:
        id_ = name.lower() if _FULL.fullmatch(name) else self._references.find(name)
        short = _SHORT.fullmatch(name)
        found = [self._commit_at(id_)] if id_ else []
        if not id_ and short:
            candidates = set(islice(self.objects.starting_with(short[1].lower()), _MAX_SHORT))
            found = [commit for each in sorted(candidates) if (commit := self._commit_at(each))]
        if len(set(found)) != 1 or found[0] is None:
            raise _no_commit()
        return found[0]

    def _commit_at(self, id_: str) -> str | None:
        """The commit that an id names, itself or through tags; None: it names something else, or nothing."""
        for _ in range(MAX_STEPS):
            kind, data = self.objects.find(id_) or (b"", b"")
            if kind != b"tag":
                return id_ if kind == b"commit" else None
            pointer = _HEADER.match(data)
            if not pointer:
                return None
            id_ = pointer[2].decode()
        return None

    def _pointers(self, id_: str, wanted: bytes, word: bytes) -> list[str]:
        kind, data = self.objects.read(id_)
        first = _HEADER.match(data)
        if kind != wanted or first is None or first[1] != b"tree":
            raise damaged()
        at, found = 0, []
        while match := _HEADER.match(data, at):
            found += [match[2].decode()] if match[1] == word else []
            at = match.end()
        return found


def _entries_of(data: bytes, id_size: int) -> list[Entry]:
    pattern = _TREE_ENTRY[id_size]
    entries, at = [], 0
    while at < len(data):
        match = pattern.match(data, at)
        if match is None:
            raise damaged()
        mode, name, id_ = match.groups()
        entries.append((name.decode("utf-8", "surrogateescape"), mode.decode().zfill(6), id_.hex()))
        at = match.end()
    return entries


def _no_commit() -> InputError:
    return InputError("the repository has no such commit")
