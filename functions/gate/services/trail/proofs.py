"""Reads the trail: whether it holds, whether the reports are those that were decided, and the story of one run."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Literal

from gate import wiring
from gate.errors import InputError, InternalError
from gate.ports import BlobStore, Trail
from gate.services.trail.acts import salt_key
from gate.trail.proving import ChainReader, Proof
from gate.trail.seals import SEALS, Seal
from gate.trail.trail_entries import TrailEntry, chain_of, committed, digest_of, read_entry

State = Literal[
    "as decided",
    "changed",
    "too large",
    "partly gone",
    "gone",
    "deleted",
    "there after its deletion",
    "of another run",
    "unproved",
]
"""How what a run has stored stands now; `unproved`: no entry says what it was, as of one from before the ledger."""
MOST_BYTES = 2**30
"""Of a report or a blob that is read: nothing that the gate stores has as many. What has is `too large`."""
MOST_NOTE_BYTES = 65_536
RUN_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
"""What can be the id of a run."""
WRONG = ("changed", "too large", "there after its deletion", "of another run")


@dataclass(slots=True)
class LedgerFindings:
    """What `gate ledger verify` found.

    Attributes:
        proofs: one for each chain.
        reports: how many stand how.
        lost: number and chain of entries that were sealed once, and are not there as they were.
        wrong: run, number and chain of its entry, and how its report stands, where it is not as it should be.
        latest: the latest decision or deletion of each run.
    """

    proofs: list[Proof] = field(default_factory=list)
    reports: dict[State, int] = field(default_factory=dict)
    wrong: list[tuple[str, int, str, State]] = field(default_factory=list)
    lost: list[tuple[int, str]] = field(default_factory=list)
    latest: dict[str, TrailEntry] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether nothing was found wrong."""
        return not self.wrong and not self.lost and not any(proof.broken for proof in self.proofs)


def verified(
    since: str = "", each: Callable[[TrailEntry], None] = lambda _: None, kept: Iterable[tuple[str, int, str]] = ()
) -> LedgerFindings:
    """Prove every chain, and compare the reports that are there with their entries.

    Args:
        since: day to begin with (YYYY-MM-DD): entries that a seal before it covers are taken for proved.
        each: called with every entry that holds.
        kept: chain, number and hash of entries as `gate ledger seal` printed them: of an older copy, or of another
            ledger under another key, nothing else tells.
    """
    found = LedgerFindings()
    for reader, entries in _chains(since):
        for entry in entries:
            each(entry)
            if entry.run and (entry.kind == "decision" or removes(entry)):
                if not RUN_ID.fullmatch(entry.run):  # nothing of ours; as a part of a key it could lead anywhere
                    found.reports["unproved"] = found.reports.get("unproved", 0) + 1
                    continue
                before = found.latest.get(entry.run)
                found.latest[entry.run] = entry if before is None or before.at <= entry.at else before
        found.proofs.append(reader.proof)
    for run, entry in found.latest.items():
        state = stored_state(entry)
        found.reports[state] = found.reports.get(state, 0) + 1
        if state in WRONG:
            found.wrong.append((run, entry.number, entry.chain, state))
    found.lost = [(number, chain) for chain, number, digest in kept if not _is_there(chain, number, digest)]
    return found


def add_strangers(found: LedgerFindings) -> None:
    """Look at every report that is stored, and add those of runs that no entry speaks of; `found`: of whole chains.

    One that brings a note of its own, which leads to another run's entry, was put there.
    """
    stored = {key.split("/")[1] for store in _stores() for key in store.keys("reports")}
    for run in sorted(stored - found.latest.keys()):
        note = note_of(run) if RUN_ID.fullmatch(run) else {}  # whatever else lies there is asked for by nobody
        state: State = "of another run" if note else "unproved"
        found.reports[state] = found.reports.get(state, 0) + 1
        if note:
            found.wrong.append((run, note["number"], note["chain"], state))


def _is_there(chain: str, number: int, digest: str) -> bool:
    line = ledger().line(chain, number)
    entry = read_entry(line) if line else None
    return entry is not None and (entry.chain, entry.number, entry.hash) == (chain, number, digest)


@dataclass(frozen=True, slots=True)
class Story:
    """Everything that was written down of one run; `proofs`: of the chains that it stands in."""

    entries: tuple[TrailEntry, ...]
    proofs: tuple[Proof, ...]
    state: State | None

    @property
    def holds(self) -> bool:
        """Whether its chains hold, and its report is the one that was decided."""
        return self.state not in WRONG and not any(proof.broken for proof in self.proofs)


def story(run: str, tenant: str | None = None) -> Story:
    """What was written down of a run.

    Args:
        tenant: whose chain to read; None: every chain.

    Raises:
        InputError: nothing was.
    """
    entries: list[TrailEntry] = []
    proofs: list[Proof] = []
    broken: list[Proof] = []
    for reader, chained in _chains("", tenant):
        of_run = [entry for entry in chained if entry.run == run]
        if of_run:
            entries += of_run
            proofs.append(reader.proof)
        elif reader.proof.broken:
            broken.append(reader.proof)
    if not entries:
        hint = "gate ledger verify says where the ledger is broken" if broken else "GATE_LEDGER names the ledger"
        raise InputError(f"{run}: the ledger has no entry of that run", hint=hint)
    entries.sort(key=lambda entry: entry.at)
    telling = [entry for entry in entries if entry.kind == "decision" or removes(entry)]
    return Story(tuple(entries), tuple(proofs), stored_state(telling[-1]) if telling else None)


