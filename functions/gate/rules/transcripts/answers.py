"""What chat APIs answer with, as it came: OpenAI (`choices`), Anthropic (one message), Bedrock Converse (`output`)."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.rules.transcripts import messages
from gate.rules.transcripts.own import Submission


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and ("choices" in document or "output" in document or "content" in document)


def parse(document: Any) -> Submission:
    """Read an answer; each of several choices is a turn of its own, and all are checked.

    Raises:
        InputError: naming what does not fit.
    """
    return messages.parse(_messages(document))


def _messages(document: dict[str, Any]) -> list[Any]:
    if "choices" in document:
        choices = document["choices"]
        if not isinstance(choices, list) or not all(isinstance(one, dict) and "message" in one for one in choices):
            raise InputError("choices: should be a list of objects with a message")
        return [one["message"] for one in choices]
    if "output" in document:
        output = document["output"]
        if not isinstance(output, dict) or "message" not in output:
            raise InputError("output: should hold a message")
        return [output["message"]]
    return [document]
