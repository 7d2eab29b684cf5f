"""What Bedrock answers, read by ourselves and strictly: the SDK's parser stumbles over values of another type, keeps
the last of two values under one key, and takes a page of a proxy for an empty answer."""

from __future__ import annotations

from typing import Any

from gate.adapters.model_protocol.strict_bodies import UNKNOWN_USAGE, KeyTwice, json_object
from gate.errors import AnswerError, ModelUnavailableError

OPERATIONS = ("Converse", "ApplyGuardrail")
"""Those whose answers are read here: JSON objects."""


def read_strictly(client: Any) -> None:
    """Make a client of bedrock-runtime return the JSON objects that it receives as they are, and nothing else.

    Its calls then raise ModelUnavailableError for a body that is no JSON object, and AnswerError for one that names a
    key twice: what a model wrote into a tool's input stands in it as it is. An error's body that is damaged counts as
    empty: its status says enough.
    """
    for operation in OPERATIONS:
        client.meta.events.register(f"before-parse.bedrock-runtime.{operation}", _read)


def _read(response_dict: dict[str, Any], customized_response_dict: dict[str, Any], **_: Any) -> None:
    failed = response_dict["status_code"] >= 300
    try:
        document = json_object(response_dict["body"])
    except (ValueError, RecursionError, KeyTwice) as error:
        if failed:
            document = {}
        elif isinstance(error, KeyTwice):
            raise AnswerError("an object names the same key twice", usage=UNKNOWN_USAGE) from None
        else:
            raise ModelUnavailableError("bedrock answered with something that is no JSON object") from None
    if failed and document:
        return
    response_dict["body"] = b"{}"
    customized_response_dict.update(document)
