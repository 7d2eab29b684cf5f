"""A model that says what it was told to: for tests, rehearsals and demonstrations without a model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from gate.errors import AnswerError
from gate.ports import Reply

Script = str | Exception | Callable[[str, str], str]


class ScriptedModel:
    """A `LanguageModel` that answers from a script.

    An answer is a text, an exception to raise, or a function of prompt and system prompt. Answers keyed by a piece of
    the prompt come first, so that order and concurrency do not matter; then those given to `enqueue`, one call each.

    Attributes:
        asked: prompt and system prompt of every call, in order of arrival.
    """

    name = "scripted/1"

    def __init__(self, answers: Mapping[str, Script] | None = None) -> None:
        self._keyed = dict(answers or {})
        self._queue: list[Script] = []
        self._lock = threading.Lock()
        self.asked: list[tuple[str, str]] = []

    def enqueue(self, *answers: Script) -> ScriptedModel:
        """Add answers for the next calls that no key fits."""
        self._queue.extend(answers)
        return self

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Give the script's answer; where it has none, nothing that could pass for one."""
        with self._lock:
            self.asked.append((prompt, system))
            answer = next((answer for key, answer in self._keyed.items() if key in prompt), None)
            if answer is None:
                answer = self._queue.pop(0) if self._queue else AnswerError("the script has no answer to this prompt")
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else answer(prompt, system)
        return text if isinstance(text, Reply) else Reply(text, model=self.name)
