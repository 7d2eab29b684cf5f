"""Makes a corpus what its bucket is, document by document, whatever was told of it, how often and in which order.

An event only says where to look: what counts is what lies in the bucket when it is looked at. One worker at a time
has a document; it reads the newest version, makes the index hold exactly that, and looks once more before it lets go.
So the last event of a document, which comes after its last change, leaves the index with what that change left.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from gate import wiring
from gate.errors import BusyError, InputError
from gate.ports import DocumentVersion
from gate.services import corpora
from gate.services.run import together
from gate.submission.uploads import is_packed, unpacked

CLAIM_S = 960.0
"""How long a worker has a document without saying that it is still at it; it says so before every batch. Longer than
a function may run: whoever takes a document over writes alone."""
ROUNDS = 5
"""How often a document that changes meanwhile is taken in before another event has to bring it again."""


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of a corpus, and the bucket that its object lies in, under `<prefix><index>/`."""

    bucket: str
    prefix: str
    index: str
    document: str

    @property
    def keys(self) -> tuple[str, str]:
        """Keys that its object may have; where both are there, the first counts."""
        plain = f"{self.prefix}{self.index}/{self.document}"
        return plain, f"{plain}.gz"


@dataclass(slots=True)
class Taken:
    """What became of a document: counts of passages, and what could not be read of it."""

    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    problems: list[dict[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Difference:
    """How a corpus differs from its bucket.

    Attributes:
        behind: documents of which it holds another version than the bucket, or of which it does not know.
        lag_s: how long ago the oldest of their changes was; a removal tells no time.
        documents: objects in the bucket.
    """

    behind: list[str] = field(default_factory=list)
    lag_s: float = 0.0
    documents: int = 0


def place_of(bucket: str, key: str, prefix: str) -> CorpusDocument:
    """The document that an object's name stands for.

    Raises:
        InputError: it is none.
    """
    index, _, document = key.removeprefix(prefix).partition("/")
    if not key.startswith(prefix) or not index or not document:
        raise InputError("not the name of a document", hint=f"{prefix}<index>/<path>")
    plain = document[:-3] if is_packed(document) else document
    if PurePosixPath(plain).suffix.lower() not in corpora.READERS:
        raise InputError("a document of an unknown type", hint=f"names end in {', '.join(corpora.READERS)}")
    return CorpusDocument(bucket, prefix, index, plain)


def take_in(place: CorpusDocument, sequencer: str = "") -> Taken:
    """Make an index hold of one document what the bucket holds now; the same again changes nothing.

    Args:
        sequencer: of the event that tells of it; an event no later than one that is covered is not looked into.

    Raises:
        BusyError: another worker has the document: to be called again later.
        GateError: the document could not be read, embedded or stored: likewise.
    """
    versions = wiring.current().document_versions()
    claim = versions.claim(place.index, place.document, CLAIM_S)
    if not claim:
        raise BusyError("another worker has this document")
    try:
        return _converge(place, sequencer, claim)
    finally:
        versions.release(place.index, place.document, claim)


def _converge(place: CorpusDocument, sequencer: str, claim: str) -> Taken:
    versions, taken = wiring.current().document_versions(), Taken()
    known = versions.known(place.index, [place.document]).get(place.document)
    if known and known.is_whole and sequencer and covers(known.sequencer, sequencer):
        return taken
    latest = sequencer if known is None or covers(sequencer, known.sequencer) else known.sequencer
    for _ in range(ROUNDS):
        version = _version(place)
        held = known is not None and known.is_whole and known.version == version
        if not held:
            _note(place, DocumentVersion(place.document, version, latest, is_whole=False), claim)
            version = _apply(place, claim, taken)
        known = DocumentVersion(place.document, version, latest)
        _note(place, known, claim)
        if _version(place) == version:
            return taken
    raise BusyError("the document keeps changing")


def _note(place: CorpusDocument, found: DocumentVersion, claim: str) -> None:
    if not wiring.current().document_versions().note(place.index, found, claim):
        raise BusyError("another worker has taken over this document")


def covers(sequencer: str, earlier: str) -> bool:
    """Whether an event of one object is `earlier` or the same: S3 says to compare them as hexadecimal fractions."""
    width = max(len(sequencer), len(earlier))
    return sequencer.upper().ljust(width, "0") >= earlier.upper().ljust(width, "0")


def _version(place: CorpusDocument) -> str:
    """The version of the object that counts; empty: there is none."""
    uploads = wiring.current().uploads()
    return next((found for key in place.keys if (found := uploads.version(place.bucket, key))), "")


def _apply(place: CorpusDocument, claim: str, taken: Taken) -> str:
    """Make the index hold what lies in the bucket; returns which version that was."""
    uploads, engine = wiring.current().uploads(), wiring.current().search_engine()
    found = next(((key, *newest) for key in place.keys if (newest := uploads.newest(place.bucket, key))), None)
    if found is None:
        taken.removed += corpora.remove_from(engine, place.index, place.document, {}) if _has_index(place) else 0
        return ""
    key, version, chunks = found
    try:
        data = _whole(chunks, key)
        outcome = corpora.replace_document(
            data,
            place.document,
            place.index,
            redact=wiring.current().settings.redact_corpus,
            each=lambda: _hold(place, claim),
        )
    except InputError as error:
        # What cannot be read takes the place of what could: the version before is no longer what the bucket says.
        taken.removed += corpora.remove_from(engine, place.index, place.document, {}) if _has_index(place) else 0
        taken.problems = [{"where": place.document, "why": error.safe_message}]
        return version
    taken.indexed += outcome.indexed
    taken.unchanged += outcome.unchanged
    taken.removed += outcome.removed
    taken.problems = [{"where": problem.where, "why": problem.why} for problem in outcome.problems]
    return version


def _has_index(place: CorpusDocument) -> bool:
    return wiring.current().search_engine().exists(place.index)


def _hold(place: CorpusDocument, claim: str) -> None:
    if not wiring.current().document_versions().extend(place.index, place.document, claim, CLAIM_S):
        raise BusyError("another worker has taken over this document")


def _whole(chunks: Iterable[bytes], key: str) -> bytes:
    limit, data = wiring.current().settings.max_document_bytes, bytearray()
    for piece in unpacked(chunks, max_bytes=limit) if is_packed(key) else chunks:
        data += piece
        if len(data) > limit:
            raise InputError(f"larger than {limit} bytes", hint="GATE_MAX_DOCUMENT_BYTES sets the cap")
    return bytes(data)


def compare(bucket: str, prefix: str, index: str) -> Difference:
    """Compare a corpus with its bucket, by the names and versions of both; the search engine is not woken for it."""
    difference = Difference()
    there: dict[str, tuple[str, float]] = {}
    for place, version, at in _listed(bucket, prefix, index):
        there.setdefault(place.document, (version, at))  # of two objects of a document the first in order counts
    known = {each.document: each for each in wiring.current().document_versions().every(index)}
    held = {document for document, each in known.items() if each.version or not each.is_whole}
    for document in sorted({*there, *held}):
        version, at = there.get(document, ("", time.time()))
        found = known.get(document)
        if found is None or not found.is_whole or found.version != version:
            difference.behind.append(document)
            difference.lag_s = max(difference.lag_s, time.time() - at)
    difference.documents = len(there)
    return difference


def strangers(bucket: str, prefix: str, index: str) -> list[str]:
    """Documents that a corpus holds and that neither lie in its bucket nor ever did: somebody added them by hand."""
    engine = wiring.current().search_engine()
    if not engine.exists(index):
        return []
    known = {each.document for each in wiring.current().document_versions().every(index)}
    there = {place.document for place, _, _ in _listed(bucket, prefix, index)}
    return sorted(set(engine.origins(list(engine.ids(index)), index).values()) - known - there)


def _listed(bucket: str, prefix: str, index: str) -> Iterator[tuple[CorpusDocument, str, float]]:
    for key, version, at in wiring.current().uploads().listed(bucket, f"{prefix}{index}/"):
        try:
            yield place_of(bucket, key, prefix), version, at
        except InputError:  # what is no document is in no corpus
            continue


def changes(bucket: str, prefix: str, index: str, documents: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Messages that have documents looked at, in the form of S3's events."""
    for document in documents:
        item = {"key": f"{prefix}{index}/{document}"}
        yield {"detail-type": "Corpus Reconciliation", "detail": {"bucket": {"name": bucket}, "object": item}}


def superseded(index: str, passages: Sequence[str]) -> list[str]:
    """Which of these passages the bucket does not vouch for now: their document is gone, has changed since it was taken
    in, or is being taken in. Documents that never lay in the bucket vouch for themselves.
    """
    settings = wiring.current().settings
    if not settings.documents or not passages:
        return []
    bucket, prefix = bucket_of(settings.documents)
    origins = wiring.current().search_engine().origins(passages, index)
    known = wiring.current().document_versions().known(index, sorted(set(origins.values())))

    def is_newest(each: DocumentVersion) -> bool:
        place = CorpusDocument(bucket, prefix, index, each.document)
        return each.is_whole and bool(each.version) and _version(place) == each.version

    checked = list(known.values())
    newest = dict(zip(known, together(is_newest, checked), strict=True))
    return [key for key in passages if key not in origins or not newest.get(origins[key], True)]


def bucket_of(url: str) -> tuple[str, str]:
    """Bucket and prefix (with a `/` at its end) of `s3://bucket/prefix`.

    Raises:
        InputError: it is none.
    """
    bucket, _, prefix = url.removeprefix("s3://").partition("/")
    if not url.startswith("s3://") or not bucket:
        raise InputError(f"{url[:128]!r} names no bucket", hint="s3://bucket/corpora")
    return bucket, f"{prefix.strip('/')}/" if prefix.strip("/") else ""
