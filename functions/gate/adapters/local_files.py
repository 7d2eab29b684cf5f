"""Blobs on this machine: what S3 is on AWS."""

from __future__ import annotations

import errno
import io
import os
import re
import secrets
import shutil
import stat
import threading
import time
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

from gate.cleanup import note
from gate.errors import InternalError, SettingsError, missing_blob

READ = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
"""A pipe that took a file's place since it was looked at does not hold the reader up."""
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_atomically(path: Path, data: bytes, *, noted: bool = False) -> None:
    """Write a file so that a reader sees all of it or what was there before; nothing half-written stays behind, with
    `noted` not even where the process is killed meanwhile."""
    # A run writes four or five small blobs a claim, and each call of the system lets another thread in: no more than
    # open, write, close and rename where the folder is there.
    temporary = path.parent / f".{path.name[:40]}.{secrets.token_hex(6)}"
    if noted:
        note(temporary)
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


def open_plain(path: str | Path, flags: int = READ) -> io.FileIO:
    """Open a plain file, unbuffered, whatever has taken its place since it was looked at.

    Raises:
        OSError: it cannot be opened, or is none.
    """
    file = io.FileIO(os.open(path, flags), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(errno.EINVAL, "no plain file")


def place_of_open(file: io.FileIO) -> str:
    """Where an open file lies, whatever links led to it; empty where the system does not say: Linux alone does."""
    try:
        return str(Path(f"/proc/self/fd/{file.fileno()}").readlink())
    except OSError:
        return ""


def keep_from_git(home: Path) -> None:
    """Have git ignore the gate's own folder, as other tools do with theirs: it holds answers and documents.

    A folder that was there before, with a file of that name or without, is left as it is.
    """
    if not home.exists():
        home.mkdir(parents=True, exist_ok=True)
        (home / ".gitignore").write_text("*\n", encoding="utf-8")


def unusable(error: OSError) -> SettingsError:
    """Return the settings error of a folder that cannot be used: one line, without the names of files."""
    why = (error.strerror or type(error).__name__).lower()
    return SettingsError(f"the gate's own folder cannot be used: {why}", hint="GATE_HOME names it; free or allow it")


SERVED = "serve"
"""Folder of the gate's own that holds the runs of `gate serve`."""
PIECE_BYTES = 1_048_576
_ATTEMPTS = 10
"""How often a folder is removed that is not empty afterwards."""
NOTED = 4_096
"""Runs that a store remembers to have noted, at most."""
HELD_BYTES = 32 * 1_024 * 1_024
_RUN_ID = re.compile(r"[0-9a-f]{32}")


class FolderBlobStore:
    """A `BlobStore` over a folder; keys are relative POSIX paths.

    A run writes and reads some ten blobs a claim that are removed with it: they are held in memory while there is room.
    The first of each run is written all the same, so that a folder that cannot be used is said before a model is asked.

    Args:
        held_bytes: of runs' blobs that are held in memory at most; the others are written.
        lasting: runs outlive the process: whoever watches over it removes none of them.
    """

    def __init__(self, root: Path, *, held_bytes: int = 0, lasting: bool = False) -> None:
        self._root, self._lasting = root.resolve(), lasting
        self._closed = False
        self._room = held_bytes
        self._held: dict[str, dict[str, bytes]] = {}
        self._lock = threading.Lock()
        self._noted: set[str] = set()

    def path(self, key: str) -> Path:
        """Where a key lies; one that would leave the folder is refused."""
        _refuse_leaving(key)
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
        _refuse_leaving(key)
        folder = key.rpartition("/")[0]
        if self._hold(folder, key, data):
            return
        self._refuse_link(key)
        self._note_run(key)
        try:
            keep_from_git(self._root)
            write_atomically(self.path(key), data)
        except OSError as error:
            raise unusable(error) from None
        if folder.startswith("runs/"):
            self._held.setdefault(folder, {})

    def _refuse_link(self, key: str) -> None:
        """Runs lie in the gate's own folder; behind a link they would be written, and removed, somewhere else.

        Raises:
            SettingsError: a link stands where runs are kept.
        """
        if key.partition("/")[0] == "runs" and (self._root / "runs").is_symlink():
            raise SettingsError("a link stands where the gate keeps its runs", hint="GATE_HOME names the folder")

    def _hold(self, folder: str, key: str, data: bytes) -> bool:
        """Keep a blob in memory, of a run that has one on disk and while there is room; says whether it did."""
        with self._lock:
            held = self._held.get(folder)
            if held is None:
                return False
            room = self._room + len(held.pop(key, b"")) - len(data)
            if room < 0:
                self._room = room + len(data)
                return False
            self._room, held[key] = room, data
            return True

    def _note_run(self, key: str) -> None:
        """A run's values are of no use once the process that works on it has ended."""
        kind, _, rest = key.partition("/")
        run_id = rest.partition("/")[0]
        if len(self._noted) >= NOTED:
            self._noted.clear()  # one that is noted twice is removed once
        if kind == "runs" and not self._lasting and run_id not in self._noted:
            self._noted.add(run_id)
            note(self._root / kind / run_id)

    def add(self, key: str, data: bytes) -> bool:
        """See `BlobStore`."""
        if self.exists(key):
            return False
        self.put(key, data)
        return True

    def get(self, key: str) -> bytes:
        """Return what is stored under `key`."""
        found = self.find(key)
        if found is None:
            raise missing_blob(key)
        return found

    def find(self, key: str) -> bytes | None:
        """See `BlobStore`."""
        held = self._held.get(key.rpartition("/")[0], {}).get(key)
        if held is not None:
            return held
        try:
            return self.path(key).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except OSError as error:
            raise unusable(error) from None

    def pieces(self, key: str) -> Generator[bytes]:
        """See `BlobStore`."""
        held = self._held.get(key.rpartition("/")[0], {}).get(key)
        if held is not None:
            yield held
            return
        try:
            with self.path(key).open("rb") as file:
                yield from iter(lambda: file.read(PIECE_BYTES), b"")
        except FileNotFoundError:
            raise missing_blob(key) from None
        except OSError as error:
            raise unusable(error) from None

    def exists(self, key: str) -> bool:
        """Whether `key` is there."""
        return key in self._held.get(key.rpartition("/")[0], ()) or self.path(key).is_file()

    def keys(self, prefix: str) -> list[str]:
        """See `BlobStore`."""
        folder = prefix.strip("/")
        held = [key for name in list(self._held) if f"{name}/".startswith(f"{folder}/") for key in self._held[name]]
        there = [path.relative_to(self._root) for path in self.path(folder).rglob("*") if path.is_file()]
        return sorted({*held, *(path.as_posix() for path in there)})

    def delete_prefix(self, prefix: str) -> int:
        """Remove the folder `prefix`; returns how many files it held.

        Raises:
            SettingsError: it is a link.
        """
        folder = self.path(prefix)
        self._refuse_link(prefix)
        if folder.is_symlink():
            raise SettingsError("a link stands where the gate keeps a run: what it leads to is not removed")
        if folder == self._root or not folder.is_dir():
            return 0
        count = sum(len(files) for _, _, files in os.walk(folder)) + self._let_go(prefix.strip("/"))
        for _ in range(_ATTEMPTS):
            shutil.rmtree(folder, ignore_errors=True)
            if not folder.exists():
                return count
            time.sleep(0.02)  # a thread that was writing into it is done by then
        with suppress(FileNotFoundError):  # another process may have removed it
            shutil.rmtree(folder)
        return count

    def _let_go(self, prefix: str) -> int:
        with self._lock:
            folders = [folder for folder in self._held if f"{folder}/".startswith(f"{prefix}/")]
            blobs = [data for folder in folders for data in self._held.pop(folder).values()]
            self._room += sum(map(len, blobs))
        return len(blobs)

    def close(self) -> None:
        """Refuse to write from now on, so that what is removed stays removed whatever threads are under way."""
        self._closed = True

    def delete_older(self, prefix: str, seconds: float) -> int:
        """Remove the folders of runs right under `prefix` that nothing was added to for so long; returns how many.

        What bears no run's id is not the gate's, whoever put it there.
        """
        self._refuse_link(prefix)
        before = time.time() - seconds
        old = [folder.name for folder in self.path(prefix).glob("*") if _is_old_run(folder, before)]
        for name in old:
            self.delete_prefix(f"{prefix}{name}/")
        return len(old)

    def link(self, key: str) -> str:
        """A `file:` URL."""
        return self.path(key).as_uri()


def _refuse_leaving(key: str) -> None:
    # Resolving links takes longer than reading a small blob; a key without `..` cannot leave a resolved root.
    if key.startswith("/") or "\\" in key or ".." in key.split("/"):
        raise InternalError("a blob key leaves the blob folder")


def _is_old_run(folder: Path, before: float) -> bool:
    if not _RUN_ID.fullmatch(folder.name):
        return False
    try:
        status = folder.lstat()
    except FileNotFoundError:  # another process has removed it
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_mtime < before
