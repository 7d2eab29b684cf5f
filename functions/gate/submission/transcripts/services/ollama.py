"""What Ollama answers: `message` of a chat, or `response` of a prompt."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Turn
from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.unread_parts import UnreadParts

NAME = "ollama"
UNSHOWN = frozenset(("thinking", "system", "template", "images", "options"))


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and "done" in document and bool({"message", "response"} & document.keys())


def parse(document: dict[str, Any]) -> Record:
    """Read an answer.

    Raises:
        InputError: naming what does not fit; a piece of a stream is not the answer.
    """
    if document["done"] is not True:
        raise InputError("done: a piece of a stream, and not its end: give the whole stream")
    reading, turns = UnreadParts(), list[Turn]()
    if isinstance(asked := document.get("prompt"), str):
        turns.append(Turn(role="user", content=asked))
    if "message" in document:
        turns.append(turn_of(document["message"], "message", reading))
        reading.rest(document, "", known=("message", "prompt"), unshown=UNSHOWN)
    elif isinstance(document["response"], str):
        turns.append(Turn(role="assistant", content=document["response"]))
        reading.rest(document, "", known=("response", "prompt", "context"), unshown=UNSHOWN)
    else:
        raise InputError("response: should be a text")
    return Record(tuple(turns), not_read=reading.left, metadata=about(writer=document.get("model")))
