"""What a model service answers, read strictly, and what it says that a call cost."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

UNKNOWN_USAGE = {"calls": 1, "unknown": 1}
"""Of a call that nobody can say the cost of: whoever counts takes the estimate."""
MAX_REPLY_BYTES = 10_000_000
"""Of a reply: a verdict has a few hundred, and 100 vectors of 3,072 numbers have six million."""
MOST_TOKENS = 10**9
"""What is said to have cost more is not believed."""


_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}")


class KeyTwice(Exception):
    """An object names the same key twice: of two values nobody can say which was meant."""


def json_object(body: bytes) -> dict[str, Any]:
    """Read a body that is a JSON object.

    Raises:
        ValueError, RecursionError: it is none.
        KeyTwice: an object in it names a key twice.
    """
    document = json.loads(body.decode(), object_pairs_hook=_pairs)
    if not isinstance(document, dict):
        raise ValueError("no object")
    return document


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise KeyTwice
    return found


def usage_of(counts: Mapping[str, Any], tries: int) -> dict[str, int]:
    """The tokens of a call by our names; unknown where the service does not tell them, or tells what is no count.

    Where it took two tries, nobody tells what the other one cost: as much again.
    """
    known = {name: count for name, count in counts.items() if count is not None}
    repeated = {"repeated": tries - 1} if tries > 1 else {}
    if not known.keys() >= {"input", "output"} or not all(map(_is_count, known.values())):
        return {**UNKNOWN_USAGE, "calls": tries, **repeated}
    return {**{name: tries * count for name, count in known.items() if count}, "calls": tries, **repeated}


def request_id_of(told: Any) -> str:
    """What a service calls a request; empty where it says nothing that could be an id: it is written down for good."""
    return told if isinstance(told, str) and _ID.fullmatch(told) else ""


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_TOKENS
