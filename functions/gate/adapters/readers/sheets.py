"""The rows of tables, each with its heads: CSV, TSV, and the sheets of a workbook, of which no formula is run."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from gate.adapters.readers.layout import DocumentTooLargeError, Layout, Read, refuse_wide, within_bounds

MAX_ROWS = 100_000
DELIMITERS = ",;\t|"
_DAMAGED = (KeyError, ValueError, TypeError, AttributeError, IndexError, OSError, EOFError, RuntimeError, SyntaxError)
"""What the library raises on workbooks that break the format's rules."""


def text_of_csv(text: str, *, delimiter: str = "") -> Read:
    """Return the rows, each with its heads; without a delimiter it is the one that the first line has most of.

    Raises:
        ValueError: it is no table, or too large.
    """
    first = text.partition("\n")[0]
    delimiter = delimiter or max(DELIMITERS, key=first.count)
    try:
        rows = [*_bounded(csv.reader(io.StringIO(text), delimiter=delimiter))]
    except csv.Error as error:
        raise ValueError(f"no table ({error})") from None
    layout = Layout()
    layout.table(_filled(rows), has_head=_has_head(rows))
    return layout.finish()


def text_of_workbook(data: bytes) -> Read:
    """Return the rows of every sheet that is shown, with the values that its formulas had when it was saved.

    Raises:
        ValueError: it is damaged, locked or too large.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    from gate.adapters.readers.zipped.archive import Archive, parsed

    archive = Archive(data)
    for name in archive.names:  # each is read once here, bounded; what follows reads the same
        content = archive.read(name)
        if name.endswith((".xml", ".rels")) and b"<!" in content[:1_000].replace(b"<!--", b""):
            parsed(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False, keep_vba=False)
            layout = Layout(str(book.properties.title or "").strip() or None)
            left = MAX_ROWS
            for sheet in book.worksheets:
                if sheet.sheet_state != "visible":
                    continue
                sheet.reset_dimensions()
                shown = ([_cell(cell) for cell in row] for row in islice(sheet.iter_rows(), left + 1))
                rows = [*within_bounds(map(_narrow, shown))]
                left -= len(rows)
                if left < 0:
                    raise DocumentTooLargeError(f"more than {MAX_ROWS:,} rows")
                rows = _filled(rows)
                if rows:
                    layout.heading(2, str(sheet.title))
                    layout.table(rows, has_head=_has_head(rows))
            book.close()
    except DocumentTooLargeError:
        raise
    except (InvalidFileException, *_DAMAGED) as error:
        raise ValueError(f"a damaged or locked workbook ({type(error).__name__})") from None
    return layout.finish()


def _bounded(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    for number, row in enumerate(rows):
        if number >= MAX_ROWS:
            raise DocumentTooLargeError(f"more than {MAX_ROWS:,} rows")
        refuse_wide(len(row))
        yield row


def _filled(rows: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    return [row for row in rows if any(cell.strip() for cell in row)]


def _has_head(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: it has several, and none of its cells is a number."""
    first = [cell.strip() for cell in rows[0]] if rows else []
    return len(rows) > 1 and len([cell for cell in first if cell]) > 1 and not any(map(_is_number, first))


def _is_number(cell: str) -> bool:
    return bool(cell) and cell.lstrip("+-").replace(".", "").replace(",", "").rstrip("%").isdecimal()


def _narrow(row: Sequence[str]) -> Sequence[str]:
    """The row without what is empty at its end.

    Raises:
        DocumentTooLargeError: it has too many columns.
    """
    last = next((at for at in range(len(row), 0, -1) if row[at - 1].strip()), 0)
    refuse_wide(last)
    return row[:last]


_LITERAL = re.compile(r'"[^"]*"|\\.')
"""What a format of numbers shows as it stands."""


def _cell(cell: Any) -> str:
    """What is shown of a cell: nothing of what is crossed out, and 0.15 as the 15 % that its format makes of it."""
    value = cell.value
    if value is None or (cell.has_style and cell.font and cell.font.strike):
        return ""
    if isinstance(value, int | float) and "%" in (form := cell.number_format or ""):
        return f"{value * 100 if '%' in _LITERAL.sub('', form) else value:.12g} %"
    if isinstance(value, float):
        return f"{value:.12g}"
    if hasattr(value, "isoformat"):
        return str(value.isoformat(" ") if hasattr(value, "hour") and hasattr(value, "year") else value).removesuffix(
            " 00:00:00"
        )
    return str(value)
