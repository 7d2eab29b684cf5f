"""The text of an OpenDocument text: paragraphs, headings, rows with their heads, notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gate.adapters.readers.layout import Cell, Layout, Read, spaced, spanned
from gate.adapters.readers.zipped.archive import Archive
from gate.adapters.readers.zipped.formulas import LEFT_OUT, MATH, paragraphs_with
from gate.adapters.readers.zipped.nested_tables import TableTags, add_table
from gate.text.composed import MOVED

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TAGS = TableTags(f"{TABLE}table", f"{TABLE}table-row", f"{TABLE}table-cell")
UNSEEN = frozenset({f"{OFFICE}annotation", f"{TEXT}tracked-changes", f"{TEXT}note-citation", f"{TEXT}sequence-decls"})
UNSEEN |= {f"{TEXT}script", f"{TEXT}table-of-content-source", f"{OFFICE}binary-data", f"{TEXT}ruby-text"}
UNSEEN |= {f"{{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}}{name}" for name in ("title", "desc")}
OBJECT = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}object"
FAMILIES = {
    **dict.fromkeys((f"{TEXT}p", f"{TEXT}h"), "paragraph"),
    **dict.fromkeys((f"{TEXT}span", f"{TEXT}a"), "text"),
    TAGS.cell: "table-cell",
}
"""What styles an element takes, by its name."""
CROSSED = tuple(f"{STYLE}text-line-through-{name}" for name in ("style", "type"))
PROPERTIES = frozenset({*CROSSED, f"{STYLE}text-position", f"{TEXT}display"})
"""What of a style is looked at."""
MAX_STYLES = 50
"""Styles that one may come from, one from the other."""
GAPS = frozenset({f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"})


def text_of(data: bytes) -> Read:
    """Return the text, its title and its sections.

    Raises:
        ValueError: it is damaged, locked, holds too much, or is no text.
    """
    archive = Archive(data)
    content = archive.xml("content.xml")
    body = content.find(f"{OFFICE}body/{OFFICE}text")
    if body is None:
        raise ValueError("no OpenDocument text")
    _apply_styles(body, _Styles(content, archive.xml("styles.xml") if "styles.xml" in archive.names else None))
    title = None
    if "meta.xml" in archive.names:
        title = archive.xml("meta.xml").findtext(f"{OFFICE}meta/{{http://purl.org/dc/elements/1.1/}}title")
    layout = Layout(spaced(title or "") or None)
    formulas = _formulas(archive)
    for paragraph in paragraphs_with(body, (f"{TEXT}p", f"{TEXT}h"), lambda each: _is_formula(each, formulas)):
        _empty(paragraph)
        layout.leave_out(LEFT_OUT)
    _blocks(body, layout)
    return layout.finish()


def _formulas(archive: Archive) -> set[str]:
    """The parts of an archive that are formulas, by the folder that each has."""
    parts = [name for name in archive.names if name.endswith("/content.xml")]
    return {name.removesuffix("/content.xml") for name in parts if archive.xml(name).tag == MATH}


def _is_formula(element: Any, formulas: set[str]) -> bool:
    place = element.get("{http://www.w3.org/1999/xlink}href", "") if element.tag == OBJECT else ""
    return element.tag == MATH or place.removeprefix("./") in formulas


class _Styles:
    """What styles say of a text: the automatic ones of the content, those with a name of `styles.xml`, the defaults."""

    def __init__(self, content: Any, named: Any) -> None:
        self._own = {_key(style): style for style in content.iter(f"{STYLE}style")}
        named = [] if named is None else [*named.findall(f"{OFFICE}styles/*")]
        self._named = {_key(style): style for style in named if style.tag == f"{STYLE}style"}
        self._known = dict[tuple[str, str], dict[str, str]]()
        defaults = {_key(style)[0]: _text_properties(style) for style in named if style.tag == f"{STYLE}default-style"}
        self.everywhere = {**defaults.get("text", {}), **defaults.get("paragraph", {})}

    def of(self, element: Any) -> dict[str, str]:
        """What an element's style says; of those that it comes from the nearest one that says anything decides."""
        family = FAMILIES.get(element.tag, "")
        name = element.get(f"{TABLE if element.tag == TAGS.cell else TEXT}style-name", "")
        if (family, name) not in self._known:
            self._known[family, name] = self._resolved(family, name)
        return self._known[family, name]

    def _resolved(self, family: str, name: str) -> dict[str, str]:
        found = dict[str, str]()
        style = self._own.get((family, name), self._named.get((family, name)))
        for _ in range(MAX_STYLES):
            if style is None:
                break
            found = {**_text_properties(style), **found}
            key = (family, style.get(f"{STYLE}parent-style-name", ""))
            style = self._named.get(key, self._own.get(key))
        return found


def _key(style: Any) -> tuple[str, str]:
    return style.get(f"{STYLE}family", "text"), style.get(f"{STYLE}name", "")


def _text_properties(style: Any) -> dict[str, str]:
    """What a style itself says of how its words are shown."""
    found = style.find(f"{STYLE}text-properties")
    return {} if found is None else {name: value for name, value in found.items() if name in PROPERTIES}


def _apply_styles(body: Any, styles: _Styles) -> None:
    """Take out what is crossed out or hidden, and move the figures that are raised or lowered."""
    waiting: list[tuple[Any, dict[str, str]]] = [(body, styles.everywhere)]
    while waiting:
        element, shown = waiting.pop()
        if _is_hidden(element):
            _empty(element)
            continue
        shown = {**shown, **styles.of(element)}
        element.text = _as_shown(element.text, shown)
        for child in element:
            child.tail = _as_shown(child.tail, shown)
            waiting.append((child, shown))


def _as_shown(text: str | None, shown: dict[str, str]) -> str:
    if not text or _takes_back(shown):
        return ""
    where = shown.get(f"{STYLE}text-position", "").strip()
    if where[:1] in {*"123456789-"}:  # so many per cent of the letters' size up, or down
        where = "sub" if where[:1] == "-" else "sup"
    move = MOVED.get(where[:3])
    return move(text) if move else text


def _is_hidden(element: Any) -> bool:
    marks = (each.get(f"{TEXT}is-hidden") for each in (element, *element.findall(f"{TEXT}hidden-paragraph")))
    return element.get(f"{TEXT}display") == "none" or "true" in marks


def _takes_back(shown: dict[str, str]) -> bool:
    crossed = (shown.get(name, "none") for name in CROSSED)
    return any(each != "none" for each in crossed) or shown.get(f"{TEXT}display") == "none"


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
