"""A long text in overlapping stretches that fit a service's limit."""

from __future__ import annotations

from collections.abc import Iterator

OVERLAP = 200
"""Characters that neighbours share, so that a value cut by one edge stands whole in the other stretch."""


def stretches(text: str, max_bytes: int) -> Iterator[tuple[int, str]]:
    """Yield offset and text of stretches of at most `max_bytes` in UTF-8; blank ones are left out."""
    start = 0
    while start < len(text):
        end = min(len(text), start + max_bytes)
        while len(text[start:end].encode("utf-8", "surrogatepass")) > max_bytes:
            end = start + (end - start) * 3 // 4
        if text[start:end].strip():
            yield start, text[start:end]
        if end == len(text):
            return
        start = max(start + 1, end - OVERLAP)
