"""Cells of a sheet that a rule, or the style of a table, may cross out or show as something else: they are left out.

Whether a rule holds is for a program to say that reckons its formula.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from gate.adapters.readers.layout import DocumentTooLargeError

NS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LEFT_OUT = "cells that a rule or a table's style may change are not read"
MAX_AREAS = 1_000
LAST = 10_000_000
"""More than rows or columns of a sheet."""
_AREA = re.compile(r"\$?([A-Z]{0,3})\$?(\d{0,7})(?::\$?([A-Z]{0,3})\$?(\d{0,7}))?")


class ConditionalStyles(NamedTuple):
    """The numbers of styles that a rule may bring which `change` what is shown, and the names of `tables`' styles
    that cross out."""

    change: frozenset[int] = frozenset()
    tables: frozenset[str] = frozenset()


def conditional_styles(book: Any) -> ConditionalStyles:
    """What the styles of a workbook do, as the library has read them."""
    styles = [*enumerate(book._differential_styles.styles)]
    struck = {number for number, style in styles if style.font is not None and style.font.strike}
    named = book._table_styles.tableStyle if book._table_styles else ()
    tables = (
        style.name for style in named or () if any(part.dxfId in struck for part in style.tableStyleElement or ())
    )
    formed = {number for number, style in styles if style.numFmt is not None}
    return ConditionalStyles(frozenset(struck | formed), frozenset(tables))


def areas_of_rule(element: Any, styles: ConditionalStyles) -> list[str]:
    """The cells that an element `conditionalFormatting` names, where one of its rules changes what they show."""
    children = [*element.iter()]
    if not any(_changes(each, styles) for each in children):
        return []
    named = [element.get("sqref", ""), *(each.text or "" for each in children if each.tag.endswith("}sqref"))]
    return " ".join(named).split()


def _changes(element: Any, styles: ConditionalStyles) -> bool:
    """Whether it is a rule that brings such a style, or a style of its own that is one."""
    number = element.get("dxfId", "")
    if number.isdecimal() and int(number) in styles.change:
        return True
    is_struck = element.tag == f"{NS}strike" and element.get("val", "1") not in ("0", "false")
    return is_struck or element.tag == f"{NS}numFmt"


def areas_of_table(root: Any, styles: ConditionalStyles) -> list[str]:
    """The cells of a table, or of one that sums up, whose style crosses out."""
    if not any(each.tag.endswith("StyleInfo") and each.get("name") in styles.tables for each in root.iter()):
        return []
    place = root.find(f"{NS}location")
    return [root.get("ref") or ("" if place is None else place.get("ref", ""))]


def take_out(rows: Mapping[int, list[str]], areas: Sequence[str], column: Callable[[str], int]) -> bool:
    """Empty the cells of the areas; returns whether any held something.

    Args:
        rows: the texts of the rows, by their number.
        column: the number of a column by its letters.

    Raises:
        DocumentTooLargeError: there are very many areas.
        ValueError: nobody can tell what one is.
    """
    if len(areas) > MAX_AREAS:
        raise DocumentTooLargeError(f"a sheet with more than {MAX_AREAS:,} areas that a rule may cross out")
    found, numbers = False, sorted(rows)
    for area in areas:
        (first, last), (top, bottom) = _bounds(area, column)
        for number in numbers[bisect_left(numbers, top) : bisect_right(numbers, bottom)]:
            cells = rows[number]
            inside = range(first - 1, min(last, len(cells)))
            found = found or any(cells[at] for at in inside)
            for at in inside:
                cells[at] = ""
    return found


def _bounds(area: str, column: Callable[[str], int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first and the last column of an area, and its rows; "A:B" has all rows."""
    found = _AREA.fullmatch(area.upper())
    if not found or not (found[1] or found[2]):
        raise ValueError("no area of a sheet")
    left, top, right, bottom = found.groups() if ":" in area else (found[1], found[2]) * 2
    columns = (column(left) or 1, column(right) or LAST)
    return columns, (int(top or 1), int(bottom or LAST))
