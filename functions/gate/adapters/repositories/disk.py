"""Reads a folder as it lies on the disk: as git would list it, or whole where it is no repository."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from gate.adapters.repositories.commits import Commits
from gate.adapters.repositories.entries import (
    FILE_MODE,
    FOLDER_MODE,
    LINK_MODE,
    MAX_FILES,
    MAX_TEXT_BYTES,
    SUBMODULE_MODE,
    is_wanted,
)
from gate.adapters.repositories.entries_found import EntriesFound, is_refused
from gate.adapters.repositories.git_folder import GitFolder
from gate.adapters.repositories.git_index import MAX_INDEX_BYTES, Tracked, read_index
from gate.adapters.repositories.plain_files import PlainFiles
from gate.adapters.repositories.untracked import Untracked
from gate.errors import InputError
from gate.repository.ignoring import Ignores
from gate.repository.manifest import Repository

_UNREADABLE = "the folder may not be read"


def read_disk(git: GitFolder, top: Path, name: str) -> Repository:
    """List tracked files that are still there, those that a sparse checkout leaves out, and new ones.

    Raises:
        InputError: the index is damaged or split, or there is too much of something.
    """
    return _WorkTree(git, top).repository(name)


def read_folder(folder: Path) -> Repository:
    """List every file of a folder that git does not know.

    Raises:
        InputError: there are too many.
    """
    files = PlainFiles(folder)
    found = EntriesFound()
    todo = [""]
    while todo:
        place = todo.pop()
        names = files.names(place)
        if names is None:
            found.leave_out(place or ".", _UNREADABLE)
        for name, mode in sorted((names or {}).items()):
            path = f"{place}/{name}" if place else name
            if mode == FOLDER_MODE and name != ".git":
                todo.append(path)
            elif not mode:
                found.leave_out(path, "it is a pipe, a socket or a device")
            elif name != ".git" and found.add(path, mode):
                _keep_contents(found, files, path, path)
    return found.repository(folder.name)


class _WorkTree:
    """The files of a work tree, relative to the folder that was asked for."""

    def __init__(self, git: GitFolder, top: Path) -> None:
        self._git = git
        self._files = PlainFiles(top)
        self._commits = Commits(git)
        self._tracked = {entry.path: entry for entry in self._index()}
        self._found = EntriesFound()

    def repository(self, name: str) -> Repository:
        inside = f"{self._git.inside}/" if self._git.inside else ""
        for path, entry in self._tracked.items():
            if path.startswith(inside) and (entry.absent or is_refused(path) or self._is_there(path)):
                self._add(inside, path, entry.mode)
        for path, mode in self._new():
            if mode == FOLDER_MODE:
                self._found.leave_out(path or ".", _UNREADABLE)
            else:
                self._add(inside, path, mode)
        return self._found.repository(name)

    def _index(self) -> Iterator[Tracked]:
        """What the index tracks; a folder that stands for its files, as in a sparse index, is replaced by them."""
        data = self._git.own.read("index", MAX_INDEX_BYTES)
        if data is None and self._git.own.status("index"):
            raise InputError("the repository's index is no plain file")
        count = 0
        for entry in read_index(data) if data else []:
            files = [entry]
            if entry.mode == FOLDER_MODE:
                inner = self._commits.files_of_tree(entry.id)
                files = [Tracked(entry.path + path, mode, id_, entry.absent) for path, mode, id_ in inner]
            count += len(files)
            if count > MAX_FILES:
                raise InputError(f"the repository has more than {MAX_FILES} entries")
            yield from files

    def _is_there(self, path: str) -> bool:
        """Whether something lies at a path; where a disk takes two spellings for one, its names have one of them."""
        return self._files.mode(path) is not None or self._files.status(path) is not None

    def _new(self) -> Iterator[tuple[str, str]]:
        rules = Ignores()
        rules.add_everywhere(self._git.common.read("info/exclude", MAX_TEXT_BYTES) or b"")
        submodules = [path for path, entry in self._tracked.items() if entry.mode == SUBMODULE_MODE]
        return Untracked(self._files, self._tracked, submodules, rules, self._ignore_text).walk(self._git.inside)

    def _ignore_text(self, path: str) -> bytes | None:
        """A `.gitignore`: from the disk, or from the index where a sparse checkout leaves it out."""
        entry = self._tracked.get(path)
        try:
            text = self._files.read(path, MAX_TEXT_BYTES)
            if text is None and entry and entry.absent:
                text = self._commits.objects.read(entry.id, MAX_TEXT_BYTES)[1]
        except InputError as error:
            self._found.leave_out(path, error.safe_message)
            return None
        self._found.spend(len(text or b""))
        return text

    def _add(self, inside: str, path: str, mode: str) -> None:
        name = path.removeprefix(inside)
        if self._found.add(name, mode):
            _keep_contents(self._found, self._files, name, path)


def _keep_contents(found: EntriesFound, files: PlainFiles, name: str, path: str) -> None:
    """Note what a file holds where that says how names are meant."""
    if files.mode(path) == LINK_MODE:
        found.keep(name, LINK_MODE, os.fsencode(files.link(path) or ""))
    elif is_wanted(path):
        try:
            text = files.read(path, MAX_TEXT_BYTES)
        except InputError as error:
            found.leave_out(name, error.safe_message)
            return
        if text is not None:
            found.keep(name, FILE_MODE, text)
