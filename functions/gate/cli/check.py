"""`gate check`: answers in, decisions out."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate import cli
from gate.cli.several import JOBS, Bars, in_order
from gate.errors import GateError, InputError
from gate.reports import FORMATS

if TYPE_CHECKING:
    from gate.local.patches import Invoke
    from gate.local.run import LocalRun
    from gate.reports.model import Report

A_FILE = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class Request:
    """What holds for every file of a call: the run's config, and a segment for the files that bring none."""

    config: dict[str, Any]
    segment: dict[str, Any] | None
    bars: Bars


@click.command(short_help="Check an answer, claim by claim, against documents you trust.")
@click.argument("files", nargs=-1, required=True, type=A_FILE, metavar="FILE...")
@click.option(
    "--corpus",
    metavar="NAME|PATH",
    help="What to check against: a corpus by name, a JSONL file, a folder of documents.",
)
@click.option("--source", multiple=True, help="Only this source of the corpus; may be given several times.")
@click.option("--tenant", help="Only this tenant's documents of the corpus.")
@click.option("--repo", type=A_FILE, help="A repository (a folder): paths that the answer cites are looked up in it.")
@click.option("--policy", type=A_FILE, help="When an answer passes: YAML or JSON; without it the default policy.")
@click.option("--segment", type=A_FILE, help="A segment of a conversation (JSON): adds citations to the report.")
@click.option("-f", "--format", "form", type=click.Choice(list(FORMATS)), help="Default: the ending of -o, or table.")
@click.option(
    "-o", "--output", type=A_FILE, help="Write the report here, a folder for several; the table is still shown."
)
@click.option(
    "--fail-on",
    type=click.Choice(["review", "block"]),
    default="review",
    show_default=True,
    help="The mildest decision that exits with 1.",
)
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 32), default=JOBS, show_default=True, help="Files checked at the same time."
)
@click.option("--estimate", is_flag=True, help="Say what the model may cost at most, without asking it; check nothing.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar, and no table beside -o.")
@click.pass_context
def check(
    context: click.Context,
    files: tuple[Path, ...],
    corpus: str | None,
    source: tuple[str, ...],
    tenant: str | None,
    repo: Path | None,
    policy: Path | None,
    segment: Path | None,
    form: str | None,
    output: Path | None,
    fail_on: str,
    jobs: int,
    estimate: bool,
    quiet: bool,
) -> None:
    """Check answers of a language model, claim by claim, against documents you trust.

    FILE is a text or Markdown answer, or JSON: a transcript ("turns") or chat messages ("messages"); - is the
    standard input. Every file is checked, several at the same time; the exit code is that of the worst.

    \b
    0  the policy lets every answer pass
    1  the policy says review or block (--fail-on block: block alone)
    2  bad input or settings
    3  a run failed
    """
    from gate.cli.inputs import refuse_own_evidence
    from gate.cli.outputs import format_of, places
    from gate.local.run import Limited

    form = format_of(form, output)
    targets = places(files, output, form)
    refuse_own_evidence(files, corpus)
    config = _config(corpus, repo, policy) | {"search": {"tenant": tenant, "sources": list(source)}}
    request = Request(config, _segment(segment), Bars(quiet=quiet))
    if estimate:
        context.exit(max(_estimate_one(file, request) for file in files))
    found = in_order(partial(_check_one, request=request, invoke=Limited()), files, jobs)
    codes = []
    for outcome, target in zip(found, targets, strict=True):
        with request.bars.aside():
            codes.append(_finish(outcome, target, form, quiet=quiet, fail_on=fail_on))
    context.exit(max(codes))


def _config(corpus: str | None, repo: Path | None, policy: Path | None) -> dict[str, Any]:
    from gate import wiring
    from gate.cli.inputs import index_of, read_policy

    config: dict[str, Any] = {}
    if policy is not None:
        config["policy"] = read_policy(policy, max_bytes=wiring.settings().max_bytes)
    if repo is not None:
        if not repo.is_dir():
            raise InputError(f"--repo {repo}: there is no such folder")
        config["repo_root"] = str(repo.resolve())
    return {**config, "elasticsearch": {"index": index_of(corpus)}}


