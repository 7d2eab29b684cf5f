"""Files of a work tree that git does not track and no rule leaves out. No link and no nested repository is entered."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator

from gate.adapters.repositories.entries import FILE_MODE, FOLDER_MODE
from gate.adapters.repositories.plain_files import PlainFiles
from gate.repository.ignoring import Ignores


class Untracked:
    """What lies in a work tree beside the tracked files.

    Args:
        files: the work tree.
        tracked: paths that are not new.
        submodules: folders that are not entered.
        rules: what holds everywhere; the rules of each folder are added on the way.
        ignore_text: reads the `.gitignore` at a path; None: there is none.
    """

    def __init__(
        self,
        files: PlainFiles,
        tracked: Iterable[str],
        submodules: Iterable[str],
        rules: Ignores,
        ignore_text: Callable[[str], bytes | None],
    ) -> None:
        self._files = files
        self._tracked = frozenset(tracked)
        self._submodules = frozenset(submodules)
        self._folders = _folders_above(self._tracked)
        self._rules = rules
        self._ignore_text = ignore_text

    def walk(self, inside: str) -> Iterator[tuple[str, str]]:
        """Yield path and mode of what is new in a folder; a nested repository is one name with the mode of a file.

        A folder that may not be read comes with the mode of a folder.

        Raises:
            InputError: there are too many names, or the rules take too much work.
        """
        parts = inside.split("/") if inside else []
        for n in range(len(parts)):
            self._add_rules("/".join(parts[:n]))
            if self._rules.leaves_out(os.fsencode("/".join(parts[: n + 1])), folder=True):
                return
        todo = [inside]
        while todo:
            folder = todo.pop()
            self._add_rules(folder)
            names = self._files.names(folder)
            if names is None:
                yield folder, FOLDER_MODE
            for name, mode in sorted((names or {}).items(), reverse=True):
                path = f"{folder}/{name}" if folder else name
                if not mode or not self._is_new(path, name, mode):
                    continue
                if mode != FOLDER_MODE:
                    yield path, mode
                elif path not in self._folders and self._is_repository(path):
                    yield path, FILE_MODE
                else:
                    todo.append(path)

    def _is_new(self, path: str, name: str, mode: str) -> bool:
        is_folder = mode == FOLDER_MODE
        if name == ".git" or path in (self._submodules if is_folder else self._tracked):
            return False
        return not self._rules.leaves_out(os.fsencode(path), folder=is_folder)

    def _add_rules(self, folder: str) -> None:
        text = self._ignore_text(f"{folder}/.gitignore" if folder else ".gitignore")
        if text is not None:
            self._rules.add(os.fsencode(folder), text)

    def _is_repository(self, folder: str) -> bool:
        status = self._files.status(f"{folder}/.git")
        return status is not None and (stat.S_ISREG(status.st_mode) or self._files.holds(f"{folder}/.git/HEAD"))


def _folders_above(paths: Iterable[str]) -> set[str]:
    folders: set[str] = set()
    for path in paths:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return folders
