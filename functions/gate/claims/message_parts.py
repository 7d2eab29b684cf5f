"""The parts of a message: each is Markdown of its own, so that a fence opened in one swallows nothing of the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gate.claims.markdown import Block, blocks

_ENDS = (".", "!", "?", ":", ";", "…", "\n")
_CLOSING = " \t\"'”’»)*_]"
"""What may stand behind the end of a sentence."""
_GOES_ON = re.compile(r"\s*(?:[a-zß-öø-ÿ,.;)]|\d+(?![\d.)]))")
_BLANK = re.compile(r"\s*[^\W_]")
_NUMBERED = re.compile(r"\s*\w{1,9}[.)]\s")
_PROSE = ("paragraph", "item")


def blocks_of_parts(turn: str, starts: Sequence[int]) -> list[Block]:
    """What a reader sees of a message; `starts`: where in it each part but the first begins.

    A sentence that goes on in the next part, as services write an answer with citations, is read whole.
    """
    return [block for start, text in _pieces(turn, starts) for block in _moved(blocks(text), start)]


def _pieces(turn: str, starts: Sequence[int]) -> Iterator[tuple[int, str]]:
    at = last = 0
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(turn)
        if not _goes_on(turn[last : start - 1], turn[start:end]):
            yield at, turn[at:start]
            at = start
        last = start
    yield at, turn[at:]


def _goes_on(before: str, after: str) -> bool:
    """Whether a part goes on with the sentence of the one before it, and both are nothing but prose."""
    said = before.rstrip(_CLOSING)
    if not said or said.endswith(_ENDS) or "<" in before or _NUMBERED.match(after):
        return False
    if not _GOES_ON.match(after) and not (before[-1:].isspace() and _BLANK.match(after)):
        return False
    seen = blocks(before)
    return bool(seen) and seen[-1].kind in _PROSE


def _moved(found: list[Block], by: int) -> list[Block]:
    for block in found:
        block.starts = [start + by for start in block.starts]
        block.ends = [end + by for end in block.ends]
    return found
