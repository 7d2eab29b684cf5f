"""What was decided, waived, deleted and changed in a period, out of the ledger: ids, names, counts and times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from gate.trail.trail_entries import REFUSED_TODAY, TrailEntry

EDITS = ("correct", "strike", "remove")
"""What an accepted correction did to claims: each is a count in its facts."""


@dataclass(slots=True)
class PeriodTotals:
    """Counts of one period.

    Attributes:
        since, until: first and last day (UTC); empty: from the first entry, to the last.
        latest: the latest decision of each run in it.
        others: its other entries, in order: deletions, waivers, reviews, corrections, changes of policy and
            calibration.
    """

    since: str = ""
    until: str = ""
    latest: dict[str, TrailEntry] = field(default_factory=dict)
    others: list[TrailEntry] = field(default_factory=list)

    def add(self, entry: TrailEntry) -> None:
        """Count an entry, if it is of the period."""
        if entry.day < self.since or (self.until and entry.day > self.until):
            return
        if entry.kind == "decision":
            self.latest[entry.run] = entry
        else:
            self.others.append(entry)

    def as_json(self) -> dict[str, Any]:
        """All of it as a JSON value."""
        facts = [entry.facts for entry in self.latest.values()]
        claims, unchecked = (sum(int(one.get(name) or 0) for one in facts) for name in ("claims", "unchecked"))
        deletions = [entry for entry in self.others if entry.kind == "deletion"]
        corrections = [entry for entry in self.others if entry.kind == "correction"]
        return {
            "since": self.since,
            "until": self.until,
            "decisions": len(facts),
            "outcomes": _counted(one.get("outcome") for one in facts),
            "errors": _counted(one.get("error") for one in facts),
            "claims": claims,
            "unchecked": unchecked,
            "policies": _counted(_named(one.get("policy")) for one in facts),
            "verifiers": _counted(name for one in facts for name in one.get("verifiers") or ()),
            "corpora": _counted(_named(one.get("corpus")) for one in facts),
            "versions": _counted(one.get("gate") for one in facts),
            "waived": sum(entry.kind == "waiver" and "after" in entry.facts for entry in self.others),
            "overruled": sum(entry.facts.get("step") == "overruled" for entry in self.others),
            "corrections": len(corrections),
            "edited": sum(int(entry.facts.get(kind) or 0) for entry in corrections for kind in EDITS),
            "deleted": sum(bool(entry.facts.get("allowed")) for entry in deletions),
            "refused": _refusals(entry for entry in deletions if not entry.facts.get("allowed")),
            "entries": [
                {name: getattr(entry, name) for name in ("at", "kind", "actor", "run", "facts", "chain", "number")}
                for entry in sorted(self.others, key=lambda entry: entry.at)
            ],
        }


def _counted(names: Iterable[Any]) -> dict[str, int]:
    return dict(sorted(Counter(str(name) for name in names if name).items()))


def _refusals(entries: Iterable[TrailEntry]) -> int:
    """How many refusals these entries tell of, at least: one that counts those of an actor's day stands for them."""
    most: Counter[tuple[str, str, str]] = Counter()
    for entry in entries:
        whose = (entry.chain, entry.actor, entry.day)
        most[whose] = max(most[whose] + 1, int(entry.facts.get(REFUSED_TODAY) or 0))
    return most.total()


def _named(value: Any) -> str:
    return f"{value.get('name', '')} {value.get('version', '')}".strip() if isinstance(value, dict) else ""
