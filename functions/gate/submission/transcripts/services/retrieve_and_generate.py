"""What a Bedrock Knowledge Base answers (RetrieveAndGenerate): a text, and the passages behind its parts."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import CitedStretch, Document, Turn
from gate.submission.transcripts.contexts import contexts_of, joined
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "retrieve-and-generate"
UNSHOWN = frozenset(("ResponseMetadata", "retrieveAndGenerateConfiguration", "sessionConfiguration", "trace"))


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    output = document.get("output") if isinstance(document, dict) else None
    return isinstance(output, dict) and "text" in output and "message" not in output


def parse(document: dict[str, Any]) -> Record:
    """Read an answer with its contexts: every passage that it cites.

    Raises:
        InputError: naming what does not fit.
    """
    reading, output = UnreadParts(), document["output"]
    if not isinstance(output["text"], str):
        raise InputError("output.text: should be a text")
    listed = document.get("citations") or []
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise InputError("citations: should be a list of objects")
    contexts, cited = tuple[Document, ...](), list[CitedStretch]()
    for number, citation in enumerate(listed):
        place = below("citations", number, "retrievedReferences")
        found = contexts_of(citation.get("retrievedReferences"), place, reading)
        contexts = joined(contexts, found)
        cited += _stretches(citation, found, len(output["text"]))
    turns = list[Turn]()
    asked = document.get("input")
    if isinstance(asked, dict) and isinstance(asked.get("text"), str):
        turns.append(Turn(role="user", content=asked["text"]))
    turns.append(Turn(role="assistant", content=output["text"], cited=tuple(cited)))
    reading.rest(output, "output", known=("text",), unshown=())
    reading.rest(document, "", known=("output", "citations", "input"), unshown=UNSHOWN)
    return Record(tuple(turns), not_read=reading.left, contexts=contexts)


def _stretches(citation: dict[str, Any], found: tuple[Document, ...], length: int) -> list[CitedStretch]:
    """The stretch of the answer that a citation is of, once for each of its passages that has a name."""
    part = citation.get("generatedResponsePart")
    part = part.get("textResponsePart") if isinstance(part, dict) else None
    span = part.get("span") if isinstance(part, dict) else None
    first, last = (span.get("start"), span.get("end")) if isinstance(span, dict) else (None, None)
    if not isinstance(first, int) or not isinstance(last, int) or not 0 <= first <= last:
        return []
    end = min(last + 1, length)  # Bedrock counts the last character in
    return [
        CitedStretch(start=first, end=end, title=one.get("title") or "", url=one.get("url") or "")
        for one in found
        if first < end and (one.get("title") or one.get("url"))
    ]
