"""Puts documents into an index: redacted if asked, embedded, and stored batch by batch."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gate import wiring
from gate.adapters.readers import READERS as READERS
from gate.adapters.readers import Found, Problem
from gate.adapters.readers.folders import EMPTY, Inventory, LeftOut, inventory, omissions, read
from gate.errors import (
    InputError,
    ModelThrottledError,
    ModelUnavailableError,
    SearchUnavailableError,
)
from gate.ports import Embedder, Redactor, SearchEngine
from gate.privacy.origins import shown_origin
from gate.repository.names.corpus_names import code_within
from gate.retrieval.passages import TEXT_FIELDS, origin, passage, with_own_ids
from gate.services.indexes import index_embedder, init_index, name_of, vectors_of
from gate.services.paths.file_ledger import FileLedger

BATCH = 512
SMALL_BATCH = 64
"""Passages of an uploaded document that are embedded and stored at once: what one refusal, or a kill, may cost."""
PATIENCE = 4
"""How often a batch is tried again where the embedder refuses it, after 0.5, 1, 2 and 4 s on average."""
SHOWN_S = 90.0
"""How long an engine may take to show what was written; Serverless collections take 10 s, or 60."""


@dataclass(slots=True)
class Ingested:
    """What became of a corpus that was added.

    Attributes:
        documents: documents read; passages without one count as one each.
        indexed, unchanged, removed: passages.
        problems: what could not be read or stored, and why; everything else was.
        renamed: passages that bear another id than they brought, by document, and why; all are stored.
        left_out: files that are not in it (`readers.folders.omissions`), where paths were added.
        kept: why nothing was removed although `sync` was asked for; empty if it was.
    """

    documents: int = 0
    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    problems: list[Problem] = field(default_factory=list)
    renamed: list[Problem] = field(default_factory=list)
    left_out: dict[str, Any] = field(default_factory=dict)
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Marks:
    """What every passage of a corpus is marked with, where it brings nothing of its own."""

    source: str | None = None
    tenant: str | None = None
    classification: str | None = None


@contextmanager
def passages_alone(contexts: Sequence[str | Mapping[str, Any]]) -> Iterator[str]:
    """Work inside on passages that are given: in an index of this machine, which is gone afterwards.

    Yields:
        the index to search.

    Raises:
        InputError: there are none, or one is no passage; says which, from 1.
    """
    with wiring.entered(wiring.current().searching_here()) as gate:
        found = [each for number, one in enumerate(contexts, start=1) for each in _read_context(one, number)]
        for each in found:
            if isinstance(each, Problem):
                raise InputError(f"{each.where}: {each.why}")
        if not found:
            raise InputError("there are no contexts: nothing to check an answer against")
        passages = [each for each in found if not isinstance(each, Problem)]
        name, store, embedder = f"contexts-{uuid.uuid4().hex}", gate.embedded_store(), gate.embedder()
        try:
            store.index_documents(passages, name, vectors=vectors_of(embedder, passages), embedder=name_of(embedder))
            store.note_use(name, gate.settings.home / name)  # nothing is there: it is pruned should this process die
            yield name
        finally:
            store.delete(name)


def _read_context(context: str | Mapping[str, Any], number: int) -> Iterator[Found]:
    if isinstance(context, str):
        return read(context.encode("utf-8", "replace"), f"context {number}.txt")
    named = {"title": f"context {number}", "id": f"context {number}", **context}
    return read(json.dumps(named, default=str).encode(), f"context {number}.jsonl")


def replace_document(
    data: bytes, document: str, index: str, *, redact: bool = False, each: Callable[[], object] = lambda: None
) -> Ingested:
    """Make an index hold exactly one version of a document, given as bytes; its name's ending says how it is read.

    What it held of another version goes first, so that nothing is found that no version says. What cannot be read is
    named, and is no reason to keep what was read before. No passage takes the id of another document's (`renamed`).
    Passages are stored in small batches, `each` called before every one, so that a call that is killed goes on where
    it was.

    Raises:
        SearchUnavailableError: the engine has not taken, or does not show, all of it: to be called again.
        ModelThrottledError, ModelUnavailableError: the embedder, after waiting for it: to be called again.
    """
    engine = wiring.current().search_engine()
    init_index(index)
    embedder, outcome = index_embedder(index), Ingested(documents=1)
    found = (one if isinstance(one, Problem) else {**one, "document": document} for one in read(data, document))
    last = {record["id"]: record for record in _passages(found, Marks(), redact, outcome)}
    named = _with_own_ids([*last.values()], engine.origins([*last], index), outcome)
    passages = {record["id"]: record for record in named}
    outcome.removed = remove_from(engine, index, document, passages)
    records = iter(passages.values())
    while batch := list(islice(records, SMALL_BATCH)):
        each()
        trouble = len(outcome.problems)
        _patiently(lambda batch=batch: _store(engine, embedder, index, batch, outcome))  # type: ignore[misc]
        if len(outcome.problems) > trouble:
            raise SearchUnavailableError(f"the search engine did not take a passage: {outcome.problems[-1].why}")
    _wait_until_shown(engine, index, document, passages)
    return outcome


def remove_from(engine: SearchEngine, index: str, document: str, keeping: Mapping[str, Any]) -> int:
    """Remove the passages of a document, except those with the ids of `keeping`; returns how many."""
    stale = sorted(set(engine.ids(index, documents=[document])) - set(keeping))
    return engine.delete_documents(stale, index, of=[document]) if stale else 0


def _wait_until_shown(engine: SearchEngine, index: str, document: str, passages: Mapping[str, Any]) -> None:
    """Wait until a search finds the passages of this version and no others: some engines show what is written later,
    and what one cannot see it cannot remove."""
    until = time.monotonic() + SHOWN_S
    while True:
        there = set(engine.ids(index, documents=[document]))
        if there == set(passages):
            return
        remove_from(engine, index, document, passages)
        if time.monotonic() > until:
            raise SearchUnavailableError("the search engine does not show what was written")
        time.sleep(1)


def _patiently(work: Callable[[], None]) -> None:
    """Do what asks a model, and again where it refuses for rate."""
    for attempt in range(PATIENCE):
        try:
            return work()
        except (ModelThrottledError, ModelUnavailableError):
            time.sleep(random.uniform(0, 2.0**attempt))
    return work()


def add_paths(paths: Sequence[Path], index: str, *, dry_run: bool = False, **how: Any) -> Ingested:
    """Add files and folders (see `add_corpus`); documents are named by their paths as given.

    Args:
        dry_run: say what would be done (see `preview`), and do nothing.

    Raises:
        InputError: one of them is not there, or holds nothing that can be read; nothing has been added then.
    """
    each = [inventory(path, named_from_here=True) for path in paths]
    files = {file.location: file for found in each for file in found.files}
    found = Inventory(tuple(files.values()), tuple(one for found in each for one in found.left_out))
    unread: list[LeftOut] = []
    ledger = FileLedger(index, {"marks": how.get("marks"), "redact": bool(how.get("redact"))})
    same = ledger.unchanged(found.files)
    fresh = [file for file in found.files if file.location not in same]
    passages = ledger.read(fresh, unread)
    outcome = (preview if dry_run else add_corpus)(passages, index, same=same, before=ledger.before(fresh), **how)
    unread += [LeftOut(where, EMPTY) for where, ids in same.items() if not ids]
    ledger.forget({one.where for one in outcome.renamed})
    if not dry_run and all(one.where in files for one in outcome.problems):
        ledger.keep(alone=bool(how.get("sync")))
    unread += [
        LeftOut(one.where, one.why, files[one.where].size if one.where in files else 0, one.where not in files)
        for one in outcome.problems
    ]
    outcome.left_out = omissions(found, unread)
    return outcome


def add_corpus(
    found: Iterable[Mapping[str, Any] | Problem],
    index: str,
    *,
    marks: Marks | None = None,
    redact: bool = False,
    sync: bool = False,
    progress: Callable[[int], None] | None = None,
    same: Mapping[str, Sequence[str]] = MappingProxyType({}),
    before: Collection[str] = (),
) -> Ingested:
    """Add passages to an index of the configured engine; the index is made if there is none.

    A document that is read again replaces what was cut from it before. Each batch is stored when the next begins, so
    that a run which is killed has lost none before it, and adding the same again goes on from there.

    Args:
        redact: hide personal data before anything is stored.
        sync: remove passages that were not found this time; nothing is removed if anything could not be read.
        progress: called with the number of passages done so far.
        same: documents that are there and have not changed, with the ids of their passages.
        before: ids of passages that were cut from what is read now.
    """
    engine = wiring.current().search_engine()
    init_index(index)
    embedder = index_embedder(index)
    outcome, documents = Ingested(), set[str]()
    seen = {key for keys in same.values() for key in keys}
    outcome.unchanged = len(seen)
    stream = _passages(found, marks or Marks(), redact, outcome)
    while batch := list(islice(stream, BATCH)):
        batch = _with_own_ids(batch, engine.origins([record["id"] for record in batch], index), outcome)
        _store(engine, embedder, index, batch, outcome)
        seen.update(record["id"] for record in batch)
        documents.update(record.get("document", record["id"]) for record in batch)
        if progress is not None:
            progress(len(seen))
    outcome.documents = len(documents) + sum(map(bool, same.values()))
    stale = _stale(index, documents, sync, before, seen)
    if stale and outcome.problems:
        outcome.kept = f"{len(stale)} passages were not found, and none removed: something could not be read"
    elif stale:
        gone = sorted(stale)
        outcome.removed = engine.delete_documents(gone, index, of=set(engine.origins(gone, index).values()))
    return outcome


def preview(
    found: Iterable[Mapping[str, Any] | Problem],
    index: str,
    *,
    marks: Marks | None = None,
    redact: bool = False,
    sync: bool = False,
    progress: Callable[[int], None] | None = None,
    same: Mapping[str, Sequence[str]] = MappingProxyType({}),
    before: Collection[str] = (),
) -> Ingested:
    """Say what `add_corpus` would do; nothing is made, embedded or stored."""
    engine = wiring.current().search_engine()
    exists, outcome, documents = engine.exists(index), Ingested(), set[str]()
    seen = {key for keys in same.values() for key in keys}
    stream, owners = _passages(found, marks or Marks(), redact, outcome), dict[str, str]()
    while batch := list(islice(stream, BATCH)):
        keys = [record["id"] for record in batch]
        held = engine.origins(keys, index) if exists else {}
        batch = _with_own_ids(batch, {**{key: owners[key] for key in keys if key in owners}, **held}, outcome)
        owners.update((record["id"], origin(record)) for record in batch)
        known = engine.chunk_shas([record["id"] for record in batch], index) if exists else {}
        new = sum(known.get(record["id"]) != record["chunk_sha"] for record in batch if record["id"] not in seen)
        outcome.indexed += new
        seen.update(record["id"] for record in batch)
        documents.update(record.get("document", record["id"]) for record in batch)
        if progress is not None:
            progress(len(seen))
    outcome.documents = len(documents) + sum(map(bool, same.values()))
    outcome.unchanged = len(seen) - outcome.indexed
    if exists and not outcome.problems:
        outcome.removed = len(_stale(index, documents, sync, before, seen))
    return outcome


def _stale(index: str, documents: Collection[str], sync: bool, before: Collection[str], seen: set[str]) -> set[str]:
    """Ids of passages that are in these documents, or with `sync` anywhere, and were not found this time."""
    engine = wiring.current().search_engine()
    there = engine.ids(index) if sync else engine.ids(index, documents=sorted(documents))
    return {*there, *before} - seen


def _passages(
    found: Iterable[Mapping[str, Any] | Problem], marks: Marks, redact: bool, outcome: Ingested
) -> Iterator[dict[str, Any]]:
    """Return complete passages; what is none goes to the outcome's problems."""
    redactor = wiring.current().redactor() if redact else None
    defaults = {"source": marks.source, "tenant": marks.tenant, "classification": marks.classification}
    for number, each in enumerate(found, start=1):
        if isinstance(each, Problem):
            outcome.problems.append(each)
            continue
        try:
            record = passage({**{key: value for key, value in defaults.items() if value}, **each})
            if redactor is not None:
                record = passage({**record, **_hidden(redactor, record)})
            yield record
        except ValueError as error:
            outcome.problems.append(Problem(str(each.get("id") or f"passage {number}"), str(error)))


