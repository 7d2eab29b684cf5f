"""How a model is asked to answer, prompt by prompt: schema, reading back, and what may be wrong with an answer."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import ValidationError

from gate.errors import AnswerError
from gate.rules.fencing import unfence
from gate.rules.schemas import sendable
from gate.rules.verdict_parsing import Answer, parse_answer, problem_with, render_answer

CHARS_PER_TOKEN = 3.0
"""Characters a token holds, on the careful side (3.5 in English prose, 30 % fewer with newer tokenizers)."""
FREE_TEXT_TOKENS = 1_024
VERDICT_TOKENS = 400


def estimated_tokens(*texts: str) -> int:
    """Tokens that texts will cost at most, from their length: counting them exactly is a call of its own."""
    return math.ceil(sum(map(len, texts)) / CHARS_PER_TOKEN)


@dataclass(frozen=True)
class AnswerFormat:
    """How answers to one prompt look.

    Attributes:
        name: of the tool or schema that carries the answer.
        schema: JSON Schema of the answer, in the subset that Bedrock compiles.
        from_json: the answer in text form; raises AnswerError.
        problem: what is wrong with a text answer to a prompt; empty where nothing is.
        most_tokens: the longest answer a prompt can need; reserved against the quota on every call, so kept small.
    """

    name: str
    schema: dict[str, Any]
    from_json: Callable[[Any], str]
    problem: Callable[[str, str], str]
    most_tokens: Callable[[str], int]


def format_for(system: str) -> AnswerFormat | None:
    """The format that goes with a system prompt; None: free text."""
    make = FORMATS.get(getattr(system, "name", ""))
    return make() if make else None


def most_tokens(prompt: str, system: str) -> int:
    """The longest answer to a prompt, in tokens."""
    answers = format_for(system)
    return FREE_TEXT_TOKENS if answers is None else answers.most_tokens(prompt)


def problem_of(prompt: str, system: str, text: str) -> str:
    """What is wrong with an answer; empty where nothing is or the answer is free text."""
    answers = format_for(system)
    return "" if answers is None else answers.problem(prompt, text)


def _verdict_from_json(value: Any) -> str:
    try:
        if isinstance(value, str):
            value = json.loads(_without_fence(value))
        return render_answer(Answer.model_validate(value))
    except (ValidationError, ValueError, RecursionError):
        raise AnswerError("the answer does not fit its schema") from None


def _without_fence(text: str) -> str:
    """Drop Markdown fences and prose around one JSON object."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def _verdict_problem(prompt: str, text: str) -> str:
    return problem_with(parse_answer(text), dict(unfence(prompt).documents))


_VERDICT_FIELDS = ("documents", "quote", "label", "reason", "justification")
"""In the order in which a model should think: evidence first, then what follows from it."""


@cache
def _verdict_format() -> AnswerFormat:
    return AnswerFormat(
        name="verdict",
        schema=sendable(Answer, _VERDICT_FIELDS),
        from_json=_verdict_from_json,
        problem=_verdict_problem,
        most_tokens=lambda prompt: VERDICT_TOKENS,
    )


@cache
def _claims_format() -> AnswerFormat:
    from gate.rules.claim_reading import Reading, reading_from_json, reading_problem

    return AnswerFormat(
        name="claims",
        schema=sendable(Reading, ("sentences",)),
        from_json=lambda value: reading_from_json(_without_fence(value) if isinstance(value, str) else value),
        problem=reading_problem,
        most_tokens=lambda prompt: 100 + 2 * estimated_tokens(prompt),
    )


FORMATS: Mapping[str, Callable[[], AnswerFormat]] = {
    "verify_claims": _verdict_format,
    "extract_claims": _claims_format,
}
"""Prompt → maker of its format; a schema is built for those prompts alone that a process asks."""
