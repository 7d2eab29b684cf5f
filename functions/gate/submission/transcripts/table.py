"""The transcript formats, and how one is told from another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Protocol

from gate.errors import InputError
from gate.submission.transcripts import (
    anthropic_message,
    bedrock_converse,
    openai_completion,
    openai_messages,
    own,
    plain,
)
from gate.submission.transcripts.record import Record
from gate.text.formats import strict_json


class TranscriptFormat(Protocol):
    """A module that reads one JSON format.

    Attributes:
        NAME: the key that it is known by, for messages.
    """

    NAME: str

    def matches(self, document: Any) -> bool:
        """Whether a JSON document is meant to be in this format: told by its structure alone."""

    def parse(self, document: Any) -> Record:
        """Read it; raises `InputError` naming what does not fit."""


FORMATS: tuple[TranscriptFormat, ...] = (own, openai_messages, openai_completion, anthropic_message, bedrock_converse)
"""A further format is one more module and one more line. A document that two of them know is refused."""

REFUSED = {
    **dict.fromkeys((".jsonl", ".ndjson"), ("many transcripts in one file", "give one transcript a file")),
    **dict.fromkeys((".html", ".htm"), ("a page: its tags would be read as claims", "save it as text or Markdown")),
}
"""Endings of names that would be read as the plain text they are not: what is wrong, and what to do."""


@dataclass(frozen=True, slots=True)
class Caps:
    """What a submission may measure; each is a setting of the same name."""

    max_bytes: int
    max_turns: int
    max_turn_chars: int
    max_depth: int


def parse(name: str, text: str, caps: Caps) -> Record:
    """Read a submission: JSON where the name ends in `.json` (or has no ending and looks like it), else one answer.

    Raises:
        InputError: it is empty, over a cap, in no known format, or nobody answers in it.
    """
    if len(text.encode(errors="replace")) > caps.max_bytes:
        raise InputError(f"larger than {caps.max_bytes} bytes", hint="GATE_MAX_BYTES sets the cap")
    if not text.strip():
        raise InputError("empty: there is nothing to check")
    if refused := REFUSED.get(PurePosixPath(name).suffix.lower()):
        raise InputError(refused[0], hint=refused[1])
    record = _parse_json(text, caps) if is_json(name, text) else plain.parse(text)
    _check(record, caps)
    return record


def is_json(name: str, text: str) -> bool:
    """Whether a submission is to be read as JSON."""
    suffix = PurePosixPath(name).suffix.lower()
    return suffix == ".json" or (not suffix and text.removeprefix("\ufeff").lstrip()[:1] in ("{", "["))


def read_json(text: str, caps: Caps) -> Any:
    """Read a JSON document from outside.

    Raises:
        InputError: it is no JSON that all readers agree on, nested too deep, or holds a key that is ours.
    """
    return checked_json(strict_json.load(text), caps)


def checked_json(document: Any, caps: Caps) -> Any:
    """Return a JSON document from outside as it is.

    Raises:
        InputError: it is nested too deep, or holds a key that is ours.
    """
    if _depth(document, caps.max_depth) > caps.max_depth:
        raise InputError(f"nested deeper than {caps.max_depth} levels", hint="GATE_MAX_DEPTH sets the cap")
    return document


def _parse_json(text: str, caps: Caps) -> Record:
    document = read_json(text, caps)
    found = [format_ for format_ in FORMATS if format_.matches(document)]
    if not found:
        raise InputError(
            "JSON in no known format", hint='expected an object with "turns" or "messages", or what a chat API answers'
        )
    if len(found) > 1:
        names = ", ".join(format_.NAME for format_ in found)
        raise InputError(
            f"in two formats at once ({names}): of two answers, which was given?",
            hint="give the answer alone, or as the last of the messages",
        )
    return found[0].parse(document)


def _depth(value: Any, limit: int) -> int:
    """Nesting of `value`, counted no further than one past `limit`; a reference in it is refused."""
    level, depth = [value], 0
    while level and depth <= limit:
        containers = [element for element in level if isinstance(element, (dict, list))]
        if any("$blob" in element for element in containers if isinstance(element, dict)):
            raise InputError('the key "$blob" is reserved')
        depth += bool(containers)
        level = [
            inner for element in containers for inner in (element.values() if isinstance(element, dict) else element)
        ]
        if not containers:
            break
    return depth


def _check(record: Record, caps: Caps) -> None:
    if len(record.turns) > caps.max_turns:
        raise InputError(f"more than {caps.max_turns} turns", hint="GATE_MAX_TURNS sets the cap")
    for number, turn in enumerate(record.turns):
        if len(turn.content) > caps.max_turn_chars:
            raise InputError(
                f"turn {number}: longer than {caps.max_turn_chars} characters", hint="GATE_MAX_TURN_CHARS sets the cap"
            )
        if any("\ud800" <= character <= "\udfff" for character in turn.content):
            raise InputError(f"turn {number}: holds half of a surrogate pair, which is no text")
    answers = [turn for turn in record.turns if turn.role == "assistant"]
    if not any(turn.content.strip() for turn in answers):
        raise InputError("no assistant turn: there is no answer to check")
