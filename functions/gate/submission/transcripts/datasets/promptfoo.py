"""A result of promptfoo: the prompt's variables, and what a provider answered."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Document, Turn
from gate.submission.transcripts.contexts import contexts_of, joined
from gate.submission.transcripts.datasets.row import CONTEXTS, QUESTION, plain_name
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "promptfoo"
UNSHOWN = frozenset((
    "error", "failureReason", "gradingResult", "metadata", "namedScores", "prompt", "provider", "testCase",
    "tokenUsage", "vars",
))  # fmt: skip


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and {"vars", "response"} <= document.keys()


def parse(document: dict[str, Any]) -> Record:
    """Read one result.

    Raises:
        InputError: the provider gave no text.
    """
    reading, response, given = UnreadParts(), document["response"], document["vars"]
    output = response.get("output") if isinstance(response, dict) else None
    if not isinstance(output, str):
        raise InputError("response.output: should be a text: the provider gave none")
    if not isinstance(given, dict):
        raise InputError("vars: should be an object")
    turns, contexts = list[Turn](), tuple[Document, ...]()
    for key, value in given.items():
        if plain_name(key) in QUESTION and isinstance(value, str):
            turns.append(Turn(role="user", content=value))
        elif plain_name(key) in CONTEXTS:
            contexts = joined(contexts, contexts_of(value, below("vars", key), reading))
    turns.append(Turn(role="assistant", content=output))
    reading.rest(response, "response", known=("output",), unshown=("raw", "tokenUsage", "metadata"))
    reading.rest(document, "", known=("response",), unshown=UNSHOWN)
    provider = document.get("provider")
    writer = provider.get("id") if isinstance(provider, dict) else provider
    return Record(tuple(turns), not_read=reading.left, contexts=contexts, metadata=about(writer=writer))
