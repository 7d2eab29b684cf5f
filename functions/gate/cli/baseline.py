"""`gate baseline`: findings that somebody answers for."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate.cli.options import A_FILE, by_name_alone
from gate.cli.printing import say
from gate.text.visible import one_line

if TYPE_CHECKING:
    from gate.local.accepted_findings import Accepted, Objection

DEFAULT = Path("gate-baseline.yaml")
DAYS = 90


@click.group(short_help="Accept findings for a while, so that only new ones fail.")
def baseline() -> None:
    """Accept findings until a day, with a reason and an owner, so that only new ones fail.

    \b
    gate check docs/*.md --corpus docs.jsonl -f json -o reports/
    gate baseline update reports/*.json --owner jane --reason "known, ticket 12"
    gate check docs/*.md --corpus docs.jsonl --baseline gate-baseline.yaml
    """


@baseline.command(short_help="Accept what reports object to.")
@click.argument("reports", nargs=-1, required=True, type=A_FILE, metavar="REPORT...")
@click.option(
    "--baseline",
    "path",
    type=A_FILE,
    default=DEFAULT,
    show_default=True,
    callback=by_name_alone,
    help="The file to change.",
)
@click.option("--owner", required=True, help="Who answers for what is accepted.")
@click.option("--reason", required=True, help="Why it is accepted.")
@click.option(
    "--days", type=click.IntRange(1, 366), default=DAYS, show_default=True, help="How long it is accepted, from today."
)
def update(reports: tuple[Path, ...], path: Path, owner: str, reason: str, days: int) -> None:
    """Accept every finding of the reports (JSON, of `gate check -f json`), and say which.

    What was accepted before keeps its reason, owner and day; a day that is over is renewed. What is accepted of these
    answers and not found any more goes. Claims that could not be checked are never accepted.
    """
    from gate.cli.inputs import read_report
    from gate.cli.outputs import write
    from gate.local import accepted_findings as baselines
    from gate.services.trail.acts import waiver
    from gate.trail.trail_entries import digest_of

    before = baselines.read(path) if path.exists() else baselines.Baseline()
    read_reports = [read_report(each) for each in reports]
    now = baselines.updated(before, read_reports, reason=reason, owner=owner, days=days, today=baselines.today())
    waiver(digest_of(now.baseline.model_dump(mode="json")), len(now.baseline.accepted))
    write(baselines.dump(now.baseline).encode(), path)
    for mark, several in (("+", now.added), ("~", now.renewed), ("-", now.gone)):
        for each in several:
            say(f"{mark} {line_of(each)}")
    counts = f"{len(now.added)} accepted, {len(now.renewed)} renewed, {len(now.gone)} gone"
    last = baselines.today() + timedelta(days=days)
    say(f"{path}: {counts}; {len(now.baseline.accepted)} in all, the new ones until {last}")


@baseline.command(short_help="Show what is accepted, by whom and until when.")
@click.option("--baseline", "path", type=A_FILE, default=DEFAULT, show_default=True, help="The file.")
def show(path: Path) -> None:
    """Show every finding that is accepted, what is over first."""
    from gate.local.accepted_findings import read, today

    for each in sorted(read(path).accepted, key=lambda one: (one.expires, one.finding)):
        over = "over since" if each.expires < today() else "until"
        say(f"{over} {each.expires}  {one_line(each.owner)}  {line_of(each)}  ({one_line(each.reason)})")


def line_of(finding: Accepted | Objection) -> str:
    """One line about a finding, accepted or not."""
    return one_line(f"{finding.answer}: {finding.found}: {finding.about}")
