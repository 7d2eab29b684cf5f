"""Conversations as ShareGPT and training sets write them: `conversations` of `from` and `value`."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Role, Turn
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "sharegpt"
SPEAKERS: dict[str, Role] = {
    "human": "user", "user": "user", "gpt": "assistant", "assistant": "assistant", "chatgpt": "assistant",
    "bard": "assistant", "bing": "assistant", "model": "assistant", "system": "system", "tool": "tool",
    "function_call": "tool", "observation": "tool", "function_response": "tool",
}  # fmt: skip


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    said = document.get("conversations") if isinstance(document, dict) else None
    return isinstance(said, list) and not any(isinstance(one, dict) and "mapping" in one for one in said)


def parse(document: dict[str, Any]) -> Record:
    """Read a conversation.

    Raises:
        InputError: naming the first message that does not fit.
    """
    reading, turns = UnreadParts(), list[Turn]()
    for number, one in enumerate(document["conversations"]):
        place = below("conversations", number)
        role = SPEAKERS.get(str(one.get("from"))) if isinstance(one, dict) else None
        if role is None or not isinstance(one.get("value"), str):
            raise InputError(f"{place}: should say from whom it is ({', '.join(SPEAKERS)}) and its value")
        turns.append(Turn(role=role, content=one["value"]))
        reading.rest(one, place, known=("from", "value"), unshown=(), shown=role == "assistant")
    reading.rest(document, "", known=("conversations",), unshown=("system", "tools", "source"))
    name = str(document["id"])[:200] if document.get("id") else None
    return Record(tuple(turns), id=name, not_read=reading.left, metadata=about(writer=document.get("model")))
