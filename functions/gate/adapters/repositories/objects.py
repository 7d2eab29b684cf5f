"""Git's objects: loose ones and packs, in one folder and in no other. Nothing is fetched, replaced or grafted."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator

from gate.adapters.repositories.packs import Pack
from gate.adapters.repositories.plain_files import PlainFiles
from gate.adapters.repositories.unpacking import MAX_OBJECT_BYTES, UnpackingAllowance, damaged, inflated
from gate.errors import InputError

MAX_PACKS = 2000
_PIECE = 1 << 16
_SHA1_SIZE = 20
_KINDS = (b"commit", b"tree", b"blob", b"tag")


class Objects:
    """The objects of a repository.

    Args:
        files: the git folder.
        id_size: bytes of an id: 20, or 32 where the repository uses SHA-256.
    """

    def __init__(self, files: PlainFiles, id_size: int) -> None:
        self.id_size = id_size
        self._files = files
        self._allowance = UnpackingAllowance()
        self._packs: list[Pack] | None = None

    def read(self, name: str, limit: int = MAX_OBJECT_BYTES) -> tuple[bytes, bytes]:
        """Read an object as `find` does.

        Raises:
            InputError: it is not here, damaged, or too large.
        """
        found = self.find(name, limit)
        if found is None:
            raise InputError("an object is not in the repository", hint="partial and shared clones lack some")
        return found

    def find(self, name: str, limit: int = MAX_OBJECT_BYTES) -> tuple[bytes, bytes] | None:
        """Look an object up by its id in hexadecimal digits.

        Returns:
            Its kind (`commit`, `tree`, `blob`, `tag`) and its contents, at most `limit` bytes; None: it is not here.

        Raises:
            InputError: it is damaged, or too large.
        """
        if len(name) != 2 * self.id_size:
            return None
        found = self._loose(name, limit) or self._packed(name)
        if found is None:
            return None
        kind, data = found
        algorithm = "sha1" if self.id_size == _SHA1_SIZE else "sha256"
        whole = b"%s %d\0%s" % (kind, len(data), data)
        if hashlib.new(algorithm, whole, usedforsecurity=False).hexdigest() != name:
            raise damaged()
        if len(data) > limit:
            raise InputError(f"an object of the repository is larger than {limit} bytes")
        return found

    def starting_with(self, digits: str) -> Iterator[str]:
        """Ids that start with some hexadecimal digits, at least two."""
        for rest in self._files.names(f"objects/{digits[:2]}") or ():
            name = digits[:2] + rest
            if len(name) == 2 * self.id_size and name.startswith(digits):
                yield name
        for pack in self._opened():
            yield from pack.starting_with(digits)

    def _loose(self, name: str, limit: int) -> tuple[bytes, bytes] | None:
        file = self._files.open(f"objects/{name[:2]}/{name[2:]}")
        if file is None:
            return None
        with file:
            try:
                head = zlib.decompressobj().decompress(file.read(_PIECE), 64)
            except zlib.error:
                raise damaged() from None
            words, nul, _ = head.partition(b"\0")
            kind, _, digits = words.partition(b" ")
            if kind not in _KINDS or not nul or not digits.isdigit():
                raise damaged()
            self._allowance.take(int(digits), limit)
            file.seek(0)
            data = inflated(lambda _: file.read(_PIECE), len(words) + 1 + int(digits))
        return kind, data[len(words) + 1 :]

    def _packed(self, name: str) -> tuple[bytes, bytes] | None:
        id_ = bytes.fromhex(name)
        return next((found for pack in self._opened() if (found := pack.read(id_)) is not None), None)

    def _opened(self) -> list[Pack]:
        if self._packs is None:
            names = sorted(self._files.names("objects/pack") or ())
            stems = [name.removesuffix(".idx") for name in names if name.endswith(".idx")]
            if len(stems) > MAX_PACKS:
                raise InputError(f"the repository has more than {MAX_PACKS} packs")
            opened = (Pack.open(self._files, f"objects/pack/{stem}", self.id_size, self._allowance) for stem in stems)
            self._packs = [pack for pack in opened if pack]
        return self._packs
