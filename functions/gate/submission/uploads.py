"""What may be uploaded, and how it is read: by pieces, with caps, `.gz` unpacked as a stream and never to disk."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Literal

from gate.errors import InputError

Kind = Literal["check", "batch"]
KINDS: dict[str, Kind] = {
    ".json": "check",
    ".md": "check",
    ".markdown": "check",
    ".txt": "check",
    ".jsonl": "batch",
    ".ndjson": "batch",
}
"""What becomes of an upload, by the ending of its name (`.gz` after it allowed)."""
CONTENT_TYPES = {
    ".json": "application/json",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".gz": "application/gzip",
}
"""Of uploads of one transcript, by the last ending of their names."""

MAX_RATIO = 100
"""Unpacked bytes for one packed byte at most; text packs ten to one, a bomb a thousand to one."""
SLACK_BYTES = 1_048_576
"""Below this much unpacked text the ratio is not looked at."""
AT_ONCE = 4_096
"""Packed bytes that are unpacked at once: the end of a member copies what is behind it, and one can have 20 bytes."""


def plain_name(key: str) -> str:
    """The file's name without its folder and without `.gz`."""
    name = PurePosixPath(key).name
    return name[:-3] if name.lower().endswith(".gz") else name


def is_packed(key: str) -> bool:
    """Whether the upload is gzipped."""
    return key.lower().endswith(".gz")


def kind_of(key: str) -> Kind:
    """What is to be done with an upload.

    Raises:
        InputError: nothing; its name ends in nothing known.
    """
    kind = KINDS.get(PurePosixPath(plain_name(key)).suffix.lower())
    if kind is None:
        raise InputError("an upload of an unknown type", hint=f"names end in {', '.join(KINDS)}, each also with .gz")
    return kind


def unpacked(chunks: Iterable[bytes], *, max_bytes: int) -> Iterator[bytes]:
    """Gunzip piece by piece, every member of the file.

    Raises:
        InputError: it is no gzip, is cut off, holds something else too, or unpacks to more than it may.
    """
    member = _member()
    read = written = 0
    try:
        for chunk in (whole[at : at + AT_ONCE] for whole in chunks for at in range(0, len(whole), AT_ONCE)):
            read += len(chunk)
            while chunk:
                if member.eof:  # another member follows: `cat a.gz b.gz` is a gzip file, and so is what bgzip writes
                    member = _member()
                piece = member.decompress(chunk, SLACK_BYTES)
                chunk = member.unused_data if member.eof else member.unconsumed_tail
                written += len(piece)
                if written > max_bytes or written > max(SLACK_BYTES, read * MAX_RATIO):
                    raise InputError(f"unpacks to more than {max_bytes} bytes, or {MAX_RATIO} times its size")
                yield piece
    except zlib.error:
        raise InputError("not a gzip file, or one with something else behind it") from None
    if not member.eof:
        raise InputError("the gzip file is cut off")


def _member() -> zlib._Decompress:
    return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)


def text_of(chunks: Iterable[bytes], key: str, *, max_bytes: int) -> str:
    """Read a whole upload as UTF-8.

    Raises:
        InputError: too large, or not UTF-8.
    """
    pieces = unpacked(chunks, max_bytes=max_bytes) if is_packed(key) else chunks
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > max_bytes:
            raise InputError(f"larger than {max_bytes} bytes", hint="GATE_MAX_BYTES sets the cap")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}") from None


def lines_of(chunks: Iterable[bytes], key: str, *, max_line: int, max_bytes: int) -> Iterator[bytes | None]:
    """Yield the lines of an upload that hold anything; None stands for one longer than `max_line` bytes."""
    pieces = unpacked(chunks, max_bytes=max_bytes) if is_packed(key) else chunks
    return (line for _, line in numbered_lines(pieces, max_line=max_line) if line is None or line.strip())


def numbered_lines(pieces: Iterable[bytes], *, max_line: int) -> Iterator[tuple[int, bytes | None]]:
    """Yield every line with its number, from 1, as pieces come; None stands for one longer than `max_line` bytes."""
    held: list[bytes] = []
    size, number = 0, 1
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for line in ended:
            size += len(line)
            yield number, b"".join([*held, line]) if size <= max_line else None
            held, size, number = [], 0, number + 1
        size += len(rest)
        if size <= max_line:
            held.append(rest)
        else:
            held = []
    if size:
        yield number, b"".join(held) if size <= max_line else None
