"""A line of Bedrock's model-invocation log: what the model was asked, and what it answered."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.services.any_service import reply, request
from gate.submission.transcripts.unread_parts import UnreadParts

NAME = "invocation-log"


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    if not isinstance(document, dict) or not isinstance(document.get("output"), dict):
        return False
    return document.get("schemaType") == "ModelInvocationLog" or "outputBodyJson" in document["output"]


def parse(document: dict[str, Any]) -> Record:
    """Read a call.

    Raises:
        InputError: the bodies are kept elsewhere, or do not fit.
    """
    reading, output, asked = UnreadParts(), document["output"], document.get("input")
    if "outputBodyJson" not in output:
        raise InputError("output: holds no outputBodyJson: the log keeps the body in another object")
    answer = output["outputBodyJson"]
    if isinstance(answer, list):
        raise InputError("output.outputBodyJson: pieces of a stream, which are not put together here")
    body = asked.get("inputBodyJson") if isinstance(asked, dict) else None
    turns = request(body, "input.inputBodyJson", reading)
    found = reply(answer, "output.outputBodyJson")
    reading.rest(output, "output", known=("outputBodyJson",), unshown=())
    if isinstance(asked, dict):
        reading.rest(asked, "input", known=("inputBodyJson",), unshown=())
    elif asked is not None:
        reading.leave(asked, "input", "input")
    reading.rest(document, "", known=("output", "input"), unshown=("errorCode", "identity", "requestMetadata"))
    return Record(
        (*turns, *found.turns),
        id=str(document["requestId"])[:200] if document.get("requestId") else None,
        not_read=(*reading.left, *found.not_read),
        contexts=found.contexts,
        metadata=about(writer=document.get("modelId")) or found.metadata,
    )
