"""Seals: what was in a chain at the end of a day, under a key that whoever changes an entry does not have."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from gate.trail.trail_entries import NOTHING, VERSION, TrailEntry, canonical, digest_of

SEALS = ".seals"
"""Ending of the name that a chain's seals are kept under."""


@dataclass(frozen=True, slots=True)
class Seal:
    """The digest of a day, or of a part of it.

    Attributes:
        chain, number: whose it is, and its own place: from 1, without a gap.
        day: the day of the entries that it is over.
        first, last: numbers of those entries.
        entry: hash of the last one, and so of all before it.
        previous: hash of the seal before.
        key: which key it was made with.
        mac: code over everything else in it, by that key.
    """

    chain: str
    number: int
    day: str
    first: int
    last: int
    entry: str
    previous: str
    key: str
    mac: str = ""

    @property
    def content(self) -> bytes:
        """What the key signs."""
        return canonical({**{name: value for name, value in asdict(self).items() if name != "mac"}, "v": VERSION})

    @property
    def line(self) -> bytes:
        """As it is kept."""
        return canonical({**asdict(self), "v": VERSION})

    @property
    def hash(self) -> str:
        """SHA-256 of its line."""
        return digest_of(self.line)


def seal_behind(last: Seal | None, entry: TrailEntry, key: str) -> Seal:
    """The seal, yet without its code, over what came after `last` up to `entry`."""
    return Seal(
        chain=entry.chain,
        number=last.number + 1 if last else 1,
        day=entry.day,
        first=last.last + 1 if last else 1,
        last=entry.number,
        entry=entry.hash,
        previous=last.hash if last else NOTHING,
        key=key,
    )


def read_seal(line: bytes) -> Seal | None:
    """The seal that a line holds; None where the line is not, to the byte, as a seal is written."""
    try:
        whole = json.loads(line)
        version = whole.pop("v")
        seal = Seal(**whole)
        is_whole = seal.line == line
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    numbers = (version, seal.number, seal.first, seal.last)
    texts = (seal.chain, seal.day, seal.entry, seal.previous, seal.key, seal.mac)
    is_typed = all(type(one) is int for one in numbers) and all(isinstance(one, str) for one in texts)
    return seal if is_whole and is_typed else None
