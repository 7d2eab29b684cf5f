"""The text of an EPUB book, chapter by chapter in the order of reading."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from gate.adapters.readers.html import text_of as text_of_page
from gate.adapters.readers.layout import Read, spaced
from gate.adapters.readers.zipped.archive import Archive
from gate.retrieval.chunking import Section
from gate.text.formats.style_sheets import StyleSheets

CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
OPF = "{http://www.idpf.org/2007/opf}"


def text_of(data: bytes) -> Read:
    """Return the text, the book's title, and the sections of its chapters.

    Raises:
        ValueError: it is damaged, locked or holds too much.
    """
    archive = Archive(data)
    root = archive.xml("META-INF/container.xml").find(f"{CONTAINER}rootfiles/{CONTAINER}rootfile")
    place = root.get("full-path", "") if root is not None else ""
    package = archive.xml(place)
    title = spaced(package.findtext(f"{OPF}metadata/{{http://purl.org/dc/elements/1.1/}}title") or "")
    files = {
        item.get("id", ""): posixpath.normpath(posixpath.join(posixpath.dirname(place), unquote(item.get("href", ""))))
        for item in package.iter(f"{OPF}item")
        if item.get("media-type") in ("application/xhtml+xml", "text/html") and "nav" not in item.get("properties", "")
    }
    texts: list[str] = []
    read = set[str]()
    sheets = StyleSheets(lambda place: archive.read(place) if place in archive.names else None)
    sections, code = list[Section](), set[str]()
    start = 0
    for reference in package.iter(f"{OPF}itemref"):
        name = files.pop(reference.get("idref", ""), None)
        if name is None or name in read:
            continue
        read.add(name)
        page = text_of_page(archive.read(name), whole=True, place=name, sheets=sheets)
        for section in page.sections:
            names = [page.title if page.title != title else None, section.title]
            path = " > ".join(dict.fromkeys(filter(None, names)))
            sections.append(Section(path or None, start + section.start, start + section.end))
        texts.append(page.text)
        code |= page.code
        start += len(page.text) + 2
    return Read("\n\n".join(texts), title or None, sections, frozenset(code))
