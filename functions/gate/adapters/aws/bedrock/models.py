"""What models on Bedrock can do; one line per family, the first that fits counts."""

from __future__ import annotations

import re

from gate.adapters.model_protocol.capabilities import Capabilities

_FAMILIES: tuple[tuple[str, Capabilities], ...] = (
    # 5.x refuses `temperature` and thinks by default; the tool is what others fall back to on Bedrock.
    (r"anthropic\.claude-[a-z]+-5", Capabilities(("tool", "text"), cache_from=512, thinking=1_024)),
    (r"anthropic\.claude-haiku-4-5", Capabilities(("schema", "tool", "text"), temperature=True, cache_from=4_096)),
    # Sonnet 4.6 answering by schema has been seen to run to the token cap without a word.
    (r"anthropic\.claude-sonnet-4-6", Capabilities(("tool", "text"), temperature=True, cache_from=2_048)),
    (r"anthropic\.claude-[a-z]+-4", Capabilities(("schema", "tool", "text"), temperature=True, cache_from=4_096)),
    (r"anthropic\.claude-", Capabilities(("tool", "text"), temperature=True)),
    (r"amazon\.nova-", Capabilities(("tool", "text"), temperature=True, cache_from=1_536)),
    (r"mistral\.|cohere\.command-r|meta\.llama", Capabilities(("text",), temperature=True)),
)


def capabilities(model_id: str) -> Capabilities:
    """Look up a model or inference profile; one that nobody knows (an application profile's ARN) is asked in text."""
    return next((able for family, able in _FAMILIES if re.search(family, model_id)), Capabilities())
