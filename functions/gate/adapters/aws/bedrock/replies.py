"""What Bedrock answers, read by ourselves and strictly: the SDK's parser stumbles over values of another type, keeps
the last of two values under one key, and takes a page of a proxy for an empty answer."""

from __future__ import annotations

import json
from typing import Any

from gate.adapters.model_protocol.strict_bodies import UNKNOWN_USAGE, KeyTwice, json_object
from gate.errors import AnswerError, ModelUnavailableError

OPERATIONS = ("Converse", "ApplyGuardrail")
"""Those whose answers are read here: JSON objects."""
OF_THE_SDK = ("ResponseMetadata", "Error")
"""What the SDK puts beside what was answered; a body that has such keys does not take their place."""


def read_strictly(client: Any) -> None:
    """Make a client of bedrock-runtime return the JSON objects that it receives as they are, and nothing else.

    Its calls then raise ModelUnavailableError for a body that is no JSON object, and AnswerError for one that names a
    key twice: what a model wrote into a tool's input stands in it as it is. Of an error's body, of whatever operation,
    its texts count alone, and one that is damaged counts as empty: its status says enough.
    """
    for operation in OPERATIONS:
        client.meta.events.register(f"before-parse.bedrock-runtime.{operation}", _read)
    client.meta.events.register("before-parse.bedrock-runtime", _read_error)


def _read(response_dict: dict[str, Any], customized_response_dict: dict[str, Any], **_: Any) -> None:
    if _has_failed(response_dict):
        return
    try:
        document = json_object(response_dict["body"])
    except KeyTwice:
        raise AnswerError("an object names the same key twice", usage=UNKNOWN_USAGE) from None
    except (ValueError, RecursionError):
        raise ModelUnavailableError("bedrock answered with something that is no JSON object") from None
    response_dict["body"] = b"{}"
    customized_response_dict.update({key: value for key, value in document.items() if key not in OF_THE_SDK})


def _read_error(response_dict: dict[str, Any], **_: Any) -> None:
    if not _has_failed(response_dict):
        return
    try:
        document = json_object(response_dict["body"])
    except (ValueError, RecursionError, KeyTwice):
        document = {}
    texts = {key: value for key, value in document.items() if isinstance(value, str)}
    response_dict["body"] = json.dumps(texts).encode()


def _has_failed(response_dict: dict[str, Any]) -> bool:
    return bool(response_dict["status_code"] >= 300)
