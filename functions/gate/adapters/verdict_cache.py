"""Answers that were given before: the same claim, evidence, prompt and model give the same verdict, at no cost."""

from __future__ import annotations

import hashlib
import json

from gate.ports import BlobStore, LanguageModel, Reply
from gate.rules.answer_formats import format_for, problem_of

PREFIX = "cache/verdicts"
_SHAPE = "1"
"""Part of the key; raised when the meaning of a stored answer changes."""


class CachedModel:
    """A `LanguageModel` that keeps usable answers in the blob store (a folder, or S3) and gives them again.

    The key is a hash of claim and evidence (they are the prompt), of the system prompt and of the model's name. Only
    answers that have a format and nothing wrong with them are kept; free text and failures never are.
    """

    def __init__(self, model: LanguageModel, store: BlobStore) -> None:
        self._model = model
        self._store = store
        self.name = model.name

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Answer from the store, or ask and keep the answer; a stored answer has the usage `{"cached": 1}`."""
        if format_for(system) is None:
            return self._model.complete(prompt, system)
        key = f"{PREFIX}/{self._key(prompt, system)}"
        known = self._known(key, prompt, system)
        if known is not None:
            return known
        reply = self._model.complete(prompt, system)
        if not problem_of(prompt, system, reply):
            stored = {"text": str(reply), "model": reply.model, "checks": reply.checks}
            self._store.put(key, json.dumps(stored).encode())
        return reply

    def _key(self, prompt: str, system: str) -> str:
        parts = json.dumps([_SHAPE, self.name, system, prompt]).encode()
        return hashlib.sha256(parts).hexdigest()

    def _known(self, key: str, prompt: str, system: str) -> Reply | None:
        """The stored answer, read as strictly as a fresh one: whoever can write to the store is not trusted more."""
        if not self._store.exists(key):
            return None
        try:
            stored = json.loads(self._store.get(key))
            reply = Reply(stored["text"], model=stored["model"], usage={"cached": 1}, checks=stored["checks"])
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
        return None if problem_of(prompt, system, reply) else reply
