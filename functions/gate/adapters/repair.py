"""One more try for an answer that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from gate.errors import AnswerError, AnswerRefusedError
from gate.ports import Completion, LanguageModel, Question

T = TypeVar("T")

MOST_CHARS, MOST_CHARS_A_TOKEN = 20_000, 50
"""Of an answer that is read: a service sends more than its tokens hold only where something is wrong with it."""


def answered(model: LanguageModel, question: Question, read: Callable[[str], T]) -> tuple[T, Completion]:
    """Ask a question and read the answer; where it cannot be read, ask a second time.

    What was wrong is told in the system prompt, in our words; the first answer is not shown again, because it may hold
    what claim or evidence made the model say.

    Args:
        read: what makes a value of an answer's text; raises AnswerError.

    Returns:
        The value, and the completion that it was read from, with the usage of both calls.

    Raises:
        AnswerError: both answers were of no use; `usage` is that of both.
    """
    try:
        return _asked(model, question, read)
    except AnswerRefusedError:
        raise
    except AnswerError as error:
        first = error
    try:
        value, completion = _asked(model, question.with_note(_note(first.safe_message)), read)
    except AnswerError as error:
        again = "" if isinstance(error, AnswerRefusedError) else "no usable answer at the second try: "
        spent = _sum(first.usage, error.usage)
        raise type(error)(again + error.safe_message, hint=error.hint, model=error.model, usage=spent) from None
    return value, replace(completion, usage=_sum(first.usage, completion.usage))


def _asked(model: LanguageModel, question: Question, read: Callable[[str], T]) -> tuple[T, Completion]:
    """Ask once; an answer that cannot be read is paid for too."""
    completion = model.complete(question)
    try:
        if len(completion.text) > max(MOST_CHARS, question.most_tokens * MOST_CHARS_A_TOKEN):
            raise AnswerError("it is far longer than what was asked for")
        return read(completion.text), completion
    except AnswerError as error:
        raise AnswerError(error.safe_message, model=completion.model, usage=completion.usage) from None


def _note(problem: str) -> str:
    return f"Your previous answer could not be used: {problem}. Answer once more, in the required format."


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in (*one, *(key for key in other if key not in one))}
