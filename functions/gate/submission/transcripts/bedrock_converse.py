"""What Bedrock's Converse API answers: `{"output": {"message": …}}`."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.unread_parts import UnreadParts

NAME = "converse"
UNSHOWN = frozenset(("ResponseMetadata", "additionalModelResponseFields", "metrics", "performanceConfig", "trace"))
"""What comes beside the message: of the call, of the model, of guardrails."""


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and isinstance(document.get("output"), dict) and not _is_other(document)


def _is_other(document: dict[str, Any]) -> bool:
    """A Knowledge Base's answer, an invocation log, an observation of a trace."""
    output = document["output"]
    generated = "text" in output and "message" not in output
    return generated or "outputBodyJson" in output or not {"observations", "modelId"}.isdisjoint(document)


def parse(document: dict[str, Any]) -> Record:
    """Read an answer.

    Raises:
        InputError: naming what does not fit.
    """
    reading, output = UnreadParts(), document["output"]
    if not isinstance(output, dict) or "message" not in output:
        raise InputError("output: should hold a message")
    turn = turn_of(output["message"], "output.message", reading)
    reading.rest(output, "output", known=("message",), unshown=())
    reading.rest(document, "", known=("output",), unshown=UNSHOWN)
    return Record((turn,), not_read=reading.left)
