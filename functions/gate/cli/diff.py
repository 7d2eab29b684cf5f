"""`gate diff`: what changed between two reports, or two folders of them, and why."""

from __future__ import annotations

from pathlib import Path

import click

from gate import cli
from gate.cli.options import A_FILE, JSON
from gate.cli.printing import say

FORMS = {"table": ".txt", "json": ".json", "html": ".html", "markdown": ".md"}


@click.command(short_help="Show what changed between two reports, and why.")
@click.argument("old", type=A_FILE, metavar="OLD")
@click.argument("new", type=A_FILE, metavar="NEW")
@click.option("-f", "--format", "form", type=click.Choice(list(FORMS)), help="Default: the ending of -o, or table.")
@JSON
@click.option("-o", "--output", type=A_FILE, metavar="FILE", help="Write it here; the table is still shown.")
@click.option(
    "--fail-on",
    type=click.Choice(["worse", "change", "decision"]),
    default="worse",
    show_default=True,
    help="What exits with 1: anything worse, any change, or a graver decision alone.",
)
@click.option("-q", "--quiet", is_flag=True, help="No table beside -o.")
@click.pass_context
def diff(
    context: click.Context, old: Path, new: Path, form: str | None, output: Path | None, fail_on: str, quiet: bool
) -> None:
    """Show what changed from one report to another, and why: decision, claims, labels, findings, the worst first.

    OLD and NEW are reports as JSON, or folders of them, whose answers are paired by their names; where no name is in
    both, by their names within the folders that were checked. A claim is known again by its words; of one that changed
    its label the report says what changed in its evidence or verifier.

    \b
    gate check answers/ --corpus docs/ -f json -o before/
    gate check answers/ --corpus docs/ -f json -o after/
    gate diff before/ after/ -o changes.html
    gate diff old.json new.json --fail-on decision

    \b
    0  nothing that --fail-on asks for
    1  something is worse: a graver decision, a worse or a new claim that is not supported, a finding
    2  bad input
    3  a run of NEW failed, or an answer of OLD has no report in NEW: nothing is known of it
    """
    from gate.cli.inputs import read_reports
    from gate.cli.outputs import format_among, refuse_inputs, write
    from gate.reports.overviews import changes, changes_shown

    form = format_among(FORMS, form, output)
    befores, nows = dict(read_reports([old])), dict(read_reports([new]))
    refuse_inputs([output], [*befores, *nows])
    found = changes.paired(list(befores.values()), list(nows.values()))
    texts = {"table": changes_shown.as_table, "json": changes_shown.as_json}
    texts |= {"html": changes_shown.as_html, "markdown": changes_shown.as_markdown}
    if output is not None:
        write(texts[form](found).encode(), output)
    if output is None or not quiet:
        say(texts["table" if output else form](found), nl=False)
    if any(each.outcomes[1] in ("", "error") for each in found):
        context.exit(cli.EXIT_FAILED)
    asked = {"worse": "worse", "change": "any", "decision": "graver"}[fail_on]
    context.exit(cli.EXIT_POLICY if any(getattr(each, asked) for each in found) else cli.EXIT_PASS)
