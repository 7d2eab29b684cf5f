"""Looks a name in code up in the evidence: it stands there as it is written, or it is not named."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PAIR = re.compile(r"^[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?\s?[:=]\s?[\"']?(?P<value>[^\"']*)[\"']?$")
_JOINS = re.compile(r"[\w-]")
"""What goes on with a name."""


def look_up(name: str, texts: Sequence[str]) -> tuple[int, str] | None:
    """Find a name in the evidence: the place of the text, and the name as it stands there; None where it is not.

    Of a setting, "key: value", both may stand apart in one text.
    """
    for place, text in enumerate(texts):
        if found := _found(name, text):
            return place, found
    pair = _PAIR.match(name.strip())
    if pair and pair["value"]:
        for place, text in enumerate(texts):
            if _found(pair["value"], text) and (key := _found(pair["key"], text)):
                return place, key
    return None


def _found(name: str, text: str) -> str | None:
    at = -1
    while (at := text.find(name, at + 1)) >= 0:
        if not _JOINS.match(text[at - 1 : at]) and not _JOINS.match(text[at + len(name) : at + len(name) + 1]):
            return name
    return None
