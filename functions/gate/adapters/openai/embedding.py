"""Embedders behind OpenAI's protocol: OpenAI, Azure OpenAI, Ollama, vLLM, LM Studio, LiteLLM."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from gate.adapters.model_protocol.served_vectors import Vector, unit
from gate.adapters.openai.service import Service, ServiceOptions
from gate.errors import AnswerError

PATH = "embeddings"
BATCH, WORKERS = 64, 4
"""Texts of a call, and calls at once."""
TRIES = 7
"""Of a call for many texts: a corpus is not to fail for a minute's rate."""
MAX_CHARS = 20_000
"""Of a text: below what models take, of some 8,000 tokens."""


class _Vector(Vector):
    index: int


class _Vectors(BaseModel):
    model_config = ConfigDict(strict=True, defer_build=True)
    data: list[_Vector]


class ServedEmbedder:
    """An `Embedder`; safe for threads. Where the model's vectors are not of length one, they are made so.

    Args:
        model: the name that the service knows it by.
    """

    def __init__(self, model: str, options: ServiceOptions) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._service = Service(self.name, options)
        self._patient = Service(self.name, replace(options, attempts=max(options.attempts, TRIES)))

    @cached_property
    def dimension(self) -> int:
        """Numbers of a vector: as many as the service gives for a word, asked once."""
        return len(self._vectors(self._service, ["dimension"])[0])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a row of `dimension` numbers for each text, of length one.

        Raises:
            ModelThrottledError, ModelUnavailableError: try again later.
            AnswerError: the service's answer does not hold one vector for each text.
        """
        if len(texts) <= 1:
            return self._vectors(self._service, texts)
        batches = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
        with ThreadPoolExecutor(WORKERS) as pool:
            found = pool.map(lambda batch: self._vectors(self._patient, batch), batches)
            rows = [row for batch in found for row in batch]
        if len({len(row) for row in rows}) > 1:
            raise AnswerError(f"{self.name} gave vectors of several lengths")
        return rows

    def _vectors(self, service: Service, texts: Sequence[str]) -> list[list[float]]:
        if not texts:
            return []
        body = {"model": self._model, "input": [text[:MAX_CHARS] if text.strip() else "empty" for text in texts]}
        rows = _rows(service.post(PATH, body).document)
        if rows is None or len(rows) != len(texts) or len({len(row) for row in rows}) != 1:
            raise AnswerError(f"{self.name} gave no vector for each text")
        return [unit(row, self.name) for row in rows]


def _rows(document: dict[str, Any]) -> list[list[float]] | None:
    """The vectors in the order of the texts; None where the answer is no list of them."""
    try:
        found = _Vectors.model_validate(document).data
    except ValidationError:
        return None
    ordered = sorted(found, key=lambda one: one.index)
    return [one.embedding for one in ordered] if [one.index for one in ordered] == [*range(len(ordered))] else None
