"""Text that can be shown anywhere: nothing in it steers a terminal, turns the reading direction or hides.

The one place where that is decided; every report and every command shows text through it.
"""

from __future__ import annotations

import re
from typing import Any

OBEYED = "\N{REPLACEMENT CHARACTER}"
_IDLE = "\N{WORD JOINER}"
_MARKS = "\u061c\u200e\u200f"
_HIDDEN = re.compile(
    f"[{_MARKS}\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Controls but line feed and tab, marks and overrides of direction, separators, annotations, halves, tags."""


def visible(text: str) -> str:
    """Return `text` with each character that would be obeyed replaced by one that is seen.

    One for one, so that offsets stay. A mark of direction, which honest Hebrew and Arabic use, becomes an idle
    character that nobody sees; a carriage return before a line feed a blank.
    """
    return text if text.isprintable() else _HIDDEN.sub(_seen, text)  # nothing that is hidden is printable


def _seen(found: re.Match[str]) -> str:
    if found[0] == "\r" and found.string.startswith("\n", found.end()):
        return " "
    return _IDLE if found[0] in _MARKS else OBEYED


def one_line(text: str) -> str:
    """Return `text` visible and on one line."""
    return visible(text).replace("\n", " ").replace("\t", " ")


def visible_values(value: Any) -> Any:
    """Return a JSON value with every text in it visible; of keys that become the same, none is lost."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        found: dict[Any, Any] = {}
        for key, inner in value.items():
            shown = visible(key) if isinstance(key, str) else key
            while shown in found:
                shown += OBEYED
            found[shown] = visible_values(inner)
        return found
    if isinstance(value, list | tuple):
        return type(value)(visible_values(inner) for inner in value)
    return value
