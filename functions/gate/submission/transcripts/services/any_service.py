"""A reply of a model service inside another document, and the request that it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gate.errors import InputError
from gate.model import Turn
from gate.submission.transcripts import anthropic_message, bedrock_converse, openai_completion
from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.record import Record, within
from gate.submission.transcripts.services import gemini, model_bodies, ollama, openai_responses
from gate.submission.transcripts.unread_parts import UnreadParts, below

SERVICES = (
    openai_completion,
    openai_responses,
    anthropic_message,
    bedrock_converse,
    gemini,
    ollama,
    model_bodies,
)
PROMPTS = ("prompt", "inputText", "input", "query", "question")


def reply(document: Any, place: str) -> Record:
    """Read what a service answered, whichever it is.

    Raises:
        InputError: it is in no service's format, or in two.
    """
    found = [service for service in SERVICES if service.matches(document)]
    if len(found) != 1:
        names = " and ".join(service.NAME for service in found)
        raise InputError(f"{place}: " + (f"in two formats at once: {names}" if found else "no service answers so"))
    return placed(found[0].parse, document, place)


def placed(parse: Callable[[Any], Record], document: Any, place: str) -> Record:
    """What a reader makes of a part of a document; places in it, and in its errors, begin with `place`."""
    try:
        return within(parse(document), place)
    except InputError as error:
        raise InputError(f"{place}.{error.safe_message}", hint=error.hint) from None


def request(document: Any, place: str, reading: UnreadParts) -> list[Turn]:
    """The turns of what a service was asked: messages, contents or a prompt; the rest is named as not read.

    Raises:
        InputError: a message that does not fit.
    """
    if isinstance(document, str):
        return [Turn(role="user", content=document)]
    if not isinstance(document, dict):
        return []
    for key, turn in (("messages", turn_of), ("contents", gemini.content_turn)):
        if isinstance(document.get(key), list):
            at = below(place, key)
            turns = [turn(one, below(at, number), reading) for number, one in enumerate(document[key])]
            _leave(document, key, place, reading)
            return turns
    key = next((key for key in PROMPTS if isinstance(document.get(key), str)), "")
    _leave(document, key, place, reading)
    return [Turn(role="user", content=document[key])] if key else []


def _leave(document: dict[str, Any], key: str, place: str, reading: UnreadParts) -> None:
    others = [name for name in document if name != key]
    reading.rest(document, place, known=(key,), unshown=others)
