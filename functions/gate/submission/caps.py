"""How much of a submission is read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caps:
    """What a submission may measure; each is a setting of the same name."""

    max_bytes: int
    max_turns: int
    max_turn_chars: int
    max_depth: int
