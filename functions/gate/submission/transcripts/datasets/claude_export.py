"""A conversation of Claude's export: `chat_messages`, each with its sender."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Turn
from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "claude-export"
SENDERS = {"human": "user", "assistant": "assistant"}
SHOWN = frozenset(("artifacts", "create_file", "present_files", "str_replace"))
"""Tools whose calls the window shows, beside the message: a document that was written, or changed."""
UNSHOWN = frozenset(("attachments", "files", "files_v2", "sync_sources"))


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and isinstance(document.get("chat_messages"), list)


def parse(document: dict[str, Any]) -> Record:
    """Read a conversation.

    Raises:
        InputError: naming the first message that does not fit.
    """
    reading, turns = UnreadParts(), list[Turn]()
    for number, message in enumerate(document["chat_messages"]):
        place = below("chat_messages", number)
        role = SENDERS.get(str(message.get("sender"))) if isinstance(message, dict) else None
        if role is None:
            raise InputError(f"{place}.sender: should be one of {', '.join(SENDERS)}")
        parts = message.get("content") or message.get("text") or ""
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, dict) and part.get("name") in SHOWN:
                reading.leave(part, "artifact", place, shown=role == "assistant")
        turns.append(turn_of({"role": role, "content": parts}, place, reading))
        repeated = message.get("text") in (None, "", turns[-1].content)
        read = ("content", "text") if repeated else ("content",)
        reading.rest(message, place, known=read, unshown=UNSHOWN, shown=role == "assistant")
    reading.rest(document, "", known=("chat_messages",), unshown=("account", "name", "summary", "settings", "project"))
    name = str(document["uuid"])[:200] if document.get("uuid") else None
    return Record(tuple(turns), id=name, not_read=reading.left)
