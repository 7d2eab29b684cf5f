"""CSV and TSV: a row is a row of a data set, its columns named as `row` knows them."""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from gate.errors import InputError
from gate.submission.transcripts.datasets import row

NAME = "csv"
MAX_CELL = 5_000_000
"""Characters of one cell."""
DELIMITERS = ",;\t|"
_LITERAL = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"")
_LIST = re.compile(r"\[\s*['\"]")


def rows(lines: Iterable[str], delimiter: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a table with a head, each with the number of the line that it ends on.

    Cells under contexts that hold a list, as JSON or as Python prints it, are read as one.

    Raises:
        InputError: the head names no question, answer or contexts, or a row has more cells than the head.
    """
    lines = iter(lines)
    first = next(lines, "").removeprefix("\ufeff")
    delimiter = delimiter or max(DELIMITERS, key=first.count)
    csv.field_size_limit(MAX_CELL)
    reader = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
    try:
        head = [name.strip() for name in next(reader, [])]
        _check(head)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) > len(head):
                raise InputError(f"line {reader.line_num}: {len(cells)} cells, and the head has {len(head)}")
            yield reader.line_num, _row(dict(zip(head, cells, strict=False)))
    except csv.Error as error:
        raise InputError(f"line {reader.line_num}: no table ({error})") from None


def _check(head: list[str]) -> None:
    if len(set(head)) < len(head):
        raise InputError("line 1: two columns have one name")
    names = {row.plain_name(name) for name in head}
    if names.isdisjoint(row.ANSWER) or names.isdisjoint(row.QUESTION | row.CONTEXTS):
        raise InputError(
            "line 1: the head should name an answer (" + ", ".join(sorted(row.ANSWER)[:4]) + ", …) and a question or "
            "contexts", hint="docs/records.md lists the names",
        )  # fmt: skip


def _row(cells: dict[str, str]) -> dict[str, Any]:
    listed = row.CONTEXTS | row.REFERENCE
    return {name: _listed(cell) if row.plain_name(name) in listed else cell for name, cell in cells.items()}


def _listed(cell: str) -> Any:
    """A cell that prints a list, as that list; any other as it is."""
    if cell[:1] != "[":
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    if not _LIST.match(cell):
        return cell
    try:
        return [ast.literal_eval(found[0]) for found in _LITERAL.finditer(cell)]
    except (ValueError, SyntaxError):
        return cell
