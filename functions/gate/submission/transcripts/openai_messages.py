"""The `messages` list that chat APIs take: `{"messages": [{"role", "content"}]}`, or the list alone."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "messages"
_UNSHOWN = """\
additionalModelRequestFields additional_model_request_fields functions guardrailConfig inferenceConfig input
instructions mcp_servers metadata prediction prompt promptVariables question query response_format
safety_settings stop stop_sequences system thinking toolConfig tool_choice tool_config tools usage
web_search_options"""
UNSHOWN = frozenset(_UNSHOWN.split())
"""What requests hold beside the messages: how the answer is to be made, and nothing that it says."""


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    if isinstance(document, list):
        return not document or any(not isinstance(one, dict) or "role" in one for one in document)
    return isinstance(document, dict) and "messages" in document and not _is_other(document["messages"])


def _is_other(messages: Any) -> bool:
    """LangChain's and Strands' messages, which have no role of their own."""
    return isinstance(messages, list) and bool(messages) and all(map(_is_foreign, messages))


def _is_foreign(one: Any) -> bool:
    return isinstance(one, dict) and "role" not in one and not {"type", "lc", "message"}.isdisjoint(one)


def parse(document: Any) -> Record:
    """Read a list of messages.

    Raises:
        InputError: naming the first message that does not fit.
    """
    reading = UnreadParts()
    messages = document["messages"] if isinstance(document, dict) else document
    if not isinstance(messages, list):
        raise InputError("messages: should be a list")
    turns = tuple(turn_of(message, below("messages", at), reading) for at, message in enumerate(messages))
    if isinstance(document, dict):
        reading.rest(document, "", known=("messages",), unshown=UNSHOWN)
    return Record(turns, not_read=reading.left)
