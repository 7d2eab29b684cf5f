"""Which turns of a transcript are answers, and how much of each was checked before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def answers(state: Mapping[str, Any]) -> Iterator[tuple[int, str, int]]:
    """Yield number, text and the characters checked before of every turn that an assistant wrote.

    Only the last turn can have been checked in part: so far as the run's `config["checked_to"]` says.
    """
    turns = (state.get("transcript") or {}).get("turns") or []
    checked_to = int((state.get("config") or {}).get("checked_to") or 0)
    for number, turn in enumerate(turns):
        if turn["role"] == "assistant":
            yield number, turn["content"], checked_to if number == len(turns) - 1 else 0
