"""Plain files below a folder. Links are not followed, and pipes, sockets and devices are never opened."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from gate.adapters.local_files import READ, open_plain, place_of_open
from gate.adapters.repositories.entries import FILE_MODE, FOLDER_MODE, LINK_MODE, MAX_FILES
from gate.errors import InputError

_FLAGS = READ | getattr(os, "O_NOFOLLOW", 0)


class PlainFiles:
    """What lies below a folder.

    Args:
        top: the folder itself; it may be reached through links.
    """

    def __init__(self, top: Path) -> None:
        self.top = top
        self._folders: dict[str, bool] = {"": True}
        self._names: dict[str, dict[str, str]] = {}
        self._seen = 0

    def mode(self, path: str) -> str | None:
        """Git's mode of what lies at a path, as `names` has it; None: nothing."""
        folder, _, name = path.rpartition("/")
        return (self.names(folder) or {}).get(name)

    def status(self, path: str) -> os.stat_result | None:
        """What lies at a relative POSIX path; None: nothing, or it is reached through a link or out of the folder."""
        if not self._is_folder(path.rpartition("/")[0]) or not _is_name(path.rpartition("/")[2]):
            return None
        try:
            return os.lstat(self._place(path))
        except (OSError, ValueError):
            return None

    def holds(self, *paths: str) -> bool:
        """Whether something lies at each path, of whatever kind."""
        return all(self.status(path) is not None for path in paths)

    def is_folder(self, path: str) -> bool:
        """Whether a folder lies at a path."""
        status = self.status(path)
        return status is not None and stat.S_ISDIR(status.st_mode)

    def link(self, path: str) -> str | None:
        """What a link holds; None: there is none."""
        status = self.status(path)
        try:
            return str(Path(self._place(path)).readlink()) if status and stat.S_ISLNK(status.st_mode) else None
        except OSError:
            return None

    def open(self, path: str) -> BinaryIO | None:
        """Open a plain file, unbuffered; None: there is none, or a folder on the way has become a link."""
        status = self.status(path)
        if status is None or not stat.S_ISREG(status.st_mode):
            return None
        try:
            file = open_plain(self._place(path), _FLAGS)
        except OSError:
            return None
        place = place_of_open(file)
        if place in ("", self._place(path)) or place == f"{os.path.realpath(self.top).rstrip('/')}/{path}":
            return file
        file.close()
        return None

    def read(self, path: str, limit: int) -> bytes | None:
        """Read a plain file; None: there is none.

        Raises:
            InputError: it is larger than `limit` bytes.
        """
        file = self.open(path)
        if file is None:
            return None
        with file:
            try:
                if os.fstat(file.fileno()).st_size <= limit:
                    data = read_exactly(file, limit + 1)
                    if len(data) <= limit:
                        return data
            except OSError:
                return None
        raise InputError(f"a file of the repository is larger than {limit} bytes")

    def names(self, folder: str) -> Mapping[str, str] | None:
        """Names in a folder with git's mode of each, empty for pipes, sockets and devices; None: it cannot be read.

        A folder is looked at once.

        Raises:
            InputError: there are too many names in all folders together.
        """
        if folder not in self._names:
            if not self._is_folder(folder):
                return None
            try:
                with os.scandir(self._place(folder)) as entries:
                    found = {entry.name: _mode(entry) for entry in islice(entries, MAX_FILES - self._seen + 1)}
            except OSError:
                return None
            self._names[folder] = found
            self._seen += len(found)
            if self._seen > MAX_FILES:
                raise InputError(f"the repository has more than {MAX_FILES} entries")
        return self._names[folder]

    def _is_folder(self, path: str) -> bool:
        """Whether each part of a path is a folder and no link."""
        unknown = [path]
        while unknown[-1] not in self._folders:
            unknown.append(unknown[-1].rpartition("/")[0])
        is_folder = self._folders[unknown.pop()]
        for place in reversed(unknown):
            is_folder = is_folder and _is_name(place.rpartition("/")[2]) and self._is_real_folder(place)
            self._folders[place] = is_folder
        return is_folder

    def _is_real_folder(self, path: str) -> bool:
        try:
            return stat.S_ISDIR(os.lstat(self._place(path)).st_mode)
        except (OSError, ValueError):
            return False

    def _place(self, path: str) -> str:
        return f"{self.top}/{path}"  # also of a path that starts with a slash, which os.path.join would follow


def _mode(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return LINK_MODE
    if entry.is_dir(follow_symlinks=False):
        return FOLDER_MODE
    return FILE_MODE if entry.is_file(follow_symlinks=False) else ""


def _is_name(name: str) -> bool:
    """Whether a part of a path names something in its folder, and not another place."""
    return name not in ("", ".", "..") and (os.sep == "/" or not any(mark in name for mark in ("\\", ":")))


def place_of(artifact: Mapping[str, Any], root: str | None) -> Path:
    """Where an artifact's `path` lies, resolved; with a root it must lie inside, and be reached through no link.

    Raises:
        InputError: it does not.
    """
    given = str(artifact.get("path") or ".")
    try:
        if root is None:
            return Path(given).resolve()
        top = Path(root).resolve()
        place = Path(os.path.normpath(top / given))
        status = place.stat() if place == top else PlainFiles(top).status(place.relative_to(top).as_posix())
        if status and not stat.S_ISLNK(status.st_mode):
            return place
    except (OSError, ValueError, RuntimeError):  # NUL, a ring of links, another folder
        pass
    raise InputError("the repository's path leaves repo_root, or nothing is there")


def read_exactly(file: BinaryIO, size: int) -> bytes:
    """Read so many bytes, or all that there are; they are held once, for an archive may have half a gigabyte."""
    data = io.BytesIO()
    while size > 0 and (part := file.read(min(size, 1 << 20))):
        size -= data.write(part)
    return data.getvalue()
