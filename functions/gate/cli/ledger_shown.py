"""What the ledger says, in lines and as JSON values."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gate.text.visible import one_line

if TYPE_CHECKING:
    from gate.local.replay import Replay
    from gate.services.trail.kept_runs import KeptRun
    from gate.services.trail.proofs import LedgerFindings, Story
    from gate.trail.proving import Proof
    from gate.trail.trail_entries import TrailEntry

IN_HEADLINE = ("outcome", "allowed", "reason", "commitments", "step")
"""Facts that have no row of their own."""
SHOWN = 20
"""Reports, or blobs, that are named; the rest is counted."""


def period_lines(counts: dict[str, Any]) -> Iterator[str]:
    """The figures of a period."""
    since, until = counts["since"] or "from the first entry", counts["until"] or "the last"
    yield f"{since} to {until}: {counts['decisions']} decided"
    for name in ("outcomes", "errors", "policies", "verifiers", "corpora", "versions"):
        for value, count in counts[name].items():
            yield one_line(f"  {name:<10} {count:>7}  {value}")
    yield f"  {counts['claims']} claims, {counts['unchecked']} of them unchecked"
    yield f"  {counts['waived']} decisions changed by accepted findings"
    yield f"  {counts['overruled']} times a reviewer overruled the gate"
    yield f"  {counts['corrections']} edited answers accepted, {counts['edited']} of their claims edited"
    yield f"  {counts['deleted']} deletions, {counts['refused']} refused"
    if "reviews" in counts:
        yield "  reviewed    claims  agreement   right  false alarms  misses  source, reason"
    for one in counts.get("reviews", ()):
        right, alarms, misses = (_share(one[name]) for name in ("right", "false_alarms", "misses"))
        agreement = "" if one["agreement"] is None else f"{one['agreement']:.2f}"
        row = f"  {one['week']:<10} {one['claims']:>7} {agreement:>10} {right:>7} {alarms:>13} {misses:>7}"
        of = ", ".join(name for name in (one["source"], one["kind"]) if name)
        yield one_line(f"{row}  {of}").rstrip()
    for one in counts.get("drift", ()):
        yield one_line(f"  drift: {drift_line(one)}")


def drift_line(one: Mapping[str, Any]) -> str:
    """What has become worse, in a line."""
    of = " of ".join(name for name in (one["kind"], one["source"]) if name)
    what = f"{one['what'].replace('_', ' ')}{f' ({of})' if of else ''}"
    if one["what"] == "agreement":
        return f"{one['week']}: {what} {one['now']:.2f}, and should be {one['before']:.2f}"
    return f"{one['week']}: {what} {one['now']:.1%}, and {one['before']:.1%} before"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def findings_lines(found: LedgerFindings) -> Iterator[str]:
    """What was proved: chains, reports, and what is wrong."""
    for proof in found.proofs:
        yield one_line(_chain_line(proof))
    counts = ", ".join(f"{count} {state}" for state, count in sorted(found.reports.items()))
    yield f"reports: {counts or 'none'}"
    for run, number, chain, state in found.wrong[:SHOWN]:
        yield one_line(f"run {run}: its report is {state} (entry {number} of {chain})")
    if len(found.wrong) > SHOWN:
        yield f"and {len(found.wrong) - SHOWN} more"
    for number, chain in found.lost:
        yield f"{chain}: entry {number} is not there as it was sealed"


def verdict_line(found: LedgerFindings, holds: bool) -> str:
    """Whether the ledger holds."""
    none = "" if found.proofs else "there is no entry yet\n"
    return none + ("the ledger holds" if holds else "the ledger does NOT hold")


def blob_lines(found: LedgerFindings, runs: dict[str, KeptRun]) -> Iterator[str]:
    """How what runs worked with stands: how many runs how, and where something is not as it should be."""
    counts = sorted(Counter(one.how for one in runs.values()).items())
    yield f"blobs of runs: {', '.join(f'{count} {how}' for how, count in counts) or 'none'}"
    named = [(run, one, place) for run, one in runs.items() for place in one.places]
    for run, one, (name, key) in named[:SHOWN]:
        entry = found.latest[run]
        what = f"{name} {one.how}" if name else one.how
        yield one_line(f"run {run}: {what}: {key} (entry {entry.number} of {entry.chain})")
    if len(named) > SHOWN:
        yield f"and {len(named) - SHOWN} more"


def kept_as_json(found: LedgerFindings, run: str, one: KeptRun) -> dict[str, Any]:
    """How a run's blobs stand."""
    entry = found.latest[run]
    places = [{"name": name, "key": key} for name, key in one.places]
    return {"run": run, "number": entry.number, "chain": entry.chain, "state": one.how, "places": places}


