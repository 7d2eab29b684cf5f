"""What OpenAI's completions API, and all that speak like it, answers: `choices`, of a chat or of a bare text."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Turn
from gate.submission.transcripts.parts import UNSHOWN, spoken, turn_of
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "openai-chat"
_BESIDE = """\
citations images metadata related_questions search_results usage videos"""
BESIDE = frozenset(_BESIDE.split())
"""What services put beside the choices: sources, and what else might be asked."""


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and "choices" in document


def parse(document: dict[str, Any]) -> Record:
    """Read an answer; each of several choices is a turn of its own, and all are checked.

    Raises:
        InputError: naming what does not fit.
    """
    reading, choices = UnreadParts(), document["choices"]
    if not isinstance(choices, list):
        raise InputError("choices: should be a list of objects with a message or a text")
    turns = tuple(_turn(choice, below("choices", number), reading) for number, choice in enumerate(choices))
    reading.rest(document, "", known=("choices",), unshown=BESIDE)
    return Record(turns, not_read=reading.left, metadata=about(writer=document.get("model")))


def _turn(choice: Any, place: str, reading: UnreadParts) -> Turn:
    if isinstance(choice, dict) and "message" in choice:
        reading.rest(choice, place, known=("message",), unshown={*UNSHOWN, "logprobs"})
        at = below(place, "message")
        return spoken(turn_of(choice["message"], at, reading), at)
    if isinstance(choice, dict) and isinstance(choice.get("text"), str):
        reading.rest(choice, place, known=("text",), unshown={*UNSHOWN, "logprobs"})
        return Turn(role="assistant", content=choice["text"])
    raise InputError(f"{place}: should be an object with a message or a text")
