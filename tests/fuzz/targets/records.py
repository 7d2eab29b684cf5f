"""Records of chat APIs, their keys mixed by the bytes: a text is in a turn, or named as not read, or all is refused."""

from __future__ import annotations

import json
from typing import Any

from gate.submission.transcripts import table
from tests.fuzz.targets.transcripts import CAPS

KEYS = (
    *("role", "content", "text", "type", "message", "messages", "choices", "output", "turns", "refusal", "audio"),
    *("transcript", "citationsContent", "guardContent", "toolUse", "input", "name", "id", "index", "value", "delta"),
    *("reasoning", "parts", "annotations", "segment", "artifacts", "tool_calls", "function", "arguments", "x"),
)
WORDS = ("assistant", "user", "system", "tool", "text", "output_text", "message", "Sky is blue", "", "refusal", "image")
_ANSWER = {"role": "assistant", "content": "Sky is blue"}
_PARTS = [{"type": "text", "text": "Sky is blue"}]
DOCUMENTS: list[Any] = [
    {"messages": [{"role": "user", "content": ""}, _ANSWER]},
    {"choices": [{"index": None, "message": _ANSWER}], "id": "text"},
    {"output": {"message": {"role": "assistant", "content": [{"text": "Sky is blue"}]}}},
    {"turns": [_ANSWER]},
    {"role": "assistant", "content": _PARTS, "type": "message"},
    {"messages": [{"role": "assistant", "content": _PARTS, "refusal": None, "audio": {"transcript": "Sky is blue"}}]},
    [{"role": "assistant", "content": "text", "audio": {"function": {"content": "Sky is blue"}}}],
]


def _bytes_of(value: Any) -> bytes:
    """The bytes that say a document of `KEYS` and `WORDS`."""
    match value:
        case dict():
            inside = (bytes([KEYS.index(key)]) + _bytes_of(inner) for key, inner in value.items())
            return bytes([1 + 5 * len(value)]) + b"".join(inside)
        case list():
            return bytes([2 + 5 * len(value)]) + b"".join(map(_bytes_of, value))
        case None:
            return bytes([4, 0])
    return bytes([0, WORDS.index(value)])


SEEDS = [_bytes_of(document) for document in DOCUMENTS]


def read(data: bytes) -> None:
    document, _ = _value(data, 0, 0)
    record = table.parse("a.json", json.dumps(document), CAPS)
    document = {"messages": document} if isinstance(document, list) else document  # as bare messages are named
    left = tuple(one.place for one in record.not_read)
    for place, text in _texts(document, ""):
        if place.rpartition(".")[2] in ("text", "content", "refusal", "transcript") and " " in text:
            named = any(place == other or place.startswith(f"{other}.") for other in left)
            assert named or any(text in turn.content for turn in record.turns), place


def _value(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    """The value that the bytes from `at` say, and where they end: a kind, then keys and values."""
    kind, at = _byte(data, at), at + 1
    if kind % 5 == 1 and depth < 12:
        found: dict[str, Any] = {}
        for _ in range(max(1, kind // 5 % 6)):
            key, at = KEYS[_byte(data, at) % len(KEYS)], at + 1
            found[key], at = _value(data, at, depth + 1)
        return found, at
    if kind % 5 == 2 and depth < 12:
        items = []
        for _ in range(max(1, kind // 5 % 4)):
            item, at = _value(data, at, depth + 1)
            items.append(item)
        return items, at
    if kind % 5 == 4:
        return (None, True, 7, -1.5, {}, [])[_byte(data, at) % 6], at + 1
    return WORDS[_byte(data, at) % len(WORDS)], at + 1


def _byte(data: bytes, at: int) -> int:
    return data[at] if at < len(data) else 0


def _texts(value: Any, place: str) -> list[tuple[str, str]]:
    if isinstance(value, str):
        return [(place, value)]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, inner in items for found in _texts(inner, f"{place}.{key}".lstrip("."))]
