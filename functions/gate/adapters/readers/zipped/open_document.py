"""The text of an OpenDocument text: paragraphs, headings, rows with their heads, notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gate.adapters.readers.layout import Cell, Layout, Read, spaced, spanned
from gate.adapters.readers.zipped.archive import Archive
from gate.adapters.readers.zipped.nested_tables import TableTags, add_table
from gate.text.composed import raised

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TAGS = TableTags(f"{TABLE}table", f"{TABLE}table-row", f"{TABLE}table-cell")
UNSEEN = frozenset({f"{OFFICE}annotation", f"{TEXT}tracked-changes", f"{TEXT}note-citation", f"{TEXT}sequence-decls"})
GAPS = frozenset({f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"})


def text_of(data: bytes) -> Read:
    """Return the text, its title and its sections.

    Raises:
        ValueError: it is damaged, locked, holds too much, or is no text.
    """
    archive = Archive(data)
    content = archive.xml("content.xml")
    _apply_styles(content)
    body = content.find(f"{OFFICE}body/{OFFICE}text")
    if body is None:
        raise ValueError("no OpenDocument text")
    title = None
    if "meta.xml" in archive.names:
        title = archive.xml("meta.xml").findtext(f"{OFFICE}meta/{{http://purl.org/dc/elements/1.1/}}title")
    layout = Layout(spaced(title or "") or None)
    _blocks(body, layout)
    return layout.finish()


def _apply_styles(content: Any) -> None:
    """Take out what is crossed out or hidden, and raise the figures that are raised."""
    about = {each.get(f"{STYLE}name"): each.find(f"{STYLE}text-properties") for each in content.iter(f"{STYLE}style")}
    for span in [*content.iter(f"{TEXT}span")]:
        style = about.get(span.get(f"{TEXT}style-name"))
        if style is None:
            continue
        if style.get(f"{STYLE}text-line-through-style", "none") != "none" or style.get(f"{TEXT}display") == "none":
            tail = span.tail
            span.clear()
            span.tail = tail
        elif style.get(f"{STYLE}text-position", "").startswith("super"):
            span.text = raised(span.text or "")


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


def _cells(row: Iterable[Any]) -> list[Cell]:
    """The cells of a row; one that is repeated fills several columns."""
    return [_cell(cell) for cell in row]


def _cell(cell: Any) -> Cell:
    columns, rows = (spanned(cell.get(f"{TABLE}number-{name}-spanned")) for name in ("columns", "rows"))
    repeated = spanned(cell.get(f"{TABLE}number-columns-repeated"))
    return Cell(_text(cell, beside=TAGS.table), columns * repeated, rows)


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
            if one.tag == f"{TEXT}p":
                parts.append(" ")
                waiting.append(" ")
            parts.append(one.text or "")
            for inner in reversed(one):
                waiting += [inner.tail or "", inner]
    return "".join(parts)
