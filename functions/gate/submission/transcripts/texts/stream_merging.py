"""Puts the pieces of a stream together, and loses nothing: a reader of answers refuses what it does not know.

Texts go on where they ended, and lists too; of any other value, and of all that stands beside the answer, each one that
differs is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from gate.errors import InputError

_NAMES = ("role", "type", "id", "name", "object", "model")
"""Keys that are said anew with every piece, and do not go on."""


class Growing:
    """An object that comes in pieces: a message, a part of it."""

    def __init__(self) -> None:
        self._texts: dict[str, list[str]] = {}
        self._parts: dict[str, list[Any]] = {}
        self._objects: dict[str, Growing] = {}
        self._beside = Beside()

    def add(self, piece: Any, place: str) -> None:
        """Add a piece; null says nothing.

        Raises:
            InputError: it is no object.
        """
        if piece is None:
            return
        if not isinstance(piece, dict):
            raise InputError(f"{place}: should be an object")
        for key, value in piece.items():
            if isinstance(value, str) and key not in _NAMES:
                held = self._parts.get(key)
                if held is not None:
                    held.append({"type": "text", "text": value})
                else:
                    self._texts.setdefault(key, []).append(value)
            elif isinstance(value, list):
                begun = "".join(self._texts.pop(key, ()))
                held = self._parts.setdefault(key, [])
                held += [*([{"type": "text", "text": begun}] if begun else []), *value]
            elif isinstance(value, dict):
                self._objects.setdefault(key, Growing()).add(value, f"{place}.{key}")
            else:
                self._beside.add(key, value)

    def whole(self) -> dict[str, Any]:
        """All of it; a key that is a text here and an object there makes the object unreadable, as it is."""
        found = self._beside.whole()
        kinds: list[tuple[str, Any]] = [
            *((key, "".join(texts)) for key, texts in self._texts.items()),
            *((key, run_together(parts)) for key, parts in self._parts.items()),
            *((key, one.whole()) for key, one in self._objects.items()),
        ]
        for key, value in kinds:
            found[key] = value if found.get(key) in (None, "", []) else [found[key], value]
        return found


class Beside:
    """What stands beside the pieces of an answer: each value that differs, once; numbers and the like as they end."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, Any]] = {}

    def add(self, key: str, value: Any) -> None:
        """Add a value; null says nothing."""
        if value is None:
            return
        held = self._found.setdefault(key, {})
        held[json.dumps(value) if isinstance(value, str | list | dict) else ""] = value

    def rest(self, piece: dict[str, Any], *known: str) -> None:
        """Add what a piece holds but the keys that were read."""
        for key, value in piece.items():
            if key not in known:
                self.add(key, value)

    def around(self, whole: dict[str, Any]) -> dict[str, Any]:
        """What was put together, with all that stands beside it.

        Raises:
            InputError: a key of it stands beside it too, with another value.
        """
        beside = self.whole()
        if key := next((key for key in beside if key in whole and beside[key] != whole[key]), None):
            raise InputError(f"{key}: in the pieces of a stream, and another thing beside them")
        return {**beside, **whole}

    def whole(self) -> dict[str, Any]:
        """Each key with its value, or a list of those that differ."""
        return {
            key: [*held.values()] if len(held) > 1 else next(iter(held.values())) for key, held in self._found.items()
        }


def run_together(parts: Iterable[Any]) -> list[Any]:
    """Neighbouring texts as one: a piece of text goes on where the last one ended."""
    found: list[Any] = []
    for kind, run in groupby(parts, key=_text_kind):
        held = list(run)
        found += [{**held[0], "text": "".join(part["text"] for part in held)}] if kind is not None else held
    return found


def _text_kind(part: Any) -> str | None:
    """What sort of bare text a part is; None for any other."""
    if isinstance(part, dict) and isinstance(part.get("text"), str) and part.keys() <= {"type", "text"}:
        return str(part.get("type", ""))
    return None


def numbered(value: Any, place: str) -> int:
    """The number by which a service tells answers, or parts of one, apart.

    Raises:
        InputError: it is none.
    """
    if type(value) is not int:
        raise InputError(f"{place}: should be a whole number")
    return value


def objects(value: Any, place: str) -> list[dict[str, Any]]:
    """A list of objects; null is an empty one.

    Raises:
        InputError: it is another thing.
    """
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise InputError(f"{place}: should be a list of objects")
    return value


def texts_in(value: Any) -> Iterator[tuple[str, str]]:
    """Every text of a JSON value, with the key under which it stands."""
    waiting = [("", value)]
    while waiting:
        key, one = waiting.pop()
        if isinstance(one, str):
            yield key, one
        elif isinstance(one, dict):
            waiting += one.items()
        elif isinstance(one, list):
            waiting += ((key, inner) for inner in one)