def _chain_line(proof: Proof) -> str:
    if proof.broken:
        return f"{proof.chain}: BROKEN at {proof.broken.where}: {proof.broken.why}"
    head = f"; the last is {proof.last.number} {proof.last.hash}" if proof.last else ""
    hold = "entry holds" if proof.entries == 1 else "entries hold"
    return f"{proof.chain}: {proof.entries} {hold}, sealed up to {proof.sealed}{head}"


def findings_as_json(found: LedgerFindings) -> dict[str, Any]:
    """What was proved."""
    wrong = [dict(zip(("run", "number", "chain", "state"), one, strict=True)) for one in found.wrong]
    proofs = [_proof_as_json(proof) for proof in found.proofs]
    lost = [{"number": number, "chain": chain} for number, chain in found.lost]
    return {"holds": found.holds, "chains": proofs, "reports": found.reports, "wrong": wrong, "lost": lost}


def _proof_as_json(proof: Proof) -> dict[str, Any]:
    broken = proof.broken and {"where": proof.broken.where, "why": proof.broken.why}
    last = proof.last and {"number": proof.last.number, "hash": proof.last.hash, "at": proof.last.at}
    counts = {"entries": proof.entries, "seals": proof.seals, "sealed": proof.sealed}
    return {"chain": proof.chain, **counts, "last": last, "broken": broken}


def story_as_json(found: Story) -> dict[str, Any]:
    """The story of a run."""
    entries = [json.loads(entry.line) for entry in found.entries]
    proofs = [_proof_as_json(proof) for proof in found.proofs]
    return {"holds": found.holds, "report": found.state, "entries": entries, "chains": proofs}


def story_lines(found: Story) -> Iterator[str]:
    """The story of a run, an entry after the other."""
    for entry in found.entries:
        by = f" by {entry.actor}" if entry.actor else ""
        yield one_line(f"{entry.at}  {_headline(entry)}{by}  (entry {entry.number} of {entry.chain})")
        for name, value in _rows(entry):
            yield one_line(f"  {name:<12} {value}")
    if found.state:
        yield f"its report: {found.state}"
    yield from (one_line(_chain_line(proof)) for proof in found.proofs)


def _headline(entry: TrailEntry) -> str:
    facts = entry.facts
    if entry.kind == "decision":
        return f"decided: {facts.get('outcome')}"
    if entry.kind == "deletion":
        why = f" ({facts['reason']})" if facts.get("reason") else ""
        return ("deleted" if facts.get("allowed") else "deletion refused") + why
    if entry.kind == "review":
        what = f": {facts['outcome']}" if facts.get("outcome") else ""
        return f"review {str(facts.get('step')).replace('_', ' ')}{what}"
    if entry.kind == "correction":
        return "corrections accepted"
    if entry.kind == "waiver" and "after" in facts:
        return f"waived: {facts.get('before')} became {facts['after']}"
    return f"another {entry.kind} in force"


def _rows(entry: TrailEntry) -> Iterator[tuple[str, str]]:
    """What an entry says beside its headline, a line each."""
    facts = {key: value for key, value in entry.facts.items() if key not in IN_HEADLINE}
    for name, value in {**facts, **{f"{key} now": value for key, value in entry.in_force.items()}}.items():
        if isinstance(value, dict):
            yield name, " ".join(f"{key}={inner}" for key, inner in value.items())
        elif isinstance(value, list):
            yield name, ", ".join(map(str, value))
        elif value not in (None, ""):
            yield name, str(value)


def replay_lines(found: Replay) -> Iterator[str]:
    """A decision that was made again."""
    decided = found.entry.facts.get("outcome")
    yield one_line(f"{found.entry.run}: decided {decided} (entry {found.entry.number} of {found.entry.chain})")
    for name, before, now in found.differs:
        yield one_line(f"  differs: {name}: {before} then, {now} now")
    same = "made again from what was kept: the same"
    yield f"made again from what was kept: {found.outcome}, NOT the same" if found.differs else same
    if not found.differs and found.outcome != decided:
        yield one_line(f"  the judge said {found.outcome}; what came after it made it {decided}")
    for name, before, now in found.since:
        yield one_line(f"  since then: {name}: {before} then, {now} now")


def replay_as_json(found: Replay) -> dict[str, Any]:
    """A decision that was made again."""
    named = {
        what: [dict(zip(("what", "then", "now"), one, strict=True)) for one in these]
        for what, these in (("differs", found.differs), ("since", found.since))
    }
    about = {"run": found.entry.run, "number": found.entry.number, "chain": found.entry.chain}
    again = {"decided": found.entry.facts.get("outcome"), "outcome": found.outcome, "same": not found.differs}
    return {**about, **again, **named}
