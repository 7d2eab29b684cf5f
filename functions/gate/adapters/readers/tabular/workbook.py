"""The sheets of a workbook as they are shown: no formula is run, and nothing that is hidden or crossed out is read.

The library reads styles and where the sheets are; their rows, of which there are many, are read here.
"""

from __future__ import annotations

import io
import re
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from types import SimpleNamespace
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError, iterparse

from gate.adapters.readers.layout import (
    MOST_SPANNED,
    DocumentTooLargeError,
    Layout,
    Read,
    refuse_wide,
    within_bounds,
)
from gate.adapters.readers.tabular import sheets
from gate.adapters.readers.tabular.conditional_styles import (
    LEFT_OUT,
    ConditionalStyles,
    areas_of_rule,
    areas_of_table,
    conditional_styles,
    take_out,
)
from gate.adapters.readers.tabular.number_formats import shown_number, shown_text
from gate.adapters.readers.tabular.sheets import add_tables, without_end
from gate.adapters.readers.zipped.archive import Archive, parsed
from gate.text.composed import MOVED

MAX_MERGED = 200_000
"""Cells that stand in the place of another one."""
UNTOLD = "numbers whose format shows them by conditions that programs read differently were left out"
NS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
IN_SHEET, IN_MERGED = ([f"{NS}worksheet", f"{NS}{name}"] for name in ("sheetData", "mergeCells"))
"""Where rows stand, and what says which cells are one: what extensions and later programs keep is not shown."""
_PLACE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
_MERGED = re.compile(rf"{_PLACE.pattern}:{_PLACE.pattern}")
_STYLES = "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"
_TABLES = ("/table", "/pivotTable")
"""What a sheet refers to: how the names of these relations end."""
_DAMAGED = (
    ParseError, KeyError, ValueError, TypeError, AttributeError, IndexError, OSError, EOFError, RuntimeError,
    SyntaxError, OverflowError,
)  # fmt: skip
"""What is raised on workbooks that break the format's rules."""


class Style(NamedTuple):
    """How a cell is shown: `date` is what the library makes of its number, where it is a day or a time."""

    form: str = ""
    struck: bool = False
    date: Any = None


class Book(NamedTuple):
    """What the cells of a workbook refer to, by numbers; `untold`: what of them nobody can tell."""

    strings: Sequence[str]
    styles: Sequence[Style]
    conditional: ConditionalStyles
    untold: set[str]


class SheetRow(NamedTuple):
    """A row of a sheet: its number, and its texts by column."""

    number: int
    cells: list[str]


def text_of(data: bytes) -> Read:
    """Return the rows of every sheet that is shown, with the values that its formulas had when it was saved.

    Raises:
        ValueError: it is damaged, locked or too large.
    """
    from openpyxl import utils

    archive = Archive(data)
    for name in archive.names:  # each is read once here, bounded; what follows reads the same
        content = archive.read(name)
        if name.endswith((".xml", ".rels")) and b"<!" in content[:1_000].replace(b"<!--", b""):
            parsed(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _read(data)
    except DocumentTooLargeError:
        raise
    except (utils.exceptions.InvalidFileException, *_DAMAGED) as error:
        raise ValueError(f"a damaged or locked workbook ({type(error).__name__})") from None


def _read(data: bytes) -> Read:
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.styles.stylesheet import apply_stylesheet
    from openpyxl.xml.constants import SHARED_STRINGS

    reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False, keep_vba=False)
    reader.read_manifest()
    reader.read_workbook()
    reader.read_properties()
    if part := reader.package.find(_STYLES):
        apply_stylesheet(SimpleNamespace(read=lambda _: reader.archive.read(part.PartName[1:])), reader.wb)
    layout = Layout(str(reader.wb.properties.title or "").strip() or None)
    left = sheets.MAX_ROWS
    texts = reader.package.find(SHARED_STRINGS)
    strings = list(_strings(reader.archive.read(texts.PartName[1:]))) if texts is not None else []
    book = Book(strings, _styles(reader.wb), conditional_styles(reader.wb), set())
    for sheet, relation in reader.parser.find_sheets():
        if sheet.state != "visible" or "chartsheet" in relation.Type or relation.target not in reader.valid_files:
            continue
        areas = _areas_of_tables(reader, relation.target, book.conditional)
        rows, is_whole = _sheet(reader.archive.read(relation.target), book, areas, left)
        left -= len(rows)
        if not is_whole:
            layout.leave_out(LEFT_OUT)
        if any(any(row.cells) for row in rows):
            layout.heading(2, str(sheet.name))
            add_tables(layout, within_bounds(_with_gaps(rows)))
    for what in book.untold:
        layout.leave_out(what)
    return layout.finish()


