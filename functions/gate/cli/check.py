"""`gate check`: answers in, decisions out."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate import cli
from gate.cli import options
from gate.cli.options import A_FILE
from gate.cli.parallel_files import JOBS, Bars, in_order
from gate.errors import GateError, InputError

if TYPE_CHECKING:
    from gate.adapters.local_files import FolderBlobStore
    from gate.cli.inputs import Given
    from gate.cli.outputs import Delivery
    from gate.local.branches import Invoke
    from gate.reports.model import Report


LEFT_BEHIND_S = 86_400
"""Seconds after which the folder of a run cannot be that of a check under way."""


@dataclass(frozen=True, slots=True)
class Request:
    """What holds for every file of a call: the run's config, and a segment for the files that bring none.

    `form` is the format that all files are in, empty where it is told; `runs` are the ids of the runs under way, whose
    blobs hold the texts.
    """

    config: dict[str, Any]
    segment: dict[str, Any] | None
    bars: Bars
    form: str = ""
    runs: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a record: its report, or what went wrong; and where the report goes."""

    record: Given
    target: Path | None
    found: Report | GateError


@click.command(short_help="Check an answer, claim by claim, against documents you trust.")
@click.argument("files", nargs=-1, type=A_FILE, metavar="FILE...")
@click.option(
    "--corpus",
    metavar="NAME|PATH",
    help="What to check against: a corpus by name, a JSONL file, a folder of documents, s3://bucket/prefix.",
)
@click.option(
    "--against",
    type=click.Choice(("contexts", "corpus", "both")),
    help="What records with contexts are judged against; default: the contexts where there are any.",
)
@click.option("--source", multiple=True, help="Only this source of the corpus; may be given several times.")
@click.option("--tenant", help="Only this tenant's documents of the corpus.")
@click.option("--repo", type=A_FILE, help="A repository (a folder) in which cited paths and names are looked up.")
@click.option("--policy", type=A_FILE, help="When an answer passes: YAML or JSON; without it the default policy.")
@click.option("--baseline", type=A_FILE, help="Findings that are accepted (`gate baseline`): only new ones fail.")
@click.option("--segment", type=A_FILE, help="A segment of a conversation (JSON): adds citations to the report.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 32), default=JOBS, show_default=True, help="Files checked at the same time."
)
@click.option(
    "--from", "origin", metavar="FORMAT", help="The format of every FILE, where its structure does not tell it."
)
@click.option("--estimate", is_flag=True, help="Say what the model may cost, by the claims alone; check nothing.")
@click.option("-v", "--verbose", is_flag=True, help="Name every file of the corpus's folder that is left out.")
@click.option("--summary", type=A_FILE, help="Write what all records came to: a page, JSON or CSV, by the ending.")
@click.option(
    "--now", is_flag=True, help="With --remote: have each answer checked within its request, by one function."
)
@options.reporting
@click.pass_context
def check(
    context: click.Context,
    files: tuple[Path, ...],
    corpus: str | None,
    against: str | None,
    source: tuple[str, ...],
    tenant: str | None,
    repo: Path | None,
    policy: Path | None,
    baseline: Path | None,
    segment: Path | None,
    jobs: int,
    origin: str | None,
    estimate: bool,
    verbose: bool,
    summary: Path | None,
    now: bool,
    form: str | None,
    output: Path | None,
    fail_on: str,
    remote: str | None,
    timeout: float,
    quiet: bool,
) -> None:
    """Check answers of a language model, claim by claim, against documents you trust.

    FILE is a text or Markdown answer, or what an API, a tracer or a data set keeps of one or many: JSON, JSON Lines,
    CSV, YAML, a stream, each also gzipped; docs/records.md lists the formats. A folder stands for the files below it
    that are one of these, - or nothing for the standard input. Every record is checked, several at the same time; the
    exit code is that of the worst. With --repo and no corpus only paths and names in code are checked, and every
    statement is unchecked.

    \b
    gate check answer.md --corpus docs/ -o report.html
    gate check answers/ --corpus docs/ -f json -o reports/ --summary reports/index.html
    bot ask "What does shipping cost?" | gate check --corpus handbook --fail-on block
    gate check records.jsonl --against contexts -f csv

    \b
    0  the policy lets every answer pass
    1  the policy says review or block (--fail-on block: block alone)
    2  bad input or settings, those of a run among them
    3  a run failed, or no claim of an answer could be checked
    """
    from gate.cli.given_files import given_files
    from gate.cli.inputs import known_format, refuse_own_evidence
    from gate.cli.leaving_out import show_languages, show_left_out
    from gate.cli.outputs import Delivery, format_of, places, refuse_in_corpus, refuse_inputs
    from gate.cli.progress import searching
    from gate.cli.summing_up import KeptSummary
    from gate.local.accepted_findings import read as read_baseline
    from gate.submission.transcripts.table import ENDINGS

    form, answers = format_of(form, output), given_files(files, ENDINGS)
    targets = list(zip(answers, places(answers, output, form), strict=True))
    known_format(origin)
    read = [*answers, Path(corpus) if corpus else None, policy, baseline, segment]
    refuse_inputs([*(target for _, target in targets), summary], read)
    kept = KeptSummary(summary) if summary else None
    delivery = Delivery(form, fail_on, quiet, read_baseline(baseline) if baseline else None, kept, output)
    search = {"tenant": tenant, "sources": list(source)}
    if remote is not None:
        from gate.cli.remote import Remote, refuse_local

        refuse_local(corpus, repo, policy, estimate)
        asked = {"search": {"index": corpus, **search}, "segment": _segment(segment), "against": against}
        found = _records(targets, output, form, origin or "")
        there = Remote(remote, timeout)
        code = (there.check_now if now else there.check)(found, asked, delivery)
        delivery.end()
        context.exit(code)
    if now:
        raise InputError("--now: is for a deployed gate", hint="--remote NAME|URL")
    refuse_own_evidence(answers, corpus)
    refuse_in_corpus([*(target for _, target in targets), output, summary], corpus)
    config, given = {**_config(repo, policy), "search": search, "against": against or "auto"}, _segment(segment)
    if estimate:
        wanted = Request(config, given, Bars(quiet=quiet), origin or "")
        context.exit(max(_estimate_one(record, wanted) for record, _ in _records(targets, None, form, origin or "")))
    with searching(corpus, quiet=quiet, optional=against in (None, "contexts")) as index:
        show_left_out(index, corpus, verbose=verbose)
        show_languages(index)
        request = Request({**config, "elasticsearch": {"index": index}}, given, Bars(quiet=quiet), origin or "")
        code = _check_all(_records(targets, output, form, request.form), request, delivery, jobs)
    delivery.end()
    context.exit(code)


