"""Calls upon what a call gave: `tern::Client::builder().timeout(3)`. Nothing is decided here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_BACK = 500
"""Characters before a call in which what it is called upon stands."""
MOST_LINKS = 8
"""Calls of one chain."""

_LINK = re.compile(r"\)\s*(?:\.await)?\??\s*\.\s*(?P<name>[A-Za-z_]\w*)\(")
_CALLED = re.compile(
    r"(?:(?<![\w$])(?P<joined>\.\s*)|(?<![\w$.])(?<!::))(?P<path>[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*)!?$"
)
"""It begins where a path does and nowhere within one, so that a long one is read once."""
_END = re.compile(r"\)\s*(?:\.await)?\??\s*$")


@dataclass(frozen=True, slots=True)
class Chained:
    """A call upon what other calls gave.

    Attributes:
        name: what is called; begin: where it stands.
        path: what was called first, `tern.Client.builder`.
        links: what was called upon that, in order.
    """

    name: str
    begin: int
    path: str
    links: tuple[str, ...]


def chained(text: str) -> Iterator[Chained]:
    """Yield the calls of a block of code that are made upon another call."""
    for link in _LINK.finditer(text):
        links: list[str] = []
        end = link.start()
        while len(links) < MOST_LINKS:
            begin = _opening(text, end)
            before = _CALLED.search(text[max(begin - 200, 0) : begin]) if begin >= 0 else None
            if not before:
                break
            if not before["joined"]:
                yield Chained(link["name"], link.start("name"), before["path"].replace("::", "."), tuple(links[::-1]))
                break
            links.append(before["path"])
            above = _END.search(text[max(begin - 200, 0) : begin - len(before[0])])
            if not above:
                break
            end = max(begin - 200, 0) + above.start()


def _opening(text: str, end: int) -> int:
    """Where the bracket stands that one closes; -1: nowhere near."""
    depth = 0
    for at in range(end, max(end - MOST_BACK, -1), -1):
        depth += (text[at] in ")]}") - (text[at] in "([{")
        if not depth:
            return at
    return -1
