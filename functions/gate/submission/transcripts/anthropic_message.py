"""What Anthropic's messages API answers: one message with its `content`."""

from __future__ import annotations

from typing import Any

from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.unread_parts import UnreadParts

NAME = "content"


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and "content" in document


def parse(document: dict[str, Any]) -> Record:
    """Read one message; what stands beside its content is accounted for as in any message.

    Raises:
        InputError: naming what does not fit.
    """
    reading = UnreadParts()
    return Record((turn_of(document, "", reading),), not_read=reading.left)
