"""Whether a chain is what was written: the first place where it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from gate.trail.seals import Seal, read_seal
from gate.trail.trail_entries import NOTHING, TrailEntry, read_entry

Numbered = Iterable[tuple[int, bytes]]
"""Lines with the numbers that they are kept under, in that order."""
Signed = Callable[[Seal], bool]
"""Whether a seal's code is right."""


@dataclass(frozen=True, slots=True)
class Break:
    """The first place where a chain is not what was written: `where` names it, `why` says what is wrong."""

    number: int
    where: str
    why: str


@dataclass
class Proof:
    """What was found of one chain.

    Attributes:
        entries: how many were read, and are as they were written.
        last: the last of them; None: there is none.
        seals, sealed: how many seals hold, and the number of the last entry under one.
        broken: the first break; None: the chain holds.
    """

    chain: str
    entries: int = 0
    last: TrailEntry | None = None
    seals: int = 0
    sealed: int = 0
    broken: Break | None = field(default=None)


class ChainReader:
    """Reads a chain entry by entry, and stops at the first that does not follow.

    Args:
        chain: its name.
        seals: all of its seals.
        signed: knows the key.
        since: day (YYYY-MM-DD) to begin with: what the last seal before it covers is taken for proved.
    """

    def __init__(self, chain: str, seals: Numbered, signed: Signed, since: str = "") -> None:
        self.proof = Proof(chain)
        self._seals, self._seal_break = _read_seals(chain, seals, signed)
        self.proof.seals = len(self._seals)
        trusted = [seal for seal in self._seals if since and seal.day < since]
        self._trusted = trusted[-1] if trusted else None
        self._due = self._seals[max(0, len(trusted) - 1) :]
        self.start = self._trusted.last if self._trusted else 1

    def read(self, lines: Numbered) -> Iterator[TrailEntry]:
        """Yield entries while they hold; afterwards `proof` says all. `lines`: from number `start` on."""
        before: TrailEntry | None = None
        for number, line in lines:
            found = self._checked(before, number, line)
            if isinstance(found, Break):
                self.proof.broken = self._first(found)
                return
            self.proof.entries, self.proof.last = self.proof.entries + 1, found
            yield found
            before = found
        self.proof.broken = self._first(self._left_over(before))

    def _first(self, found: Break | None) -> Break | None:
        return min((one for one in (found, self._seal_break) if one), key=lambda one: one.number, default=None)

    def _checked(self, before: TrailEntry | None, number: int, line: bytes) -> TrailEntry | Break:
        """The entry of a line, or what is wrong with it."""
        expected = before.number + 1 if before else self.start
        where = f"entry {expected}"
        if number != expected:
            return Break(expected, where, f"is missing: {number} comes next")
        entry = read_entry(line)
        if entry is None:
            return Break(expected, where, _unread(line))
        why = self._misplaced(entry, before, expected) or self._unsealed(entry, before)
        if why:
            return Break(expected, where, why)
        return self._against_seal(entry) or entry

    def _misplaced(self, entry: TrailEntry, before: TrailEntry | None, expected: int) -> str:
        if entry.chain != self.proof.chain:
            return "belongs to another chain"
        if entry.number != expected:
            return f"is entry {entry.number} in its place"
        follows = before.hash if before else NOTHING
        if entry.previous != follows and (before or not self._trusted):
            return "does not follow the entry before it"
        return "is dated before the entry in front of it" if before and entry.at < before.at else ""

    def _unsealed(self, entry: TrailEntry, before: TrailEntry | None) -> str:
        """A day is sealed before an entry of a later one is written."""
        if before is None or before.day == entry.day or before.number <= self.proof.sealed or self._seal_break:
            return ""
        return f"is of {entry.day}, and there is no seal over {before.day}"

    def _against_seal(self, entry: TrailEntry) -> Break | None:
        while self._due and self._due[0].last == entry.number:
            seal = self._due.pop(0)
            if seal.entry != entry.hash or seal.day != entry.day:
                return Break(entry.number, f"entry {entry.number}", f"is not the one that seal {seal.number} is over")
            self.proof.sealed = entry.number
        return None

    def _left_over(self, last: TrailEntry | None) -> Break | None:
        if self._due:
            number = last.number + 1 if last else self.start
            return Break(number, f"entry {number}", f"is missing: seal {self._due[0].number} is over it")
        return None


def _read_seals(chain: str, lines: Numbered, signed: Signed) -> tuple[list[Seal], Break | None]:
    """The seals that hold, and the first that does not."""
    found: list[Seal] = []
    for number, line in lines:
        before = found[-1] if found else None
        expected = before.number + 1 if before else 1
        seal = read_seal(line)
        why = _seal_fault(seal or _unread(line), before, expected, number, chain) or (
            "" if seal and signed(seal) else "was not made with this key, or is changed"
        )
        if why or seal is None:
            return found, Break(before.last + 1 if before else 1, f"seal {expected}", why)
        found.append(seal)
    return found, None


def _unread(line: bytes) -> str:
    """What is wrong with a line that holds nothing known; an empty one could not be had."""
    why = "is not as it was written"
    return why if line else f"{why}, or cannot be read: it is archived, or under another's key"


def _seal_fault(seal: Seal | str, before: Seal | None, expected: int, number: int, chain: str) -> str:
    """What is wrong with a seal; of a line that holds none that is said already."""
    if number != expected:
        return f"is missing: {number} comes next"
    if isinstance(seal, str):
        return seal
    if seal.chain != chain or seal.number != expected:
        return "is another one in its place"
    if seal.previous != (before.hash if before else NOTHING) or seal.first != (before.last + 1 if before else 1):
        return "does not follow the seal before it"
    return "is over no entry" if seal.last < seal.first else ""
