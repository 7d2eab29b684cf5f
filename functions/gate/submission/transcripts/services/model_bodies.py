"""What models on Bedrock answer in words of their own: Titan, Llama, Mistral, Cohere, AI21."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Turn
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "bedrock-body"
LISTS = (("results", "outputText"), ("outputs", "text"), ("generations", "text"))
"""Keys of lists of answers, and where the text is in each."""
TEXTS = ("generation", "completion")
UNSHOWN = frozenset(("prompt", "logprobs", "token_likelihoods"))


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    if not isinstance(document, dict):
        return False
    return any(isinstance(document.get(key), str) and _is_alone(document) for key in TEXTS) or any(
        isinstance(document.get(key), list) and _holds(document[key], inner) for key, inner in LISTS
    )


def _is_alone(document: dict[str, Any]) -> bool:
    """Whether the model's own counts stand beside the text; without them it may be a row of a data set."""
    return not {"stop_reason", "stop", "prompt_token_count"}.isdisjoint(document)


def _holds(items: list[Any], key: str) -> bool:
    return bool(items) and all(isinstance(item, dict) and isinstance(item.get(key), str) for item in items)


def parse(document: dict[str, Any]) -> Record:
    """Read an answer; each of several is a turn of its own, and all are checked.

    Raises:
        InputError: it holds text beside the answer that no format has there.
    """
    reading, turns, known = UnreadParts(), list[Turn](), list[str]()
    for key in TEXTS:
        if isinstance(document.get(key), str):
            turns.append(Turn(role="assistant", content=document[key]))
            known.append(key)
    for key, inner in LISTS:
        if key not in document:
            continue
        if not isinstance(document[key], list) or not _holds(document[key], inner):
            raise InputError(f"{key}: should be a list of answers")
        known.append(key)
        for number, item in enumerate(document[key]):
            turns.append(Turn(role="assistant", content=item[inner]))
            reading.rest(item, below(key, number), known=(inner,), unshown=UNSHOWN)
    reading.rest(document, "", known=known, unshown=UNSHOWN)
    return Record(tuple(turns), not_read=reading.left)
