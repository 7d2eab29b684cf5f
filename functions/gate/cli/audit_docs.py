"""`gate audit-docs`: cited paths and names in code that do not exist, by file and line; offline."""

from __future__ import annotations

from pathlib import Path

import click

from gate import cli
from gate.cli.options import A_FILE, JSON
from gate.cli.printing import say


@click.command("audit-docs", short_help="Find cited paths and names in code that a repository does not have.")
@click.argument("paths", nargs=-1, required=True, type=A_FILE, metavar="PATH...")
@click.option(
    "--repo", type=A_FILE, default=Path(), show_default="here", help="The repository: a folder or an archive."
)
@click.option("--commit", help="Look paths up at this commit, not in the work tree.")
@click.option("--answer", is_flag=True, help="PATH is an answer about the repository: its paths start from the root.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["table", "json", "sarif", "html"]),
    help="Default: the ending of -o, or table.",
)
@JSON
@click.option("-o", "--output", type=A_FILE, help="Write the findings here, and say how many on the standard error.")
@click.option(
    "--fail-on",
    type=click.Choice(["block", "warn"]),
    default="block",
    show_default=True,
    help="The mildest finding that exits with 1.",
)
@click.pass_context
def audit_docs(
    context: click.Context,
    paths: tuple[Path, ...],
    repo: Path,
    commit: str | None,
    answer: bool,
    form: str | None,
    output: Path | None,
    fail_on: str,
) -> None:
    """Find paths that documents cite and names in code that they use, where a repository does not hold them.

    PATH is a document (Markdown, reStructuredText, HTML, text, PDF), or a folder whose documents are all read. One
    outside the repository is taken for an answer about it.

    \b
    gate audit-docs docs/ README.md
    gate audit-docs docs/ -o findings.html
    gate audit-docs answer.md --repo ../project --answer -f sarif

    \b
    0  nothing was found that --fail-on asks for
    1  a finding, a document or a part of the repository that could not be read, or names that were not looked up
    2  bad input
    """
    from gate.cli.audit import ENDINGS_OF, FORMATS, audit, collect, summed_up
    from gate.cli.outputs import format_among, write

    form = format_among(ENDINGS_OF, form, output)
    documents = collect(paths, repo, answer=answer)
    result = audit(documents, repo, commit)
    text = FORMATS[form](result)
    if output is None:
        say(text, nl=False)
    else:
        write(text.encode(), output)
        say(summed_up(result), err=True)
    context.exit(cli.EXIT_POLICY if result.fails(fail_on) else cli.EXIT_PASS)
