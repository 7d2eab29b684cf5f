"""The text of a PDF, page by page."""

from __future__ import annotations

import io
import logging
import zlib
from math import hypot
from typing import Any, NoReturn

from pypdf import PdfReader as PdfReader
from pypdf import filters
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError
from pypdf.generic import DictionaryObject

from gate.adapters.readers.layout import Read
from gate.retrieval.chunking import Section
from gate.text.composed import raised

DAMAGED = (
    PyPdfError, DependencyError, NotImplementedError, AssertionError, KeyError, IndexError, TypeError, AttributeError,
    OverflowError, RecursionError, zlib.error,
)  # fmt: skip
"""What the library raises on files that break the format's rules, or need what it has not, beside `ValueError`."""

MAX_ASCII85 = 5_000_000
"""Bytes of a stream in ASCII85: the library bounds its other filters, and here takes 90 bytes for one."""

MOST_NAMED = 20
"""Pages that are named as left out."""

SMALL = 0.8
"""Of the letters before it: what is smaller and no lower is raised."""

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it says quotes the file: codes for a terminal, too
_decode_ascii85 = filters.ASCII85Decode.decode


def _bounded_ascii85(data: str | bytes, *more: Any, **named: Any) -> bytes:
    if len(data) > MAX_ASCII85:
        raise LimitReachedError("a stream in ASCII85 is too long")
    return _decode_ascii85(data, *more, **named)


def _no_jbig2(*_: Any, **__: Any) -> NoReturn:
    """The library would start a program; it unpacks pictures, and no text of ours. This is its error without it."""
    raise DependencyError("no program is started")


filters.JBIG2Decode.decode = _no_jbig2  # type: ignore[method-assign]
filters.ASCII85Decode.decode = staticmethod(_bounded_ascii85)  # type: ignore[method-assign]


def text_of(data: bytes) -> Read:
    """Return the text, the title in the document's properties, and a section for each page that is read.

    Raises:
        ValueError: it is damaged, locked, or holds pictures of text alone.
    """
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise ValueError("locked with a password")
        struck = {number for number, page in enumerate(reader.pages, 1) if _is_struck(page)}
        pages = ["" if number in struck else _text(page) for number, page in enumerate(reader.pages, 1)]
        title = str(reader.metadata.title or "") if reader.metadata else ""
    except DAMAGED as error:
        raise ValueError(f"a damaged PDF ({type(error).__name__})") from None
    if not struck and not any(page.strip() for page in pages):
        raise ValueError("no text in it: pictures of pages?")
    sections, start = [], 0
    for number, page in enumerate(pages, start=1):
        sections.append(Section(f"page {number}", start, start + len(page)))
        start += len(page) + 2
    left_out = tuple(f"page {number} has words crossed out by a remark, and was left out" for number in sorted(struck))
    return Read("\n\n".join(pages), title.strip() or None, sections, left_out=left_out[:MOST_NAMED])


def _is_struck(page: Any) -> bool:
    """Whether a remark on the page crosses out words: which ones, its corners say alone."""
    remarks = (remark.get_object() for remark in _held(page, "/Annots") or ())
    return any(remark.get("/Subtype") == "/StrikeOut" for remark in remarks if isinstance(remark, DictionaryObject))


def _held(holder: Any, key: str) -> Any:
    """What an object of a PDF holds, wherever it stands in the file."""
    found = holder.get(key)
    return None if found is None else found.get_object()


def _text(page: Any) -> str:
    """The text of a page, its raised figures raised."""
    pieces: list[tuple[str, float, float]] = []

    def note(text: str, outer: list[float], inner: list[float], _: object, size: float) -> None:
        height = size * hypot(inner[2], inner[3]) * hypot(outer[2], outer[3])
        pieces.append((text, height, inner[4] * outer[1] + inner[5] * outer[3] + outer[5]))

    whole = str(page.extract_text(visitor_text=note))
    shown, before, line = list[str](), 0.0, 0.0
    for text, height, place in pieces:
        is_raised = height < SMALL * before and place >= line
        shown.append(raised(text) if is_raised else text)
        if text.strip() and not is_raised:
            before, line = height, place
    return "".join(shown) if sum(map(len, shown)) == len(whole) else whole
