"""What an entry of the trail is, byte by byte, and how it follows the one before it.

An entry is one line of JSON in its only form: sorted keys, no blanks, ASCII. `hash` is the SHA-256 of that line without
its `hash`; `previous` is the `hash` of the entry before. It holds ids, counts, times and hashes: never text.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Literal

VERSION = 1
NOTHING = "0" * 64
"""What the first entry of a chain follows."""
MAIN = "main"
"""The chain of what belongs to no tenant."""
DeletionReason = Literal["erasure", "retention", "mistake"]
"""Why something was deleted: a person asked for it, its time is up, or it should not have been there. A closed list:
free text could hold what was to be erased."""
ID_CHARS = 256
"""Longest actor, run or name that an entry holds; of a longer one its hash."""


@dataclass(frozen=True)
class TrailEntry:
    """One thing that was done.

    Attributes:
        chain: whose it is; see `chain_of`.
        number: from 1, without a gap.
        at: time (UTC, milliseconds), never before the entry in front.
        kind: `decision`, `deletion`, `waiver`, `review`, `correction`, `policy`, `calibration`.
        actor: the verified caller, or the account on this machine; empty for what nobody asked for.
        run: the run that it is about; empty: none.
        facts: what there is to say, by kind; see docs/audit.md.
        in_force: hash of the policy, and names of the calibrations, that the latest decision was made by.
        previous: hash of the entry before.
    """

    chain: str
    number: int
    at: str
    kind: str
    actor: str
    run: str
    facts: Mapping[str, Any]
    in_force: Mapping[str, str] = field(default_factory=dict)
    previous: str = NOTHING

    @property
    def day(self) -> str:
        """The day (UTC) that it was written on."""
        return self.at[:10]

    @cached_property
    def hash(self) -> str:
        """SHA-256 of everything in it."""
        return digest_of(self._content)

    @property
    def line(self) -> bytes:
        """As it is kept."""
        return canonical({**self._content, "hash": self.hash})

    @property
    def _content(self) -> dict[str, Any]:
        return {**{name: getattr(self, name) for name in FIELDS}, "v": VERSION}


REFUSED_TODAY = "refused_today"
"""Fact of a refusal: how many of its kind the actor met with on that day, this one included."""
FACTS = {
    "claims": int,
    "unchecked": int,
    "correct": int,
    "strike": int,
    "remove": int,
    "verifiers": list,
    "commitments": dict,
    REFUSED_TODAY: int,
}
"""What those that are read again are, where an entry has them."""
FIELDS = tuple(one.name for one in fields(TrailEntry))


def canonical(value: Any) -> bytes:
    """A JSON value in the only form that is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def read_entry(line: bytes) -> TrailEntry | None:
    """The entry that a line holds; None where the line is not, to the byte, as an entry is written."""
    try:
        whole = json.loads(line)
        stated, version = whole.pop("hash"), whole.pop("v")
        entry = TrailEntry(**whole)
        is_whole = entry.hash == stated and entry.line == line
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return entry if is_whole and type(version) is int and _is_typed(entry) else None


def _is_typed(entry: TrailEntry) -> bool:
    texts = (entry.chain, entry.at, entry.kind, entry.actor, entry.run, entry.previous)
    is_mapped = isinstance(entry.facts, dict) and isinstance(entry.in_force, dict)
    is_typed = all(isinstance(one, str) for one in texts) and type(entry.number) is int and is_mapped
    return is_typed and all(isinstance(entry.facts.get(name, kind()), kind) for name, kind in FACTS.items())


@dataclass(frozen=True, slots=True)
class Act:
    """What is to be written down, before it has a place in a chain. See `TrailEntry`."""

    kind: str
    actor: str = ""
    run: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    in_force: Mapping[str, str] = field(default_factory=dict)


def following(last: TrailEntry | None, chain: str, act: Act, now: datetime) -> TrailEntry:
    """The entry for `act` behind `last`; None: the first of its chain."""
    at = now.astimezone(UTC).isoformat(timespec="milliseconds")
    return TrailEntry(
        chain=chain,
        number=last.number + 1 if last else 1,
        at=max(at, last.at) if last else at,
        kind=act.kind,
        actor=short(act.actor),
        run=short(act.run),
        facts=act.facts,
        in_force={**(last.in_force if last else {}), **act.in_force},
        previous=last.hash if last else NOTHING,
    )


def chain_of(tenant: str) -> str:
    """The name of a tenant's chain: names of tenants stay out of keys and files."""
    return f"tenant-{digest_of(tenant)[:32]}" if tenant else MAIN


def short(name: str) -> str:
    """An id or a name; one that is too long to be any as its hash."""
    return name if len(name) <= ID_CHARS else f"sha256:{digest_of(name)}"


def digest_of(value: Any) -> str:
    """SHA-256 of a text, of bytes, or of a JSON value."""
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    return hashlib.sha256(value if isinstance(value, bytes) else canonical(value)).hexdigest()


def committed(salt: str, digest: str) -> str:
    """What an entry holds of something with text in it: its hash, keyed by a salt that goes with the text.

    A bare hash of a short text can be guessed; without the salt this one says nothing.
    """
    return hmac.new(bytes.fromhex(salt), digest.encode("ascii"), hashlib.sha256).hexdigest()
