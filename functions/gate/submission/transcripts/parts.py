"""Messages and their content parts, as OpenAI, Anthropic and Bedrock Converse write them: what a chat window shows.

A part is told by its keys as much as by its `type`: not everybody names kinds, and what is shown as text must not go
unchecked. What belongs to no answer (reasoning, calls of tools, sources) and what cannot be read (images, sound
without a transcript) is named.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from gate.errors import InputError
from gate.model import PartedTurn, Role, Turn
from gate.submission.transcripts.cited_blocks import placed, with_sources
from gate.submission.transcripts.unread_parts import UnreadParts, below

ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
TEXT_KINDS = ("text", "input_text", "output_text", "refusal")
"""Kinds of content part that are nothing but text."""
_UNSHOWN = """\
annotations cacheControl cachePoint cache_control cache_point citations code_execution_tool_result
container_upload context_management function_call mcp_tool_result mcp_tool_use metadata
provider_specific_fields reasoning reasoningContent reasoning_content reasoning_details reasoning_text
redacted_thinking searchResult search_result server_tool_use signature stop_details stop_sequence thinking
thinking_blocks toolResult toolUse tool_call tool_calls tool_result tool_use web_fetch_tool_result
web_search_tool_result"""
UNSHOWN = frozenset(_UNSHOWN.split())
"""Kinds of part, and keys of messages and parts, that a chat window does not show as part of the answer."""
_MEDIA = """\
attachments audio document documents file files image images image_file image_url input_audio input_file
input_image output_audio output_image video video_url"""
MEDIA = frozenset(_MEDIA.split())
"""Kinds of part, and keys of parts, that are shown or played and hold no text that could be read."""


READ = ("text", "refusal", "transcript", "citationsContent", "guardContent")
"""Keys of a part that hold what is shown."""


def turn_of(message: Any, place: str, reading: UnreadParts) -> Turn:
    """Read one message; parts stand on lines of their own, and the turn says where each begins.

    Raises:
        InputError: naming what does not fit.
    """
    if not isinstance(message, dict) or str(message.get("role")) not in ROLES:
        raise InputError(f"{below(place, 'role')}: should be one of {', '.join(ROLES)}")
    role = ROLES[message["role"]]
    answer = role == "assistant"
    texts = _texts(message.get("content"), below(place, "content"), reading, answer=answer)
    texts += _text(message.get("refusal"), below(place, "refusal"), reading)
    if message.get("audio") is not None:
        texts += _audio(message["audio"], below(place, "audio"), reading, answer=answer)
    shown = [name for name in message if name in MEDIA - {"audio"} and message[name]]
    for name in shown:
        reading.leave(message[name], name, below(place, name), shown=answer)
    reading.rest(message, place, known=("role", "content", "refusal", "audio", *shown), unshown=UNSHOWN, shown=answer)
    if len(texts) < 2:
        texts = [with_sources(text, message) for text in texts]
        return Turn(role=role, content="".join(texts), cited=placed(texts, 0))
    ends = accumulate(len(text) + 1 for text in texts[:-1])
    return PartedTurn(role=role, content="\n".join(texts), cited=placed(texts, len("\n")), parts=tuple(ends))


def spoken(turn: Turn, place: str) -> Turn:
    """The turn of a message that stands where a service puts what its model says.

    Raises:
        InputError: it says to be somebody else's: it would be shown as the answer, and not checked.
    """
    if turn.role != "assistant":
        raise InputError(f"{below(place, 'role')}: should be the assistant's: what stands here is what a model said")
    return turn


def _texts(content: Any, place: str, reading: UnreadParts, *, answer: bool) -> list[str]:
    """The texts of a message; `answer`: it is one that is checked."""
    if content is None or isinstance(content, str):
        return [content] if content else []
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise InputError(f"{place}: should be text or a list of parts")
    places = (below(place, number) for number in range(len(content)))
    return [text for part, at in zip(content, places, strict=True) for text in _part(part, at, reading, answer=answer)]


def _part(part: dict[str, Any], place: str, reading: UnreadParts, *, answer: bool) -> list[str]:
    kind = str(part.get("type", ""))
    if kind in UNSHOWN:
        reading.leave(part, kind, place)
        return []
    if kind in TEXT_KINDS and not isinstance(part.get("refusal" if kind == "refusal" else "text"), str | dict):
        raise InputError(f"{place}: a text part holds no text")
    texts = [
        text for key in part if key in READ for text in _displayed_texts(part[key], key, place, reading, answer=answer)
    ]
    texts = [with_sources(text, part) for text in texts]
    known = set(READ)
    if isinstance(part.get("audio"), dict):
        texts += _audio(part["audio"], below(place, "audio"), reading, answer=answer)
        known.add("audio")
    if media := next((name for name in (kind, *part) if name in MEDIA - known), None):
        reading.leave(part, media, place, shown=answer and "transcript" not in part)
        return texts
    reading.rest(part, place, known=known, unshown=UNSHOWN, shown=answer)
    if part and part.keys().isdisjoint({*known, *UNSHOWN}):
        reading.leave(part, "unknown part", place, shown=answer)
    return texts


def _displayed_texts(value: Any, key: str, place: str, reading: UnreadParts, *, answer: bool) -> list[str]:
    """The texts under one of the keys that hold what is shown."""
    at = below(place, key)
    if key == "guardContent" and isinstance(value, dict):
        return _part(value, at, reading, answer=answer)
    if key == "citationsContent" and isinstance(value, dict):
        reading.rest(value, at, known=("content",), unshown=UNSHOWN)
        texts = _texts(value.get("content"), below(at, "content"), reading, answer=answer)
        return [with_sources(text, value) for text in texts]
    return _text(value, at, reading)


def _text(value: Any, place: str, reading: UnreadParts) -> list[str]:
    """A text, or an object around one: `{"value": …}` in threads of assistants, `{"text": …}` in guarded content."""
    if isinstance(value, dict):
        reading.rest(value, place, known=("value", "text"), unshown={*UNSHOWN, "qualifiers"})
        held = [value[key] for key in ("value", "text") if key in value]
    else:
        held = [] if value is None else [value]
    if not all(isinstance(text, str) for text in held):
        raise InputError(f"{place}: holds no text")
    return [text for text in held if text]


def _audio(sound: Any, place: str, reading: UnreadParts, *, answer: bool) -> list[str]:
    """What is said in a sound, where it comes with a transcript."""
    spoken = _text(sound.get("transcript"), below(place, "transcript"), reading) if isinstance(sound, dict) else []
    reading.leave(sound, "audio", place, shown=answer and not spoken)
    return spoken
