"""Cuts an answer into paragraphs while it is written."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

FENCES = ("```", "~~~")


def paragraphs(pieces: Iterable[str]) -> Iterator[str]:
    """Yield each paragraph of a text that comes in pieces, as soon as the next one begins; none of them is blank.

    A blank line ends one, outside a block of code. A heading, or a line that ends in a colon, goes with what follows.
    """
    held: list[str] = []
    begun: list[str] = []
    fence, ended, leads_on = "", False, False
    for part in (part for piece in pieces for part in io.StringIO(piece, newline="\n")):
        if ended and part.strip():
            yield "".join(held)
            held, ended = [], False
        begun.append(part)
        if not part.endswith("\n"):
            continue
        line, begun = "".join(begun), []
        if line.strip():
            held.append(line)
            fence = _fence(line, fence)
            leads_on = line.lstrip().startswith("#") or line.rstrip().endswith(":")
        elif held:
            held.append(line)
            ended = not fence and not leads_on
    if "".join([*held, *begun]).strip():
        yield "".join([*held, *begun])


def _fence(line: str, fence: str) -> str:
    """The fence that is open after a line."""
    found = next((mark for mark in FENCES if line.lstrip().startswith(mark)), "")
    if not fence:
        return found
    return "" if found == fence else fence
