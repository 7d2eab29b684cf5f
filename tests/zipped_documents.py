"""Small documents that are ZIP archives, made of what is given: Word, OpenDocument, EPUB, a workbook."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
STYLES = f"""<w:styles {W}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Own"><w:basedOn w:val="berschrift2"/></w:style>
<w:style w:styleId="berschrift2"><w:name w:val="x"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>"""


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return buffer.getvalue()


def members(data: bytes) -> dict[str, bytes]:
    """What the members of a ZIP archive hold."""
    with zipfile.ZipFile(io.BytesIO(data)) as made:
        return {name: made.read(name) for name in made.namelist()}


def understated(name: str, head: bytes, megabytes: int, kind: int) -> bytes:
    """A ZIP archive of one member, packed by method `kind`: it holds some bytes and then zeros, and says that it holds
    those bytes alone."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as made:
        with made.open(name, "w", force_zip64=True) as member:
            member.write(head)
            for _ in range(megabytes):
                member.write(bytes(1_000_000))
        about = made.getinfo(name)
        about.file_size, about.CRC = len(head), zlib.crc32(head)
    return buffer.getvalue()


def plain(text: str) -> str:
    """A text as XML holds it."""
    return escape(NO_XML.sub(" ", text))


def word(body: str, **more: str) -> bytes:
    """A Word document with this inside its body; `more`: further members, by the name before `.xml`."""
    files = {"word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>", "word/styles.xml": STYLES}
    return archive({**files, **{f"word/{name}.xml": content for name, content in more.items()}})


def paragraph(text: str, style: str = "") -> str:
    """A paragraph of a Word document."""
    about = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{about}<w:r><w:t>{plain(text)}</w:t></w:r></w:p>"


def open_document(body: str, styles: str = "", named: str = "") -> bytes:
    """An OpenDocument text with this inside its body; `named`: its styles that have a name."""
    names = ("office", "text", "table", "style")
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    inside = f"<office:body><office:text>{body}</office:text></office:body>"
    inside = f"<office:automatic-styles>{styles}</office:automatic-styles>{inside}"
    common = f"<office:document-styles {spaces}><office:styles>{named}</office:styles></office:document-styles>"
    content = f"<office:document-content {spaces}>{inside}</office:document-content>"
    return archive({"content.xml": content, "styles.xml": common})


def epub(*pages: str, title: str = "A book", files: Mapping[str, str] = MappingProxyType({})) -> bytes:
    """A book with these pages of HTML, and with these files beside them."""
    names = [f"p{number}" for number in range(len(pages))]
    items = "".join(f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>' for name in names)
    spine = "".join(f'<itemref idref="{name}"/>' for name in names)
    package = f"""<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>
<dc:title>{plain(title)}</dc:title></metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"""
    container = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/a.opf"/></rootfiles></container>"""
    texts = {f"OEBPS/{name}.xhtml": page for name, page in zip(names, pages, strict=True)}
    texts |= {posixpath.normpath(f"OEBPS/{name}"): held for name, held in files.items()}
    return archive({"META-INF/container.xml": container, "OEBPS/a.opf": package, **texts})


def workbook(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """A workbook with these sheets; one whose name begins with `_` is hidden."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name.startswith("_") else "visible"
        for row in rows:
            sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()