def stored_report(run: str, form: str = "json") -> bytes | None:
    """A run's report as it is stored; None: there is none.

    Where a ledger is kept it is the one that was decided: whoever can write where reports lie makes no `pass`.

    Raises:
        InternalError: it is another, or there is no entry of it.
    """
    data = wiring.current().blob_store().find(f"reports/{run}/report.{form}")
    if data is None:
        return None
    trail = wiring.current().trail()
    if trail is not None and not _is_decided(run, form, data, trail):
        raise InternalError("the report is not the one that the ledger has", hint="gate ledger show RUN_ID")
    return data


def _is_decided(run: str, form: str, data: bytes, trail: Trail) -> bool:
    note = note_of(run)
    line = trail.line(note["chain"], note["number"]) if note else None
    entry = read_entry(line) if line else None
    is_of_run = entry is not None and (entry.kind, entry.run) == ("decision", run)
    salt = str(note.get("salt", ""))
    return entry is not None and is_of_run and is_promised(entry, f"report_{form}", digest_of(data), salt)


def promise_of(run: str, report: bytes, digest: str) -> tuple[bool, dict[str, str]]:
    """Whether a report in JSON is the one that the ledger has of a run, and how an entry commits to a hash beside it.

    Returns:
        The commitment is empty where the salt is not here: a bare hash of a short text could be guessed.
    """
    trail = wiring.current().trail()
    note = note_of(run) if RUN_ID.fullmatch(run) else {}
    if trail is None or not note:
        return False, {}
    return _is_decided(run, "json", report, trail), {"answer": committed(str(note["salt"]), digest)}


def is_promised(entry: TrailEntry, name: str, digest: str, salt: str) -> bool:
    """Whether an entry commits to this hash under a name."""
    promised = str((entry.facts.get("commitments") or {}).get(name, ""))
    return hmac.compare_digest(committed(salt, digest).encode(), promised.encode()) if salt else False


def _stores() -> list[BlobStore]:
    """Where reports lie: the gate's own, and that of `gate serve`."""
    stores = wiring.current().blob_store(), wiring.current().served_store()
    return [store for store in stores if store is not None]


def store_of(run: str) -> BlobStore:
    """Where a run's report and blobs lie: with `gate serve`'s, where that is so and nothing lies here."""
    own, served = wiring.current().blob_store(), wiring.current().served_store()
    if served is None or any(own.keys(f"{folder}/{run}") for folder in ("reports", "runs")):
        return own
    return served


def stored_state(entry: TrailEntry) -> State:
    """How what a run has stored stands, by its latest decision or deletion, wherever it lies: something put into the
    one place does not hide what is changed in the other."""
    keys = {form: f"reports/{entry.run}/report.{form}" for form in ("json", "html")}
    there = [(form, store, key) for store in _stores() for form, key in keys.items() if store.exists(key)]
    if removes(entry):
        return "there after its deletion" if there else "deleted"
    if not there:
        return "gone"
    salt = str(note_of(entry.run).get("salt", ""))
    digests = [(form, fingerprint(store, key)) for form, store, key in there]
    if not all(digest for _, digest in digests):
        return "too large"
    is_whole = all(is_promised(entry, f"report_{form}", digest, salt) for form, digest in digests)
    return "as decided" if is_whole else "changed"


def fingerprint(store: BlobStore, key: str) -> str:
    """SHA-256 of what is stored, read piece by piece; empty where it is too large."""
    digest, size = hashlib.sha256(), 0
    with closing(store.pieces(key)) as pieces:
        for piece in pieces:
            digest.update(piece)
            if (size := size + len(piece)) > MOST_BYTES:
                return ""
    return digest.hexdigest()


def ledger() -> Trail:
    """The ledger in force.

    Raises:
        InputError: there is none.
    """
    trail = wiring.current().trail()
    if trail is None:
        raise InputError("no ledger is kept here", hint="GATE_LEDGER=local keeps one")
    return trail


def chains(trail: Trail) -> list[str]:
    """The chains that there are entries, or seals over entries, of."""
    return sorted({name.removesuffix(SEALS) for name in trail.names()})


def _chains(since: str, tenant: str | None = None) -> Iterator[tuple[ChainReader, Iterator[TrailEntry]]]:
    trail, key = ledger(), wiring.current().sealing_key()

    def signed(seal: Seal) -> bool:
        return seal.key == key.name and key.verify(seal.content, seal.mac)

    for chain in chains(trail) if tenant is None else [chain_of(tenant)]:
        reader = ChainReader(chain, trail.lines(f"{chain}{SEALS}"), signed, since)
        yield reader, reader.read(trail.lines(chain, reader.start))


def removes(entry: TrailEntry) -> bool:
    """Whether an entry says that something was deleted."""
    return entry.kind == "deletion" and bool(entry.facts.get("allowed"))


def note_of(run: str) -> dict[str, Any]:
    """The salt of a run's latest entry, and which one that is; empty where what lies there is no such thing."""
    store = store_of(run)
    if not store.exists(salt_key(run)):
        return {}
    try:
        with closing(store.pieces(salt_key(run))) as pieces:
            found = json.loads(next(pieces, b"")[:MOST_NOTE_BYTES])
        bytes.fromhex(found["salt"])
        found["chain"].encode()
        is_number = type(found["number"]) is int
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return dict(found) if is_number else {}
