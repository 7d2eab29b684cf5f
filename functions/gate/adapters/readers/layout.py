"""Builds the text of a document, block by block, with where its headings are in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gate.repository.names.corpus_names import words_in, words_of_term
from gate.retrieval.chunking import Section, headed

MAX_CHARS = 20_000_000
"""Of the text of one document."""
MAX_NESTED, MAX_COMMAS = 500_000, 5_000_000
"""Of JSON, counted before it is read, those within quotes too."""


class Read(NamedTuple):
    """The text of a document, its title, its sections; `code`: the words that stand in code in it; `left_out`: what
    of it is not read."""

    text: str
    title: str | None
    sections: list[Section]
    code: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()


MOST_SPANNED, MOST_COLUMNS = 100, 500
"""Columns or rows that a cell fills at most; columns of a table."""


class Cell(NamedTuple):
    """A cell of a table, and how many columns and rows it fills; `goes_on`: it is part of the one above."""

    text: str
    columns: int = 1
    rows: int = 1
    goes_on: bool = False


class DocumentTooLargeError(ValueError):
    """A document holds more than one may; says of what."""


class Layout:
    """The text so far; blocks are told apart by an empty line.

    Args:
        title: of the document; None: its first heading of level one.
    """

    def __init__(self, title: str | None = None) -> None:
        self._title = title
        self._marks: list[tuple[int, int, str]] = []
        self._blocks: list[str] = []
        self._length = 0
        self._code: set[str] = set()
        self._left_out: dict[str, None] = {}

    def heading(self, level: int, text: str) -> None:
        """Begin a section; `level` from 1."""
        name = spaced(text)
        if name:
            self._marks.append((self._length, min(level, 12), name))
            self.block(name)

    def section(self, level: int, name: str) -> None:
        """Begin a section that has a name and no heading in the text."""
        self._marks.append((self._length, min(level, 12), spaced(name)))

    def block(self, text: str, *, as_written: bool = False) -> None:
        """Add a paragraph, an item, a row: white space in it is no matter, the ends of lines aside where they are
        `as_written`."""
        self._add("\n".join(filter(None, map(spaced, text.splitlines()))) if as_written else spaced(text))

    def named(self, text: str) -> None:
        """Say that a stretch of the text is code."""
        self._code.update(words_in(text))

    def term(self, text: str) -> None:
        """Say that a stretch of the text is what a list defines."""
        self._code.update(words_of_term(text))

    def leave_out(self, what: str) -> None:
        """Say what of the document is not read: its reader names it once."""
        self._left_out[what] = None

    def code(self, text: str) -> None:
        """Add what is shown as it is written."""
        self.named(text)
        self._add("\n".join(line.rstrip() for line in text.strip("\n").splitlines()))

    def table(self, rows: Iterable[Sequence[str]], *, has_head: bool = True, heads: Sequence[str] = ()) -> list[str]:
        """Add the rows of a table, each with its heads, so that a row says by itself what it is about.

        Args:
            heads: of a table that goes on.

        Returns:
            its heads.

        Raises:
            DocumentTooLargeError: they hold more than a document may.
        """
        known = [*heads]
        for row in within_bounds(rows):
            cells = [spaced(cell) for cell in row]
            if not known and has_head:
                known = cells
                self.block(" | ".join(filter(None, cells)))
            else:
                self.block(row_text(known, cells))
        return known

    def finish(self) -> Read:
        """Return what was built."""
        text = "\n\n".join(self._blocks)
        title = self._title or next((name for _, level, name in self._marks if level == 1), None)
        return Read(text, title, headed(self._marks, len(text), title), frozenset(self._code), (*self._left_out,))

    def _add(self, block: str) -> None:
        if block.strip():
            self._blocks.append(block)
            self._length += len(block) + 2
            refuse_long(self._length)


class Spread:
    """The rows of a table whose cells fill several columns or rows: each of these has the text of the cell."""

    def __init__(self) -> None:
        self._above: list[str] = []
        self._down: dict[int, int] = {}  # by column: how many rows more the cell above fills

    @property
    def goes_on(self) -> bool:
        """Whether a cell fills the next row too."""
        return any(self._down.values())

    def row(self, cells: Iterable[Cell]) -> list[str]:
        """The texts of the next row, by column.

        Raises:
            DocumentTooLargeError: it has too many.
        """
        texts: list[str] = []
        for cell in cells:
            self._from_above(texts)
            for _ in range(min(cell.columns, MOST_SPANNED)):
                at = len(texts)
                texts.append(self._above[at] if cell.goes_on and at < len(self._above) else cell.text)
                self._down[at] = min(cell.rows, MOST_SPANNED) - 1
            refuse_wide(len(texts))
        self._from_above(texts)
        self._above = texts
        return texts

    def _from_above(self, texts: list[str]) -> None:
        while self._down.get(at := len(texts), 0) > 0 and at < len(self._above):
            texts.append(self._above[at])
            self._down[at] -= 1


def spanned(value: Any) -> int:
    """How many columns or rows an attribute says that a cell fills."""
    told = str(value or "")
    return max(1, int(told)) if told.isascii() and told.isdigit() and len(told) < 6 else 1


def refuse_wide(columns: int) -> None:
    """Refuse a table of more columns than one may have."""
    if columns > MOST_COLUMNS:
        raise DocumentTooLargeError(f"a table of more than {MOST_COLUMNS} columns")


def within_bounds(rows: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
    """The rows, as far as a document may hold them: one cell can stand in thousands of places of a small file.

    Raises:
        DocumentTooLargeError: their cells have more characters than that.
    """
    length = 0
    for row in rows:
        length += sum(map(len, row))
        refuse_long(length)
        yield row


def refuse_long(length: int) -> None:
    """Refuse a document of more characters than one may have."""
    if length > MAX_CHARS:
        raise DocumentTooLargeError(f"holds more than {MAX_CHARS // 1_000_000} million characters")


def row_text(heads: Sequence[str], cells: Sequence[str]) -> str:
    """A row of a table as a line: every cell that is not empty, behind its head where there is one."""
    return " | ".join(
        f"{heads[at]}: {cell}" if at < len(heads) and heads[at] and heads[at] != cell else cell
        for at, cell in enumerate(cells)
        if cell
    )


def spaced(text: str) -> str:
    """The text with single spaces."""
    return " ".join(text.split())


def parsed_json(text: str | bytes, *, parse_float: Callable[[str], Any] = float) -> Any:
    """Read JSON that does not fill the memory: an object of seven characters takes 230 bytes.

    Args:
        parse_float: what becomes of a number with a point or an exponent.

    Raises:
        ValueError: it is none, or holds very many objects, lists or values.
    """
    marks = ("{", "[", ",") if isinstance(text, str) else (b"{", b"[", b",")
    opened, opened_list, commas = (text.count(mark) for mark in marks)  # type: ignore[arg-type]
    if opened + opened_list > MAX_NESTED or commas > MAX_COMMAS:
        raise DocumentTooLargeError(f"more than {MAX_NESTED:,} objects and lists, or {MAX_COMMAS:,} values: data")
    return json.loads(text, parse_float=parse_float)
