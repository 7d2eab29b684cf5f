"""The rows of tables, each with its heads: CSV, TSV, and what a sheet of a workbook holds."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from gate.adapters.readers.layout import DocumentTooLargeError, Layout, Read, refuse_wide

MAX_ROWS = 100_000
MAX_DELIMITERS = 1_000_000
"""Of the lines of one row, within quotes too: the library makes all its cells before their number is known."""
DELIMITERS = ",;\t|"


def text_of_csv(text: str, *, delimiter: str = "") -> Read:
    """Return the rows, each with its heads; without a delimiter it is the one that the first line has most of.

    Raises:
        ValueError: it is no table, or too large.
    """
    first = text.partition("\n")[0]
    delimiter = delimiter or max(DELIMITERS, key=first.count)
    try:
        rows = [*_bounded(text, delimiter)]
    except csv.Error as error:
        raise ValueError(f"no table ({error})") from None
    layout = Layout()
    add_tables(layout, rows)
    return layout.finish()


def _bounded(text: str, delimiter: str) -> Iterator[list[str]]:
    lines = _Lines(text, delimiter)
    for number, row in enumerate(csv.reader(lines, delimiter=delimiter)):
        lines.of_row = 0
        if number >= MAX_ROWS:
            raise DocumentTooLargeError(f"more than {MAX_ROWS:,} rows")
        refuse_wide(len(row))
        yield row


class _Lines:
    """The lines of a text, while the delimiters in those `of_row` are no more than a row may have."""

    def __init__(self, text: str, delimiter: str) -> None:
        self._text, self._delimiter, self.of_row = text, delimiter, 0

    def __iter__(self) -> Iterator[str]:
        for line in io.StringIO(self._text):
            self.of_row += line.count(self._delimiter)
            if self.of_row > MAX_DELIMITERS:
                raise DocumentTooLargeError(f"a row of more than {MAX_DELIMITERS:,} delimiters")
            yield line


def add_tables(layout: Layout, rows: Iterable[Sequence[str]]) -> None:
    """Add rows; behind an empty one another table may begin, whose cells belong under heads of its own."""
    heads, before, is_named = list[str](), tuple[str, ...](), False
    for table in _parted(rows):
        goes_on = bool(heads) and "1" in before and _shape(table[0]) == before
        has_own = _has_head(table) and (not is_named or any(map(_is_number, chain.from_iterable(table[1:]))))
        heads = layout.table(table, has_head=has_own and not goes_on, heads=heads if goes_on else ())
        before, is_named = _shape(table[-1]), is_named or bool(heads)


def _parted(rows: Iterable[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    table = list[Sequence[str]]()
    for row in rows:
        if any(cell.strip() for cell in row):
            table.append(row)
        elif table:
            yield table
            table = []
    if table:
        yield table


def _shape(row: Sequence[str]) -> tuple[str, ...]:
    """Which cells of a row are empty, texts, or numbers: two rows of one table have the same."""
    return tuple("1" if _is_number(cell.strip()) else "a" if cell.strip() else "" for cell in without_end(row))


def _has_head(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: it has several, and none of its cells is a number."""
    first = [cell.strip() for cell in rows[0]] if rows else []
    return len(rows) > 1 and len({*first} - {""}) > 1 and not any(map(_is_number, first))


def _is_number(cell: str) -> bool:
    return bool(cell) and cell.lstrip("+-").replace(".", "").replace(",", "").rstrip("%").isdecimal()


def without_end(row: Sequence[str]) -> list[str]:
    """The row without what is empty at its end."""
    last = next((at for at in range(len(row), 0, -1) if row[at - 1].strip()), 0)
    return [*row[:last]]