def _areas_of_tables(reader: Any, sheet: str, styles: ConditionalStyles) -> list[str]:
    """The cells of the tables of a sheet whose style crosses out."""
    from openpyxl.packaging.relationship import get_dependents, get_rels_path

    relations = get_rels_path(sheet)
    if not styles.tables or relations not in reader.valid_files:
        return []
    parts = [each.target for each in get_dependents(reader.archive, relations) if each.Type.endswith(_TABLES)]
    return [area for part in parts for area in areas_of_table(parsed(reader.archive.read(part)), styles)]


def _styles(book: Any) -> list[Style]:
    from openpyxl.styles.numbers import BUILTIN_FORMATS, BUILTIN_FORMATS_MAX_SIZE
    from openpyxl.utils.datetime import from_excel

    found = []
    for number, style in enumerate(book._cell_styles):
        own = style.numFmtId - BUILTIN_FORMATS_MAX_SIZE
        form = BUILTIN_FORMATS.get(style.numFmtId, "") if own < 0 else book._number_formats[own]
        is_span = number in book._timedelta_formats
        date = None
        if is_span or number in book._date_formats:
            date = lambda value, is_span=is_span: from_excel(value, book.epoch, timedelta=is_span)  # noqa: E731
        found.append(Style(str(form or ""), bool(book._fonts[style.fontId].strike), date))
    return found or [Style()]


def _elements(data: bytes) -> Iterator[tuple[Any, Sequence[str]]]:
    """The elements of an XML as they end, each with what those around it are called, until the next one is asked for.

    Raises:
        ValueError: it has a document type, or is written so that none could be seen.
    """
    if b"<!DOCTYPE" in data or b"\0" in data[:100]:
        raise ValueError("XML with entities or a document type")
    return _placed(iterparse(io.BytesIO(data), ("start", "end")))  # noqa: S314  # it declares no entities


def _placed(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[Any, Sequence[str]]]:
    around = list[str]()
    for event, element in events:
        if event == "start":
            around.append(element.tag)
        else:
            around.pop()
            yield element, around


def _strings(data: bytes) -> Iterator[str]:
    for element, around in _elements(data):
        if element.tag == f"{NS}si" and len(around) == 1:  # not one that a later program keeps for itself
            yield _words(element)
            element.clear()


def _words(element: Any) -> str:
    """What is shown of a text: its runs, less what is crossed out in it, and nothing of how it is said."""
    shown = []
    for child in element:
        words = child if child.tag == f"{NS}t" else child.find(f"{NS}t")
        if words is None or child.tag not in (f"{NS}t", f"{NS}r"):
            continue
        about = child.find(f"{NS}rPr")
        struck = about.find(f"{NS}strike") if about is not None else None
        if struck is not None and struck.get("val", "1") not in ("0", "false"):
            continue
        place = about.find(f"{NS}vertAlign") if about is not None else None
        move = MOVED.get(place.get("val", "")[:3]) if place is not None else None
        shown.append(move(words.text or "") if move else words.text or "")
    return "".join(shown)


