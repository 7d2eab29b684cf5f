"""A language model as a reader of claims: the only place that writes that prompt and reads the reply."""

from __future__ import annotations

from collections.abc import Sequence

from gate.adapters.repair import answered
from gate.ports import LanguageModel
from gate.prompts.readings import read_reading, reading_prompt, reading_question


class ModelReader:
    """A `ClaimReader` over a language model."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        prompt = reading_prompt()
        self.name = f"{model.name}+{prompt.name}:{prompt.sha256[:12]}"

    def read(self, context: str, sentences: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Ask the model, at the second try if need be."""
        question = reading_question(context, sentences)
        return answered(self._model, question, lambda reply: read_reading(reply, len(sentences)))[0]
