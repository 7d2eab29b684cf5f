"""Whether a corpus holds what its bucket does; nothing is taken in here."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from gate import wiring
from gate.adapters.readers import READERS
from gate.errors import InputError
from gate.ports import DocumentVersion
from gate.services.run import together
from gate.submission.uploads import is_packed


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
    if PurePosixPath(plain).suffix.lower() not in READERS:
        raise InputError("a document of an unknown type", hint=f"names end in {', '.join(READERS)}")
    return CorpusDocument(bucket, prefix, index, plain)


def version_of(place: CorpusDocument) -> str:
    """The version of the object that counts; empty: there is none."""
    uploads = wiring.current().uploads()
    return next((found for key in place.keys if (found := uploads.version(place.bucket, key))), "")


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


def _listed(bucket: str, prefix: str, index: str) -> Iterator[tuple[CorpusDocument, str, float]]:
    for key, version, at, _ in wiring.current().uploads().listed(bucket, f"{prefix}{index}/"):
        try:
            yield place_of(bucket, key, prefix), version, at
        except InputError:  # what is no document is in no corpus
            continue


def strangers(bucket: str, prefix: str, index: str) -> list[str]:
    """Documents that a corpus holds and that neither lie in its bucket nor ever did: somebody added them by hand."""
    engine = wiring.current().search_engine()
    if not engine.exists(index):
        return []
    known = {each.document for each in wiring.current().document_versions().every(index)}
    there = {place.document for place, _, _ in _listed(bucket, prefix, index)}
    return sorted(set(engine.origins(list(engine.ids(index)), index).values()) - known - there)


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
        return each.is_whole and bool(each.version) and version_of(place) == each.version

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
