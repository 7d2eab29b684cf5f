"""`gate index`: corpora that stay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate import cli
from gate.cli import options
from gate.cli.printing import say

if TYPE_CHECKING:
    from gate.adapters.readers import Problem
    from gate.services.corpora import Ingested
    from gate.trail.trail_entries import DeletionReason

CORPUS = click.option("--corpus", metavar="NAME", help="Name of the corpus; default: GATE_INDEX.")
SHOWN = 20
"""Problems that are listed; the rest is counted."""


@click.group(short_help="Keep corpora: add documents, remove them, look.")
def index() -> None:
    """Keep corpora: documents that answers are checked against, in the store that GATE_SEARCH names.

    \b
    gate index add docs/ --corpus handbook
    gate index list
    gate index show --corpus handbook
    """


@index.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH...")
@CORPUS
@click.option("--sync", is_flag=True, help="Remove what is in the corpus and not under PATH any more.")
@click.option("--redact", is_flag=True, help="Hide personal data (GATE_REDACTOR) before anything is stored.")
@click.option("--source", help="Source of documents that name none; searches can be limited to it.")
@click.option("--tenant", help="Tenant that the documents belong to.")
@click.option("--classification", help="Classification of documents that name none, for example public.")
@click.option("--dry-run", is_flag=True, help="Say what would be added, left out and removed; do nothing.")
@click.option("-v", "--verbose", is_flag=True, help="Name every file that is left out.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
@click.pass_context
def add(
    context: click.Context,
    paths: tuple[Path, ...],
    corpus: str | None,
    sync: bool,
    redact: bool,
    source: str | None,
    tenant: str | None,
    classification: str | None,
    dry_run: bool,
    verbose: bool,
    quiet: bool,
) -> None:
    """Add documents in the formats of docs/corpora.md; PATH is a file, or a folder with files.

    Adding the same again changes nothing; a changed document takes the place of the old one. Files that no reader is
    for are counted by reason, and named with -v. What cannot be read is listed and the rest is kept; the exit code is
    then 2.
    """
    from gate.cli.leaving_out import show_languages, show_omissions
    from gate.cli.progress import progress
    from gate.services import corpora

    name = _name(corpus)
    marks = corpora.Marks(source, tenant, classification)
    with progress(name, quiet, "passages") as update:

        def on_passages(done: int) -> None:
            update(completed=done)

        how = {"marks": marks, "redact": redact, "sync": sync, "progress": on_passages}
        outcome = corpora.add_paths(paths, name, dry_run=dry_run, **how)
    if not verbose:
        _name_problems(outcome.problems)
    _name_problems(outcome.renamed)
    show_omissions(" ".join(map(str, paths)), outcome.left_out, verbose=verbose)
    if not dry_run:
        show_languages(name)
    _report(outcome, name, dry_run=dry_run)
    context.exit(cli.EXIT_INPUT if outcome.problems else cli.EXIT_PASS)


@index.command()
@CORPUS
def init(corpus: str | None) -> None:
    """Make an empty corpus, with the mapping that the configured embedder needs, unless there is one."""
    from gate import wiring
    from gate.services.indexes import init_index

    name = _name(corpus)
    before = wiring.current().search_engine().exists(name)
    init_index(name)
    say(f"{name}: was there already" if before else f"{name}: made")


@index.command()
@CORPUS
def show(corpus: str | None) -> None:
    """Say what a corpus holds, and with which embedder it was made."""
    from gate import wiring
    from gate.text.languages import counted_languages

    about = wiring.current().search_engine().describe(_name(corpus))
    width = max(map(len, about))
    for key, value in about.items():
        if key == "languages":
            say(f"{key:<{width}}  {counted_languages(value)}")
        else:
            say(f"{key:<{width}}  {'none: keyword search alone' if value is None else value}")


@index.command("list")
def list_() -> None:
    """Name the corpora of the embedded store, what they hold, and which were made from a path by a check."""
    from gate import wiring
    from gate.errors import SettingsError

    store = wiring.current().embedded_store()
    rows = [("corpus", "passages", "megabytes", "made from")]
    for name in store.names():
        try:
            manifest = store.manifest(name)
            size = sum(file.bytes for file in manifest.files.values()) / 1e6
            rows.append((name, f"{manifest.documents:,}", f"{size:,.1f}", str(store.origin(name) or "")))
        except SettingsError as damage:
            rows.append((name, "", "", damage.safe_message))
    if len(rows) == 1:
        say("no corpora: gate index add PATH --corpus NAME keeps one", err=True)
        return
    width = max(len(name) for name, *_ in rows)
    for name, passages, size_shown, made_from in rows:
        say(f"{name:<{width}}  {passages:>9}  {size_shown:>9}  {made_from}".rstrip())


@index.command()
@click.argument("name")
@options.reason(required=False)
def delete(name: str, reason: DeletionReason | None) -> None:
    """Delete a corpus of the embedded store with all it holds, also a damaged one."""
    from gate import wiring
    from gate.errors import InputError
    from gate.services.trail.acts import removal

    store = wiring.current().embedded_store()
    if name in store.names():
        removal(name, reason=reason)
    if not store.delete(name):
        raise InputError(f"there is no corpus {name!r}", hint="gate index list")
    say(f"{name}: deleted")


@index.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@CORPUS
@options.reason(required=False)
def remove(ids: tuple[str, ...], corpus: str | None, reason: DeletionReason | None) -> None:
    """Remove documents, or single passages, by their ids."""
    from gate import wiring
    from gate.services.trail.acts import removal

    name = _name(corpus)
    engine = wiring.current().search_engine()
    if engine.exists(name):
        removal(name, len(ids), reason)
    count = engine.delete_documents(ids, name)
    say(f"{name}: {_counted(count, 'passage')} removed")


@index.command()
@CORPUS
def verify(corpus: str | None) -> None:
    """Compare every byte of a corpus in the embedded store with its manifest; mend what can be mended."""
    from gate import wiring

    name = _name(corpus)
    manifest = wiring.current().embedded_store().check(name)
    say(f"{name}: {_counted(manifest.documents, 'passage')} in {len(manifest.files)} files, all as written")


@index.command()
@click.argument("bucket", metavar="S3-URL", required=False)
@CORPUS
@click.option("--dry-run", is_flag=True, help="Only say what differs.")
@click.option("--strangers", is_flag=True, help="Name documents that never lay in the bucket; reads all of the corpus.")
@click.pass_context
def reconcile(context: click.Context, bucket: str | None, corpus: str | None, dry_run: bool, strangers: bool) -> None:
    """Make a corpus what its folder in a bucket is: S3-URL/NAME/, by default GATE_DOCUMENTS.

    Documents of another version, and such as the corpus lacks, are taken in; those that are gone are removed. With
    GATE_DOCUMENTS_QUEUE they are queued for the functions of a deployment. The exit code is 1 where --dry-run finds
    a difference, 2 where a document could not be taken in.
    """
    from gate import wiring
    from gate.errors import GateError, InputError
    from gate.services import freshness, ingestion

    name, url = _name(corpus), bucket or wiring.current().settings.documents
    if not url:
        raise InputError("there is no bucket to compare with", hint="gate index reconcile s3://bucket/corpora")
    place = (*freshness.bucket_of(url), name)
    found = freshness.compare(*place)
    lag = f", the oldest change {found.lag_s / 60:,.0f} minutes ago" if found.behind else ""
    say(f"{name}: {_counted(found.documents, 'document')} in the bucket, {len(found.behind)} behind{lag}")
    for document in found.behind[:SHOWN]:
        say(f"  {document}")
    if len(found.behind) > SHOWN:
        say(f"  and {len(found.behind) - SHOWN} more")
    if strangers:
        for document in freshness.strangers(*place):
            say(f"  never in the bucket: {document} (gate index remove)")
    if dry_run:
        context.exit(cli.EXIT_POLICY if found.behind else cli.EXIT_PASS)
    queue = wiring.current().document_queue()
    if queue is not None:
        say(f"{name}: {queue.send(freshness.changes(*place, found.behind))} queued")
        return
    failed = 0
    for document in found.behind:
        try:
            taken = ingestion.take_in(freshness.CorpusDocument(*place, document))
            for problem in taken.problems[:SHOWN]:
                say(f"gate: {problem['where']}: {problem['why']}", err=True)
        except GateError as error:
            failed += 1
            say(f"gate: {document}: {error}", err=True)
    say(f"{name}: {_counted(len(found.behind) - failed, 'document')} taken in, {failed} failed")
    context.exit(cli.EXIT_INPUT if failed else cli.EXIT_PASS)


def _name(corpus: str | None) -> str:
    from gate import wiring

    return corpus or wiring.current().settings.index


def _name_problems(problems: list[Problem]) -> None:
    for problem in problems[:SHOWN]:
        say(f"gate: {problem.where}: {problem.why}", err=True)
    if len(problems) > SHOWN:
        say(f"gate: and {len(problems) - SHOWN} more: -v names them", err=True)


def _report(outcome: Ingested, name: str, *, dry_run: bool) -> None:
    if outcome.kept:
        say(f"gate: {outcome.kept}", err=True)
    counts = f"{outcome.indexed} added, {outcome.unchanged} unchanged, {outcome.removed} removed"
    if dry_run:
        counts = f"{outcome.indexed} would be added, {outcome.unchanged} are there, {outcome.removed} would be removed"
    trouble = f"; {_counted(len(outcome.problems), 'problem')}" if outcome.problems else ""
    say(f"{name}: {_counted(outcome.documents, 'document')}, passages: {counts}{trouble}")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
