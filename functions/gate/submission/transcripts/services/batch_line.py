"""A line of a batch's output: OpenAI's (`response.body`), Anthropic's (`result.message`), Bedrock's (`modelOutput`)."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.submission.transcripts import anthropic_message
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.services.any_service import placed, reply, request
from gate.submission.transcripts.unread_parts import UnreadParts

NAME = "batch"
IDS = ("custom_id", "recordId")


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    if not isinstance(document, dict):
        return False
    asked = {"custom_id", "response"} <= document.keys() or {"custom_id", "result"} <= document.keys()
    return asked or "modelOutput" in document


def parse(document: dict[str, Any]) -> Record:
    """Read the answer in a line.

    Raises:
        InputError: the request failed, so there is no answer, or the answer does not fit.
    """
    reading = UnreadParts()
    key, found = _answer(document)
    turns = tuple(request(document.get("modelInput"), "modelInput", reading))
    reading.rest(document, "", known=(key, "modelInput"), unshown=("error",))
    if key != "modelOutput":
        reading.rest(document[key], key, known=("body", "message"), unshown=())
    name = next((str(document[one])[:200] for one in IDS if document.get(one)), None)
    left = (*reading.left, *found.not_read)
    return Record((*turns, *found.turns), id=name, not_read=left, contexts=found.contexts, metadata=found.metadata)


def _answer(document: dict[str, Any]) -> tuple[str, Record]:
    if "modelOutput" in document:
        return "modelOutput", reply(document["modelOutput"], "modelOutput")
    if "result" in document:
        result = document["result"]
        if not isinstance(result, dict) or not isinstance(result.get("message"), dict):
            raise InputError("result: the request did not succeed, so there is no answer")
        return "result", placed(anthropic_message.parse, result["message"], "result.message")
    response = document["response"]
    if not isinstance(response, dict) or document.get("error") or response.get("status_code", 200) != 200:
        raise InputError("response: the request did not succeed, so there is no answer")
    return "response", reply(response.get("body"), "response.body")
