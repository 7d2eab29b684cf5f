"""What a model service streams: server-sent events, or a JSON object a line, put together into the answer.

What comes out is the document that the service would have answered at once, and beside it all that its pieces hold and
no answer has: the reader of that document refuses or names it, as in any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from gate.errors import InputError
from gate.submission.transcripts.parts import UNSHOWN
from gate.submission.transcripts.texts.stream_merging import Beside, Growing, numbered, objects, run_together, texts_in
from gate.submission.transcripts.unread_parts import TEXT_WORDS
from gate.text.formats import strict_json

NAME = "stream"
LINES = ("data:", "event:", "id:", "retry:", ":")
_LINE_END = re.compile(r"\r\n|\r|\n")
"""As in the standard of these streams: no other separator ends a line."""
_PLAIN_EVENTS = ("", "message", "error", "data", "done", "chunk", "completion", "delta")
"""Names of events that say nothing of what is in them; any other is the piece's own type."""

_MOST_WORDS = 2
"""Of the comments and names of a stream, each counted once: `: OPENROUTER PROCESSING`."""
_WORD = re.compile(r"[^\W\d_]+")
_SIGNS = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:?\d\d)?"
)
"""Of an id and a time, which say nothing."""

Piece = dict[str, Any]


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
    return joined([piece for piece in pieces if piece is not None], ended=None in pieces)


def joined(pieces: list[Any], *, ended: bool = False) -> Any:
    """Put the JSON objects of a stream together.

    Raises:
        InputError: the stream is no service's, it breaks off, or its pieces contradict each other.
    """
    for number, piece in enumerate(pieces):
        if not isinstance(piece, dict):
            raise InputError(f"piece {number + 1} of the stream: should be an object")
    for knows, join in _KINDS:
        if any(knows(piece) for piece in pieces):
            try:
                return join(pieces, ended)
            except RecursionError:
                raise InputError("nested far too deep") from None
    raise InputError("a stream that no service sends: looked for choices, message_start, response.completed, "
                     "candidates and done")  # fmt: skip


def _pieces(text: str) -> Iterator[Any]:
    """The data of each event; None for the mark of the end."""
    event, is_known, aside = "", True, _Aside()
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1):
        line = line.strip()
        if not line or line.startswith(LINES[1:]):
            if not line or line.startswith("event:"):
                aside.add("" if is_known else event, number)
                event, is_known = line[6:].strip(), not line
            if line.startswith("event:"):
                aside.refuse_prose(event, number)
            else:
                aside.add(line.partition(":")[2], number)
            continue
        if not line.startswith("data:"):
            raise InputError(f"line {number}: no line of an event stream")
        data = line[5:].strip()
        if data == "[DONE]":
            yield None
        elif data:
            try:
                piece = strict_json.load(data)
            except InputError as error:
                raise InputError(f"line {number}: {error.safe_message.replace(' at line 1,', ' at')}") from None
            if event not in (*_PLAIN_EVENTS, piece.get("type") if isinstance(piece, dict) else ""):
                raise InputError(f"line {number}: an event of a name that its data does not have")
            is_known = True
            if piece is not None:
                yield piece
    aside.add("" if is_known else event, number)


class _Aside:
    """Counts the words of lines that no client shows: more than a sign of life is read where somebody opens the file.

    The name of an event that its data has too is none of them.
    """

    def __init__(self) -> None:
        self._words: set[str] = set()

    def add(self, beside: str, number: int) -> None:
        self._words.update(word.casefold() for word in _WORD.findall(_SIGNS.sub(" ", beside)))
        self._refuse(len(self._words), beside, number)

    def refuse_prose(self, name: str, number: int) -> None:
        self._refuse(len(name.split()), name, number)

    def _refuse(self, words: int, beside: str, number: int) -> None:
        if words > _MOST_WORDS or any(not char.isascii() and char.isalpha() for char in beside):
            raise InputError(f"line {number}: words beside the data, which no reader of the stream is shown")


