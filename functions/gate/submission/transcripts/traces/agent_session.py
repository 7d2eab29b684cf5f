"""A session of an agent: Strands' kept messages, and the events of AgentCore's memory."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Turn
from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "agent-session"


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    if isinstance(document, list):
        return bool(document) and all(_is_kept(one) or _is_event(one) for one in document)
    if not isinstance(document, dict):
        return False
    events, kept = document.get("events"), document.get("messages")
    listed = events if isinstance(events, list) else kept if isinstance(kept, list) else []
    return bool(listed) and all(_is_kept(one) or _is_event(one) for one in listed)


def parse(document: Any) -> Record:
    """Read the messages of a session, in their order.

    Raises:
        InputError: naming the first message that does not fit.
    """
    reading, turns, key = UnreadParts(), list[Turn](), ""
    if isinstance(document, dict):
        key = "events" if "events" in document else "messages"
        others = [name for name in document if name != key]
        reading.rest(document, "", known=(key,), unshown=others)
    listed = document[key] if key else document
    for number, one in sorted(enumerate(listed), key=_order):
        turns += _turns(one, below(key, number) if key else str(number), reading)
    return Record(tuple(turns), not_read=reading.left)


def _is_kept(one: Any) -> bool:
    return isinstance(one, dict) and isinstance(one.get("message"), dict) and "message_id" in one


def _is_event(one: Any) -> bool:
    return isinstance(one, dict) and isinstance(one.get("payload"), list) and "eventId" in one


def _order(numbered: tuple[int, dict[str, Any]]) -> tuple[int, str]:
    """Messages by their number; AgentCore lists the newest event first."""
    _, one = numbered
    number = one.get("message_id")
    return (number if isinstance(number, int) else 0, str(one.get("eventTimestamp", "")))


def _turns(one: dict[str, Any], place: str, reading: UnreadParts) -> list[Turn]:
    if _is_kept(one):
        redacted = one.get("redact_message")
        reading.rest(one, place, known=("message", "redact_message"), unshown=())
        message = one["message"] if redacted is None else redacted  # what was shown in its place
        return [turn_of(message, below(place, "message"), reading)]
    found = list[Turn]()
    reading.rest(one, place, known=("payload",), unshown=("metadata", "branch"))
    for number, item in enumerate(one["payload"]):
        at = below(place, "payload", number)
        said = item.get("conversational") if isinstance(item, dict) else None
        if not isinstance(said, dict):
            reading.leave(item, "blob", at)
            continue
        content = said.get("content")
        if not isinstance(content, dict) or not isinstance(content.get("text"), str):
            raise InputError(f"{at}.conversational.content: should be an object with a text")
        role = str(said.get("role")).lower()
        role = "system" if role == "other" else role
        found.append(turn_of({"role": role, "content": content["text"]}, below(at, "conversational"), reading))
    return found
