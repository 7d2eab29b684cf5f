"""Cells of a table: what those state that say no more than yes or no, "Hotspot: not Basic", and what stands around."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, takewhile, zip_longest

from gate.claims.attribution.source_marks import marks, without
from gate.claims.markdown import Block
from gate.text.words.untruth import says_yes

_WORD = re.compile(r"[^\W_]")
_VALUE = re.compile(r"(?i)\b(?:default|value|answer)s?\b")
"""In the head of a column whose cells are what is set or said, not whether it is so."""

_FEWEST_CELLS, _MOST_CELLS, _MOST_ROWS = 2, 12, 12
"""Cells of a row that pairs something; cells and rows of a table that are looked at together."""


def stated(row: Block, head: Block | None) -> tuple[str, ...]:
    """What a row says, cell by cell, the cells that say more than yes or no together; empty where none says only that.

    Judged by its words the row says nothing of who has it and who has not: "Hotspot, No, Yes".

    Args:
        head: of its table; None where there is none.
    """
    if head is None or len(head.cells) != len(row.cells):
        return ()
    subject, *cells = (row.text[start:end] for start, end in row.cells)
    if not _WORD.search(subject) or subject.endswith("?") or says_yes(subject) is not None:
        return ()
    answered, others = [], list[str]()
    for cell, (start, end) in zip(cells, head.cells[1:], strict=True):
        column, yes = head.text[start:end].rstrip("?: "), says_yes(cell)
        if yes is None or not _WORD.search(column) or _VALUE.search(column):
            others.append(cell)
        else:
            answered.append(f"{subject.rstrip(': ')}: {'' if yes else 'not '}{column}")
    if answered and any(cell.strip(" –—-") for cell in others):
        answered.insert(0, ", ".join([subject, *filter(None, others)]))
    return tuple(answered)


def table_of(blocks: Sequence[Block], at: int, head: Block | None) -> tuple[tuple[str, ...], ...]:
    """The heads of a table, the row at `at`, and the rows nearest to it; empty without heads, or of very many cells.

    A row names all the right words where its values have been exchanged with those of another: only beside the other
    can it be told.
    """
    size = len(blocks[at].cells)
    if head is None or len(head.cells) != size or not _FEWEST_CELLS <= size <= _MOST_CELLS:
        return ()
    behind = blocks[at + 1 : at + _MOST_ROWS]
    before = blocks[max(0, at - _MOST_ROWS + 1) : at]
    near = [takewhile(_is_row, one) for one in (behind, reversed(before))]
    others = [one for one in chain.from_iterable(zip_longest(*near)) if one is not None and len(one.cells) == size]
    return tuple(map(_cells, [head, blocks[at], *others[: _MOST_ROWS - 1]]))


def _is_row(block: Block) -> bool:
    return block.kind == "row"


def _cells(row: Block) -> tuple[str, ...]:
    """The cells of a row, without marks of sources."""
    texts = (row.text[start:end] for start, end in row.cells)
    return tuple(without(text, ((one.start, one.end) for one in marks(text))).strip() for text in texts)
