"""Rows and cells of tables: those of HTML, what a cell states that says yes or no, and what stands around a row."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile, islice, pairwise, takewhile, zip_longest

from gate.claims.attribution.source_marks import marks, without
from gate.claims.lines import cut
from gate.claims.markdown import BESIDE, SPANNING, Block, Kind
from gate.claims.set_aside.headings import tells_by_a_verb
from gate.claims.set_aside.reasons import non_claim_reason
from gate.claims.tags import Span
from gate.model import NonClaimReason
from gate.text.questions import begins_asking
from gate.text.words.predicates import ends_done, tells_without_verb
from gate.text.words.untruth import says_yes
from gate.text.words.verbs import FINITE_AUXILIARIES

_WORD = re.compile(r"[^\W_]")
_VALUE = re.compile(r"(?i)\b(?:default|value|answer)s?\b")
"""In the head of a column whose cells are what is set or said, not whether it is so."""

_SENTENCES = re.compile(r"[.!?]\s+\S")
"""The end of a sentence and the next one."""
_NAME = re.compile(r"[A-ZÀ-Þ][\w.'’-]{0,40}(?: [A-ZÀ-Þ][\w.'’-]{0,40}){1,4}")
"""Several words, each with a capital letter."""
_DIGITS_OF_A_YEAR = 4
_CELLS = ("td", "th")
_FEWEST_CELLS, _MOST_CELLS, _MOST_ROWS = 2, 12, 12
"""Cells of a row that pairs something; cells and rows of a table that are looked at together."""


def tabled(block: Block) -> list[Block]:
    """A block of HTML with the rows of its tables as blocks, as those of Markdown are; any other block as it is."""
    pieces, done = list[Block](), 0
    for tags in _tables(block):
        rows = _rows(block, tags)
        if rows:
            pieces += [cut(block, done, tags[0][0]), *rows]
            done = tags[-1][0]
    rest = cut(block, done, len(block.text))
    return [one for one in (*pieces, rest) if one.text.strip()] if pieces else [block]


def _tables(block: Block) -> Iterator[list[tuple[int, str]]]:
    """The tags of each table that holds no other, from its first row on."""
    table: list[tuple[int, str]] | None = None
    for at, name in [*block.tags, (len(block.text), "/table")]:
        if name == "table":
            table = []
        elif table or (table is not None and name == "tr"):
            table.append((at, name))
        if name == "/table":
            yield from [table] if table else []
            table = None


def _rows(block: Block, tags: Sequence[tuple[int, str]]) -> list[Block]:
    """The rows of a table of HTML; none where it is not certain that each cell stands below its own head.

    That is where the first row is of heads that assert nothing, every row has as many cells, none spans others or holds
    several sentences or lines, and no text stands beside them.
    """
    rows, names = list[list[Span]](), list[set[str]]()
    for (start, name), (end, _) in pairwise(tags):
        text = block.text[start:end].strip()
        if name == "tr":
            rows.append([])
            names.append(set())
        elif name in _CELLS:
            at = block.text.index(text, start)
            rows[-1].append((at, at + len(text)))
            names[-1].add(name)
        beside = text and name not in _CELLS
        if beside or name == SPANNING or _SENTENCES.search(text) or _breaks_within(block, start, end):
            return []
    even = {len(row) for row in rows} == {max(_FEWEST_CELLS, len(rows[0]))}
    if len(rows) == 1 or not even or names[0] != {"th"}:
        return []
    if any(end > start and not non_claim_reason(block.text[start:end], "html", alone=True) for start, end in rows[0]):
        return []
    return [_row(block, row, "row" if number else "head") for number, row in enumerate(rows)]


def _breaks_within(block: Block, start: int, end: int) -> bool:
    """Whether the text of a stretch has several lines."""
    text = block.text[start:end]
    first, last = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
    return bisect_right(block.breaks, first) < bisect_left(block.breaks, last)


def _row(block: Block, cells: Sequence[Span], kind: Kind) -> Block:
    """A row of cells that stand apart in a block."""
    row = Block(kind)
    for start, end in cells:
        cell = cut(block, start, end)
        if row.text and cell.text:
            row.add(", ", [(row.ends[-1], cell.starts[0])] * 2)
        at = len(row.text)
        row.links += [(at + one, at + other, href) for one, other, href in cell.links]
        row.struck += [(at + one, at + other) for one, other in cell.struck]
        row.anchors += [(at + one, name) for one, name in cell.anchors]
        row.add(cell.text, zip(cell.starts, cell.ends, strict=True))
        row.cells.append((at, len(row.text)))
    return row


def head_reason(head: Block, row: Block | None) -> NonClaimReason | None:
    """Why a head whose cells assert nothing one by one is no claim: None where it stands over nothing, or the second of
    two cells is a value.

    Many tables of two columns have no head, so that their first row stands in its place: "Refund days | 900". Whether
    "Founder | Tilda Moor" and "Bitcoin | accepted" are one nobody can say, unless the row below says yes or no to it,
    nor whether "Customers | pay | postage" is a sentence.
    """
    if row is None:
        return None
    cells = [head.text[start:end].strip() for start, end in head.cells]
    reason: NonClaimReason = "unclear" if _may_go_on([cell for cell in cells if cell]) else "heading"
    if len(cells) != _FEWEST_CELLS:
        return reason
    name, value = cells
    if not _WORD.search(name) or not _WORD.search(value) or value.endswith("?") or begins_asking(name):
        return reason
    pair = f"{name} {value}"
    figure = value.isdecimal() and len(value) != _DIGITS_OF_A_YEAR
    if figure or says_yes(value) is not None or tells_by_a_verb(pair):
        return None
    if any(says_yes(row.text[start:end]) is not None for start, end in row.cells):
        return reason
    named = bool(_NAME.fullmatch(value)) and not _NAME.fullmatch(name)
    return "unclear" if named or value.isdecimal() or ends_done(pair) or tells_without_verb(pair) else reason


def _may_go_on(cells: Sequence[str]) -> bool:
    """Whether cells may be pieces of a sentence: one in a small letter behind a capital, or an auxiliary behind a name.

    Names of columns begin alike: "Plan | Price", "plan | price".
    """
    behind = cells[1:]
    capital = any(cell[0].isupper() for cell in cells[:1])
    return any((capital and cell[0].islower()) or cell.split()[0].lower() in FINITE_AUXILIARIES for cell in behind)


def row_below(blocks: Sequence[Block], at: int) -> Block | None:
    """The first row under the head at `at`, behind the texts of images in the head."""
    below = next(dropwhile(lambda block: block.kind in BESIDE, islice(blocks, at + 1, None)), None)
    return below if below is not None and _is_row(below) else None


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
