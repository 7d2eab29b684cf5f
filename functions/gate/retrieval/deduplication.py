"""Tells the same document from another one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any


def unique_documents(results: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop results whose `content` was seen before (the whole dict, where there is no `content`); the first stays."""
    seen: dict[int, list[Any]] = {}
    kept: list[dict[str, Any]] = []
    for result in results:
        key = ("content", result["content"]) if "content" in result else ("whole", result)
        alike = seen.setdefault(_hash(key), [])
        if key not in alike:
            alike.append(key)
            kept.append(result)
    return kept


def _hash(value: Any) -> int:
    """A number that equal values share, lists and dicts too: only values of the same one are compared."""
    if isinstance(value, dict):
        return hash(frozenset((key, _hash(inner)) for key, inner in value.items()))
    if isinstance(value, list | tuple):
        return hash((type(value), *map(_hash, value)))
    try:
        return hash(value)
    except TypeError:
        return 0


def document_id(document: Mapping[str, Any]) -> str:
    """Return the document's `id`, or one derived from what it holds."""
    given = document.get("id")
    if given is not None:
        return str(given)
    body = json.dumps(document.get("content", document), sort_keys=True, default=str)
    return "sha256:" + hashlib.sha256(body.encode()).hexdigest()[:16]
