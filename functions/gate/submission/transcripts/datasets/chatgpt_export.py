"""A conversation of ChatGPT's export: messages in a tree (`mapping`), of which the shown branch is read."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Turn
from gate.submission.transcripts.parts import ROLES, turn_of
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "chatgpt-export"
READ = ("text", "multimodal_text")
"""Kinds of content that are read."""
_FOLDED = """\
app_pairing_content citable_code_output code computer_output execution_output model_editable_context
reasoning_recap sonic_webpage system_error tether_browsing_code tether_browsing_display tether_quote thoughts
user_editable_context"""
FOLDED = frozenset(_FOLDED.split())
"""Kinds of content that the window folds away, or does not show: code, results of tools, thoughts."""

CANVAS = "canmore."
"""Tools whose calls the window shows beside the conversation: a document that was written."""


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and isinstance(document.get("mapping"), dict)


def parse(document: dict[str, Any]) -> Record:
    """Read the branch that ends in `current_node`; what stands on other branches is named as not read.

    Raises:
        InputError: the tree is none, or a message does not fit.
    """
    reading, turns, mapping = UnreadParts(), list[Turn](), document["mapping"]
    branch = _branch(mapping, document.get("current_node"))
    for key in branch:
        place = below("mapping", key, "message")
        message = mapping[key].get("message")
        reading.rest(mapping[key], below("mapping", key), known=("message",), unshown=())
        if message is not None:
            turns += _turns(message, place, reading)
    for key, node in mapping.items():
        if key not in branch:
            reading.leave(node, "another branch", below("mapping", key))
    reading.rest(document, "", known=("mapping", "current_node"), unshown=("title", "moderation_results"))
    name = next((str(document[key])[:200] for key in ("conversation_id", "id") if document.get(key)), None)
    writer = about(writer=document.get("default_model_slug"))
    return Record(tuple(turns), id=name, not_read=reading.left, metadata=writer)


def _branch(mapping: dict[str, Any], last: Any) -> dict[str, None]:
    """The nodes from the root to the last one, in order."""
    found: dict[str, None] = {}
    node = last
    while isinstance(node, str):
        if node in found or not isinstance(mapping.get(node), dict):
            raise InputError("mapping: the way from current_node to the root is broken")
        found[node] = None
        node = mapping[node].get("parent")
    if not found:
        raise InputError("current_node: should name the last message that is shown")
    return dict.fromkeys(reversed(found))


def _turns(message: Any, place: str, reading: UnreadParts) -> list[Turn]:
    author = message.get("author") if isinstance(message, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(author, dict) or not isinstance(content, dict) or str(author.get("role")) not in ROLES:
        raise InputError(f"{place}: should have an author and a content")
    told = message.get("metadata")
    reading.rest(author, below(place, "author"), known=("role",), unshown=("metadata",))
    is_answer = author.get("role") == "assistant"
    reading.rest(message, place, known=("author", "content"), unshown=("metadata",), shown=is_answer)
    hidden = isinstance(told, dict) and told.get("is_visually_hidden_from_conversation") is True
    if is_answer and str(message.get("recipient")).startswith(CANVAS):
        reading.leave(content, "canvas", below(place, "content"), shown=True)
        return []
    kind = str(content.get("content_type"))[:40]
    if hidden or kind not in READ or author.get("role") in ("system", "tool"):
        shown = is_answer and not hidden and kind not in FOLDED | set(READ)
        reading.leave(content, kind, below(place, "content"), shown=shown)
        return []
    if not isinstance(content.get("parts"), list):
        raise InputError(f"{place}.content.parts: should be a list")
    parts = [
        {"type": "text", "text": part} if isinstance(part, str) else {"type": "image", "part": part}
        for part in content["parts"]
    ]
    reading.rest(content, below(place, "content"), known=("content_type", "parts"), unshown=(), shown=is_answer)
    turn = turn_of({"role": author.get("role"), "content": parts}, below(place, "content"), reading)
    return [turn] if turn.content else []
