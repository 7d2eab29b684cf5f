"""`gate ledger`: proves what was decided, and tells how."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate import cli
from gate.cli import options
from gate.cli.printing import say
from gate.text.visible import one_line

if TYPE_CHECKING:
    from gate.services.trail.proofs import LedgerFindings, Story
    from gate.trail.proving import Proof
    from gate.trail.trail_entries import TrailEntry

FORM = click.option(
    "-f", "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True, help="How."
)
ENDINGS = {"table": ".txt", "json": ".json", "html": ".html"}
"""Of files that a period is reported in."""
MOST_KEPT = 100_000_000
"""Bytes of a file of kept seals."""
SHOWN = 20
"""Reports that are named; the rest is counted."""


@click.group(short_help="Prove what was decided, and tell how.")
def ledger() -> None:
    """Prove what was decided, and tell how. GATE_LEDGER=local keeps a ledger on this machine.

    \b
    GATE_LEDGER=local gate check answer.md --corpus docs/
    GATE_LEDGER=local gate ledger verify
    GATE_LEDGER=local gate ledger show RUN_ID
    """


@ledger.command(short_help="Prove the ledger, or name the first break.")
@click.option(
    "--since", metavar="DAY", default="", help="Begin with this day (YYYY-MM-DD): what is sealed before it holds."
)
@click.option("--kept", type=options.A_FILE, metavar="FILE", help="What `gate ledger seal` printed: still there?")
@FORM
@click.pass_context
def verify(context: click.Context, since: str, kept: Path | None, form: str) -> None:
    """Prove every chain of the ledger: each entry, each seal, and each report that is there.

    The exit code is 0 where everything holds, and 1 where something is not what was written; the first break of each
    chain is named.
    """
    from gate.services.trail.proofs import verified

    found = verified(_day(since, "--since"), kept=_sealed_entries(kept) if kept else ())
    say(json.dumps(_as_json(found), indent=2) if form == "json" else "\n".join(_lines(found)))
    context.exit(cli.EXIT_PASS if found.holds else cli.EXIT_POLICY)


@ledger.command(short_help="Tell the story of one decision.")
@options.RUN_ID
@click.option("--tenant", help="Whose chain to look in; without it in every one.")
@FORM
@click.pass_context
def show(context: click.Context, run_id: str, tenant: str | None, form: str) -> None:
    """Tell what was written down of a run: by whom, on what, what became of it, and whether that can be proved.

    The exit code is 1 where it cannot: the chain is broken, or the report is not the one that was decided.
    """
    from gate.services.trail.proofs import story

    found = story(run_id, tenant)
    say(json.dumps(_story_as_json(found), indent=2) if form == "json" else "\n".join(_told(found)))
    context.exit(cli.EXIT_PASS if found.holds else cli.EXIT_POLICY)


@ledger.command(short_help="Seal what is under no seal yet.")
def seal() -> None:
    """Seal the entries of today as well: a day is else sealed when the first entry of a later one is written.

    Keep what it prints where nobody who may write here can: it proves the ledger up to this moment.
    """
    from gate.services.trail import acts, proofs

    trail = proofs.ledger()
    for chain in proofs.chains(trail):
        last = acts.last_entry(trail, chain)
        made = acts.seal(trail, last) if last else None
        say(
            f"{chain}: entry {made.last} {made.entry}, seal {made.number} {made.mac}"
            if made
            else f"{chain}: nothing new"
        )


@ledger.command(short_help="Report a period: what was decided, by what, and what was overruled.")
@click.option("--since", metavar="DAY", default="", help="Its first day (YYYY-MM-DD, UTC).")
@click.option("--until", metavar="DAY", default="", help="Its last day.")
@click.option("-f", "--format", "form", type=click.Choice([*ENDINGS]), help="Default: the ending of -o, or table.")
@click.option("-o", "--output", type=options.A_FILE, metavar="FILE", help="Write it here.")
@click.pass_context
def report(context: click.Context, since: str, until: str, form: str | None, output: Path | None) -> None:
    """Report a period for whoever audits: decisions by outcome, policy, verifier and corpus, what was left unchecked,
    overruled, deleted and changed, and whether the ledger holds. The page prints.

    The exit code is 1 where the ledger does not hold.
    """
    from gate.cli.outputs import format_among, write
    from gate.reports.overviews.period_page import period_page
    from gate.services.trail.period_totals import PeriodTotals
    from gate.services.trail.proofs import verified

    form = format_among(ENDINGS, form, output)
    totals = PeriodTotals(_day(since, "--since"), _day(until, "--until"))
    found = verified(each=totals.add)
    proof, counts = _as_json(found), totals.as_json()
    texts = {
        "json": lambda: json.dumps({**counts, "proof": proof}, indent=2) + "\n",
        "html": lambda: period_page(counts, proof),
        "table": lambda: "\n".join((*_period_lines(counts), *_lines(found))) + "\n",
    }
    text = texts[form]()
    if output is None:
        say(text, nl=False)
    else:
        write(text.encode(), output)
    context.exit(cli.EXIT_PASS if found.holds else cli.EXIT_POLICY)


def _sealed_entries(path: Path) -> list[tuple[str, int, str]]:
    """Chain, number and hash of the entries in lines of `gate ledger seal`."""
    from gate.cli.inputs import read_text
    from gate.errors import InputError

    lines = [line for line in read_text(path, max_bytes=MOST_KEPT).splitlines() if line and ": nothing new" not in line]
    found = [re.fullmatch(r"([a-z0-9-]+): entry ([0-9]{1,18}) ([0-9a-f]{64}), seal .*", line) for line in lines]
    if not found or None in found:
        raise InputError(f"{path}: holds no seals", hint="gate ledger seal prints them")
    return [(one[1], int(one[2]), one[3]) for one in found if one]


def _day(given: str, option: str) -> str:
    from gate.errors import InputError

    try:
        return date.fromisoformat(given).isoformat() if given else ""
    except ValueError:
        raise InputError(f"{option}: is no day", hint="YYYY-MM-DD") from None


def _period_lines(counts: dict[str, Any]) -> Iterator[str]:
    since, until = counts["since"] or "from the first entry", counts["until"] or "the last"
    yield f"{since} to {until}: {counts['decisions']} decided"
    for name in ("outcomes", "errors", "policies", "verifiers", "corpora", "versions"):
        for value, count in counts[name].items():
            yield one_line(f"  {name:<10} {count:>7}  {value}")
    yield f"  {counts['claims']} claims, {counts['unchecked']} of them unchecked"
    yield f"  {counts['waived']} decisions changed by accepted findings"
    yield f"  {counts['deleted']} deletions, {counts['refused']} refused"


def _lines(found: LedgerFindings) -> Iterator[str]:
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
    if not found.proofs:
        yield "there is no entry yet"
    yield "the ledger holds" if found.holds else "the ledger does NOT hold"


def _chain_line(proof: Proof) -> str:
    if proof.broken:
        return f"{proof.chain}: BROKEN at {proof.broken.where}: {proof.broken.why}"
    head = f"; the last is {proof.last.number} {proof.last.hash}" if proof.last else ""
    hold = "entry holds" if proof.entries == 1 else "entries hold"
    return f"{proof.chain}: {proof.entries} {hold}, sealed up to {proof.sealed}{head}"


def _as_json(found: LedgerFindings) -> dict[str, Any]:
    wrong = [dict(zip(("run", "number", "chain", "state"), one, strict=True)) for one in found.wrong]
    proofs = [_proof_as_json(proof) for proof in found.proofs]
    lost = [{"number": number, "chain": chain} for number, chain in found.lost]
    return {"holds": found.holds, "chains": proofs, "reports": found.reports, "wrong": wrong, "lost": lost}


def _proof_as_json(proof: Proof) -> dict[str, Any]:
    broken = proof.broken and {"where": proof.broken.where, "why": proof.broken.why}
    last = proof.last and {"number": proof.last.number, "hash": proof.last.hash, "at": proof.last.at}
    counts = {"entries": proof.entries, "seals": proof.seals, "sealed": proof.sealed}
    return {"chain": proof.chain, **counts, "last": last, "broken": broken}


def _story_as_json(found: Story) -> dict[str, Any]:
    entries = [json.loads(entry.line) for entry in found.entries]
    proofs = [_proof_as_json(proof) for proof in found.proofs]
    return {"holds": found.holds, "report": found.state, "entries": entries, "chains": proofs}


def _told(found: Story) -> Iterator[str]:
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
        return "deleted" if facts.get("allowed") else "deletion refused"
    if entry.kind == "waiver" and "after" in facts:
        return f"waived: {facts.get('before')} became {facts['after']}"
    return f"another {entry.kind} in force"


def _rows(entry: TrailEntry) -> Iterator[tuple[str, str]]:
    """What an entry says beside its headline, a line each."""
    facts = {key: value for key, value in entry.facts.items() if key not in ("outcome", "allowed", "commitments")}
    for name, value in {**facts, **{f"{key} now": value for key, value in entry.in_force.items()}}.items():
        if isinstance(value, dict):
            yield name, " ".join(f"{key}={inner}" for key, inner in value.items())
        elif isinstance(value, list):
            yield name, ", ".join(map(str, value))
        elif value not in (None, ""):
            yield name, str(value)