def _segment(path: Path | None) -> dict[str, Any] | None:
    from gate import services
    from gate.cli.inputs import read_segment

    return read_segment(path, services.caps()) if path else None


def _check_one(file: Path, request: Request, invoke: Invoke) -> Report | GateError:
    """The report on one file, or what went wrong."""
    try:
        return _run(file, request, invoke)
    except GateError as error:
        return error


def _finish(found: Report | GateError, target: Path | None, form: str, *, quiet: bool, fail_on: str) -> int:
    """Deliver a report and return its exit code; what went wrong is said and becomes the code."""
    try:
        if isinstance(found, GateError):
            raise found
        _deliver(found, target, form, quiet)
    except GateError as error:
        failure = cli.failure_of(error)
        failure.show()
        return failure.exit_code
    if found.outcome == "error":
        return cli.EXIT_FAILED
    failing = ("review", "block") if fail_on == "review" else ("block",)
    return cli.EXIT_POLICY if found.outcome in failing else cli.EXIT_PASS


def _estimate_one(file: Path, request: Request) -> int:
    """Say what checking one file may cost; what goes wrong is said and becomes the exit code."""
    from gate.cli.estimating import estimated, show_estimate
    from gate.cli.inputs import name_of

    try:
        show_estimate(name_of(file), *estimated(_submission(file, request), request.config))
    except GateError as error:
        failure = cli.failure_of(error)
        failure.show()
        return failure.exit_code
    return cli.EXIT_PASS


def _submission(file: Path, request: Request) -> dict[str, Any]:
    from gate import wiring
    from gate.cli.inputs import read_text

    text = read_text(file, max_bytes=wiring.settings().max_bytes)
    _refuse_unusable(file, text)
    return {"name": file.name if file.name != "-" else "", "text": text, "segment": request.segment}


def _run(file: Path, request: Request, invoke: Invoke) -> Report:
    from gate import wiring
    from gate.cli.inputs import name_of
    from gate.local.run import run_locally

    submission = _submission(file, request)
    config, run_id = {**request.config, "name": name_of(file)}, uuid.uuid4().hex
    try:
        with request.bars.over(name_of(file)) as on_claim:
            run = run_locally(submission, config, run_id=run_id, on_claim=on_claim, invoke=invoke)
        return _report(run, file)
    finally:
        wiring.blob_store().delete_prefix(f"runs/{run_id}/")


def _refuse_unusable(file: Path, text: str) -> None:
    from gate import services
    from gate.cli.inputs import located
    from gate.rules.transcripts.table import parse

    try:
        parse(file.name if file.name != "-" else "", text, services.caps())
    except InputError as error:
        raise located(error, file) from None


def _report(run: LocalRun, file: Path) -> Report:
    """The report that the run published.

    Raises:
        InternalError: it published none.
    """
    from gate import wiring
    from gate.errors import InternalError
    from gate.reports.model import Report

    key, store = f"reports/{run.run_id}/report.json", wiring.blob_store()
    if not store.exists(key):
        raise InternalError(f"{file}: {run.error or run.status}: {run.cause or 'the run failed'}")
    return Report.model_validate_json(store.get(key))


def _deliver(report: Report, target: Path | None, form: str, quiet: bool) -> None:
    from gate.cli.outputs import show_table, write
    from gate.reports import render

    if target is not None:
        write(render(report, form).data, target)
    if report.failure:
        message = f": {report.failure.message}" if report.failure.message else ""
        click.echo(f"gate: {report.name}: {report.failure.error}{message}", err=True)
    elif target is None and form != "table":
        click.echo(render(report, form).data, nl=False)
    elif not (target and quiet):
        show_table(report)
