"""A response of LlamaIndex: the text, and the nodes that it was made from."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Turn
from gate.submission.transcripts.contexts import contexts_of
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.unread_parts import UnreadParts

NAME = "llamaindex"
QUESTIONS = ("query", "query_str", "question")


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and "response" in document and "source_nodes" in document


def parse(document: dict[str, Any]) -> Record:
    """Read a response.

    Raises:
        InputError: naming what does not fit.
    """
    reading = UnreadParts()
    if not isinstance(document["response"], str):
        raise InputError("response: should be a text")
    contexts = contexts_of(document["source_nodes"], "source_nodes", reading)
    asked = [Turn(role="user", content=document[key]) for key in QUESTIONS if isinstance(document.get(key), str)]
    turns = (*asked[:1], Turn(role="assistant", content=document["response"]))
    reading.rest(document, "", known=("response", "source_nodes", *QUESTIONS), unshown=("metadata", "sources"))
    return Record(turns, not_read=reading.left, contexts=contexts)
