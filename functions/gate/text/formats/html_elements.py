"""Elements of HTML that stand within a sentence."""

from __future__ import annotations

INLINE = frozenset(
    {"a", "abbr", "b", "bdi", "cite", "code", "em", "i", "kbd", "mark", "q", "s", "small", "span", "strong", "sub",
     "sup", "time", "u", "var", "wbr", "font", "ins", "del", "label"}
)  # fmt: skip
RARE = frozenset({"bdo", "data", "dfn", "samp", "strike", "tt"})
"""Inline too; a page of a corpus is parted at them, an answer is not."""
