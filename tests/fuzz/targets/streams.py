"""Streams of events, their pieces mixed by the bytes: what one says is in a turn, or named as not read, or refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from gate.submission.transcripts import table
from tests.fuzz.targets.transcripts import CAPS

SAID = ("Sky ", "is blue. ", "Sky is blue", "")
KEYS = (
    "content",
    "text",
    "refusal",
    "reasoning_content",
    "audio",
    "transcript",
    "parts",
    "message",
    "delta",
    "response",
)
_WHOLE = {
    "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Sky is blue"}]}]
}
PIECES: tuple[dict[str, Any], ...] = (
    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Sky "}}]},
    {"choices": [{"index": 0, "delta": {"content": [{"type": "text", "text": "is blue. "}]}}]},
    {"choices": [{"index": 1, "text": "Sky "}]},
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    {"type": "message_start", "message": {"role": "assistant", "content": []}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "is blue. "}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": {"url": "a"}}},
    {"type": "message_stop"},
    {"type": "response.output_text.delta", "delta": "Sky "},
    {"type": "response.completed", "response": _WHOLE},
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "Sky "}]}}]},
    {
        "candidates": [
            {"content": {"parts": [{"text": "is blue. "}, {"thought": True, "text": ""}]}, "finishReason": "STOP"}
        ]
    },
    {"model": "m", "message": {"role": "assistant", "content": "Sky "}, "done": False},
    {"model": "m", "response": "is blue. ", "done": False},
    {"model": "m", "done": True},
)
_OF_A_SERVICE = ((0, 1, 3), (2, 3), (4, 5, 6, 7, 8), (9, 10), (11, 12), (13, 15), (14, 15))
SEEDS = [b"\0" + bytes(byte for number in numbers for byte in (number, 0)) for numbers in _OF_A_SERVICE]
"""A byte for how the stream is written, then two for each piece: which one, and what else it says."""


def read(data: bytes) -> None:
    pieces = [*_pieces(data[1:])]
    if data[:1] and data[0] % 2:
        name, text = "a.jsonl", "\n".join(map(json.dumps, pieces))
    else:
        name, text = "a.sse", "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces) + "data: [DONE]\n"
    record = table.parse(name, text, CAPS)
    turns, left = "\n".join(turn.content for turn in record.turns), sum(one.characters for one in record.not_read)
    missing = sum(map(len, {said for piece in pieces for said in _said(piece) if said not in turns}))
    assert missing <= left, pieces


def _pieces(data: bytes) -> Iterator[dict[str, Any]]:
    for number, more in zip(data[::2], data[1::2], strict=False):
        piece = json.loads(json.dumps(PIECES[number % len(PIECES)]))
        if more:
            said = SAID[more % len(SAID)]
            key, holder = KEYS[more // 4 % len(KEYS)], _holder(piece, more // 40)
            holder[key] = said if more % 3 else {"text": said} if more % 2 else [{"type": "text", "text": said}]
        yield piece


def _holder(piece: dict[str, Any], depth: int) -> dict[str, Any]:
    """An object in a piece, so many levels below it."""
    for _ in range(depth):
        inner = next((one for value in piece.values() for one in _objects(value)), None)
        piece = piece if inner is None else inner
    return piece


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _said(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if " " in value and value.strip():
            yield value.strip()
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _said(inner)
