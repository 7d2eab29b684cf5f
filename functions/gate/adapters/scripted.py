"""A model that says what it was told to: for tests, rehearsals and demonstrations without a model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from gate.errors import AnswerError
from gate.ports import Completion, Question

Script = str | Completion | Exception | Callable[[Question], str | Completion]


class ScriptedModel:
    """A `LanguageModel` that answers from a script.

    An answer is a text, a completion, an exception to raise, or a function of the question. Answers keyed by a piece of
    the user's message come first, so that order and concurrency do not matter; then those given to `enqueue`, one call
    each.

    Attributes:
        asked: every question, in order of arrival.
    """

    name = "scripted/1"

    def __init__(self, answers: Mapping[str, Script] | None = None) -> None:
        self._keyed = dict(answers or {})
        self._queue: list[Script] = []
        self._lock = threading.Lock()
        self.asked: list[Question] = []

    def enqueue(self, *answers: Script) -> ScriptedModel:
        """Add answers for the next calls that no key fits."""
        self._queue.extend(answers)
        return self

    def complete(self, question: Question) -> Completion:
        """Give the script's answer; where it has none, nothing that could pass for one."""
        with self._lock:
            self.asked.append(question)
            answer = next((answer for key, answer in self._keyed.items() if key in question.text), None)
            if answer is None:
                answer = self._queue.pop(0) if self._queue else AnswerError("the script has no answer to this prompt")
        if isinstance(answer, Exception):
            raise answer
        said = answer(question) if callable(answer) else answer
        return said if isinstance(said, Completion) else Completion(said, self.name)
