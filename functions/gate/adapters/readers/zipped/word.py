"""The text of a Word document: paragraphs, headings by their outline level, rows with their heads, notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gate.adapters.readers.layout import Cell, Layout, Read, spaced, spanned
from gate.adapters.readers.zipped.archive import Archive
from gate.adapters.readers.zipped.nested_tables import TableTags, add_table
from gate.text.composed import raised

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
TAGS = TableTags(f"{W}tbl", f"{W}tr", f"{W}tc")
UNSEEN = frozenset(
    {f"{W}del", f"{W}moveFrom", f"{W}instrText", f"{W}delText", f"{W}rPr", f"{W}pPr", f"{W}sectPr"}
    | {"{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"}
)
"""What was deleted, commands of fields, formats, and what older programs show instead."""
STRUCK = ("strike", "dstrike", "vanish")
"""What is crossed out, or hidden."""
MAX_STYLES = 50
"""Styles that one may be based on, one on the other."""


def text_of(data: bytes) -> Read:
    """Return the text, the title of its properties or first heading, and the sections.

    Raises:
        ValueError: it is damaged, locked, holds too much, or no text.
    """
    archive = Archive(data)
    body = archive.xml("word/document.xml").find(f"{W}body")
    if body is None:
        raise ValueError("a Word document without a body")
    layout = Layout(_title(archive))
    _blocks(body, layout, _levels(archive))
    for name in ("word/footnotes.xml", "word/endnotes.xml"):
        if name in archive.names:
            for note in archive.xml(name):
                if note.get(f"{W}type") is None:
                    layout.block(_text(note))
    return layout.finish()


def _title(archive: Archive) -> str | None:
    if "docProps/core.xml" not in archive.names:
        return None
    title = archive.xml("docProps/core.xml").findtext("{http://purl.org/dc/elements/1.1/}title")
    return spaced(title or "") or None


def _levels(archive: Archive) -> dict[str, int]:
    """The level of the headings of each style, from 1."""
    if "word/styles.xml" not in archive.names:
        return {}
    styles = {style.get(f"{W}styleId", ""): style for style in archive.xml("word/styles.xml").iter(f"{W}style")}
    return {name: level for name in styles if (level := _style_level(name, styles))}


def _style_level(name: str, styles: dict[str, Any]) -> int:
    for _ in range(MAX_STYLES):
        style = styles.get(name)
        if style is None:
            return 0
        called = _value(style.find(f"{W}name")).lower()
        if called == "title":
            return 1
        outline = _value(style.find(f"{W}pPr/{W}outlineLvl"))
        if outline.isdecimal() and len(outline) == 1 and outline != "9":
            return int(outline) + 1
        if called.startswith("heading ") and called[8:].isdecimal() and len(called) < 11:
            return int(called[8:])
        name = _value(style.find(f"{W}basedOn"))
    return 0


def _value(element: Any) -> str:
    return "" if element is None else str(element.get(f"{W}val", ""))


def _blocks(parent: Any, layout: Layout, levels: dict[str, int]) -> None:
    for child in parent:
        if child.tag == f"{W}p":
            style = _value(child.find(f"{W}pPr/{W}pStyle"))
            own = _value(child.find(f"{W}pPr/{W}outlineLvl"))
            level = int(own) + 1 if own.isdecimal() and len(own) == 1 and own != "9" else levels.get(style, 0)
            if level:
                layout.heading(level, _text(child))
            else:
                layout.block(_text(child))
        elif child.tag == TAGS.table:
            add_table(child, layout, TAGS, _cells)
        elif child.tag not in UNSEEN:
            _blocks(child, layout, levels)


def _cells(row: Iterable[Any]) -> list[Cell]:
    return [_cell(cell) for cell in row]


def _cell(cell: Any) -> Cell:
    merged = cell.find(f"{W}tcPr/{W}vMerge")
    goes_on = merged is not None and _value(merged) != "restart"
    columns = spanned(_value(cell.find(f"{W}tcPr/{W}gridSpan")))
    return Cell(_text(cell, beside=TAGS.table), columns, goes_on=goes_on)


def _is_struck(run: Any) -> bool:
    marks = (run.find(f"{W}rPr/{W}{name}") for name in STRUCK)
    return any(mark is not None and _value(mark) not in ("0", "false", "off") for mark in marks)


def _text(element: Any, *, beside: str = "") -> str:
    """What is shown of an element, less what is called `beside`; paragraphs in it are told apart by a space."""
    parts: list[str] = []
    waiting = [element]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            parts.append(one)
        elif one.tag == f"{W}t":
            parts.append(one.text or "")
        elif one.tag == f"{W}r" and _is_struck(one):
            continue
        elif one.tag == f"{W}r" and _value(one.find(f"{W}rPr/{W}vertAlign")) == "superscript":
            parts.append(raised("".join(inner.text or "" for inner in one.iter(f"{W}t"))))
        elif one.tag in (f"{W}tab", f"{W}br", f"{W}cr"):
            parts.append(" ")
        elif one.tag == f"{W}noBreakHyphen":
            parts.append("-")
        elif one.tag not in UNSEEN and one.tag != beside:
            if one.tag == f"{W}p":
                parts.append(" ")
                waiting.append(" ")
            waiting.extend(reversed(one))
    return "".join(parts)
