"""What a submission says once it is read, whatever its format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from gate.model import Document, NotRead, Turn

LONGEST_NAME = 200
"""Characters of a value in a record's metadata."""


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
    """A conversation, what belongs to it, and what of the document was not read.

    Attributes:
        turns: question and answer, or more of both; assistant turns are checked.
        contexts: the passages that the model was given to answer from.
        reference: the answer that somebody else holds for right; shown, and no evidence.
        metadata: who wrote the answer (`writer`), and other short names.
    """

    turns: tuple[Turn, ...]
    id: str | None = None
    segment: dict[str, Any] | None = None
    artifacts: Mapping[str, Any] = field(default_factory=dict)
    not_read: tuple[Left, ...] = ()
    contexts: tuple[Document, ...] = ()
    reference: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)


def within(record: Record, place: str) -> Record:
    """The record with the places of what was not read below a place."""
    left = tuple(one._replace(place=f"{place}.{one.place}" if one.place else place) for one in record.not_read)
    return replace(record, not_read=left)


def about(**named: Any) -> dict[str, str]:
    """Metadata of what is named and short enough for a name."""
    found = {key: str(value) for key, value in named.items() if isinstance(value, str | int) and value != ""}
    return {key: value for key, value in found.items() if len(value) <= LONGEST_NAME}


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
