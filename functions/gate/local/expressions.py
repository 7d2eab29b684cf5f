"""What a definition says about data, as functions of a state's input and the context object: paths, payload templates,
conditions, and the two intrinsic functions that occur. What is not known here is refused when it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from gate.local.definition import RUNTIME, StateError, unknown

Expression = Callable[[Any, Mapping[str, Any]], Any]
"""(input, context object) → value."""
Put = Callable[[Any, Any], Any]
"""(input, result) → output."""

_PATH = re.compile(r"\$(?:\.[A-Za-z_]\w*|\[\d+\])*")
_KEYS = re.compile(r"\.(\w+)|\[(\d+)\]")
_CONTEXT = re.compile(r"\$\$\.(?:Execution\.Name|Task\.Token|Map\.Item\.(?:Index|Value(?:\.\w+)*))")
_PARSE = re.compile(r"States\.StringToJson\(([^,()]+)\)")
_MERGE = re.compile(r"States\.JsonMerge\((.+), *([^,]+), *false\)")


def path(text: str, field: str) -> Expression:
    """What a path such as `$.branches[0]` or `$$.Map.Item.Index` names; `field` is said where there is no such thing.

    The function raises StateError (States.Runtime).
    """
    find = _finder(text, field)

    def get(value: Any, context: Mapping[str, Any]) -> Any:
        try:
            return find(value, context)
        except LookupError:
            raise StateError(
                RUNTIME, f"The JSONPath '{text}' specified for the field '{field}' could not be found"
            ) from None

    return get


def template(given: Any, field: str) -> Expression:
    """A value of the shape of `given`, where what stands under a key that ends in `.$` is looked up."""
    if isinstance(given, list):
        elements = [template(element, field) for element in given]
        return lambda value, context: [make(value, context) for make in elements]
    if not isinstance(given, dict):
        return lambda value, context: given
    members = {
        key.removesuffix(".$"): _looked_up(inner, key) if key.endswith(".$") else template(inner, key)
        for key, inner in given.items()
    }
    return lambda value, context: {key: make(value, context) for key, make in members.items()}


def whole(value: Any, context: Mapping[str, Any]) -> Any:
    """The input as it is."""
    return value


def result_path(given: str | None, place: str) -> Put:
    """Where a result goes: in place of the input, under a key of it, or nowhere."""
    if given == "$":
        return lambda value, result: result
    if given is None:
        return lambda value, result: value
    key = str(given).removeprefix("$.")
    if given != f"$.{key}" or not key.isidentifier():
        raise unknown(place, f"the ResultPath {given!r}")

    def put(value: Any, result: Any) -> Any:
        if not isinstance(value, dict):
            raise StateError("States.ResultPathMatchFailure", f"'{given}' of the state '{place}' needs an object")
        return {**value, key: result}

    return put


def condition(fields: dict[str, Any], place: str) -> Expression:
    """Whether a rule of a Choice holds; its comparison is popped from `fields`.

    Without its variable a comparison raises StateError: on AWS, too, that ends the run.
    """
    variable = fields.pop("Variable")
    operator = next((name for name in fields if name in ("IsPresent", *_COMPARISONS)), None)
    if operator is None:
        raise unknown(place, ", ".join(sorted(set(fields) - {"Next"})))
    wanted = fields.pop(operator)
    if operator == "IsPresent":
        return _presence(_finder(variable, place), wanted)
    holds, get = _COMPARISONS[operator], path(variable, "Variable")
    return lambda value, context: holds(get(value, context), wanted)


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "BooleanEquals": lambda found, wanted: found is wanted,
    "NumericGreaterThan": lambda found, wanted: type(found) in (int, float) and found > wanted,
}


def _presence(find: Expression, wanted: bool) -> Expression:
    def is_present(value: Any, context: Mapping[str, Any]) -> bool:
        try:
            find(value, context)
        except LookupError:
            return not wanted
        return wanted

    return is_present


def _finder(text: str, field: str) -> Expression:
    """As `path`, but the function raises LookupError."""
    in_context = isinstance(text, str) and _CONTEXT.fullmatch(text)
    if not in_context and not (isinstance(text, str) and _PATH.fullmatch(text)):
        raise unknown(field, f"the path {text!r}")
    keys = [int(index) if index else name for name, index in _KEYS.findall(text)]

    def find(value: Any, context: Mapping[str, Any]) -> Any:
        found = context if in_context else value
        for key in keys:
            if not isinstance(found, list if isinstance(key, int) else dict):
                raise LookupError
            found = found[key]
        return found

    return find


def _looked_up(text: Any, field: str) -> Expression:
    """A path, what the JSON in a string says, or the shallow merge of two objects."""
    parse = _PARSE.fullmatch(text) if isinstance(text, str) else None
    if parse:
        return _parsed(path(parse[1], field), field)
    merge = _MERGE.fullmatch(text) if isinstance(text, str) else None
    if not merge:
        return path(text, field)
    left, right = _looked_up(merge[1], field), path(merge[2], field)

    def merged(value: Any, context: Mapping[str, Any]) -> Any:
        both = left(value, context), right(value, context)
        if not all(isinstance(one, dict) for one in both):
            raise StateError("States.IntrinsicFailure", f"States.JsonMerge in '{field}' takes objects only")
        return {**both[0], **both[1]}

    return merged


def _parsed(get: Expression, field: str) -> Expression:
    def parsed(value: Any, context: Mapping[str, Any]) -> Any:
        text = get(value, context)
        try:
            return json.loads(text)
        except (TypeError, ValueError):
            raise StateError("States.IntrinsicFailure", f"States.StringToJson in '{field}' takes JSON only") from None

    return parsed
