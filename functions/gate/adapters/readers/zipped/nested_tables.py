"""Tables of word processors' documents: rows with their heads, and tables that stand in cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from gate.adapters.readers.layout import Cell, Layout, Spread


class TableTags(NamedTuple):
    """What a format calls a table and its parts."""

    table: str
    row: str
    cell: str


def add_table(table: Any, layout: Layout, tags: TableTags, cells_of: Callable[[Sequence[Any]], list[Cell]]) -> None:
    """Add the rows of a table, then the tables in its cells: what stands inside of many is read once.

    Args:
        cells_of: what is read of the cells of a row, less the tables in them.
    """
    spread = Spread()
    rows = [[*_outermost(row, tags.cell)] for row in _outermost(table, tags.row)]
    layout.table((spread.row(cells_of(row)) for row in rows), has_head=len(rows) > 1)
    for inner in (inner for row in rows for cell in row for inner in _outermost(cell, tags.table)):
        add_table(inner, layout, tags, cells_of)


def _outermost(parent: Any, tag: str) -> Iterator[Any]:
    """The elements below `parent` that are called `tag`, less those inside another of them."""
    for child in parent:
        if child.tag == tag:
            yield child
        else:
            yield from _outermost(child, tag)
