"""A trace of Langfuse: its input and output, and what the observations that look things up found."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Document
from gate.submission.transcripts.contexts import contexts_of, joined
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.traces import steps
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "langfuse"


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and isinstance(document.get("observations"), list)


def _began(numbered: tuple[int, dict[str, Any]]) -> str:
    """Observations come in any order; those without a time are as they stand."""
    return str(numbered[1].get("startTime") or "")


def parse(document: dict[str, Any]) -> Record:
    """Read a trace; where it has no output of its own, its last generation has it.

    Raises:
        InputError: there is no answer in it, or an observation is none.
    """
    reading, observations = UnreadParts(), document["observations"]
    if not all(isinstance(one, dict) for one in observations):
        raise InputError("observations: should be objects: ask for the trace with its observations, not with their ids")
    contexts, generation = tuple[Document, ...](), dict[str, Any]()
    for number, one in sorted(enumerate(observations), key=_began):
        place = below("observations", number, "output")
        if str(one.get("type")).upper() == "GENERATION":
            generation = one
        elif one.get("output") and steps.looks_up(one.get("name"), one.get("type")):
            contexts = joined(contexts, contexts_of(one["output"], place, reading))
    for key in ("input", "output"):
        for value, place in steps.contexts_in(document.get(key), key):
            contexts = joined(contexts, contexts_of(value, place, reading))
    turns = steps.question(document.get("input") or generation.get("input"), "input", reading)
    answered = steps.answer(document.get("output") or generation.get("output"), "output", reading)
    if not answered:
        raise InputError("output: no answer is found in it: looked for a text, a message, or a key such as answer")
    reading.rest(document, "", known=("input", "output"), unshown=list(document))
    return Record(
        (*(turn for turn in turns if turn not in answered), *answered),
        id=str(document["id"])[:200] if document.get("id") else None,
        not_read=reading.left,
        contexts=contexts,
        metadata=about(writer=generation.get("model")),
    )
