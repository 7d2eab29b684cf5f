"""Documents: read into lines, or refused by name with the reason."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from gate.adapters.readers.documents import read_document
from gate.errors import InputError


def a_pdf(*pages: str, password: str = "", packed: bool = False) -> bytes:
    writer = PdfWriter()
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    fonts = DictionaryObject({NameObject(key): NameObject(value) for key, value in font.items()})
    for text in pages:
        page = writer.add_blank_page(width=600, height=800)
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 40 700 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream.flate_encode() if packed else stream)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): fonts})}
        )
    if password:
        writer.encrypt(password)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_a_pdf_is_read_page_by_page() -> None:
    parts = read_document({"location": "a.pdf", "base64": encoded(a_pdf("see src/a.py", "and src/b.py"))})

    assert [(part.page, part.text.strip()) for part in parts] == [(1, "see src/a.py"), (2, "and src/b.py")]


def test_html_keeps_its_lines_and_shows_code_in_backticks() -> None:
    text = "<p>\n<script>\nx = '<a href=\"no.md\">'\n</script>\n<code>src/a.py</code> <a href='b.md'>b</a>"

    [part] = read_document({"location": "a.html", "text": text})

    assert part.text.split("\n")[4] == "`src/a.py` <a href='b.md'>b</a>"
    assert "no.md" not in part.text


@pytest.mark.parametrize("data", ["é".encode(), b"\xef\xbb\xbf\xc3\xa9", "é".encode("utf-16")])
def test_text_may_come_as_bytes_with_or_without_a_mark(data: bytes) -> None:
    assert read_document({"location": "a.md", "base64": encoded(data)})[0].text == "é"


@pytest.mark.parametrize(
    ("artifact", "reason"),
    [
        ({"base64": encoded(a_pdf("secret", password="pw"))}, "the PDF is encrypted"),
        ({"base64": encoded(a_pdf("x")[:200])}, "the PDF is damaged"),
        ({"base64": encoded(b"%PDF-1.7 nothing")}, "the PDF is damaged"),
        ({"location": "a.pdf", "base64": encoded(b"no pdf")}, "the PDF is damaged"),
        ({"base64": encoded(b"caf\xe9")}, "not valid UTF-8"),
        ({"base64": "?"}, "not valid Base64"),
        ({"text": "a\0b"}, "holds NUL"),
        ({"text": "\ud800"}, "not valid UTF-8"),
        ({"text": 7}, "has no text"),
        ({}, "has no text"),
        ({"text": "a" * 20_000_001}, "longer than"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(artifact: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_document(artifact)


@pytest.mark.hostile
def test_a_pdf_whose_page_unpacks_to_far_too_much_is_refused() -> None:
    with pytest.raises(InputError, match=r"the PDF (unpacks to too much|is damaged)"):
        read_document({"base64": encoded(a_pdf("A" * 90_000_000, packed=True))})


def test_a_pdf_cut_anywhere_is_read_or_refused_and_never_breaks() -> None:
    whole = a_pdf("see src/a.py", "more")
    for cut in range(0, len(whole), 61):
        try:
            read_document({"location": "a.pdf", "base64": encoded(whole[:cut])})
        except InputError:
            continue
