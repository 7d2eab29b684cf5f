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
_FOLDED = """\
apply_patch_call apply_patch_call_output code_interpreter_call compaction computer_call computer_call_output
custom_tool_call custom_tool_call_output file_search_call function_call function_call_output item_reference
local_shell_call local_shell_call_output mcp_approval_request mcp_approval_response mcp_call mcp_list_tools
reasoning shell_call shell_call_output tool_search_call tool_search_output web_search_call"""
FOLDED = frozenset(_FOLDED.split())
"""Kinds of item that are not shown as part of the answer: thoughts, and calls of tools."""
_CALLS = ("_call", "_call_output", "_approval_request", "_list_tools", "reasoning", "compaction")
"""How the kinds of calls and thoughts end, the coming ones too: what stands in these is no text of the answer."""


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
        if not kind.endswith(_CALLS):
            reading.rest(item, place, known=("type",), unshown=())
        reading.leave(item, kind, place, shown=kind not in FOLDED)
    said = document.get("output_text")
    if said is not None and said != "".join(turn.content for turn in turns):
        raise InputError("output_text: says another thing than the messages of the output")
    reading.rest(document, "", known=("output", "output_text"), unshown=UNSHOWN)
    writer = about(writer=document.get("model"))
    return Record(tuple(turns), not_read=reading.left, contexts=contexts, metadata=writer)
