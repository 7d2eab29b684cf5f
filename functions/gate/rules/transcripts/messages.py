"""The `messages` list that chat APIs take: `{"messages": [{"role", "content"}]}`, or the list alone."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Role, Turn
from gate.rules.transcripts.own import Submission

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
TEXT_PARTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
"""Kind of content part → the field that holds its text. Any other part is read where it has a `text`: not everybody
names kinds (Converse does not), and what is shown as text must not go unchecked. The rest holds no claims."""


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, list) or (isinstance(document, dict) and "messages" in document)


def parse(document: Any) -> Submission:
    """Read a list of messages; parts that hold no text are passed over.

    Raises:
        InputError: naming the first message that does not fit.
    """
    messages = document["messages"] if isinstance(document, dict) else document
    if not isinstance(messages, list):
        raise InputError("messages: should be a list")
    return Submission(turns=tuple(_turn(message, number) for number, message in enumerate(messages)))


def _turn(message: Any, number: int) -> Turn:
    if not isinstance(message, dict) or str(message.get("role")) not in ROLES:
        raise InputError(f"messages.{number}.role: should be one of {', '.join(ROLES)}")
    return Turn(role=ROLES[message["role"]], content=_text(message.get("content"), number))


def _text(content: Any, number: int) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise InputError(f"messages.{number}.content: should be text or a list of parts")
    texts = [part.get(field) for part in content if (field := _field(part))]
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"messages.{number}.content: a text part holds no text")
    return "\n".join(texts)


def _field(part: dict[str, Any]) -> str | None:
    """The field of a content part that holds its text; None: it holds none."""
    kind = str(part.get("type"))
    if kind in TEXT_PARTS:
        return TEXT_PARTS[kind]
    return "text" if isinstance(part.get("text"), str) else None