def _sheet(data: bytes, book: Book, areas: list[str], most: int) -> tuple[list[SheetRow], bool]:
    """The rows of a sheet, and whether they are all that it holds.

    Args:
        areas: cells that are left out, beside those of its rules.
    """
    rows, merged = dict[int, SheetRow](), list[str]()
    number = 0
    for element, around in _elements(data):
        if element.tag == f"{NS}row" and around == IN_SHEET:
            number = int(element.get("r", number + 1))
            rows[number] = SheetRow(number, _cells(element, book))
            element.clear()
            if len(rows) > most:
                raise DocumentTooLargeError(f"more than {sheets.MAX_ROWS:,} rows")
        elif element.tag == f"{NS}mergeCell" and around == IN_MERGED:
            merged.append(element.get("ref", ""))
            _refuse_merged(len(merged))
        elif element.tag.endswith("}conditionalFormatting"):
            areas += areas_of_rule(element, book.conditional)
    is_whole = not take_out({number: row.cells for number, row in rows.items()}, areas, _column)
    _spread(rows, merged)
    return [rows[number] for number in sorted(rows)], is_whole


def _cells(row: Any, book: Book) -> list[str]:
    found = dict[int, str]()
    column = 0
    for cell in row.iterfind(f"{NS}c"):
        place = _PLACE.fullmatch(cell.get("r", ""))
        column = _column(place[1]) if place else column + 1
        if text := _cell(cell, book):
            refuse_wide(column)
            found[column] = text
    return without_end([found.get(at, "") for at in range(1, max(found, default=0) + 1)])


@lru_cache(maxsize=1_000)
def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number


def _cell(cell: Any, book: Book) -> str:
    """What is shown of a cell: nothing of what is crossed out, and 0.15 as the 15 % that its format makes of it."""
    style = book.styles[int(cell.get("s", 0))]
    if style.struck:
        return ""
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        inside = cell.find(f"{NS}is")
        return shown_text(_words(inside), style.form) if inside is not None else ""
    written: str = cell.findtext(f"{NS}v")
    if not written:
        return ""
    if kind in ("s", "str"):
        return shown_text(book.strings[int(written)] if kind == "s" else written, style.form)
    if kind != "n":
        return shown_text(str(bool(int(written))), style.form) if kind == "b" else written
    value = float(written) if any(sign in written for sign in ".eE") else int(written)
    if not isfinite(value):
        return written
    shown = _date(value, style) if style.date else shown_number(value, style.form)
    if shown is None:
        book.untold.add(UNTOLD)
    return shown or ""


def _date(value: float, style: Style) -> str:
    try:
        found = style.date(value)
    except (OverflowError, ValueError):
        return "#VALUE!"
    both = hasattr(found, "hour") and hasattr(found, "year")
    return str(found.isoformat(" ") if both else found).removesuffix(" 00:00:00")


def _spread(rows: Mapping[int, SheetRow], merged: Sequence[str]) -> None:
    """Let a cell that fills several stand in each, whatever these hold; a title over all of its row stands there once.

    Beyond `MOST_SPANNED` they are empty.
    """
    count, numbers = 0, sorted(rows)
    for found in filter(None, map(_MERGED.fullmatch, merged)):
        first, top, last, bottom = _column(found[1]), int(found[2]), _column(found[3]), int(found[4])
        above = rows[top].cells if top in rows else []
        text = above[first - 1] if first <= len(above) else ""
        if top == bottom and not any(cell for at, cell in enumerate(above, 1) if at != first):
            continue
        filled = min(last, first + MOST_SPANNED) if text else 0
        refuse_wide(filled)
        for number in numbers[bisect_left(numbers, top) : bisect_left(numbers, bottom + 1)]:
            cells = rows[number].cells
            text = text if number <= top + MOST_SPANNED else ""
            cells += [""] * (filled - len(cells))
            for at in range(first, min(last, len(cells)) + 1):  # what stands in a cell that is covered is not shown
                cells[at - 1] = text if at <= filled else ""
                count += 1
            count += 1
            _refuse_merged(count)


def _refuse_merged(count: int) -> None:
    if count > MAX_MERGED:
        raise DocumentTooLargeError(f"more than {MAX_MERGED:,} cells that are one with another")


def _with_gaps(rows: Sequence[SheetRow]) -> Iterator[Sequence[str]]:
    """The cells of the rows; where rows are missing one that is empty."""
    before = rows[0].number - 1 if rows else 0
    for row in rows:
        if row.number != before + 1:
            yield ()
        yield row.cells
        before = row.number
