"""The text of a Word document: paragraphs, headings by their outline level, rows with their heads, notes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import Any, NamedTuple

from gate.adapters.readers.layout import Cell, Layout, Read, spaced, spanned
from gate.adapters.readers.zipped import fields
from gate.adapters.readers.zipped.archive import Archive
from gate.adapters.readers.zipped.fields import W
from gate.adapters.readers.zipped.formulas import LEFT_OUT, M, is_plain, paragraphs_with
from gate.adapters.readers.zipped.formulas import SIGNS as PARTS
from gate.adapters.readers.zipped.nested_tables import TableTags, add_table
from gate.text.composed import MOVED

RUNS, TEXTS = (f"{W}r", f"{M}r"), (f"{W}t", f"{M}t")
"""Of text, and of formulas."""
NOTES = (f"{W}footnoteReference", f"{W}endnoteReference")
TAGS = TableTags(f"{W}tbl", f"{W}tr", f"{W}tc")
UNSEEN = frozenset(
    {f"{W}del", f"{W}moveFrom", f"{W}instrText", f"{W}delText", f"{W}rPr", f"{W}pPr", f"{W}sectPr", f"{W}rt"}
    | {"{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"}
)
"""What was deleted, commands of fields, formats, how a word is said, and what older programs show instead."""
STRUCK = ("strike", "dstrike", "vanish", "specVanish")
"""What is crossed out, or hidden."""
HIDDEN = ("visibility:hidden", "display:none", "mso-hide:all")
"""Of the style of a shape."""
_STRUCK, _READ = "struck", "read"
"""Of a run: it is; of a mark of a note: it is."""
SIGNS = dict(zip(("2D", "B1", "A3", "B3", "B9", "B0", "B4", "6D"), "−±≤≥≠°×μ", strict=True))
"""Of the font Symbol, which alone draws them: "−5" is not 5."""
MAX_STYLES = 50
"""Styles that one may be based on, one on the other."""


def text_of(data: bytes) -> Read:
    """Return the text, the title of its properties or first heading, and the sections.

    Raises:
        ValueError: it is damaged, locked, holds too much, or no text.
    """
    archive = Archive(data)
    main = _part(archive, "officeDocument")
    styles = _styles(archive, _part(archive, "styles", main))
    body = archive.xml(main).find(f"{W}body")
    if body is None:
        raise ValueError("a Word document without a body")
    layout = Layout(_title(archive))
    _take_out(body, styles, layout)
    _blocks(body, layout, styles.levels)
    for kind in ("footnote", "endnote"):
        marks = body.iter(f"{W}{kind}Reference")
        called = {mark.get(f"{W}id") for mark in marks if mark.get(_READ) is not None}
        part = _part(archive, f"{kind}s", main)
        for note in archive.xml(part) if called and part in archive.names else ():
            if note.get(f"{W}type") is None and note.get(f"{W}id") in called:
                _take_out(note, styles, layout)
                layout.block(_text(note))
    return layout.finish()


def _part(archive: Archive, kind: str, of: str = "") -> str:
    """Where a part stands by the relation that the archive, or the part `of` it, has to it.

    Another one may stand in the place where it mostly does.
    """
    folder, name = posixpath.split(of)
    relations = posixpath.join(folder, "_rels", f"{name}.rels")
    usual = "word/document.xml" if kind == "officeDocument" else f"word/{kind}.xml"
    if relations not in archive.names:
        return usual
    named = [
        posixpath.normpath(posixpath.join("/", folder, each.get("Target", ""))).lstrip("/")
        for each in archive.xml(relations)
        if each.get("Type", "").endswith(f"/{kind}") and each.get("TargetMode") != "External"
    ]
    return named[0] if named else usual


def _title(archive: Archive) -> str | None:
    if "docProps/core.xml" not in archive.names:
        return None
    title = archive.xml("docProps/core.xml").findtext("{http://purl.org/dc/elements/1.1/}title")
    return spaced(title or "") or None


class _Styles(NamedTuple):
    """What styles do by their ids: the `levels` of headings, from 1, and the `marks` that cross out or hide.

    `normal`: the marks of a paragraph, a table or a run without a style.
    """

    levels: dict[str, int]
    marks: dict[str, frozenset[str]]
    normal: dict[str, frozenset[str]] = {}

    def of(self, kind: str, named: Any) -> frozenset[str]:
        """The marks of a style by the element that names it."""
        return self.marks.get(_value(named), self.normal.get(kind, frozenset()))


def _styles(archive: Archive, part: str) -> _Styles:
    if part not in archive.names:
        return _Styles({}, {})
    root = archive.xml(part)
    styles = {style.get(f"{W}styleId", ""): style for style in root.iter(f"{W}style")}
    everywhere = root.find(f"{W}docDefaults/{W}rPrDefault")
    marks = {name: _style_marks(name, styles, everywhere) for name in styles}
    plain = _on({} if everywhere is None else _marks(everywhere))
    first = {style.get(f"{W}type"): name for name, style in styles.items() if style.get(f"{W}default")}
    normal = {kind: marks.get(first.get(kind, ""), plain) for kind in ("paragraph", "table", "character")}
    return _Styles({name: level for name in styles if (level := _style_level(name, styles))}, marks, normal)


def _style_marks(name: str, styles: dict[str, Any], everywhere: Any) -> frozenset[str]:
    """The marks of a style: of those that it is based on the nearest one that says anything decides.

    What the style of a table says of a part, its first row or a column, counts for all of the table.
    """
    found, of_parts = dict[str, bool](), frozenset[str]()
    for _ in range(MAX_STYLES):
        style = styles.get(name)
        if style is None:
            break
        found = {**_marks(style), **found}
        of_parts = of_parts.union(*(_on(_marks(part)) for part in style.findall(f"{W}tblStylePr")))
        name = _value(style.find(f"{W}basedOn"))
    return _on({**(_marks(everywhere) if everywhere is not None else {}), **found}) | of_parts


def _marks(holder: Any) -> dict[str, bool]:
    """Which marks that cross out or hide a run, a row, or a style, has or takes away."""
    found = [(name, holder.find(f"{W}rPr/{W}{name}")) for name in STRUCK]
    found.append(("hidden", holder.find(f"{W}trPr/{W}hidden")))
    return {name: _value(mark) not in ("0", "false", "off") for name, mark in found if mark is not None}


def _on(marks: dict[str, bool]) -> frozenset[str]:
    return frozenset(name for name, is_on in marks.items() if is_on)


def _take_out(root: Any, styles: _Styles, layout: Layout) -> None:
    """Empty the shapes and rows that are hidden or deleted, the cells that are deleted or covered by another one, the
    paragraphs that cannot be read, and note what is crossed out."""
    for element in [*root.iter()]:
        if element.tag == TAGS.cell and _is_covered(element):
            element[:] = element.findall(f"{W}tcPr")  # it fills its columns still
        elif (element.tag == TAGS.row and _is_no_row(element)) or _is_hidden(element):
            element.clear()
    drawn = fields.drawn_fields(root)
    for unread, why in (
        (lambda each: each.tag == f"{M}oMath" and not is_plain(each), LEFT_OUT),
        (lambda each: each in drawn, fields.LEFT_OUT),
    ):
        for paragraph in paragraphs_with(root, (f"{W}p",), unread):
            paragraph.clear()
            layout.leave_out(why)
    fields.empty_commands(root, (*TEXTS, *NOTES))
    _note_struck(root, styles)


def _is_covered(cell: Any) -> bool:
    return cell.find(f"{W}tcPr/{W}cellDel") is not None or any(_goes_on(cell, name) for name in ("vMerge", "hMerge"))


def _goes_on(cell: Any, merge: str) -> bool:
    """Whether a cell is part of the one above (`vMerge`), or of the one before it (`hMerge`)."""
    found = cell.find(f"{W}tcPr/{W}{merge}")
    return found is not None and _value(found) != "restart"


def _is_no_row(row: Any) -> bool:
    return row.find(f"{W}trPr/{W}del") is not None or bool(_on(_marks(row)))


def _is_hidden(element: Any) -> bool:
    """Whether a shape is hidden, by its own style or by what its drawing says of it."""
    style = "".join(element.get("style", "").lower().split())
    marks = (each.get("hidden", "0") for each in element if each.tag.endswith("Pr"))
    return any(each in style for each in HIDDEN) or any(each not in ("0", "false", "off") for each in marks)


def _note_struck(root: Any, styles: _Styles) -> None:
    """Write on each run whether it is crossed out or hidden: by itself, or by a style around it."""
    waiting: list[tuple[Any, frozenset[str]]] = [(root, frozenset())]
    while waiting:
        element, marks = waiting.pop()
        if element.tag == f"{W}tbl":
            marks = marks | styles.of("table", element.find(f"{W}tblPr/{W}tblStyle"))
        elif element.tag == f"{W}p":
            marks = marks | styles.of("paragraph", element.find(f"{W}pPr/{W}pStyle"))
        elif element.tag in RUNS:
            marks = marks | styles.of("character", element.find(f"{W}rPr/{W}rStyle"))
            if _on({**dict.fromkeys(marks, True), **_marks(element)}):
                element.set(_STRUCK, "")
        waiting.extend((child, marks) for child in element)


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
    cells = list[Cell]()
    for cell in row:
        columns = spanned(_value(cell.find(f"{W}tcPr/{W}gridSpan")))
        if cells and _goes_on(cell, "hMerge"):
            cells.append(cells[-1]._replace(columns=columns))
        else:
            cells.append(Cell(_text(cell, beside=TAGS.table), columns, goes_on=_goes_on(cell, "vMerge")))
    return cells


def _text(element: Any, *, beside: str = "") -> str:
    """What is shown of an element, less what is called `beside`; paragraphs in it are told apart by a space.

    Of a field its result is shown, and nothing of what it is made from.
    """
    parts: list[str] = []
    waiting, opened = [element], list[bool]()  # of each field that is open, whether its result has begun
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            parts.append(one)
        elif one.tag in RUNS and one.get(_STRUCK) is not None:
            waiting.extend(reversed([*one.iter(f"{W}fldChar")]))
        elif one.tag == f"{W}fldChar":
            _turn(opened, one.get(f"{W}fldCharType"))
        elif one.tag in TEXTS:
            parts.append((one.text or "") if all(opened) else "")
        elif one.tag == f"{W}r" and (move := MOVED.get(_value(one.find(f"{W}rPr/{W}vertAlign"))[:3])):
            parts.append(move("".join(inner.text or "" for inner in one.iter(f"{W}t"))) if all(opened) else "")
            waiting.extend(reversed([each for each in one if each.tag == f"{W}fldChar" or each.tag in NOTES]))
        elif one.tag in (f"{W}tab", f"{W}ptab", f"{W}br", f"{W}cr"):
            parts.append(" ")
        elif one.tag == f"{W}noBreakHyphen":
            parts.append("-")
        elif one.tag in NOTES and all(opened):
            one.set(_READ, "")
        elif one.tag == f"{W}sym":
            parts.append(_sign(one.get(f"{W}font"), one.get(f"{W}char", "")))
        elif one.tag not in UNSEEN and one.tag != beside:
            if one.tag == f"{W}p":
                parts.append(" ")
                waiting.append(" ")
            parts.append(PARTS.get(one.tag, "") if all(opened) else "")
            waiting.extend(reversed(one))
    return "".join(parts)


def _sign(font: str | None, code: str) -> str:
    return SIGNS.get(code[-2:].upper(), " ") if font == "Symbol" else " "


def _turn(fields: list[bool], what: str | None) -> None:
    """A field begins, its result begins, or it ends."""
    if what == "begin":
        fields.append(False)
    elif fields and what == "separate":
        fields[-1] = True
    elif fields and what == "end":
        fields.pop()
