"""The text of an OpenDocument text: paragraphs, headings, rows with their heads, notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gate.adapters.readers.layout import Layout, Read, spaced
from gate.adapters.readers.zipped.archive import Archive
from gate.adapters.readers.zipped.nested_tables import TableTags, add_table

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TAGS = TableTags(f"{TABLE}table", f"{TABLE}table-row", f"{TABLE}table-cell")
UNSEEN = frozenset({f"{OFFICE}annotation", f"{TEXT}tracked-changes", f"{TEXT}note-citation", f"{TEXT}sequence-decls"})
MAX_COLUMNS = 100
GAPS = frozenset({f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"})


def text_of(data: bytes) -> Read:
    """Return the text, its title and its sections.

    Raises:
        ValueError: it is damaged, locked, holds too much, or is no text.
    """
    archive = Archive(data)
    body = archive.xml("content.xml").find(f"{OFFICE}body/{OFFICE}text")
    if body is None:
        raise ValueError("no OpenDocument text")
    title = None
    if "meta.xml" in archive.names:
        title = archive.xml("meta.xml").findtext(f"{OFFICE}meta/{{http://purl.org/dc/elements/1.1/}}title")
    layout = Layout(spaced(title or "") or None)
    _blocks(body, layout)
    return layout.finish()


def _blocks(parent: Any, layout: Layout) -> None:
    for child in parent:
        if child.tag == f"{TEXT}h":
            level = child.get(f"{TEXT}outline-level", "1")
            layout.heading(int(level) if level.isdecimal() and len(level) < 3 and int(level) else 1, _text(child))
        elif child.tag == f"{TEXT}p":
            layout.block(_text(child))
        elif child.tag == TAGS.table:
            add_table(child, layout, TAGS, _cells)
        elif child.tag not in UNSEEN:
            _blocks(child, layout)


def _cells(row: Iterable[Any]) -> list[str]:
    """The texts of a row's cells; one that is repeated fills several columns."""
    cells: list[str] = []
    for cell in row:
        count = cell.get(f"{TABLE}number-columns-repeated", "1")
        repeated = int(count) if count.isdecimal() and len(count) < 4 else 1
        cells += [_text(cell, beside=TAGS.table)] * min(repeated, MAX_COLUMNS - len(cells))
    return cells


def _text(element: Any, *, beside: str = "") -> str:
    """What is shown of an element, less what is called `beside`."""
    parts: list[str] = []
    waiting = [element]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            parts.append(one)
        elif one.tag in GAPS:
            parts.append(" ")
        elif one.tag not in UNSEEN and one.tag != beside:
            parts.append(one.text or "")
            if one.tag == f"{TEXT}p":
                waiting.append(" ")
            for inner in reversed(one):
                waiting += [inner.tail or "", inner]
    return "".join(parts)
