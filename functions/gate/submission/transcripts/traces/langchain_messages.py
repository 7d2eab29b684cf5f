"""LangChain's messages, in each of the three ways in which it writes them, and what is kept around them."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Turn
from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "langchain"
ROLES = {
    "human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "tool", "chat": "assistant",
    "HumanMessage": "user", "AIMessage": "assistant", "SystemMessage": "system", "ToolMessage": "tool",
    "FunctionMessage": "tool", "AIMessageChunk": "assistant", "HumanMessageChunk": "user",
}  # fmt: skip
UNSHOWN = frozenset((
    "additional_kwargs", "response_metadata", "usage_metadata", "tool_calls", "invalid_tool_calls", "tool_call_chunks",
    "artifact", "kwargs", "example", "name", "id",
))  # fmt: skip


def is_message(one: Any) -> bool:
    """Whether an object is one of LangChain's messages."""
    if not isinstance(one, dict) or "role" in one:
        return False
    if one.get("lc") == 1:
        return isinstance(one.get("kwargs"), dict) and "content" in one["kwargs"]
    return isinstance(one.get("type"), str) and one["type"] in ROLES and ("data" in one or "content" in one)


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    if isinstance(document, list):
        return bool(document) and all(is_message(one) for one in document)
    if is_message(document):
        return True
    held = document.get("messages") if isinstance(document, dict) else None
    return isinstance(held, list) and bool(held) and all(is_message(one) for one in held)


def parse(document: Any) -> Record:
    """Read messages: a list of them, an object with `messages`, or one alone.

    Raises:
        InputError: naming the first message that does not fit.
    """
    reading = UnreadParts()
    alone = is_message(document)
    listed = [document] if alone else document if isinstance(document, list) else document["messages"]
    place = "" if alone else "messages"
    turns = [
        turn_of_message(one, place if alone else below(place, number), reading) for number, one in enumerate(listed)
    ]
    if isinstance(document, dict) and not alone:
        reading.rest(document, "", known=("messages",), unshown=("metadata", "config", "thread_id"))
    return Record(tuple(turns), not_read=reading.left, metadata=about(writer=_writer(listed)))


def turn_of_message(message: Any, place: str, reading: UnreadParts) -> Turn:
    """Read one message.

    Raises:
        InputError: it is none of LangChain's.
    """
    if not is_message(message):
        raise InputError(f"{place}: should be a message with a type ({', '.join(list(ROLES)[:5])}) and a content")
    if message.get("lc") == 1:
        listed = message.get("id")
        kind, held = str(listed[-1]) if isinstance(listed, list) and listed else "", message["kwargs"]
    else:
        kind, held = message["type"], message.get("data", message)
    if not isinstance(held, dict) or kind not in ROLES:
        raise InputError(f"{place}: should be a message of {', '.join(list(ROLES)[:5])}")
    plain = {key: value for key, value in held.items() if key == "content" or key not in {*UNSHOWN, "type"}}
    for key in UNSHOWN & held.keys():
        if held[key]:
            reading.rest({key: held[key]}, place, known=(), unshown=(key,))
    return turn_of({**plain, "role": ROLES[kind]}, place, reading)


def _writer(messages: list[Any]) -> Any:
    for one in reversed(messages):
        held = one.get("kwargs", one.get("data", one))
        told = held.get("response_metadata") if isinstance(held, dict) else None
        if isinstance(told, dict) and (name := told.get("model_name", told.get("model"))):
            return name
    return None