def _records(
    targets: Sequence[tuple[Path, Path | None]], output: Path | None, form: str, origin: str
) -> Iterator[tuple[Given, Path | None]]:
    """Every record of every file, as they come, with where its report goes."""
    from dataclasses import replace

    from gate import wiring
    from gate.cli.inputs import read_records
    from gate.cli.outputs import numbered_names, place_of
    from gate.services.run import caps

    most = wiring.current().settings.max_batch_bytes
    taken = numbered_names(target for _, target in targets)
    for file, target in targets:
        for record in read_records(file, caps(), form=origin, max_batch=most):
            try:
                yield record, place_of(record, target, output, form, taken)
            except InputError as error:
                yield replace(record, refused=error), None
                break


def _check_all(records: Iterable[tuple[Given, Path | None]], request: Request, delivery: Delivery, jobs: int) -> int:
    """Check every record and deliver what comes of it; returns the worst exit code."""
    from gate.cli.summing_up import BatchCounts
    from gate.local.run import Limited

    code, summary = cli.EXIT_PASS, BatchCounts()
    try:
        _remove_left_behind()
        for outcome in in_order(partial(_check_one, request=request, invoke=Limited()), records, jobs):
            with request.bars.aside():
                code = max(code, _finish(outcome, delivery))
                summary.add(outcome.record, outcome.found)
    except KeyboardInterrupt:  # it reaches this thread alone, not those that check
        request.bars.end()
        _close_store()
        _remove(sorted(request.runs))
        raise
    summary.show(aside=delivery.form != "table")
    return code


