"""What Anthropic's messages API answers: one message with its `content`."""

from __future__ import annotations

from typing import Any

from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.unread_parts import UnreadParts

LANGCHAIN_TYPES = ("human", "ai", "system", "tool", "function", "AIMessageChunk")
"""What LangChain's messages call themselves."""
NAME = "anthropic"


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and "content" in document and document.get("type") not in LANGCHAIN_TYPES


def parse(document: dict[str, Any]) -> Record:
    """Read one message; what stands beside its content is accounted for as in any message.

    Raises:
        InputError: naming what does not fit.
    """
    reading = UnreadParts()
    turn = turn_of(document, "", reading)
    return Record((turn,), not_read=reading.left, metadata=about(writer=document.get("model")))
