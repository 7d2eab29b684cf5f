"""The report for a terminal: what is wrong in a table, what is fine in a line, and at the end, where a reader looks,
the decision, because of what, and what to do now."""

from __future__ import annotations

import io

from rich.console import Console
from rich.table import Table
from rich.text import Text

from gate.reports import advice, wording
from gate.reports.findings import places
from gate.reports.model import Report, ReportClaim, Status
from gate.text.visible import one_line

STYLES: dict[Status, str] = {
    "supported": "green",
    "weakly_supported": "yellow",
    "unsupported": "bold red",
    "unchecked": "magenta",
}
OUTCOME_STYLES = {"pass": "bold green", "review": "bold yellow", "block": "bold red", "error": "bold red"}
WIDTH = 110
MORE_CLAIMS = 8
"""How many claims a reason names; the rest is counted."""
ASIDE_CHARS = 90
"""How much is shown of a sentence that is set aside."""


def render(report: Report) -> str:
    """Return the table as plain text."""
    console = Console(file=io.StringIO(), width=WIDTH, no_color=True)
    show(report, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def show(report: Report, console: Console, *, gaps: bool = True) -> None:
    """Print the report on a console; no text of it steers the terminal.

    Args:
        gaps: say what the corpus lacks.
    """
    if gaps and (told := wording.left_out(report, notable=True)):
        console.print(_plain(f"! {told}"), style="bold yellow")
    wrong = advice.problems(report)
    if wrong:
        console.print(_table(report, wrong))
    if report.claims:
        fine = [claim.claim_id for claim in report.claims if claim not in wrong]
        if fine:
            console.print(_line(f"{wording.MARKS['supported']} supported: {len(fine)} of {len(report.claims)}", fine))
        console.print(f"{wording.balance(report)}; {wording.integrity(report)}")
    if told := wording.risk(report):
        console.print(told)
    if counted := wording.set_aside(report):
        console.print(_plain(counted))
    for one in report.non_claims:
        text = report.turns[one.turn].content[one.start : one.end]
        console.print(Text("  – ", style="dim") + _plain(f"{one.reason}: {wording.shortened(text, ASIDE_CHARS)}"))
    if counted := wording.cited(report):
        console.print(_plain(counted))
    if report.not_read:
        console.print(_plain(wording.not_read(report)))
    if gaps and (told := wording.left_out(report, notable=False)):
        console.print(_plain(told))
    where = places(report)
    for reason in report.decision["reasons"] if report.decision else []:
        names = reason["claims"] or [where.get(name) or name for name in reason["evidence"]]
        console.print(_line(f"  {reason['outcome']}: {reason['message']}", names))
    for told in wording.reviewed(report):
        console.print(_plain(f"  {told}"))
    for stage in report.stages:
        if stage.status == "failed":
            console.print(_plain(f"  {stage.name} failed: {stage.detail}"), style="red")
    if report.estimate and report.spent:
        spent, expected = report.spent, report.estimate
        money = wording.cost(spent.calls, spent.input, spent.output, spent.dollars)
        console.print(_plain(f"model: {money}; {expected.input + expected.output:,} tokens were expected"))
    if report.verifiers:
        console.print(_plain(wording.shared(report.verifiers)))
    _decision(report, console)


def _decision(report: Report, console: Console) -> None:
    """What was decided, because of what, what to do now."""
    name = f"{report.name}: " if report.name else ""
    headline = _plain(f"{wording.OUTCOME_MARKS[report.outcome]} {name}{wording.headline(report)}")
    console.print()
    console.print(headline, style=OUTCOME_STYLES[report.outcome])
    if claim := advice.lead(report):
        because = advice.heads(report)[0].lower()
        console.print(_plain(f"  {because} {claim.claim_id}: “{claim.text}”: {_why(claim, report)}"))
        if claim.quote:
            console.print(_plain(f"  {wording.quoted_as(claim)}: “{claim.quote}”"))
    for step in advice.steps(report):
        console.print(_line(f"  → {step.sentence}", list(step.claims)))


def _table(report: Report, claims: list[ReportClaim]) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False, show_edge=False)
    table.add_column("claim", no_wrap=True)
    table.add_column("label", no_wrap=True)
    table.add_column("text", ratio=5)
    table.add_column("why", ratio=4)
    for claim in claims:
        flag = " !" if wording.differences(claim) or wording.misnamed(claim) else ""
        label = Text(f"{wording.MARKS[claim.status]} {wording.NAMES[claim.status]}{flag}", style=STYLES[claim.status])
        table.add_row(_plain(claim.claim_id), label, _plain(claim.text), _plain(_why(claim, report)))
    return table


def _why(claim: ReportClaim, report: Report) -> str:
    why = wording.joined(wording.objection(claim))
    where = report.passages[claim.deciding[0]] if claim.deciding else None
    if where and where.title:
        why += f" [{where.title}" + (f" › {where.section}]" if where.section else "]")
    return why


def _line(text: str, names: list[str]) -> Text:
    line = _plain(text)
    if names:
        more = f" and {len(names) - MORE_CLAIMS} more" if len(names) > MORE_CLAIMS else ""
        line.append(f" ({', '.join(one_line(name) for name in names[:MORE_CLAIMS])}{more})", style="dim")
    return line


def _plain(text: str) -> Text:
    return Text(one_line(text))
