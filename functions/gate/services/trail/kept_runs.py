"""What a run worked with, as it is kept: each blob is named by its hash, and the ledger commits to the first one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gate.services.trail.acts import salt_key
from gate.services.trail.proofs import WRONG, State, fingerprint, is_promised, note_of, removes, store_of
from gate.trail.trail_entries import TrailEntry

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class KeptRun:
    """How a run's blobs stand.

    Attributes:
        places: the keys of blobs that are not as they should be, each with the name in the run's state that leads to
            it; empty where none does.
        state: what the decision was made on, values by reference; None where it is not as decided.
    """

    how: State
    places: tuple[tuple[str, str], ...] = ()
    state: dict[str, Any] | None = field(default=None, repr=False)

    @property
    def holds(self) -> bool:
        """Whether nothing is there that should not be."""
        return self.how not in WRONG


def kept_run(entry: TrailEntry) -> KeptRun:
    """Read every blob of a run, and compare it with what its latest decision or deletion, `entry`, says."""
    store, run = store_of(entry.run), entry.run
    keys = store.keys(f"runs/{run}")
    if removes(entry):
        return KeptRun("there after its deletion", (("", f"runs/{run}/"),)) if keys else KeptRun("deleted")
    names = [key.rpartition("/")[2] for key in keys]
    digests = {sha: fingerprint(store, f"runs/{run}/{sha}") for sha in names if _SHA256.fullmatch(sha)}
    if large := [sha for sha, digest in digests.items() if not digest]:
        return KeptRun("too large", tuple(("", f"runs/{run}/{sha}") for sha in large))
    whole = {sha: sha == digest for sha, digest in digests.items()}
    note = note_of(run)
    root = str(note.get("state") or "")
    if "state" not in entry.facts.get("commitments", {}) or not note:
        return _on_its_own(run, whole)
    if not _SHA256.fullmatch(root) or not is_promised(entry, "state", root, str(note["salt"])):
        return KeptRun("changed", (("note", salt_key(run)),))
    try:
        led = dict(_references(run, root, whole)) if whole.get(root) else {}
    except (ValueError, RecursionError):  # of somebody's own making: no state looks like that
        return KeptRun("changed", (("state", f"runs/{run}/{root}"),))
    changed = [sha for sha, is_whole in whole.items() if not is_whole]
    if changed:
        leads = {root: "state", **led}
        return KeptRun("changed", tuple((leads.get(sha, ""), f"runs/{run}/{sha}") for sha in changed))
    if root not in whole:
        return KeptRun("gone")
    missing = tuple((name, f"runs/{run}/{sha}") for sha, name in led.items() if sha not in whole)
    if missing:
        return KeptRun("partly gone", missing)
    return KeptRun("as decided", state=json.loads(store.get(f"runs/{run}/{root}")))


def _on_its_own(run: str, whole: dict[str, bool]) -> KeptRun:
    """Without a commitment: a blob whose bytes are not what its name says is changed all the same."""
    changed = tuple(("", f"runs/{run}/{sha}") for sha, is_whole in whole.items() if not is_whole)
    if changed:
        return KeptRun("changed", changed)
    return KeptRun("unproved" if whole else "gone")


def _references(run: str, root: str, whole: dict[str, bool]) -> Iterator[tuple[str, str]]:
    """Each blob that the blob `root` leads to, and the name in the run's state that leads to it."""
    store, seen = store_of(run), {root}
    waiting = [(root, "")]
    while waiting:
        sha, name = waiting.pop()
        for found, key in _named(json.loads(store.get(f"runs/{run}/{sha}")), name):
            if found in seen:
                continue
            seen.add(found)
            yield found, key
            if whole.get(found):
                waiting.append((found, key))


def _named(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """The references in a value, each with the outermost key that it stands under."""
    if isinstance(value, list):
        for one in value:
            yield from _named(one, name)
    elif isinstance(value, dict) and isinstance(value.get("$blob"), str):
        yield value["$blob"], name
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _named(one, name or key)