def _with_own_ids(
    batch: Sequence[Mapping[str, Any]], held: Mapping[str, str], outcome: Ingested
) -> list[dict[str, Any]]:
    """The batch without an id of another document's passage; whose id is another now is told by the outcome."""
    records, renamed = with_own_ids([(origin(each), each) for each in batch], held)
    outcome.renamed += [Problem(*each) for each in renamed]
    return records


def _hidden(redactor: Redactor, record: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: record[name] for name in TEXT_FIELDS if name in record}
    shown = {name: redactor.redact(text).text for name, text in told.items()}
    origin = shown_origin({name: record.get(name) for name in ("url", "source", "published_date")}, redactor.redact)
    code = code_within(shown["content"], record.get("code_words", "").split())
    return {**shown, **origin, "code_words": code or None}


def _store(
    engine: SearchEngine, embedder: Embedder | None, index: str, batch: list[dict[str, Any]], outcome: Ingested
) -> None:
    """Embed and store what is new in a batch."""
    known = engine.chunk_shas([record["id"] for record in batch], index)
    new = [record for record in batch if known.get(record["id"]) != record["chunk_sha"]]
    outcome.unchanged += len(batch) - len(new)
    if new:
        stored = engine.index_documents(new, index, vectors=vectors_of(embedder, new), embedder=name_of(embedder))
        outcome.indexed += stored.indexed
        outcome.unchanged += stored.unchanged
        outcome.problems += [Problem(key, why) for key, why in stored.failed.items()]
