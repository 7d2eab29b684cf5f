"""Unpacks git's objects. Each size is what an attacker says it is, until it is seen."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from gate.errors import InputError

MAX_OBJECT_BYTES = 64 * 1024 * 1024
"""A folder of 400,000 names takes 20 MB."""
MAX_BYTES = 1024 * 1024 * 1024
"""All that is unpacked to list one commit, bases of differences among it."""
MAX_STEPS = 10_000_000
"""All steps of all differences: ten times what a commit of half a million files takes."""


class UnpackingAllowance:
    """How much of a repository may still be unpacked."""

    def __init__(self) -> None:
        self._left = MAX_BYTES
        self._steps = MAX_STEPS

    def take(self, size: int, limit: int = MAX_OBJECT_BYTES) -> None:
        """Spend so many bytes.

        Raises:
            InputError: one object has more than `limit`, or all have too many.
        """
        if size > limit:
            raise InputError(f"an object of the repository is larger than {limit} bytes")
        self._left -= size
        if self._left < 0:
            raise InputError(f"the repository's objects unpack to more than {MAX_BYTES} bytes")

    def step(self) -> None:
        """Spend a step of a difference.

        Raises:
            InputError: there were too many.
        """
        self._steps -= 1
        if self._steps < 0:
            raise InputError(f"the repository's objects take more than {MAX_STEPS} steps to put together")


def damaged() -> InputError:
    """What an object that cannot be read is."""
    return InputError("an object of the repository is damaged")


def inflated(pieces: Callable[[int], bytes | memoryview], size: int) -> bytes:
    """Unpack exactly `size` bytes.

    Args:
        pieces: gives the packed bytes from a position on, as many as it likes.

    Raises:
        InputError: there are more or fewer, or the packed bytes are damaged or far too many.
    """
    stream = zlib.decompressobj()
    parts: list[bytes] = []
    have = fed = 0
    try:
        while not stream.eof:
            piece = pieces(fed)
            if not len(piece) or fed > size + size // 100 + (1 << 17):
                raise damaged()
            fed += len(piece)
            while len(piece) and not stream.eof:
                parts.append(stream.decompress(piece, size - have + 1))
                have += len(parts[-1])
                if have > size:
                    raise damaged()
                piece = stream.unconsumed_tail
    except zlib.error:
        raise damaged() from None
    if have != size:
        raise damaged()
    return b"".join(parts)


def patched(base: bytes, delta: bytes, allowance: UnpackingAllowance) -> bytes:
    """Apply a difference.

    Raises:
        InputError: it does not fit its base, or makes too much of it.
    """
    try:
        base_size, at = _size(delta, 0)
        size, at = _size(delta, at)
        if base_size != len(base):
            raise damaged()
        allowance.take(size)
        out = bytearray()
        while at < len(delta) and len(out) <= size:
            allowance.step()
            code = delta[at]
            at += 1
            if code & 0x80:
                start = length = 0
                for bit in range(7):
                    if code >> bit & 1:
                        if bit < 4:
                            start |= delta[at] << 8 * bit
                        else:
                            length |= delta[at] << 8 * (bit - 4)
                        at += 1
                out += base[start : start + (length or 0x10000)]
            elif code:
                out += delta[at : at + code]
                at += code
            else:
                raise damaged()
    except IndexError:
        raise damaged() from None
    if len(out) != size:
        raise damaged()
    return bytes(out)


def _size(delta: bytes, at: int) -> tuple[int, int]:
    size = shift = 0
    while True:
        byte = delta[at]
        size |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return size, at
        if shift > 63:
            raise damaged()


def offset_number(data: bytes, at: int, most: int) -> tuple[int, int]:
    """A number as git writes offsets, and where it ends.

    Raises:
        IndexError: the data end within it.
        ValueError: it is above `most`.
    """
    number = -1
    byte = 0x80
    while byte & 0x80:
        byte = data[at]
        number = ((number + 1) << 7) | (byte & 0x7F)
        at += 1
        if number > most:
            raise ValueError("the number is above what can be")
    return number, at
