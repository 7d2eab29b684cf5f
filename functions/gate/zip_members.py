"""Members of ZIP archives from outside: what one says of its size is not believed.

The library unpacks a whole member before it cuts it to the size that the archive gives, and one of bzip2 or LZMA
whatever was asked for: 871 bytes became 2 GB.
"""

from __future__ import annotations

import copy
import io
import zipfile
import zlib

_ENTRY = b"PK\x01\x02"
"""Each member's record in the list at the end begins so; read, it takes half a kilobyte."""


def opened(data: bytes, most: int) -> zipfile.ZipFile | None:
    """Open an archive; None: it lists more members than `most`.

    Raises:
        BadZipFile, OSError, …: it is damaged.
    """
    return None if data.count(_ENTRY) > most else zipfile.ZipFile(io.BytesIO(data))


def unpacked(archive: zipfile.ZipFile, about: zipfile.ZipInfo) -> bytes:
    """Unpack a member that says a size which there is room for.

    Raises:
        BadZipFile: it unpacks to another size, is packed otherwise than by deflate, or damaged.
        RuntimeError: it is encrypted.
        zlib.error, OSError, …: it is damaged.
    """
    if about.compress_type == zipfile.ZIP_STORED:
        with archive.open(about) as member:
            return _of_size(member.read(about.file_size + 1), about)
    if about.compress_type != zipfile.ZIP_DEFLATED:
        raise zipfile.BadZipFile("packed otherwise than by deflate")
    packed = copy.copy(about)
    packed.compress_type, packed.file_size, packed.CRC = zipfile.ZIP_STORED, about.compress_size, None  # type: ignore[assignment]
    with archive.open(packed) as member:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        data = stream.decompress(member.read(), about.file_size + 1)
    if not stream.eof or zlib.crc32(data) != about.CRC:
        raise zipfile.BadZipFile("damaged")
    return _of_size(data, about)


def _of_size(data: bytes, about: zipfile.ZipInfo) -> bytes:
    if len(data) != about.file_size:
        raise zipfile.BadZipFile("unpacks to another size than it says")
    return data
