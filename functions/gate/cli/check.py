"""`gate check`: answers in, decisions out."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate import cli
from gate.cli import options
from gate.cli.options import A_FILE
from gate.cli.several import JOBS, Bars, in_order
from gate.errors import GateError, InputError

if TYPE_CHECKING:
    from gate.adapters.local_files import FolderBlobStore
    from gate.cli.outputs import Delivery
    from gate.local.branches import Invoke
    from gate.reports.model import Report


LEFT_BEHIND_S = 86_400
"""Seconds after which the folder of a run cannot be that of a check under way."""


@dataclass(frozen=True, slots=True)
class Request:
    """What holds for every file of a call: the run's config, and a segment for the files that bring none.

    `runs` are the ids of the runs begun, whose blobs hold the texts.
    """

    config: dict[str, Any]
    segment: dict[str, Any] | None
    bars: Bars
    runs: list[str] = field(default_factory=list)


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
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 32), default=JOBS, show_default=True, help="Files checked at the same time."
)
@click.option("--estimate", is_flag=True, help="Say what the model may cost, by the claims alone; check nothing.")
@options.reporting
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
    jobs: int,
    estimate: bool,
    form: str | None,
    output: Path | None,
    fail_on: str,
    remote: str | None,
    timeout: float,
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
    from gate.cli.outputs import Delivery, format_of, places, refuse_inputs
    from gate.services.indexes import searching

    form = format_of(form, output)
    targets = places(files, output, form)
    refuse_inputs(targets, [*files, Path(corpus) if corpus else None, policy, segment])
    delivery = Delivery(form, fail_on, quiet)
    search = {"tenant": tenant, "sources": list(source)}
    if remote is not None:
        from gate.cli.remote import Remote, refuse_local

        refuse_local(corpus, repo, policy, estimate)
        asked = {"search": {"index": corpus, **search}, "segment": _segment(segment)}
        context.exit(Remote(remote, timeout).check(list(zip(files, targets, strict=True)), asked, delivery))
    refuse_own_evidence(files, corpus)
    config, given = {**_config(repo, policy), "search": search}, _segment(segment)
    if estimate:
        context.exit(max(_estimate_one(file, Request(config, given, Bars(quiet=quiet))) for file in files))
    with searching(corpus) as index:
        request = Request({**config, "elasticsearch": {"index": index}}, given, Bars(quiet=quiet))
        context.exit(_check_all(list(zip(files, targets, strict=True)), request, delivery, jobs))


def _check_all(targets: Sequence[tuple[Path, Path | None]], request: Request, delivery: Delivery, jobs: int) -> int:
    """Check every file and deliver what comes of it; returns the worst exit code."""
    from gate.local.run import Limited

    codes = []
    try:
        _remove_left_behind()
        found = in_order(partial(_check_one, request=request, invoke=Limited()), [file for file, _ in targets], jobs)
        for outcome, (_, target) in zip(found, targets, strict=True):
            with request.bars.aside():
                codes.append(_finish(outcome, target, delivery))
    except KeyboardInterrupt:  # it reaches this thread alone, not those that check
        request.bars.end()
        _close_store()
        _remove(request.runs)
        raise
    return max(codes)


def _remove_left_behind() -> None:
    """Remove what killed checks left on this machine: texts of answers, more than a day old."""
    if store := _own_store():
        store.delete_older("runs/", LEFT_BEHIND_S)


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


def _check_one(file: Path, request: Request, invoke: Invoke) -> Report | GateError:
    """The report on one file, or what went wrong."""
    try:
        return _run(file, request, invoke)
    except GateError as error:
        return error


def _finish(found: Report | GateError, target: Path | None, delivery: Delivery) -> int:
    """Deliver a report and return its exit code; what went wrong is said and becomes the code."""
    try:
        if isinstance(found, GateError):
            raise found
        return delivery.of(found, target)
    except GateError as error:
        return cli.report_failure(error)


def _estimate_one(file: Path, request: Request) -> int:
    """Say what checking one file may cost; what goes wrong is said and becomes the exit code."""
    from gate.cli.estimating import estimated, show_estimate
    from gate.cli.inputs import name_of

    try:
        show_estimate(name_of(file), *estimated(_submission(file, request), request.config))
    except GateError as error:
        return cli.report_failure(error)
    return cli.EXIT_PASS


def _submission(file: Path, request: Request) -> dict[str, Any]:
    from gate.cli.inputs import read_answer
    from gate.services.run import caps

    return {**read_answer(file, caps()), "segment": request.segment}


def _run(file: Path, request: Request, invoke: Invoke) -> Report:
    from gate.cli.inputs import name_of
    from gate.local.gate import published
    from gate.local.run import run_locally

    submission = _submission(file, request)
    config, run_id = {**request.config, "name": name_of(file)}, uuid.uuid4().hex
    request.runs.append(run_id)
    try:
        with request.bars.over(name_of(file)) as on_claim:
            run = run_locally(submission, config, run_id=run_id, on_claim=on_claim, invoke=invoke)
        return published(run, f"{file}: ")
    except KeyboardInterrupt:  # the run's own threads are still under way
        _close_store()
        raise
    finally:
        _remove([run_id])
