"""Cuts a text at the edges of its claims, so that each piece can be shown in its label. Claims may overlap.

An answer is cut as its Markdown is rendered; any text can be cut as it was written.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from gate.reports.model import STATUSES, ReportClaim, ReportNonClaim, Status

if TYPE_CHECKING:
    from gate.claims.markdown import Block, Kind

Style = Literal["", "code", "struck", "address"]
BLOCK_PIECES = 24
"""Pieces of a text, at least, that are laid out together; the browser leaves out those that are not in sight."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that the same claims cover.

    Attributes:
        text: the stretch.
        status: the worst status of its claims; None: no claim covers it.
        claim_id: the claim that this status comes from.
        begins: claims that begin here.
        ends: claims that end with this piece.
        non_claim: why the sentence is no claim, where it is one that is none.
        style: `code`, `struck`, or `address`: of a link, which stands behind it.
    """

    text: str
    status: Status | None = None
    claim_id: str = ""
    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    non_claim: str = ""
    style: Style = ""


def pieces(text: str, claims: Iterable[ReportClaim], non_claims: Iterable[ReportNonClaim] = ()) -> list[Piece]:
    """Return the pieces of `text`, in order; joined they are `text` again."""
    claims = sorted((claim for claim in claims if claim.end > claim.start), key=lambda claim: claim.start)
    set_aside = sorted(non_claims, key=lambda one: one.start)
    spans = [(one.start, one.end) for one in claims] + [(one.start, one.end) for one in set_aside]
    cuts = sorted({0, len(text)} | {min(edge, len(text)) for span in spans for edge in span})
    found: list[Piece] = []
    active: list[ReportClaim] = []
    coming, aside = 0, 0
    for start, end in pairwise(cuts):
        active = [claim for claim in active if claim.end > start]
        while coming < len(claims) and claims[coming].start <= start:
            active.append(claims[coming])
            coming += 1
        while aside < len(set_aside) and set_aside[aside].end <= start:
            aside += 1
        inside = aside < len(set_aside) and set_aside[aside].start <= start
        found.append(_piece(text[start:end], start, end, active, set_aside[aside].reason if inside else ""))
    return found


def _piece(text: str, start: int, end: int, active: Sequence[ReportClaim], non_claim: str) -> Piece:
    if not active:
        return Piece(text, non_claim=non_claim)
    worst = min(active, key=lambda claim: STATUSES.index(claim.status))
    return Piece(
        text,
        status=worst.status,
        claim_id=worst.claim_id,
        begins=tuple(claim.claim_id for claim in active if claim.start == start),
        ends=tuple(claim.claim_id for claim in active if claim.end == end),
    )


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block of the answer as its Markdown is rendered.

    Attributes:
        kind: as of `claims.markdown.Block`; `more` goes on with the paragraph before.
        level: of a heading, 1 to 7; of an item, how deep its list is.
        label: of a numbered item or a footnote.
        cells: its pieces; those of a line of a table cell by cell, of any other block all in one.
        goes_on: the next one is `more` of it.
    """

    kind: Kind | Literal["more"]
    level: int
    label: str
    cells: list[list[Piece]]
    goes_on: bool = False


def rendered(
    text: str, claims: Iterable[ReportClaim], non_claims: Iterable[ReportNonClaim] = ()
) -> list[ShownBlock] | None:
    """Return `text` as its reader sees it, block by block, what no reader sees among them and named so.

    Returns:
        None where a claim does not stand in what is read of it: then the text is shown as it was written.
    """
    from gate.claims.markdown import blocks  # a report without an answer does not load the reader of Markdown

    read = [_with_lines(block, text) for block in blocks(text)]
    places = _Places(read)
    of_claims: list[list[ReportClaim]] = [[] for _ in read]
    for claim in claims:
        held = places.of(claim.start, claim.end)
        if not held:
            return None
        for number, start, end in held:
            of_claims[number].append(claim.model_copy(update={"start": start, "end": end}))
    aside: list[list[ReportNonClaim]] = [[] for _ in read]
    for one in non_claims:
        for number, start, end in places.of(one.start, one.end):
            aside[number].append(one.model_copy(update={"start": start, "end": end}))
    begun: set[str] = set()
    shown: list[ShownBlock] = []
    for block, its_claims, its_aside in zip(read, of_claims, aside, strict=True):
        cut = _formatted(pieces(block.text, its_claims, its_aside), block, begun)
        shown += _blocks_of(block, cut)
    return shown


