"""JSON from outside, read so that every other reader would have read the same."""

from __future__ import annotations

import json
import math
from typing import Any

from gate.errors import InputError
from gate.text.encodable import encodable

MAX_DIGITS = 1_000
"""Of a whole number: far beyond what anything counts, and below the 4,300 at which Python gives up."""


def load(text: str) -> Any:
    """Read a JSON document; a byte order mark before it is passed over.

    Raises:
        InputError: it is no JSON, nested far too deep, names a key twice in one object, or holds a number that cannot
            be kept or text that is none (half of a surrogate pair).
    """
    try:
        document = json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_float=_number,
            parse_int=_whole_number,
        )
        place = _broken_text(document) if "\\u" in text or not encodable(text) else None
    except RecursionError:
        raise InputError("nested far too deep") from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg.removesuffix(' at')} at line {error.lineno}, column {error.colno}"
        ) from None
    if place is not None:
        raise InputError(f"{place}: holds half of a surrogate pair, which is no text")
    return document


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two answers under one key, readers disagree which was given: the gate must not check the other one."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InputError("not JSON that all readers agree on: an object names the same key twice")
    return found


def _no_constant(name: str) -> None:
    raise InputError(f"not JSON: {name} is no JSON number")


def _number(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise InputError("a number is larger than any that can be kept")
    return value


def _whole_number(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise InputError(f"a number has more than {MAX_DIGITS} digits")
    return int(digits)


def _broken_text(value: Any, place: str = "") -> str | None:
    """Where in a document a text is none; None: nowhere."""
    if isinstance(value, str):
        return None if encodable(value) else place or "the document"
    if isinstance(value, dict):
        if not all(map(encodable, value)):
            return f"{place or 'the document'}, a key"
        inner = list(value.items())
    else:
        inner = list(enumerate(value)) if isinstance(value, list) else []
    found = (_broken_text(element, f"{place}.{key}" if place else str(key)) for key, element in inner)
    return next((broken for broken in found if broken is not None), None)
