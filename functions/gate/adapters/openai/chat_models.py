"""What models behind OpenAI's protocol can do; one line per family, the first that fits counts."""

from __future__ import annotations

import re

from gate.adapters.model_protocol.capabilities import Capabilities, Mode

_ALL: tuple[Mode, ...] = ("schema", "tool", "text")
_FAMILIES: tuple[tuple[str, Capabilities], ...] = (
    # These refuse `temperature` and `max_tokens`, and think before they answer.
    (r"\bgpt-5|\bo[1-9](?:-|$)", Capabilities(_ALL, thinking=2_048)),
    # These think aloud; what they think counts against the longest answer.
    (r"\b(?:deepseek-r1|qwen3|qwq|gpt-oss|magistral)", Capabilities(_ALL, temperature=True, thinking=2_048)),
)


def capabilities(model_id: str) -> Capabilities:
    """Look up a model; most servers hold any model to a schema, so one that nobody knows is asked for that first."""
    return next(
        (able for family, able in _FAMILIES if re.search(family, model_id)), Capabilities(_ALL, temperature=True)
    )
