"""Keeps an index as a folder of uploads is: a document uploaded is added, one deleted is removed."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from gate import wiring
from gate.errors import InputError
from gate.services import corpora
from gate.submission.events import removed, uploaded
from gate.submission.uploads import is_packed, unpacked

PREFIX = "corpora"
"""Uploads of documents are named `corpora/<index>/<path of the document>`."""


def ingest_corpus(event: dict[str, Any]) -> dict[str, Any]:
    """Answer an S3 "Object Created" or "Object Deleted" event. The same event again changes nothing.

    What of a document cannot be read is counted and named by its place; the rest is stored.

    Returns:
        `index`, `document`, the counts `indexed`, `unchanged`, `removed`, and `problems`: `[{"where", "why"}, …]`.

    Raises:
        InputError: the event or the object's name is not of a document, or the document is over the cap.
    """
    upload = uploaded(event, gone=removed(event))
    index, document = _place(upload.key)
    if removed(event):
        engine = wiring.current().search_engine()
        count = engine.delete_documents([document], index) if engine.exists(index) else 0
        return {"index": index, "document": document, "indexed": 0, "unchanged": 0, "removed": count, "problems": []}
    limit = wiring.current().settings.max_document_bytes
    chunks = wiring.current().uploads().chunks(upload.bucket, upload.key, upload.version)
    data = bytearray()
    for piece in unpacked(chunks, max_bytes=limit) if is_packed(upload.key) else chunks:
        data += piece
        if len(data) > limit:
            raise InputError(f"larger than {limit} bytes", hint="GATE_MAX_DOCUMENT_BYTES sets the cap")
    outcome = corpora.add_document(bytes(data), document, index, redact=wiring.current().settings.redact_corpus)
    return {
        "index": index,
        "document": document,
        "indexed": outcome.indexed,
        "unchanged": outcome.unchanged,
        "removed": outcome.removed,
        "problems": [{"where": problem.where, "why": problem.why} for problem in outcome.problems],
    }


def _place(key: str) -> tuple[str, str]:
    """Return index and document that an object's name stands for."""
    folder, _, rest = key.partition("/")
    index, _, document = rest.partition("/")
    if folder != PREFIX or not index or not document:
        raise InputError("not the name of a document", hint=f"{PREFIX}/<index>/<path>")
    plain = document[:-3] if is_packed(document) else document
    if PurePosixPath(plain).suffix.lower() not in corpora.READERS:
        raise InputError("a document of an unknown type", hint=f"names end in {', '.join(corpora.READERS)}")
    return index, plain
