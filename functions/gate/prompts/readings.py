"""Claims that a model reads out of sentences: what is asked, and how the answer is read.

What of it stands, `gate.claims.rewriting.model_claims` decides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

from pydantic import Field, ValidationError

from gate.errors import AnswerError
from gate.model import Frozen
from gate.ports import Form, Question
from gate.prompts import Prompt, load
from gate.prompts.fencing import fence_parts
from gate.prompts.lengths import estimated_tokens
from gate.prompts.schemas import object_in, sendable

SENTENCES_A_CALL = 4
"""Few, so that a call is short and many run side by side."""
CONTEXT_CHARS = 3_000
"""Text before the sentences that the model may look at to know what a word stands for."""

_LINE = re.compile(r"[ \t*-]*(s\d+)[ \t]*:[ \t]*(.+)", re.ASCII)


class SentenceReply(Frozen):
    """What a model writes of one sentence: its claims."""

    sentence: str
    claims: list[Annotated[str, Field(min_length=1)]]


class Reply(Frozen):
    """What a model writes of a group of sentences."""

    sentences: list[SentenceReply]


def reading_prompt() -> Prompt:
    """The system prompt."""
    return load("extract_claims")


def reading_question(context: str, sentences: Sequence[str]) -> Question:
    """Ask what sentences state, given the text before them."""
    named = zip(_names(len(sentences)), sentences, strict=True)
    text = fence_parts([("CONTEXT", context[-CONTEXT_CHARS:]), *named])
    prompt = reading_prompt()
    form = Form("claims", _schema(), prompt.by_schema)
    return Question(text, prompt.in_words, form, 100 + 2 * estimated_tokens(text))


@cache
def _schema() -> Mapping[str, Any]:
    return sendable(Reply, ("sentences",))


def _names(count: int) -> list[str]:
    return [f"s{number}" for number in range(1, count + 1)]


def read_reading(reply: str, count: int) -> tuple[tuple[str, ...], ...]:
    """Read a model's answer to a question about `count` sentences: the claims of each, or none.

    Lines that are no part of the answer are passed over.

    Raises:
        AnswerError: it is not in the required format, or names other sentences.
    """
    claims = _by_sentence(_lines(reply)) or _by_sentence(_entries(reply))
    if not claims:
        raise AnswerError("it is not in the required format")
    names = _names(count)
    if not claims.keys() <= set(names):
        raise AnswerError("it names sentences that are not there")
    return tuple(claims.get(name, ()) for name in names)


def _by_sentence(claims: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found = defaultdict[str, list[str]](list)
    for name, claim in claims:
        if plain := " ".join(claim.split()):
            found[name].append(plain)
    return {name: tuple(plain) for name, plain in found.items()}


def _lines(reply: str) -> list[tuple[str, str]]:
    return [(match[1], match[2]) for line in reply.split("\n") if (match := _LINE.match(line))]


def _entries(reply: str) -> list[tuple[str, str]]:
    try:
        read = Reply.model_validate(object_in(reply)).sentences
    except (ValidationError, ValueError):
        return []
    return [(one.sentence, claim) for one in read for claim in one.claims]