def _remove_left_behind() -> None:
    """Remove what killed checks left on this machine: texts of answers, more than a day old."""
    if (store := _own_store()) and not _keeps_runs():
        store.delete_older("runs/", LEFT_BEHIND_S)


def _keeps_runs() -> bool:
    from gate import wiring

    return wiring.current().settings.keep_runs


def _close_store() -> None:
    """Let no thread write again what is about to be removed."""
    if store := _own_store():
        store.close()


def _own_store() -> FolderBlobStore | None:
    """The folder that blobs lie in; None where they lie elsewhere."""
    from gate import wiring
    from gate.adapters.local_files import FolderBlobStore

    store = wiring.current().blob_store()
    return store if isinstance(store, FolderBlobStore) else None


def _remove(runs: list[str]) -> None:
    from gate import wiring

    for run_id in runs:
        wiring.current().blob_store().delete_prefix(f"runs/{run_id}/")


def _config(repo: Path | None, policy: Path | None) -> dict[str, Any]:
    from gate import wiring
    from gate.cli.inputs import read_policy
    from gate.text.encodable import encodable

    config: dict[str, Any] = {}
    if policy is not None:
        config["policy"] = read_policy(policy, max_bytes=wiring.current().settings.max_bytes)
    if repo is not None:
        if not repo.is_dir():
            raise InputError(f"--repo {repo}: there is no such folder")
        root = str(repo.resolve())
        if not encodable(root):
            raise InputError(f"--repo {root}: the path is not UTF-8")
        config["repo_root"] = root
    return config


def _segment(path: Path | None) -> dict[str, Any] | None:
    from gate.cli.inputs import read_segment
    from gate.services.run import caps

    return read_segment(path, caps()) if path else None


def _check_one(given: tuple[Given, Path | None], request: Request, invoke: Invoke) -> Outcome:
    """The report on one record, or what went wrong."""
    record, target = given
    try:
        if record.refused is not None:
            raise record.refused
        _refuse_without_evidence(record, request.config)
        return Outcome(record, target, _run(record, request, invoke))
    except GateError as error:
        return Outcome(record, target, error)


def _refuse_without_evidence(record: Given, config: Mapping[str, Any]) -> None:
    """Refuse a record for which there is nothing to check it against."""
    if record.contexts:
        return
    if not config["elasticsearch"]["index"] and not (config.get("repo_root") and config["against"] == "auto"):
        raise InputError(f"{record.label}: holds no contexts, and there is no corpus", hint="give --corpus PATH")
    if config["against"] == "contexts":
        raise InputError(f"{record.label}: holds no contexts to check against", hint="--against corpus")


def _finish(outcome: Outcome, delivery: Delivery) -> int:
    """Deliver a report and return its exit code; what went wrong is said and becomes the code."""
    try:
        if isinstance(outcome.found, GateError):
            return delivery.refuse(outcome.record.name, outcome.found)
        return delivery.of(outcome.found, outcome.target, brief=bool(outcome.record.number))
    except GateError as error:
        return cli.report_failure(error)


def _estimate_one(record: Given, request: Request) -> int:
    """Say what checking one record may cost; what goes wrong is said and becomes the exit code."""
    from gate.cli.estimating import estimated, show_estimate

    try:
        if record.refused is not None:
            raise record.refused
        show_estimate(record.name, *estimated({**record.submission, "segment": request.segment}, request.config))
    except GateError as error:
        return cli.report_failure(error)
    return cli.EXIT_PASS


def _run(record: Given, request: Request, invoke: Invoke) -> Report:
    from gate.local.gate import published
    from gate.local.run import run_locally

    submission = {**record.submission, "segment": request.segment}
    config, run_id = {**request.config, "name": record.name}, uuid.uuid4().hex
    request.runs.add(run_id)
    try:
        with request.bars.over(record.name) as on_claim:
            run = run_locally(submission, config, run_id=run_id, on_claim=on_claim, invoke=invoke)
        return published(run, f"{record.name}: ")
    except KeyboardInterrupt:  # the run's own threads are still under way
        _close_store()
        _remove([run_id])
        raise
    finally:
        if not _keeps_runs():
            _remove([run_id])
        request.runs.discard(run_id)
