"""`gate summary`: what many reports came to, the worst first."""

from __future__ import annotations

from pathlib import Path

import click

from gate.cli.options import A_FILE, JSON
from gate.cli.printing import say


@click.command(short_help="Show what many reports came to, the worst first.")
@click.argument("reports", nargs=-1, required=True, type=A_FILE, metavar="REPORT...")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["table", "html", "json", "csv"]),
    help="Default: the ending of -o, or table.",
)
@JSON
@click.option("-o", "--output", type=A_FILE, metavar="FILE", help="Write it here; the table is still shown.")
@click.option("-q", "--quiet", is_flag=True, help="No table beside -o.")
def summary(reports: tuple[Path, ...], form: str | None, output: Path | None, quiet: bool) -> None:
    """Show what many reports came to: decisions, labels, why claims fail, by writer, question and source.

    REPORT is a report as JSON, or a folder of them. Reports of one file name in several folders, on an answer of one
    name, are its runs: the last one counts, and a line on the page shows what share of its claims was supported in
    each.

    \b
    gate check answers/ --corpus docs/ --summary summary.html
    gate check answers/ --corpus docs/ -f json -o reports/
    gate summary reports/ -o summary.html
    gate summary monday/ tuesday/ -f csv

    Exit codes: 0 it was shown, 2 there is no such report.
    """
    from gate.cli.inputs import read_report, read_reports
    from gate.cli.outputs import format_among, refuse_inputs, write
    from gate.reports.overviews.record_summary import FORMS, RecordSummary, as_text, supported

    form, found = format_among(FORMS, form, output), RecordSummary()
    runs: dict[tuple[str, str], list[tuple[str, float, Path]]] = {}
    for path, report in read_reports(reports):
        # answers from several folders may bear one name: by the name alone one would hide the others
        several = runs.setdefault((report.name or report.run_id, path.name), [])
        several.append((report.created_at, supported(report), path))
    refuse_inputs([output], [path for several in runs.values() for _, _, path in several])
    for several in runs.values():
        *before, (_, _, last) = sorted(several, key=lambda one: one[0])
        found.add(read_report(last), earlier=[share for _, share, _ in before])
    if output is not None:
        write(as_text(form, found).encode(), output)
    if output is None or not quiet:
        say(as_text("table" if output else form, found), nl=False)
