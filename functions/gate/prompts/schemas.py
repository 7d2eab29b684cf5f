"""JSON that models write: schemas in the subset that they compile, and the object in their reply.

Shapes are sent, constraints stay with pydantic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from gate.errors import InputError
from gate.text.formats import strict_json

_KEPT = ("type", "enum", "const", "items", "properties", "required", "additionalProperties", "anyOf")


def sendable(model: type[BaseModel], fields: Sequence[str]) -> dict[str, Any]:
    """The schema of some fields of a model, in that order, each of them required and nothing else allowed.

    Bounds, lengths, patterns, defaults and titles are left out: some are refused with a 400, the others cost tokens.
    """
    full = model.model_json_schema()
    properties = full["properties"]
    chosen = {name: properties[name] for name in fields}
    schema = {"type": "object", "properties": chosen, "required": list(fields), "additionalProperties": False}
    stripped: dict[str, Any] = _strip(schema, full.get("$defs", {}))
    return stripped


def object_in(reply: str) -> Any:
    """The one JSON object in a reply; Markdown fences and prose around it are passed over.

    Raises:
        ValueError: there is none that all readers would read alike.
    """
    start, end = reply.find("{"), reply.rfind("}")
    try:
        return strict_json.load(reply[start : end + 1])
    except InputError as error:
        raise ValueError(error.safe_message) from None


def _strip(schema: Any, definitions: dict[str, Any]) -> Any:
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _strip(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    kept = {key: schema[key] for key in _KEPT if key in schema}
    if "properties" in kept:
        kept["properties"] = {name: _strip(part, definitions) for name, part in kept["properties"].items()}
        kept["required"], kept["additionalProperties"] = list(kept["properties"]), False
    if "items" in kept:
        kept["items"] = _strip(kept["items"], definitions)
    if "anyOf" in kept:
        kept["anyOf"] = [_strip(part, definitions) for part in kept["anyOf"]]
    return kept
