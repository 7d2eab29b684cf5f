"""The answer and its passages in what chains, graphs and tracers hand on: texts, messages, mappings, documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def answer_of(given: Any) -> str:
    """The text of an answer, a message or a mapping.

    Raises:
        TypeError: it is none of them.
    """
    if isinstance(given, Mapping):
        given = given.get("answer", given.get("output"))
    content = getattr(given, "content", given)
    if isinstance(content, list):  # a message's blocks
        content = "\n\n".join(part if isinstance(part, str) else str(part.get("text", "")) for part in content)
    if not isinstance(content, str):
        raise TypeError(f"an answer is a text, a message or a mapping with `answer`, not a {type(given).__name__}")
    return content


def as_said(text: str) -> dict[str, Any]:
    """An answer for `Gate.check` that is what a model said, whatever it looks like.

    Read as a file would be, an answer in the form of a transcript hides what its "user" says from the gate, and from
    nobody else.
    """
    return {"messages": [{"role": "assistant", "content": text}]}


def contexts_of(given: Any, name: str = "contexts") -> list[str | dict[str, Any]] | None:
    """The passages that a mapping brings; None where it brings none: the gate's corpus decides."""
    found = given.get(name) if isinstance(given, Mapping) else None
    return [_context(one) for one in found] if found else None


def _context(given: Any) -> str | dict[str, Any]:
    text = getattr(given, "page_content", None)
    if text is None:
        return dict(given) if isinstance(given, Mapping) else str(given)
    metadata = getattr(given, "metadata", None) or {}
    named = {key: str(metadata[key]) for key in ("title", "section", "url", "date") if metadata.get(key)}
    source = metadata.get("source")
    return {"text": text, **({"title": str(source)} if source and "title" not in named else {}), **named}
