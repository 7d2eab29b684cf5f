"""How parts of a definition are read, and the errors and limits that all of them share."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from gate.errors import InternalError

RUNTIME, TIMEOUT, TOO_LARGE = "States.Runtime", "States.Timeout", "States.DataLimitExceeded"
LIMIT_BYTES = 262_144
"""Of what a state takes or returns, as compact JSON."""
TOO_MUCH = "with a size exceeding the maximum number of bytes service limit"
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


class StateError(Exception):
    """An error as the States Language knows it: the name that Retry and Catch match on, and a cause in words.

    The causes made here name paths and places, and nothing of the data. `state` is where the error came up.
    """

    def __init__(self, error: str, cause: str = "") -> None:
        super().__init__(error)
        self.error = error
        self.cause = cause
        self.state = ""


def unknown(place: str, what: object) -> InternalError:
    """The refusal of what this interpreter was not made for."""
    return InternalError(f"{place}: the local interpreter does not know {what}")


@contextmanager
def fields_of(place: str, given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The fields of a part of a definition, to be popped; one that is missing or left over is refused by name."""
    fields = {key: value for key, value in given.items() if key != "Comment"}
    try:
        yield fields
    except KeyError as missing:
        raise InternalError(f"{place}: {missing} is missing") from None
    if fields:
        raise unknown(place, ", ".join(sorted(fields)))


def sized(place: str, value: Any) -> str:
    """The JSON of what a state takes or returns.

    Raises:
        StateError: there is too much of it.
    """
    text = _ENCODER.encode(value)
    if len(text.encode("utf-8", "surrogatepass")) > LIMIT_BYTES:
        raise StateError(TOO_LARGE, f"The state/task '{place}' returned a result {TOO_MUCH}.")
    return text


def checked(place: str, value: Any) -> Any:
    """What a state takes or returns, where it is not too much; otherwise as `sized`."""
    sized(place, value)
    return value
