"""What models on Bedrock can do; one line per family, the first that fits counts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Literal

from gate.ports import Question
from gate.prompts.lengths import estimated_tokens

TOOL_TOKENS = 350
"""What providers put around the schema of an answer, in tokens; it is paid for as input."""

Mode = Literal["schema", "tool", "text"]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model family accepts.

    Attributes:
        answers: ways to make it answer in form, best first; a 400 moves on to the next.
        temperature: whether it takes one.
        cache_from: shortest prefix in tokens that its prompt cache keeps; shorter ones are ignored without a word.
        thinking: tokens it may think before it answers; they count against `maxTokens`.
    """

    answers: tuple[Mode, ...] = ("text",)
    temperature: bool = False
    cache_from: int | None = None
    thinking: int = 0

    def call_tokens(self, question: Question) -> tuple[int, int]:
        """Tokens that one call costs at most, in and out: rules, schema and prompt; thoughts and the longest answer."""
        form = question.form if self.answers != ("text",) else None
        schema = estimated_tokens(json.dumps(form.schema)) + TOOL_TOKENS if form else 0
        return estimated_tokens(question.text, question.system) + schema, question.most_tokens + self.thinking


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
