"""`gate ledger`: proves what was decided, and tells how."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate import cli
from gate.cli import options
from gate.cli.ledger_shown import (
    blob_lines,
    findings_as_json,
    findings_lines,
    kept_as_json,
    period_lines,
    replay_as_json,
    replay_lines,
    story_as_json,
    story_lines,
    verdict_line,
)
from gate.cli.printing import say

if TYPE_CHECKING:
    from gate.trail.trail_entries import DeletionReason

CHAIN = click.option("--tenant", help="Whose chain to look in; without it in every one.")
ENDINGS = {"table": ".txt", "json": ".json", "html": ".html"}
"""Of files that a period is reported in."""
MOST_KEPT = 100_000_000
"""Bytes of a file of kept seals."""


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
@click.option("--blobs", is_flag=True, help="Read what runs worked with too, blob by blob.")
@options.FORM
@click.pass_context
def verify(context: click.Context, since: str, kept: Path | None, blobs: bool, form: str) -> None:
    """Prove every chain of the ledger: each entry, each seal, and each report that is there.

    With --blobs also what each run was decided on, as far as it is still there: a blob that is changed is named, and
    so is one that stands there after its deletion, and a report that was put under another run's id.

    The exit code is 0 where everything holds, and 1 where something is not what was written; the first break of each
    chain is named. A ledger without an entry proves nothing: 2.
    """
    from gate.errors import InputError
    from gate.services.trail.kept_runs import kept_run
    from gate.services.trail.proofs import add_strangers, verified

    found = verified(_day(since, "--since"), kept=_sealed_entries(kept) if kept else ())
    if blobs and not since:
        add_strangers(found)
    runs = {run: kept_run(entry) for run, entry in found.latest.items()} if blobs else {}
    holds = found.holds and all(one.holds for one in runs.values())
    if holds and not found.proofs:
        raise InputError("there is no entry in the ledger", hint="GATE_HOME and GATE_LEDGER say where it lies")
    if form == "json":
        read = {"blobs": [kept_as_json(found, run, one) for run, one in runs.items()]} if blobs else {}
        say(json.dumps({**findings_as_json(found), **read, "holds": holds}, indent=2))
    else:
        say(
            "\n".join((*findings_lines(found), *(blob_lines(found, runs) if blobs else ()), verdict_line(found, holds)))
        )
    context.exit(cli.EXIT_PASS if holds else cli.EXIT_POLICY)


@ledger.command(short_help="Tell the story of one decision.")
@options.RUN_ID
@CHAIN
@options.FORM
@click.pass_context
def show(context: click.Context, run_id: str, tenant: str | None, form: str) -> None:
    """Tell what was written down of a run: by whom, on what, what became of it, and whether that can be proved.

    The exit code is 1 where it cannot: the chain is broken, or the report is not the one that was decided.
    """
    from gate.services.trail.proofs import story

    found = story(run_id, tenant)
    say(json.dumps(story_as_json(found), indent=2) if form == "json" else "\n".join(story_lines(found)))
    context.exit(cli.EXIT_PASS if found.holds else cli.EXIT_POLICY)


@ledger.command(short_help="Make a decision again from what it was made on.")
@options.RUN_ID
@CHAIN
@options.FORM
@click.pass_context
def replay(context: click.Context, run_id: str, tenant: str | None, form: str) -> None:
    """Make a decision again from the evidence and the verdicts that were kept, without asking a model: checks,
    accounting, risk and decision are worked out anew.

    Says whether it is the same, or what differs; and what a check of today would be made by that this one was not.
    On this machine GATE_KEEP_RUNS=1 keeps what it takes. The exit code is 1 where something differs.
    """
    from gate.local.replay import replayed

    found = replayed(run_id, tenant)
    say(json.dumps(replay_as_json(found), indent=2) if form == "json" else "\n".join(replay_lines(found)))
    context.exit(cli.EXIT_POLICY if found.differs else cli.EXIT_PASS)


@ledger.command(short_help="Delete what a run has stored, and write down why.")
@options.RUN_ID
@click.option("--tenant", default="", help="Whose run it was.")
@options.reason(required=True)
def delete(run_id: str, tenant: str, reason: DeletionReason) -> None:
    """Delete what a run on this machine has stored, its report and its review too; the ledger keeps that it was, by
    whom and why. A run of `gate serve` that has not ended, or waits for a person, is not deleted.

    \b
    erasure    a person asked that their data be erased
    retention  its time is up
    mistake    it should not have been there
    """
    from gate import wiring
    from gate.errors import InputError
    from gate.services.trail import acts, proofs

    proofs.ledger()
    runs, reviews = wiring.current().served_runs(), wiring.current().served_reviews()
    begun = runs.state(run_id) if runs else None
    if begun and begun[1] == "RUNNING":
        hint = "gate review list; gate serve goes on with it"
        raise InputError(f"{run_id}: that check is still running, or waits for a person", hint=hint)
    store = proofs.store_of(run_id)
    folders = [folder for folder in (f"reports/{run_id}", f"runs/{run_id}") if store.keys(folder)]
    if not folders and begun is None and reviews.get(run_id) is None:
        raise InputError(f"{run_id}: nothing of that run is stored here")
    acts.deletion(run_id, None, tenant, allowed=True, reason=reason)
    removed = sum(store.delete_prefix(folder) for folder in folders)
    reviews.forget(run_id)
    if runs:
        runs.forget(run_id)
    say(f"{run_id}: {removed} blobs and reports deleted ({reason})")


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
@click.option(
    "--reviews", multiple=True, type=options.A_FILE, metavar="FILE", help="Labels of `gate label`: figures by week too."
)
@click.option("--fail-on-drift", is_flag=True, help="Exit code 1 too where verdicts have become worse (--reviews).")
@click.option("-f", "--format", "form", type=click.Choice([*ENDINGS]), help="Default: the ending of -o, or table.")
@click.option("-o", "--output", type=options.A_FILE, metavar="FILE", help="Write it here.")
@click.pass_context
def report(
    context: click.Context,
    since: str,
    until: str,
    reviews: tuple[Path, ...],
    fail_on_drift: bool,
    form: str | None,
    output: Path | None,
) -> None:
    """Report a period for whoever audits: decisions by outcome, policy, verifier and corpus, what was left unchecked,
    overruled, deleted and changed, and whether the ledger holds. The page prints. With --reviews, by week, by who wrote
    the answers and by reason of the verdicts: how far reviewers agree, false alarms and misses, and what of the last
    week is worse than before it (drift).

    The exit code is 1 where the ledger does not hold.
    """
    from gate import wiring
    from gate.cli.outputs import format_among, write
    from gate.cli.reviewing import by_week, read_reviews, week_value
    from gate.decision.reviewed.drift import drifts
    from gate.errors import InputError
    from gate.reports.overviews.period_page import period_page
    from gate.services.trail.period_totals import PeriodTotals
    from gate.services.trail.proofs import verified

    if fail_on_drift and not reviews:
        raise InputError("--fail-on-drift: nothing is known of verdicts", hint="--reviews labels.jsonl")
    form = format_among(ENDINGS, form, output)
    totals = PeriodTotals(_day(since, "--since"), _day(until, "--until"))
    found = verified(each=totals.add)
    proof, counts = findings_as_json(found), totals.as_json()
    if reviews:
        cap = 10 * wiring.current().settings.max_bytes
        weeks = by_week(read_reviews(reviews, cap), totals.since, totals.until)
        counts |= {"reviews": [*map(week_value, weeks)], "drift": [asdict(one) for one in drifts(weeks)]}
    texts = {
        "json": lambda: json.dumps({**counts, "proof": proof}, indent=2) + "\n",
        "html": lambda: period_page(counts, proof),
        "table": lambda: (
            "\n".join((*period_lines(counts), *findings_lines(found), verdict_line(found, found.holds))) + "\n"
        ),
    }
    text = texts[form]()
    if output is None:
        say(text, nl=False)
    else:
        write(text.encode(), output)
    is_fine = found.holds and not (fail_on_drift and counts["drift"])
    context.exit(cli.EXIT_PASS if is_fine else cli.EXIT_POLICY)


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
