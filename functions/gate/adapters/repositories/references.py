"""References of a git repository: what a branch, a tag or HEAD stands for. No file outside its folder is looked at."""

from __future__ import annotations

import re

from gate.adapters.repositories.git_folder import GitFolder

_PLACES = ("refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
"""Where git looks for a short name, in its order."""
_OWN = re.compile(r"[A-Z_]+|refs/.+")
"""Names that stand for a file as they are: HEAD, ORIG_HEAD, refs/heads/main."""
_ID = re.compile(rb"([0-9a-f]{64}|[0-9a-f]{40})(?=\s|\Z)", re.IGNORECASE)
_FILE_BYTES = 4096
_PACKED_BYTES = 128 * 1024 * 1024
"""A million references."""
_MAX_STEPS = 5
"""How often one may stand for another: git's own limit."""


class References:
    """The references of a repository; those kept as `reftable` are not read."""

    def __init__(self, folder: GitFolder) -> None:
        self._folder = folder
        self._packed: bytes | None = None

    @property
    def id_size(self) -> int:
        """Bytes of an id, as HEAD has it; 20 where it has none yet."""
        return len(self._value("HEAD") or "0" * 40) // 2

    def find(self, name: str) -> str | None:
        """The object id that a name stands for; None: there is no such reference.

        Raises:
            InputError: a file is too large.
        """
        places = [name] if _OWN.fullmatch(name) else []
        places += [place.format(name) for place in _PLACES]
        return next((found for place in places if (found := self._value(place))), None)

    def _value(self, name: str) -> str | None:
        for _ in range(_MAX_STEPS):
            text = self._file(name)
            if not text.startswith(b"ref:"):
                match = _ID.match(text)
                return match[1].decode().lower() if match else None
            name = text[4:].strip().decode("utf-8", "surrogateescape")
            if not name.startswith("refs/"):
                return None
        return None

    def _file(self, name: str) -> bytes:
        for files in (self._folder.own, self._folder.common):
            text = files.read(name, _FILE_BYTES)
            if text is not None:
                return text
        if self._packed is None:
            self._packed = self._folder.common.read("packed-refs", _PACKED_BYTES) or b""
        wanted = b" %s\n" % name.encode("utf-8", "surrogateescape")
        end = -1
        while (end := self._packed.find(wanted, end + 1)) >= 0:
            line = self._packed[self._packed.rfind(b"\n", 0, end) + 1 : end]
            if _ID.fullmatch(line):
                return line
        return b""
