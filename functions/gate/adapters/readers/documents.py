"""Reads a document into lines that citations can be found in: Markdown, reStructuredText, HTML, text, PDF."""

from __future__ import annotations

import base64
import binascii
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gate.errors import InputError
from gate.text.delimited import pairs
from gate.text.encodable import encodable
from gate.watched import MAX_CPU_S, MAX_GROWTH, TooMuchError, watched

MAX_BYTES = 50_000_000
MAX_PAGES = 5_000
MAX_CHARS = 20_000_000

_CODE_TAG = re.compile(r"</?(?:code|tt|kbd|samp)(?:\s[^<>]*)?>", re.IGNORECASE)
_HIDES = re.compile(r"<(script|style|noscript)\b", re.IGNORECASE)
_SHOWS = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("script", "style", "noscript")}


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A stretch of a document: `page` is 0 where it has none, and lines count from 1 in each part."""

    text: str
    page: int = 0


def read_document(artifact: Mapping[str, Any]) -> list[DocumentPart]:
    """Read `{"location", "text" or "base64"}`.

    Raises:
        InputError: it is no text, damaged, encrypted or too large; the message says which.
    """
    location = str(artifact.get("location") or "").lower()
    if "base64" in artifact:
        data = _decoded(artifact["base64"])
        if data.startswith(b"%PDF") or location.endswith(".pdf"):
            try:
                return watched(lambda: _pdf(data), MAX_CPU_S, MAX_GROWTH)
            except TooMuchError as error:
                raise InputError(f"the PDF {error}") from None
        given: object = _text(data)
    else:
        given = artifact.get("text")
    if not isinstance(given, str):
        raise InputError("the document has no text")
    return [DocumentPart(_checked(given, html=location.endswith((".html", ".htm"))))]


def _checked(text: str, *, html: bool) -> str:
    if len(text) > MAX_CHARS:
        raise InputError(f"the document is longer than {MAX_CHARS} characters")
    if "\0" in text:
        raise InputError("the document is not text: it holds NUL characters")
    if not encodable(text):
        raise InputError("the document is not valid UTF-8")
    return _html(text) if html else text


def _decoded(value: object) -> bytes:
    try:
        data = base64.b64decode(str(value), validate=True)
    except (binascii.Error, ValueError):
        raise InputError("the document is not valid Base64") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"the document is larger than {MAX_BYTES} bytes")
    return data


def _text(data: bytes) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise InputError("the document is not valid UTF-8") from None


def _html(text: str) -> str:
    """Code in backticks, scripts blanked, every line where it was."""
    shown, at = [], 0
    for start, end in pairs(text, _HIDES, _SHOWS):
        shown += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end
    return _CODE_TAG.sub("`", "".join(shown) + text[at:])


def _pdf(data: bytes) -> list[DocumentPart]:
    from pypdf.errors import LimitReachedError

    from gate.adapters.readers.pdf import DAMAGED, PdfReader

    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted:
            raise InputError("the PDF is encrypted")
        if len(reader.pages) > MAX_PAGES:
            raise InputError(f"the PDF has more than {MAX_PAGES} pages")
        parts = []
        count = 0
        for number, page in enumerate(reader.pages, 1):
            text = page.extract_text()
            count += len(text)
            if count > MAX_CHARS:
                raise InputError(f"the PDF is longer than {MAX_CHARS} characters")
            parts.append(DocumentPart(text, number))
    except LimitReachedError:
        raise InputError("the PDF unpacks to too much") from None
    except (ValueError, *DAMAGED) as error:
        raise InputError(f"the PDF is damaged ({type(error).__name__})") from None
    if not parts:
        raise InputError("the PDF has no pages")
    return parts
