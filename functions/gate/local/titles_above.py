"""What a statement stands under, however far above: "Myths", "It does not cover:", the head of its table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gate.claims.markdown import Block, Kind
from gate.claims.reading import Reading
from gate.text.words.untrue_titles import named

STANDING: tuple[Kind, ...] = ("paragraph", "heading", "item", "head", "footnote")
"""Blocks that can be read by themselves: all but code, and rows of a table."""
_LISTED: tuple[Kind, ...] = ("item", "row", "head")


def titles_above(reading: Reading, text: str, start: int, most: int) -> str | None:
    """The blocks of a text before `start` that say how what stands behind it is told, as they are written.

    They are read before it in place of all that stands between. Behind one that calls something untrue stands the first
    that it is about, since it may be about no more. None: they have more than `most` characters, or only a whole
    paragraph says what is called untrue and `start` lies within it: nobody could say how what follows is told.
    """
    blocks = [block for block in reading.blocks if block.kind in (*STANDING, "row") and block.starts]
    lines = [text.rfind("\n", 0, block.starts[0]) + 1 for block in blocks]
    count = sum(line < start for line in lines)
    is_within = count > 0 and blocks[count - 1].ends[-1] > start
    whole = count - is_within
    behind = blocks[whole] if whole < len(blocks) else None
    governing = {*_governing(reading, blocks[:whole], behind)}
    untrue = {place for place in governing if _is_untrue(blocks[place])}
    if is_within and untrue and blocks[whole].kind not in _LISTED:
        return None
    places = sorted({*governing, *(place + 1 for place in untrue if place + 1 < whole)})
    written = {lines[place]: _written(blocks[place], text, lines, lines[place], start) for place in places}
    above = "".join(written.values())
    return above if len(above) <= most else None


def _written(block: Block, text: str, lines: Sequence[int], line: int, start: int) -> str:
    """The source of a block, up to the next one; a blank line parts it from what follows."""
    source = text[line : min(next((other for other in lines if other > line), start), start)]
    return source if block.kind in ("head", "row") else f"{source.rstrip()}\n\n"


def _governing(reading: Reading, blocks: list[Block], behind: Block | None) -> Iterator[int]:
    """Places of headings, lead-ins and labels, of the items above that which follows, and of the head of its table."""
    headings, items = dict[int, int](), dict[int, int]()
    last = title = untrue = head = None
    titles = _titles(reading)
    for place, block in enumerate(blocks):
        if block.kind == "heading":
            headings = {level: one for level, one in headings.items() if level < block.level} | {block.level: place}
            last = title = untrue = None
            items = {}
        elif block.kind == "item":
            items = {level: one for level, one in items.items() if level < block.level} | {block.level: place}
        elif block.kind == "head":
            head = place
        elif block.kind != "row":
            last, items = place, {}
            title = place if id(block) in titles else title
            untrue = place if _is_untrue(block) else untrue
    yield from headings.values()
    if last is not None and (title, untrue) != (None, None):  # what is no title, behind one, ends what it leads in
        yield from (place for place in (last, title, untrue) if place is not None)
    if behind is None or behind.kind in _LISTED:
        yield from (place for level, place in items.items() if behind is None or level < behind.level)
    if head is not None and (behind is None or behind.kind == "row"):
        yield head


def _titles(reading: Reading) -> set[int]:
    """The blocks in which something stands that is a title of what follows."""
    found = set()
    for part in reading.parts:
        one = None if part.statement is None else reading.statements[part.statement]
        if one and (one.reason in ("heading", "lead_in") or one.text.rstrip("*_ ").endswith((":", "："))):
            found.add(id(reading.blocks[part.block]))
    return found


def _is_untrue(block: Block) -> bool:
    return bool(named(block.text.strip("*_ ")))
