"""The text of an OpenDocument text: paragraphs, headings, rows with their heads, notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gate.adapters.readers.layout import Cell, Layout, Read, spaced, spanned
from gate.adapters.readers.zipped.archive import Archive
from gate.adapters.readers.zipped.nested_tables import TableTags, add_table
from gate.text.composed import MOVED

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TAGS = TableTags(f"{TABLE}table", f"{TABLE}table-row", f"{TABLE}table-cell")
UNSEEN = frozenset({f"{OFFICE}annotation", f"{TEXT}tracked-changes", f"{TEXT}note-citation", f"{TEXT}sequence-decls"})
UNSEEN |= {f"{TEXT}script", f"{TEXT}table-of-content-source", f"{OFFICE}binary-data"}
UNSEEN |= {f"{{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}}{name}" for name in ("title", "desc")}
STYLED = frozenset(f"{TEXT}{name}" for name in ("span", "p", "h", "section", "hidden-text"))
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
    """Take out what is crossed out or hidden, and move the figures that are raised or lowered."""
    about = {
        (each.get(f"{STYLE}family", "text"), each.get(f"{STYLE}name")): each.find(f"{STYLE}text-properties")
        for each in content.iter(f"{STYLE}style")
    }
    for element in [each for each in content.iter() if each.tag in STYLED]:
        family = "text" if element.tag == f"{TEXT}span" else "paragraph"
        style = about.get((family, element.get(f"{TEXT}style-name")))
        if _is_hidden(element) or _takes_back(style):
            _empty(element)
        elif style is not None and family == "text":
            _move(element, str(style.get(f"{STYLE}text-position", ""))[:3])


def _move(element: Any, where: str) -> None:
    for inner in element.iter() if where in MOVED else ():
        inner.text = MOVED[where](inner.text or "")
        inner.tail = inner.tail if inner is element else MOVED[where](inner.tail or "")


def _is_hidden(element: Any) -> bool:
    marks = (each.get(f"{TEXT}is-hidden") for each in (element, *element.findall(f"{TEXT}hidden-paragraph")))
    return element.get(f"{TEXT}display") == "none" or "true" in marks


def _takes_back(style: Any) -> bool:
    if style is None:
        return False
    crossed = (style.get(f"{STYLE}text-line-through-{name}", "none") for name in ("style", "type"))
    return any(each != "none" for each in crossed) or style.get(f"{TEXT}display") == "none"


def _empty(element: Any) -> None:
    tail = element.tail
    element.clear()
    element.tail = tail


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
