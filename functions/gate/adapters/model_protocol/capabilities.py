"""What a language model can do, whichever service has it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
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

    def asked(self, answers: Literal["auto", "schema", "tool", "text"]) -> Capabilities:
        """The same model, asked in one way (`GATE_MODEL_ANSWERS`); `auto`: in each that it takes."""
        return self if answers == "auto" else replace(self, answers=(answers,))

    def call_tokens(self, question: Question) -> tuple[int, int]:
        """Tokens that one call costs at most, in and out: rules, schema and prompt; thoughts and the longest answer."""
        form = question.form if self.answers != ("text",) else None
        schema = estimated_tokens(json.dumps(form.schema)) + TOOL_TOKENS if form else 0
        return estimated_tokens(question.text, question.system) + schema, question.most_tokens + self.thinking
