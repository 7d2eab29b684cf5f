"""What a model service streams: server-sent events, or a JSON object a line, put together into the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from gate.errors import InputError
from gate.text.formats import strict_json

NAME = "stream"
LINES = ("data:", "event:", "id:", "retry:", ":")


def matches(text: str) -> bool:
    """Whether a text is a stream of events: its first line is one's, and there is data in it."""
    head = text.removeprefix("\ufeff").lstrip()[:4_000]
    return head.startswith(LINES[:2]) and ("\ndata:" in head or head.startswith("data:")) and "{" in head


def is_piece(document: Any) -> bool:
    """Whether a JSON object is one of a stream of Ollama's, and not its last."""
    return isinstance(document, dict) and document.get("done") is False and "model" in document


def document(text: str) -> Any:
    """Put the events of a stream together into the document that the service would have answered at once.

    Raises:
        InputError: an event is no JSON, the stream is no service's, or it breaks off.
    """
    pieces = list(_pieces(text))
    return joined([piece for _, piece in pieces], ended=any(done for done, _ in pieces))


def joined(pieces: list[Any], *, ended: bool = False) -> Any:
    """Put the JSON objects of a stream together.

    Raises:
        InputError: the stream is no service's, or it breaks off.
    """
    held = [piece for piece in pieces if isinstance(piece, dict)]
    for knows, join in _KINDS:
        if any(knows(piece) for piece in held):
            return join(held, ended)
    raise InputError("a stream that no service sends: looked for choices, message_start, response.completed, "
                     "candidates and done")  # fmt: skip


def _pieces(text: str) -> Iterator[tuple[bool, Any]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith(LINES[1:]):
            continue
        if not line.startswith("data:"):
            raise InputError(f"line {number}: no line of an event stream")
        data = line[5:].strip()
        if data == "[DONE]":
            yield True, None
        elif data:
            try:
                yield False, strict_json.load(data)
            except InputError as error:
                raise InputError(f"line {number}: {error.safe_message.replace(' at line 1,', ' at')}") from None


def _completion(pieces: list[Any], ended: bool) -> Any:
    texts: dict[int, list[str]] = {}
    refusals: dict[int, list[str]] = {}
    for piece in pieces:
        for choice in piece.get("choices") or []:
            delta = choice.get("delta") or {} if isinstance(choice, dict) else {}
            ended = ended or bool(choice.get("finish_reason"))
            number = choice.get("index", 0)
            for key, held in (("content", texts), ("refusal", refusals)):
                said = delta.get(key) if key in delta else choice.get("text") if key == "content" else None
                if isinstance(said, str):
                    held.setdefault(number, []).append(said)
    _must_end(ended)
    choices = [
        {"message": {"role": "assistant", "content": "".join(texts.get(number, ())),
                     "refusal": "".join(refusals.get(number, ())) or None}}
        for number in sorted({*texts, *refusals})
    ]  # fmt: skip
    return {"model": _first(pieces, "model"), "choices": choices}


def _message(pieces: list[Any], ended: bool) -> Any:
    blocks: dict[int, dict[str, Any]] = {}
    model = None
    for piece in pieces:
        kind, number = piece.get("type"), piece.get("index", 0)
        if kind == "message_start" and isinstance(piece.get("message"), dict):
            model = piece["message"].get("model")
        elif kind == "content_block_start":
            block = piece.get("content_block")
            blocks[number] = dict(block) if isinstance(block, dict) else {}
        elif kind == "content_block_delta" and isinstance(delta := piece.get("delta"), dict):
            for key in ("text", "thinking"):
                if isinstance(delta.get(key), str):
                    block = blocks.setdefault(number, {"type": key})
                    block.setdefault("pieces", []).append(delta[key])
        ended = ended or kind == "message_stop"
    _must_end(ended)
    for block in blocks.values():
        if "pieces" in block:
            key = "thinking" if block.get("type") == "thinking" else "text"
            block[key] = block.get(key, "") + "".join(block.pop("pieces"))
    content = [block for _, block in sorted(blocks.items())]
    return {"type": "message", "role": "assistant", "model": model, "content": content}


def _response(pieces: list[Any], ended: bool) -> Any:
    whole = [piece["response"] for piece in pieces if piece.get("type") == "response.completed" and "response" in piece]
    _must_end(bool(whole))
    return whole[-1]


def _candidates(pieces: list[Any], ended: bool) -> Any:
    parts: dict[int, list[Any]] = {}
    for piece in pieces:
        for candidate in piece.get("candidates") or []:
            if not isinstance(candidate, dict):
                continue
            content = candidate.get("content")
            ended = ended or bool(candidate.get("finishReason"))
            held = content.get("parts") if isinstance(content, dict) else None
            parts.setdefault(candidate.get("index", 0), []).extend(held if isinstance(held, list) else [])
    _must_end(ended)
    candidates = [{"content": {"role": "model", "parts": _run_together(one)}} for _, one in sorted(parts.items())]
    return {"modelVersion": _first(pieces, "modelVersion"), "candidates": candidates}


def _run_together(parts: list[Any]) -> list[Any]:
    """Neighbouring texts as one: a piece of text goes on where the last one ended."""
    found: list[Any] = []
    for plain, run in groupby(parts, key=_is_text):
        held = list(run)
        found += [{"text": "".join(part["text"] for part in held)}] if plain else held
    return found


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and set(part) == {"text"} and isinstance(part["text"], str)


def _ollama(pieces: list[Any], ended: bool) -> Any:
    _must_end(ended or pieces[-1].get("done") is True)
    held = [
        piece["message"].get("content") if isinstance(piece.get("message"), dict) else piece.get("response")
        for piece in pieces
    ]
    said = "".join(text for text in held if isinstance(text, str))
    return {"model": _first(pieces, "model"), "done": True, "message": {"role": "assistant", "content": said}}


def _must_end(ended: bool) -> None:
    if not ended:
        raise InputError("the stream breaks off before its end: an answer of which a part is missing is not judged")


def _first(pieces: list[Any], key: str) -> Any:
    return next((piece[key] for piece in pieces if piece.get(key)), None)


_KINDS: tuple[tuple[Callable[[Any], bool], Callable[[list[Any], bool], Any]], ...] = (
    (lambda piece: isinstance(piece.get("choices"), list), _completion),
    (lambda piece: piece.get("type") in ("message_start", "content_block_delta"), _message),
    (lambda piece: str(piece.get("type", "")).startswith("response."), _response),
    (lambda piece: isinstance(piece.get("candidates"), list), _candidates),
    (lambda piece: "done" in piece, _ollama),
)
