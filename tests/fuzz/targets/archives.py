"""Archives of repositories (zip, tar, packed tar), lists of files, and packed uploads."""

from __future__ import annotations

import base64
import gzip
import io
import tarfile
import zipfile

from gate.adapters.repositories import open_repository
from gate.submission.uploads import lines_of, unpacked
from tests.fuzz.targets import choice

FILES = {"top/README.md": b"see src/a.py\n", "top/src/a.py": b"", "top/.gitignore": b"*.log\n"}


def _zip(files: dict[str, bytes] = FILES) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(zipfile.ZipInfo(name), text)
    return buffer.getvalue()


def _tar(mode: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode, format=tarfile.PAX_FORMAT) as file:  # type: ignore[call-overload]
        for name, text in FILES.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            file.addfile(entry, io.BytesIO(text))
        link = tarfile.TarInfo("top/latest")
        link.type, link.linkname = tarfile.SYMTYPE, "src"
        file.addfile(link)
    return buffer.getvalue()


LISTING = b'100644 blob e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\tREADME.md\n120000 blob e6\t"a\\303\\244\\n"\nsrc/a'
SEEDS = [
    b"\0" + _zip(),
    *(b"\0" + _tar(mode)[:2_000] for mode in ("w", "w:xz", "w:bz2")),
    b"\0" + gzip.compress(_tar("w"), mtime=0),
    b"\0" + _zip({"": b""}),
    b"\1" + LISTING,
    b"\2" + gzip.compress(b'{"id": 1}\n' * 9, mtime=0) * 2,
]


def read(data: bytes) -> None:
    kind, data = choice(data, "archive", "listing", "upload")
    if kind == "archive":
        open_repository({"kind": "archive", "base64": base64.b64encode(data).decode()})
    elif kind == "listing":
        open_repository({"kind": "listing", "text": data.decode("utf-8", "replace")})
    else:
        list(lines_of(unpacked([data], max_bytes=10**8), "a.jsonl", max_line=10**6, max_bytes=10**8))
