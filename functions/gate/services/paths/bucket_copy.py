"""Corpora in a bucket: copied to this machine, of which what changed alone is fetched again."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from gate import wiring
from gate.adapters.local_files import keep_from_git, unusable, write_atomically
from gate.adapters.readers.folders import HIDDEN, LeftOut, unreadable
from gate.errors import InputError, SearchUnavailableError, SettingsError
from gate.services.freshness import bucket_of
from gate.text.encodable import encodable

if TYPE_CHECKING:
    from gate.adapters.aws.s3 import S3Uploads

MOST_OBJECTS = 100_000
FETCHERS = 16
LONGEST_NAME = 255
"""Bytes of one name in a path: what file systems take."""
BUSY_S = 600.0
"""How long one process waits while another fetches the same corpus."""
IDLE_DAYS = 30
USED, VERSIONS = ".used", ".versions.json"
"""Files beside a copy: its time is that of the last use; the version of each object that was fetched. No copy's own
name begins with a dot."""


@dataclass(frozen=True, slots=True)
class _Object:
    key: str
    version: str
    size: int


def copy_of(url: str) -> tuple[Path, list[LeftOut]]:
    """Make a copy of `s3://bucket/prefix` what the bucket holds there now, and say what is not in it, and why.

    Objects that no reader is for are not fetched. Copies that nobody used for a month go.

    Returns:
        the folder of the copy, or its file where the url names an object.

    Raises:
        InputError: the url names no bucket; nothing lies there that can be read, or too much.
        SettingsError: the bucket is not there, or may not be listed; the gate's own folder cannot be used.
        StorageUnavailableError, SearchUnavailableError: try again later.
    """
    bucket, prefix = bucket_of(url)
    uploads, copies = wiring.current().uploads(), wiring.current().settings.home / "buckets"
    wanted, left_out = _wanted(url, uploads, bucket, prefix)
    folder = copies / hashlib.sha256(f"{bucket}/{prefix}".encode()).hexdigest()[:32]
    with _alone(folder):
        files = folder / (re.sub("[^A-Za-z0-9._-]+", "-", prefix.rstrip("/").rpartition("/")[2]).strip(".-") or bucket)
        left_out += _bring(uploads, bucket, wanted, folder, files)
        _prune(copies)
    if not any((files / location).is_file() for location in wanted):
        raise InputError(f"{url}: no object that can be read", hint=_first(left_out))
    is_one = len(wanted) == 1 and next(iter(wanted.values())).key == prefix.rstrip("/")
    return (files / next(iter(wanted)) if is_one else files), sorted(left_out, key=lambda one: one.where)


def _wanted(url: str, uploads: S3Uploads, bucket: str, prefix: str) -> tuple[dict[str, _Object], list[LeftOut]]:
    """The objects to have, by where they lie below the prefix, and those that are left out."""
    found = [*_listed(url, uploads, bucket, prefix)]
    if not found and prefix:  # it may be the name of an object
        key = prefix.rstrip("/")
        found = [(key.rpartition("/")[2], one) for _, one in _listed(url, uploads, bucket, key) if one.key == key]
    folders = {parent.as_posix() for location, _ in found for parent in PurePosixPath(location).parents}
    wanted, left_out = dict[str, _Object](), list[LeftOut]()
    for location, one in found:
        why = _unfit(location) or unreadable(location, one.size)
        if why is None and location in folders:
            why = "other objects lie below its name"
        if why is None:
            wanted[location] = one
        else:
            left_out.append(LeftOut(location.encode("utf-8", "replace").decode(), why, one.size))
    return wanted, left_out


def _listed(url: str, uploads: S3Uploads, bucket: str, prefix: str) -> Iterator[tuple[str, _Object]]:
    for number, (key, version, _, size) in enumerate(uploads.listed(bucket, prefix), start=1):
        if number > MOST_OBJECTS:
            raise InputError(f"{url}: more than {MOST_OBJECTS:,} objects", hint="name a longer prefix")
        if not key.endswith("/") or size:  # what stands for a folder is none
            yield key.removeprefix(prefix), _Object(key, version, size)


def _unfit(location: str) -> str | None:
    """Why a name is not taken for the path of a file: an object's may be any text, and lead anywhere."""
    parts = location.split("/")
    if not encodable(location) or any(part in ("", ".", "..") or "\x00" in part or "\\" in part for part in parts):
        return "its name is no path of a file"
    if any(part.startswith(".") for part in parts):
        return HIDDEN
    if any(len(part.encode()) > LONGEST_NAME for part in parts) or len(location.encode()) > 1_024:
        return "its name is too long for a file"
    return None


def _bring(uploads: S3Uploads, bucket: str, wanted: Mapping[str, _Object], folder: Path, files: Path) -> list[LeftOut]:
    """Fetch what is new or changed, and remove what is gone; returns what could not be had."""
    versions = _versions(folder)
    same = {
        location
        for location, one in wanted.items()
        if versions.get(location) == one.version and _size(files / location) == one.size
    }
    _remove(files, same)
    kept = {location: versions[location] for location in same}
    if len(same) < len(wanted):  # of what is fetched nothing is known until all of it is there
        write_atomically(folder / VERSIONS, json.dumps(kept).encode())

    def fetch(location: str) -> LeftOut | None:
        one = wanted[location]
        try:
            version, pieces = uploads.fetch(bucket, one.key)
            _write(files / location, folder, pieces)
        except (InputError, SettingsError) as error:
            return LeftOut(location, error.safe_message, one.size)
        kept[location] = version
        return None

    pool = ThreadPoolExecutor(FETCHERS)
    try:
        refused = list(pool.map(fetch, [location for location in wanted if location not in same]))
    finally:
        pool.shutdown(cancel_futures=True)
        write_atomically(folder / VERSIONS, json.dumps(kept).encode())
    return [one for one in refused if one is not None]


def _write(target: Path, folder: Path, pieces: Iterator[bytes]) -> None:
    temporary = folder / f".{secrets.token_hex(8)}"
    try:
        with temporary.open("xb") as file:
            for piece in pieces:
                file.write(piece)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _remove(files: Path, kept: set[str]) -> None:
    """Remove every file that is not to stay, and the folders that are empty then."""
    for path in sorted(files.rglob("*"), reverse=True):
        if path.is_dir() and not path.is_symlink():
            with suppress(OSError):  # it is not empty
                path.rmdir()
        elif path.relative_to(files).as_posix() not in kept:
            path.unlink(missing_ok=True)


def _versions(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / VERSIONS).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _prune(copies: Path) -> None:
    for folder in copies.iterdir():
        try:
            idle_s = time.time() - (folder / USED).stat().st_mtime
        except OSError:  # made by another process just now
            continue
        if idle_s > IDLE_DAYS * 86_400:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Have a copy to oneself."""
    from filelock import FileLock, Timeout

    try:
        keep_from_git(folder.parent.parent)
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=BUSY_S, thread_local=False):
            (folder / USED).touch()
            yield
    except Timeout:
        raise SearchUnavailableError("another process fetches the same corpus", hint="try again") from None
    except OSError as error:
        raise unusable(error) from None


def _first(left_out: list[LeftOut]) -> str:
    return next((f"{one.where}: {one.why}" for one in left_out), "is the prefix right?")[:200]