def _completion(pieces: list[Piece], ended: bool) -> Any:
    messages, texts, beside = dict[int, Growing](), dict[int, list[str]](), Beside()
    around: dict[int, Beside] = {}
    for piece in pieces:
        beside.rest(piece, "choices")
        for choice in objects(piece.get("choices"), "choices"):
            number = numbered(choice.get("index", 0), "choices.index")
            ended = ended or bool(choice.get("finish_reason"))
            if choice.get("delta"):
                messages.setdefault(number, Growing()).add(choice["delta"], f"choices.{number}.delta")
            if isinstance(choice.get("text"), str):
                texts.setdefault(number, []).append(choice["text"])
            known = ("delta", "index", *(("text",) if isinstance(choice.get("text"), str) else ()))
            around.setdefault(number, Beside()).rest(choice, *known)
    _must_end(ended)
    choices = []
    for number, one in sorted(around.items()):
        said: dict[str, Any] = {}
        if number in messages:
            said["message"] = messages[number].whole()
            said["message"].setdefault("role", "assistant")
        if text := "".join(texts.get(number, ())):
            said["text"] = text
        choice = one.around(said)
        if "message" in choice or "text" in choice:
            choices.append(choice)
        else:
            beside.add("choices_without_text", choice)
    return beside.around({"choices": choices})


def _message(pieces: list[Piece], ended: bool) -> Any:
    blocks, beside, message = dict[int, Growing](), Beside(), Growing()
    started = False
    for piece in pieces:
        kind = piece.get("type")
        if kind == "message_start":
            if started:
                raise InputError("message_start: two messages in one stream")
            started = True
            given = piece.get("message")
            message.add({key: value for key, value in given.items() if key != "content"}
                        if isinstance(given, dict) else given, "message")  # fmt: skip
            content = given.get("content") if isinstance(given, dict) else None
            for number, block in enumerate(objects(content, "message.content")):
                blocks.setdefault(number, Growing()).add(block, f"content.{number}")
            beside.rest(piece, "type", "message")
        elif kind == "content_block_start":
            number = numbered(piece.get("index", 0), "content_block_start.index")
            if number in blocks:
                raise InputError(f"content_block_start: a second block {number}")
            blocks.setdefault(number, Growing()).add(piece.get("content_block"), f"content.{number}")
            beside.rest(piece, "type", "index", "content_block")
        elif kind == "content_block_delta":
            number = numbered(piece.get("index", 0), "content_block_delta.index")
            delta = piece.get("delta")
            if isinstance(delta, dict):
                delta = {key: value for key, value in delta.items() if key != "type"}
                if "citation" in delta:
                    delta["citations"] = [delta.pop("citation")]
            blocks.setdefault(number, Growing()).add(delta, f"content.{number}")
            beside.rest(piece, "type", "index", "delta")
        elif kind == "message_delta":
            message.add(piece.get("delta"), "message_delta.delta")
            beside.rest(piece, "type", "delta")
        else:
            beside.rest(piece, "type")
        ended = ended or kind == "message_stop"
    _must_end(ended)
    content = [block.whole() for _, block in sorted(blocks.items())]
    content = [{"type": "thinking" if "thinking" in block else "text", **block} for block in content]
    for number, block in enumerate(content):
        if block["type"] in UNSHOWN and block.get("text"):
            raise InputError(f"content.{number}: text in a block that began as {str(block['type'])[:40]}")
    return beside.around({"type": "message", "role": "assistant", **message.whole(), "content": content})


_KEYS_OF_AN_EVENT = """type response item part item_id output_index content_index summary_index sequence_number
annotation annotation_index arguments code input logprobs name obfuscation partial_image_b64 partial_image_index"""
_OF_AN_EVENT = frozenset(_KEYS_OF_AN_EVENT.split())
"""Beside those that hold a part of what the whole says."""
_MOST_STREAMED = 500
"""Parts of one response whose texts are looked for in the whole."""


