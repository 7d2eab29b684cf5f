"""One module a target; whatever is here is fuzzed."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def choice(data: bytes, *options: T) -> tuple[T, bytes]:
    """What the first byte chooses, and the rest."""
    return options[(data[0] if data else 0) % len(options)], data[1:]
