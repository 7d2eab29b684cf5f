"""Looks a name in code up in the evidence: it stands there as it is written, or it is not named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_PAIR = re.compile(r"^[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?\s?[:=]\s?(?P<value>.*)$", re.DOTALL)
_VALUE = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^\s,\[\]\"']+)")
_JOINS = re.compile(r"[\w-]")
"""What goes on with a name."""
_PARTS = re.compile(r"[.!?;]\s|\n")
"""Between a key and its value stands none of these."""
_NEAR = 120
"""Characters on either side of a key in which its value stands."""


def look_up(name: str, texts: Sequence[str]) -> tuple[int, str] | None:
    """Find a name in the evidence: the place of the text, and the name as it stands there; None where it is not.

    Of a setting, "key: value", the value stands beside the key: in its sentence or line, and, where it is a figure,
    with no other figure between them.
    """
    for place, text in enumerate(texts):
        if (at := next(_found(name, text), None)) is not None:
            return place, text[at : at + len(name)]
    pair = _PAIR.match(name.strip())
    values = ["".join(groups) for groups in _VALUE.findall(pair["value"])] if pair else []
    if pair and values:
        for place, text in enumerate(texts):
            if quote := _beside(pair["key"], values, text):
                return place, quote
    return None


def _beside(key: str, values: Sequence[str], text: str) -> str | None:
    """The stretch of a text from a key to its values."""
    for at in _found(key, text):
        end = at + len(key)
        after = _PARTS.split(text[end : end + _NEAR], maxsplit=1)[0]
        before = _PARTS.split(text[max(0, at - _NEAR) : at])[-1]
        if (reach := _reach(values, after)) is not None:
            return text[at : end + reach]
        if (reach := _reach([value[::-1] for value in values], before[::-1])) is not None:
            return text[at - reach : end]
    return None


def _reach(values: Sequence[str], text: str) -> int | None:
    """Where in a text that begins beside the key the last of its values ends; None where one is not there."""
    reach = 0
    for value in values:
        at = next(_found(value, text), None)
        if at is None or (len(values) == 1 and value[:1].isdigit() and re.search(r"\d", text[:at])):
            return None
        reach = max(reach, at + len(value))
    return reach


def _found(name: str, text: str) -> Iterator[int]:
    """Where a name stands by itself."""
    at = -1
    while name and (at := text.find(name, at + 1)) >= 0:
        if not _JOINS.match(text[at - 1 : at]) and not _JOINS.match(text[at + len(name) : at + len(name) + 1]):
            yield at
