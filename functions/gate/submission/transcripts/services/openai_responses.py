"""What OpenAI's Responses API answers: `output`, a list of items, of which messages are shown."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Document, Turn
from gate.submission.transcripts.contexts import contexts_of, joined
from gate.submission.transcripts.parts import spoken, turn_of
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "openai-responses"
_UNSHOWN = """\
error incomplete_details input instructions metadata prompt prompt_cache_key reasoning text tool_choice tools usage
user conversation safety_identifier"""
UNSHOWN = frozenset(_UNSHOWN.split())
"""What stands beside the items: how the answer was to be made."""


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and isinstance(document.get("output"), list) and "outputs" not in document


def parse(document: dict[str, Any]) -> Record:
    """Read an answer; each message of it is a turn, and what a file search found are its contexts.

    Raises:
        InputError: naming what does not fit.
    """
    reading, turns, contexts = UnreadParts(), list[Turn](), tuple[Document, ...]()
    for number, item in enumerate(document["output"]):
        place = below("output", number)
        if not isinstance(item, dict):
            raise InputError(f"{place}: should be an item of an answer")
        kind = str(item.get("type", "message"))
        if kind == "message":
            turns.append(spoken(turn_of(item, place, reading), place))
            continue
        if kind == "file_search_call":
            contexts = joined(contexts, contexts_of(item.get("results"), below(place, "results"), reading))
        if not kind.endswith(("_call", "_call_output", "_approval_request", "_list_tools", "reasoning", "compaction")):
            reading.rest(item, place, known=("type",), unshown=())
        reading.leave(item, kind, place, shown=kind == "image_generation_call")
    said = document.get("output_text")
    if said is not None and said != "".join(turn.content for turn in turns):
        raise InputError("output_text: says another thing than the messages of the output")
    reading.rest(document, "", known=("output", "output_text"), unshown=UNSHOWN)
    writer = about(writer=document.get("model"))
    return Record(tuple(turns), not_read=reading.left, contexts=contexts, metadata=writer)
