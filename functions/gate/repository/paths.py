"""Paths as strings: what may name a file inside a repository, and its one spelling. Nothing here touches a disk."""

from __future__ import annotations

import hashlib
import posixpath
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

from gate.errors import InputError
from gate.text.encodable import encodable

MAX_CHARS = 4096
"""Longest path of the common file systems; longer ones name nothing."""

_DRIVE = re.compile(r"[A-Za-z]:")
_ADDRESS = re.compile(r"(?i)(?!file:)(?:[a-z][a-z0-9+.-]{1,30}://|(?:mailto|tel|data|urn|javascript):)")
_LINE = re.compile(r"(?:#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?|(?::\d+){1,2}(?:-\d+)?)$")


def normalise(location: str) -> str:
    """Return the one spelling of a path relative to the repository: POSIX, no `.`, no inner `..`, no final slash.

    Raises:
        InputError: the path is empty, absolute (POSIX, Windows, home or `file:`), leaves the repository, holds NUL,
            is not valid UTF-8 or is too long; the message is the reason alone and never repeats the path.
    """
    if len(location) > MAX_CHARS:
        raise InputError(f"the path is longer than {MAX_CHARS} characters")
    if "\0" in location:
        raise InputError("the path holds a NUL character")
    if not encodable(location):
        raise InputError("the path is not valid UTF-8")
    posix = location.replace("\\", "/")
    _check_start(posix)
    path = posixpath.normpath(posix)
    _check_start(path)  # `./C:/x` has become `C:/x`
    return path


def _check_start(path: str) -> None:
    if not path.strip():
        raise InputError("the path is empty")
    if path.startswith("/") or _DRIVE.match(path) or path.lower().startswith("file:"):
        raise InputError("the path is absolute")
    if path == "~" or path.startswith("~/"):
        raise InputError("the path starts in a home folder")
    if posixpath.normpath(path).split("/", 1)[0] == "..":
        raise InputError("the path leaves the repository")


def without_line(location: str) -> str:
    """Drop a place inside the file: `a.py:10`, `a.py:10:2`, `a.py#L3-L7` all name `a.py`."""
    return _LINE.sub("", location) or location


def is_url(location: str) -> bool:
    """Whether a location is an address on the web or of another scheme, which is no path; `file:` names a path."""
    return bool(_ADDRESS.match(location))


def spellings(location: str) -> Iterator[str]:
    """Ways in which a manifest may hold what a location names: without a place inside the file, percent-decoded, and
    with its letters composed."""
    for path in (location, without_line(location), location.partition("#")[0]):
        for decoded in (path, unquote(path)):
            yield from (decoded, unicodedata.normalize("NFC", decoded))


def printable(location: object) -> str:
    """A location as a message may show it: at most 120 characters, and always valid UTF-8."""
    text = location if isinstance(location, str) else type(location).__name__
    return text[:120].encode("utf-8", "backslashreplace").decode()


def short_hash(path: str) -> str:
    """First eight hex digits of the SHA-256 of a normalised path in UTF-8: the end of a rejected claim's id."""
    return hashlib.sha256(path.encode()).hexdigest()[:8]
