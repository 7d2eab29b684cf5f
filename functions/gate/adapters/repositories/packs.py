"""One pack of git's objects, looked up through its index."""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_left
from collections.abc import Iterator

from gate.adapters.repositories.plain_files import PlainFiles
from gate.adapters.repositories.unpacking import UnpackingAllowance, damaged, inflated, offset_number, patched

_INDEX_START = b"\377tOc\0\0\0\2"
_NAMES = 8 + 256 * 4
_KINDS = {1: b"commit", 2: b"tree", 3: b"blob", 4: b"tag"}
_BY_OFFSET, _BY_NAME = 6, 7
MAX_CHAIN = 4095
"""Git's own limit on differences that build on differences."""
KEPT_BYTES = 32 * 1024 * 1024
_PIECE = 1 << 16


class Pack:
    """A pack. Ids are bytes, 20 or 32 in the whole repository.

    Raises:
        InputError: it is damaged, or of a kind that git has not written since 2007.
    """

    def __init__(self, index: mmap.mmap, data: mmap.mmap, id_size: int, allowance: UnpackingAllowance) -> None:
        if index[:8] != _INDEX_START or len(index) < _NAMES or data[:4] != b"PACK":
            raise damaged()
        self._index = index
        self._data = data
        self._id_size = id_size
        self._allowance = allowance
        self._ends = struct.unpack_from(">256I", index, 8)
        if list(self._ends) != sorted(self._ends) or len(index) < _NAMES + self._ends[-1] * (id_size + 8):
            raise damaged()
        self._kept: dict[int, tuple[bytes, bytes]] = {}
        self._kept_bytes = 0

    @classmethod
    def open(cls, files: PlainFiles, stem: str, id_size: int, allowance: UnpackingAllowance) -> Pack | None:
        """Map `<stem>.idx` and `<stem>.pack`; None: one of them is missing."""
        index, data = _mapped(files, f"{stem}.idx"), _mapped(files, f"{stem}.pack")
        return cls(index, data, id_size, allowance) if index and data else None

    def read(self, name: bytes) -> tuple[bytes, bytes] | None:
        """An object's kind and contents; None: it is not in this pack.

        Raises:
            InputError: it is damaged, or too large.
        """
        offset = self._offset(name)
        return None if offset is None else self._object(offset)

    def starting_with(self, digits: str) -> Iterator[str]:
        """Ids that start with some hexadecimal digits."""
        for place in range(self._place(bytes.fromhex(digits.ljust(2 * self._id_size, "0"))), self._ends[-1]):
            name = self._name(place).hex()
            if not name.startswith(digits):
                return
            yield name

    def _place(self, name: bytes) -> int:
        begin, end = self._ends[name[0] - 1] if name[0] else 0, self._ends[name[0]]
        return bisect_left(range(end), name, lo=begin, key=self._name)

    def _name(self, place: int) -> bytes:
        return self._index[_NAMES + place * self._id_size : _NAMES + (place + 1) * self._id_size]

    def _offset(self, name: bytes) -> int | None:
        place, count = self._place(name), self._ends[-1]
        if place >= count or self._name(place) != name:
            return None
        table = _NAMES + count * (self._id_size + 4)
        (offset,) = struct.unpack_from(">I", self._index, table + 4 * place)
        if offset >> 31:
            large = table + 4 * count + 8 * (offset & 0x7FFFFFFF)
            if large + 8 > len(self._index):
                raise damaged()
            (offset,) = struct.unpack_from(">Q", self._index, large)
        return int(offset)

    def _object(self, offset: int) -> tuple[bytes, bytes]:
        """An object, and the differences that it is kept as put back onto what they build on."""
        chain = []
        while (found := self._kept.get(offset)) is None:
            kind, size, base, start = self._header(offset)
            if base is None:
                found = _KINDS[kind], self._inflated(start, size)
                self._keep(offset, found)
                break
            chain.append((offset, start, size))
            if len(chain) > MAX_CHAIN:
                raise damaged()
            offset = base
        name, data = found
        for offset, start, size in reversed(chain):
            data = patched(data, self._inflated(start, size), self._allowance)
            self._keep(offset, (name, data))
        return name, data

    def _keep(self, offset: int, found: tuple[bytes, bytes]) -> None:
        if self._kept_bytes > KEPT_BYTES:
            self._kept.clear()
            self._kept_bytes = 0
        self._kept[offset] = found
        self._kept_bytes += len(found[1])

    def _header(self, offset: int) -> tuple[int, int, int | None, int]:
        """Kind and size of what lies at an offset, the offset that it builds on, and where its packed bytes start."""
        if not 12 <= offset < len(self._data):
            raise damaged()
        head = self._data[offset : offset + 64]
        try:
            byte, at, shift = head[0], 1, 4
            kind, size = (byte >> 4) & 7, byte & 15
            while byte & 0x80 and shift < 63:
                byte = head[at]
                size |= (byte & 0x7F) << shift
                at, shift = at + 1, shift + 7
            base = None
            if kind == _BY_OFFSET:
                back, at = offset_number(head, at, offset)
                base = offset - back
            elif kind == _BY_NAME:
                base = self._offset(head[at : at + self._id_size])
                at += self._id_size
            elif kind not in _KINDS:
                raise damaged()
        except (IndexError, ValueError):
            raise damaged() from None
        if kind not in _KINDS and (base is None or base == offset):
            raise damaged()
        return kind, size, base, offset + at

    def _inflated(self, start: int, size: int) -> bytes:
        self._allowance.take(size)
        step = min(_PIECE, size + 512)
        return inflated(lambda fed: self._data[start + fed : start + fed + step], size)


def _mapped(files: PlainFiles, path: str) -> mmap.mmap | None:
    file = files.open(path)
    if file is None:
        return None
    with file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file
            raise damaged() from None
