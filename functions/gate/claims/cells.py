"""Cells of a table that say no more than yes or no: what each states with its heads, "Hotspot: not Basic"."""

from __future__ import annotations

import re

from gate.claims.markdown import Block
from gate.text.words.untruth import says_yes

_WORD = re.compile(r"[^\W_]")
_VALUE = re.compile(r"(?i)\b(?:default|value|answer)s?\b")
"""In the head of a column whose cells are what is set or said, not whether it is so."""


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
