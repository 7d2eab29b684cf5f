"""One more try for an answer that cannot be read."""

from __future__ import annotations

from gate.errors import AnswerError, AnswerRefusedError
from gate.ports import LanguageModel, Reply
from gate.prompts import Prompt
from gate.rules.answer_formats import format_for, problem_of


class RepairingModel:
    """A `LanguageModel` that asks a second time where the first answer is of no use.

    What was wrong is told in the system prompt, in our words; the first answer is not shown again, because it may hold
    what claim or evidence made the model say. Free text is passed on as it is.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.name = model.name

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Answer, at the second try if need be.

        Raises:
            AnswerError: both answers were of no use; `usage` is that of both.
        """
        if format_for(system) is None or not isinstance(system, Prompt):
            return self._model.complete(prompt, system)
        spent: dict[str, int] = {}
        problem = ""
        for asking in (system, None):
            try:
                reply = self._model.complete(prompt, asking or system.with_note(_note(problem)))
            except AnswerRefusedError as error:
                raise AnswerRefusedError(
                    error.safe_message, model=error.model, usage=_sum(spent, error.usage)
                ) from None
            except AnswerError as error:
                problem, model, spent = error.safe_message, error.model, _sum(spent, error.usage)
                continue
            problem, model, spent = problem_of(prompt, system, reply), reply.model, _sum(spent, reply.usage)
            if not problem:
                return Reply(reply, model=model, usage=spent, checks=reply.checks)
        raise AnswerError(f"no usable answer at the second try: {problem}", model=model, usage=spent)


def _note(problem: str) -> str:
    return f"Your previous answer could not be used: {problem}. Answer once more, in the required format."


def _sum(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in (*one, *(key for key in other if key not in one))}
