"""Embeds texts with Amazon Titan Text Embeddings V2 on Bedrock."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from gate.adapters.aws.bedrock.bedrock_errors import translated
from gate.adapters.aws.bedrock.client import BedrockOptions, runtime_client
from gate.adapters.model_protocol.served_vectors import Vector, unit
from gate.adapters.model_protocol.strict_bodies import KeyTwice, json_object
from gate.errors import AnswerError, ModelThrottledError, ModelUnavailableError

WORKERS = 16
"""Calls in flight: the model takes one text a call."""
TRIES, FIRST_WAIT_S, LONGEST_WAIT_S = 7, 0.5, 20.0
"""Of a text among many, and the longest that is waited after the first and after any: 52 s in all, 26 on average."""
MAX_CHARS = 50_000
"""What the model takes of a text."""


class TitanEmbedder:
    """An `Embedder` over `invoke_model`; safe for threads.

    Args:
        model: model id, for example `amazon.titan-embed-text-v2:0`.
        dimension: 256, 512 or 1024.
    """

    def __init__(self, model: str, options: BedrockOptions, *, dimension: int = 1024) -> None:
        self.name = f"{model}-{dimension}"
        self.dimension = dimension
        self._model = model
        self._client = runtime_client(options)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a row of `dimension` numbers for each text, of length one.

        Raises:
            ModelThrottledError, ModelUnavailableError: try again later.
            AnswerError: the model's answer holds no such vector.
        """
        if len(texts) == 1:
            return [self._embed(texts[0])]
        with ThreadPoolExecutor(max_workers=WORKERS) as pool:
            return list(pool.map(self._embed_patiently, texts))

    def _embed_patiently(self, text: str) -> list[float]:
        """One of many: a text that is refused for rate is tried again, or each would take all of them along."""
        for attempt in range(TRIES - 1):
            try:
                return self._embed(text)
            except (ModelThrottledError, ModelUnavailableError):
                time.sleep(random.uniform(0, min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**attempt)))
        return self._embed(text)

    def _embed(self, text: str) -> list[float]:
        body = {"inputText": text[:MAX_CHARS] or " ", "dimensions": self.dimension, "normalize": True}
        with translated(self._model):
            answer = self._client.invoke_model(
                modelId=self._model, body=json.dumps(body), accept="application/json", contentType="application/json"
            )
            try:
                vector = Vector.model_validate(json_object(answer["body"].read())).embedding
            except (ValueError, RecursionError, KeyTwice):
                raise AnswerError(f"{self._model} gave no embedding") from None
        if len(vector) != self.dimension:
            raise AnswerError(f"{self._model} gave {len(vector)} numbers, not {self.dimension}")
        return unit(vector, self._model)
