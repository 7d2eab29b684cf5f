"""Images that a model or Tesseract is to read: told from their first bytes, refused before anything unpacks them."""

from __future__ import annotations

import struct
import zlib

from gate.adapters.images import checked


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


SEEDS = [
    b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, 8, 2, 0, 0, 0)) + _chunk(b"IEND", b""),
    b"\xff\xd8\xff\xe0\x00\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xc0\x00\x11\x08\x00\x02\x00\x03\1\1\x22\0\xff\xd9",
    b"GIF89a\x03\0\x02\0\x80\0\0\xff\xff\xff\0\0\0,\0\0\0\0\3\0\2\0\0\2\2D\1\0;",
    b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0/\x02\x40\0\0\0\0\0\0\0\0\0\0",
    b"RIFF\x1a\0\0\0WEBPVP8 \x0d\0\0\0\0\0\0\x9d\x01\x2a\3\0\2\0\0\0\0",
    b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\2\0\0\1\0\0",
]


def read(data: bytes) -> None:
    assert checked(data) in ("image/png", "image/jpeg", "image/gif", "image/webp")
