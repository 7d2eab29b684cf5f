"""Blobs in a folder: what S3 is on AWS."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from pathlib import Path

from gate.errors import InternalError, SettingsError

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees all of it or what was there before; nothing half-written stays behind."""
    # A run writes four or five small blobs a claim, and each call of the system lets another thread in: no more than
    # open, write, close and rename where the folder is there.
    temporary = path.parent / f".{path.name[:40]}.{secrets.token_hex(6)}"
    try:
        handle = os.open(temporary, NEW, 0o644)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(temporary, NEW, 0o644)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def keep_from_git(home: Path) -> None:
    """Have git ignore the gate's own folder, as other tools do with theirs: it holds answers and documents.

    A folder that was there before, with a file of that name or without, is left as it is.
    """
    if not home.exists():
        home.mkdir(parents=True, exist_ok=True)
        (home / ".gitignore").write_text("*\n", encoding="utf-8")


def unusable(error: OSError) -> SettingsError:
    """What a folder that cannot be used is to whoever set it up: one line, without the names of what was written."""
    why = (error.strerror or type(error).__name__).lower()
    return SettingsError(f"the gate's own folder cannot be used: {why}", hint="GATE_HOME names it; free or allow it")


_ATTEMPTS = 10
"""How often a folder is removed that is not empty afterwards."""


class FolderBlobStore:
    """A `BlobStore` over a folder; keys are relative POSIX paths."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._closed = False

    def path(self, key: str) -> Path:
        """Where a key lies; one that would leave the folder is refused."""
        # Resolving links takes longer than reading a small blob; a key without `..` cannot leave a resolved root.
        if key.startswith("/") or "\\" in key or ".." in key.split("/"):
            raise InternalError("a blob key leaves the blob folder")
        return self._root / key

    def put(self, key: str, data: bytes, *, content_type: str = "application/json") -> None:
        """Store `data` under `key`; the type is for stores that keep one.

        Raises:
            SettingsError: the disk is full, or the folder may not be written.
            InternalError: the store is closed.
        """
        del content_type
        if self._closed:
            raise InternalError("the gate is ending: nothing is written any more")
        try:
            keep_from_git(self._root)
            write_atomically(self.path(key), data)
        except OSError as error:
            raise unusable(error) from None

    def add(self, key: str, data: bytes) -> bool:
        """See `BlobStore`."""
        if self.exists(key):
            return False
        self.put(key, data)
        return True

    def get(self, key: str) -> bytes:
        """Return what is stored under `key`."""
        try:
            return self.path(key).read_bytes()
        except FileNotFoundError:
            raise InternalError(f"blob {key.rsplit('/', 1)[-1][:64]} is missing") from None
        except OSError as error:
            raise unusable(error) from None

    def exists(self, key: str) -> bool:
        """Whether `key` is there."""
        return self.path(key).is_file()

    def delete_prefix(self, prefix: str) -> int:
        """Remove the folder `prefix`; returns how many files it held."""
        folder = self.path(prefix)
        if folder == self._root or not folder.is_dir():
            return 0
        count = sum(len(files) for _, _, files in os.walk(folder))
        for _ in range(_ATTEMPTS):
            shutil.rmtree(folder, ignore_errors=True)
            if not folder.exists():
                return count
            time.sleep(0.02)  # a thread that was writing into it is done by then
        shutil.rmtree(folder)
        return count

    def close(self) -> None:
        """Refuse to write from now on, so that what is removed stays removed whatever threads are under way."""
        self._closed = True

    def delete_older(self, prefix: str, seconds: float) -> int:
        """Remove the folders right under `prefix` that nothing was added to for so long; returns how many."""
        before = time.time() - seconds
        old = [folder.name for folder in self.path(prefix).glob("*") if folder.stat().st_mtime < before]
        for name in old:
            self.delete_prefix(f"{prefix}{name}/")
        return len(old)

    def link(self, key: str) -> str:
        """A `file:` URL."""
        return self.path(key).as_uri()
