"""Makes a corpus what its bucket is, document by document, whatever was told of it, how often and in which order.

An event only says where to look: what counts is what lies in the bucket when it is looked at. One worker at a time
has a document; it reads the newest version, makes the index hold exactly that, and looks once more before it lets go.
So the last event of a document, which comes after its last change, leaves the index with what that change left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gate import wiring
from gate.errors import BusyError, InputError
from gate.ports import DocumentVersion
from gate.services import corpora
from gate.services.freshness import CorpusDocument, version_of
from gate.submission.uploads import is_packed, unpacked

CLAIM_S = 960.0
"""How long a worker has a document without saying that it is still at it; it says so before every batch. Longer than
a function may run: whoever takes a document over writes alone."""
ROUNDS = 5
"""How often a document that changes meanwhile is taken in before another event has to bring it again."""


@dataclass(slots=True)
class Taken:
    """What became of a document: counts of passages, and what could not be read of it."""

    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    problems: list[dict[str, str]] = field(default_factory=list)


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
        version = version_of(place)
        held = known is not None and known.is_whole and known.version == version
        if not held:
            _note(place, DocumentVersion(place.document, version, latest, is_whole=False), claim)
            version = _apply(place, claim, taken)
        known = DocumentVersion(place.document, version, latest)
        _note(place, known, claim)
        if version_of(place) == version:
            return taken
    raise BusyError("the document keeps changing")


def _note(place: CorpusDocument, found: DocumentVersion, claim: str) -> None:
    if not wiring.current().document_versions().note(place.index, found, claim):
        raise BusyError("another worker has taken over this document")


def covers(sequencer: str, earlier: str) -> bool:
    """Whether an event of one object is `earlier` or the same: S3 says to compare them as hexadecimal fractions."""
    width = max(len(sequencer), len(earlier))
    return sequencer.upper().ljust(width, "0") >= earlier.upper().ljust(width, "0")


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
    taken.problems = [{"where": problem.where, "why": problem.why} for problem in (*outcome.problems, *outcome.renamed)]
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