def _with_lines(block: Block, text: str) -> Block:
    """A block of which the reader of Markdown tells where its lines begin; of one that was too long it does not."""
    if block.breaks or block.kind == "code" or "\n" not in text[block.starts[0] : block.ends[-1]]:
        return block
    ends = [at + 1 for at, start in enumerate(block.starts) if text[start] == "\n"]
    return replace(block, breaks=ends)


class _Places:
    """Where the characters of a text stand in its blocks."""

    def __init__(self, found: Sequence[Block]) -> None:
        stand = sorted((start, number) for number, block in enumerate(found) for start in block.starts)
        self._offsets = [start for start, _ in stand]
        self._blocks = [number for _, number in stand]
        self._found = found

    def of(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """The block that a stretch begins in and the one that it ends in, once where they are one, with the stretch's
        place in its text."""
        first, last = bisect_left(self._offsets, start), bisect_left(self._offsets, end) - 1
        if first > last:
            return []
        held = []
        for block in dict.fromkeys((self._blocks[first], self._blocks[last])):
            starts = self._found[block].starts
            place = (block, bisect_left(starts, start), bisect_left(starts, end))
            held += [place] if place[1] < place[2] else []
        return held


def _formatted(found: Iterable[Piece], block: Block, begun: set[str]) -> list[Piece]:
    """The pieces cut where code, links, what is crossed out, lines and cells begin and end; addresses stand behind
    their links."""
    styles: list[tuple[int, int, Style]] = [(start, end, "code") for start, end in block.code]
    styles += [(start, end, "struck") for start, end in block.struck]
    addresses = {end: href for start, end, href in block.links if href != block.text[start:end]}
    edges = {edge for start, end, _ in styles for edge in (start, end)}
    edges |= {edge for cell in block.cells for edge in cell} | {*block.breaks, *addresses}
    waiting, cuts, at = sorted(styles, reverse=True), sorted(edges), 0
    made: list[Piece] = []
    for piece in found:
        inside = cuts[bisect_right(cuts, at) : bisect_left(cuts, at + len(piece.text))]
        for start, end in pairwise((at, *inside, at + len(piece.text))):
            while waiting and waiting[-1][1] <= start:
                waiting.pop()
            style: Style = waiting[-1][2] if waiting and waiting[-1][0] <= start else ""
            begins = tuple(name for name in piece.begins if name not in begun) if start == at else ()
            begun.update(begins)
            ends = piece.ends if end == at + len(piece.text) else ()
            made.append(replace(piece, text=block.text[start:end], begins=begins, ends=ends, style=style))
            if end in addresses:
                made.append(Piece(f" ({addresses[end]})", style="address"))
        at += len(piece.text)
    return made


def _blocks_of(block: Block, cut: Sequence[Piece]) -> Iterator[ShownBlock]:
    """A block; a line of a table cell by cell, a long paragraph in parts that begin at a line each."""
    if block.cells:
        yield ShownBlock(block.kind, block.level, block.label, list(_by_cell(block, cut)))
        return
    kind: Kind | Literal["more"] = block.kind
    lines, part, at = set(block.breaks), list[Piece](), 0
    for piece in cut:
        if at in lines and part and piece.style != "address":
            part[-1] = replace(part[-1], text=part[-1].text.removesuffix(" "))
            if len(part) >= BLOCK_PIECES:
                yield ShownBlock(kind, block.level, block.label if kind == block.kind else "", [part], goes_on=True)
                kind, part = "more", []
            else:
                part.append(Piece("\n"))
        part.append(piece)
        at += 0 if piece.style == "address" else len(piece.text)
    if part:
        part[-1] = replace(part[-1], text=part[-1].text.rstrip())
    yield ShownBlock(kind, block.level, block.label if kind == block.kind else "", [part])


def _by_cell(block: Block, cut: Iterable[Piece]) -> Iterator[list[Piece]]:
    """The pieces of each cell; what stands between cells is not in the answer."""
    waiting, at = [*reversed(block.cells)], 0
    cell: list[Piece] = []
    for piece in cut:
        while waiting and waiting[-1][1] <= at and piece.style != "address":
            waiting.pop()
            yield cell
            cell = []
        if piece.style == "address" or (waiting and waiting[-1][0] <= at):
            cell.append(piece)
        at += 0 if piece.style == "address" else len(piece.text)
    for _ in waiting:
        yield cell
        cell = []
