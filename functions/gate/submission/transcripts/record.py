"""What a submission says once it is read, whatever its format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gate.model import NotRead, Turn


class Left(NamedTuple):
    """A place of the document that was not read.

    Attributes:
        kind: what stands there: a known kind of part, a known key, `unknown part` or `unknown key`.
        place: the keys that lead there, joined by full stops.
        characters: of text in it.
        shown: a chat window would show it as part of the answer.
    """

    kind: str
    place: str
    characters: int
    shown: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A conversation, what belongs to it, and what of the document was not read."""

    turns: tuple[Turn, ...]
    id: str | None = None
    segment: dict[str, Any] | None = None
    artifacts: Mapping[str, Any] = field(default_factory=dict)
    not_read: tuple[Left, ...] = ()


def counted(left: Iterable[Left]) -> list[NotRead]:
    """Return what was not read, one entry a kind: kinds are few, places as many as the document has."""
    found: dict[tuple[str, bool], NotRead] = {}
    for one in left:
        entry = found.setdefault(
            (one.kind, one.shown), NotRead(kind=one.kind, place=one.place, count=0, characters=0, shown=one.shown)
        )
        entry["count"] += 1
        entry["characters"] += one.characters
    return list(found.values())