def _response(pieces: list[Piece], ended: bool) -> Any:
    """The whole that ends the stream; whatever was streamed before must stand in it."""
    wholes = [piece for piece in pieces if piece.get("type") == "response.completed"]
    _must_end(bool(wholes) and all("response" in piece for piece in wholes))
    if any(piece["response"] != wholes[0]["response"] for piece in wholes):
        raise InputError("response.completed: two answers in one stream")
    grown, beside = dict[tuple[Any, ...], list[str]](), Beside()
    for piece in pieces:
        kind = str(piece.get("type", ""))
        is_own = kind.startswith("response.")
        compared = [key for key, value in piece.items() if is_own and key in TEXT_WORDS and isinstance(value, str)]
        beside.rest(piece, *(_OF_AN_EVENT if is_own else ("type",)), *compared)
        where = (kind, *(str(piece.get(key)) for key in ("item_id", "output_index", "content_index")))
        for key, text in texts_in({**piece, "response": None} if kind == "response.completed" else piece):
            if key == "delta" and not kind.endswith("audio.delta"):
                grown.setdefault(where, []).append(text)
            elif key != "delta" and key.casefold() in TEXT_WORDS:
                grown.setdefault((text,), [text])
    said = {"".join(texts) for texts in grown.values()}
    if len(said) > _MOST_STREAMED:
        raise InputError(f"a stream of more than {_MOST_STREAMED} different parts")
    stands = "\n".join(text for _, text in texts_in(wholes[0]["response"]))
    if not all(text in stands for text in said):
        raise InputError("response.completed: says another thing than the events before it")
    whole = wholes[0]["response"]
    return beside.around(whole) if isinstance(whole, dict) else whole


def _candidates(pieces: list[Piece], ended: bool) -> Any:
    parts, around, beside = dict[int, list[Any]](), dict[int, Beside](), Beside()
    contents: dict[int, Beside] = {}
    for piece in pieces:
        beside.rest(piece, "candidates")
        for candidate in objects(piece.get("candidates"), "candidates"):
            number = numbered(candidate.get("index", 0), "candidates.index")
            ended = ended or bool(candidate.get("finishReason"))
            content = candidate.get("content") or {}
            if not isinstance(content, dict) or not isinstance(content.get("parts") or [], list):
                raise InputError(f"candidates.{number}.content: should be an object with parts")
            parts.setdefault(number, []).extend(content.get("parts") or [])
            contents.setdefault(number, Beside()).rest(content, "parts")
            around.setdefault(number, Beside()).rest(candidate, "content", "index")
    _must_end(ended)
    candidates = [
        around[number].around({"content": {"role": "model", **contents[number].around({"parts": run_together(one)})}})
        for number, one in sorted(parts.items())
    ]
    return beside.around({"candidates": candidates})


def _ollama(pieces: list[Piece], ended: bool) -> Any:
    _must_end(ended or pieces[-1].get("done") is True)
    message, responses, beside = Growing(), list[str](), Beside()
    for piece in pieces:
        known = ["done", "message", "created_at"]
        message.add(piece.get("message"), "message")
        if isinstance(said := piece.get("response"), str):
            responses.append(said)
            known.append("response")
        beside.rest(piece, *known)
    whole, response = message.whole(), "".join(responses)
    found: dict[str, Any] = {"done": True}
    if whole:
        found["message"] = {"role": "assistant", **whole}
    if response or not whole:
        found["response"] = response
    return beside.around(found)


def _must_end(ended: bool) -> None:
    if not ended:
        raise InputError("the stream breaks off before its end: an answer of which a part is missing is not judged")


_KINDS: tuple[tuple[Callable[[Piece], bool], Callable[[list[Piece], bool], Any]], ...] = (
    (lambda piece: isinstance(piece.get("choices"), list), _completion),
    (lambda piece: piece.get("type") in ("message_start", "content_block_delta"), _message),
    (lambda piece: str(piece.get("type", "")).startswith("response."), _response),
    (lambda piece: isinstance(piece.get("candidates"), list), _candidates),
    (lambda piece: "done" in piece, _ollama),
)
"""Whose stream it is, by what one of its pieces holds, and what puts it together."""
