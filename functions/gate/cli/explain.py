"""`gate explain`: every step of one claim, from a report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate.cli.options import A_FILE
from gate.cli.printing import say
from gate.errors import InputError

if TYPE_CHECKING:
    from gate.reports.model import Report, ReportClaim

INDENT = 12
REPORT_BYTES = 1_000_000_000
NAMED = 6
"""Claims that a hint names."""


@click.command(short_help="Show every step of one claim of a report.")
@click.argument("claim", metavar="CLAIM")
@click.option("--report", "path", required=True, type=A_FILE, help="A report as JSON: gate check -o report.json.")
def explain(claim: str, path: Path) -> None:
    """Show every step of one claim: where it stands, what was looked at, what each check and the verifier found, what
    the policy made of it, and what to do.

    CLAIM is its id, or words that it alone holds.

    \b
    gate check answer.md --corpus docs/ -o report.json
    gate explain c0017 --report report.json
    gate explain "64 GB" --report report.json

    Exit codes: 0 it was shown, 2 there is no such report or claim.
    """
    report = _read(path)
    found = find_claim(claim, report)
    say(f"{found.claim_id}: {found.text}")
    for name, text in steps(found, report):
        say(f"  {name:<{INDENT}}{text}")


def _read(path: Path) -> Report:
    from gate.cli.inputs import read_text
    from gate.cli.reading_back import read_back

    try:
        return read_back(read_text(path, max_bytes=REPORT_BYTES))
    except ValueError:
        hint = "gate check ANSWER --corpus CORPUS -o report.json"
        raise InputError(f"{path}: is no report as JSON", hint=hint) from None


def find_claim(wanted: str, report: Report) -> ReportClaim:
    """The claim of that id, or the one that holds these words.

    Raises:
        InputError: there is none, or several hold them; names some that there are.
    """
    by_id = [claim for claim in report.claims if claim.claim_id == wanted]
    found = by_id or [claim for claim in report.claims if wanted.casefold() in claim.text.casefold()]
    if len(found) == 1:
        return found[0]
    known = ", ".join(claim.claim_id for claim in (found or report.claims)[:NAMED])
    many = f"{len(found)} claims hold these words" if found else "there is no such claim"
    raise InputError(f"{wanted}: {many}", hint=f"among them {known}" if known else "the report holds no claims")


def steps(claim: ReportClaim, report: Report) -> Iterator[tuple[str, str]]:
    """The steps in the order of the pipeline, each with its name."""
    from gate.reports import advice, wording

    turn = report.turns[claim.turn]
    yield "read", f"turn {claim.turn + 1} ({turn.role}), characters {claim.start} to {claim.end}"
    yield from _looked_at(claim, report)
    if claim.quote:
        yield "quote", f"{wording.quoted_as(claim)}: “{claim.quote}”"
    for check in claim.checks:
        verb = "agree" if check["passed"] else "differ"
        yield "check", f"{check['name']} {verb}" + (f": {check['detail']}" if check["detail"] else "")
    for figure, how in wording.known(claim):
        yield "check", f"{figure} needs no evidence: {how}"
    scores = ", ".join(f"{name.replace('_', ' ')} {score:.2f}" for name, score in claim.scores.items())
    yield "verifier", (claim.checked_by or "none") + (f": {scores}" if scores else "")
    if claim.doubt is not None:
        yield "doubt", f"{claim.doubt:.2f}: the chance that it is unsupported, calibrated on whole answers"
    for source in claim.sources:
        yield "cites", f"{wording.source_name(source)}: {wording.SOURCES[source.outcome]}"
    yield "label", f"{wording.NAMES[claim.status]}: {wording.reason(claim)}. {claim.justification}"
    for reason in report.decision["reasons"] if report.decision else []:
        if claim.claim_id in reason["claims"]:
            yield "policy", f"{reason['outcome']} by the rule {reason['rule']}: {reason['message']}"
    yield "to do", advice.to_do(claim, report) or "nothing"


def _looked_at(claim: ReportClaim, report: Report) -> Iterator[tuple[str, str]]:
    if not claim.passages:
        yield "looked at", "nothing"
    for rank, key in enumerate(claim.passages, start=1):
        passage = report.passages[key]
        place = " › ".join(part for part in (passage.title, passage.section) if part)
        decides = " (decides)" if key in claim.deciding else ""
        yield "looked at" if rank == 1 else "", f"{rank}. {key}{f': {place}' if place else ''}{decides}"
