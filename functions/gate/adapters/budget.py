"""What a run may spend on a model: reserved before each call, settled after it, never exceeded."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

from gate.errors import AnswerError, BudgetReachedError
from gate.ports import LanguageModel, Reply
from gate.rules.answer_formats import estimated_tokens, most_tokens


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many tokens the run `run_id` may spend; 0: as many as it likes."""

    run_id: str
    tokens: int


_allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def allowing(allowance: Allowance) -> Iterator[None]:
    """Hold the calls made inside (in this context) to an allowance."""
    token = _allowance.set(allowance)
    try:
        yield
    finally:
        _allowance.reset(token)


class Ledger(Protocol):
    """Counts what runs have spent; shared by everything that works on a run."""

    def reserve(self, run_id: str, tokens: int, limit: int) -> bool:
        """Add `tokens` to the run's count unless that takes it over `limit`; says whether it did."""
        ...

    def settle(self, run_id: str, difference: int) -> None:
        """Correct the count by what a call cost more (or, negative, less) than was reserved."""
        ...


class LocalLedger:
    """A `Ledger` in this process."""

    def __init__(self) -> None:
        self._spent: dict[str, int] = {}
        self._lock = threading.Lock()

    def reserve(self, run_id: str, tokens: int, limit: int) -> bool:
        """See `Ledger`."""
        with self._lock:
            spent = self._spent.get(run_id, 0) + tokens
            if spent > limit:
                return False
            self._spent[run_id] = spent
            return True

    def settle(self, run_id: str, difference: int) -> None:
        """See `Ledger`."""
        with self._lock:
            self._spent[run_id] = self._spent.get(run_id, 0) + difference


class BudgetedModel:
    """A `LanguageModel` that stops at the run's allowance.

    A call is reserved at its estimate (prompt and the longest answer) and settled at what it cost, so calls that run
    side by side cannot pass the limit together. Every reply's usage says what was `estimated`.
    """

    def __init__(self, model: LanguageModel, ledger: Ledger) -> None:
        self._model = model
        self._ledger = ledger
        self.name = model.name

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Answer within the allowance.

        Raises:
            BudgetReachedError: the call might have cost more than is left.
        """
        estimate = estimated_tokens(prompt, system) + most_tokens(prompt, system)
        allowance = _allowance.get()
        if allowance is None or not allowance.tokens:
            reply = self._model.complete(prompt, system)
            return Reply(reply, model=reply.model, usage={**reply.usage, "estimated": estimate}, checks=reply.checks)
        if not self._ledger.reserve(allowance.run_id, estimate, allowance.tokens):
            raise BudgetReachedError(f"the run may spend {allowance.tokens} tokens on the model and would go over")
        spent = 0
        try:
            reply = self._model.complete(prompt, system)
            spent = _spent(reply.usage)
        except AnswerError as error:
            spent = _spent(error.usage)
            raise
        finally:
            self._ledger.settle(allowance.run_id, spent - estimate)
        return Reply(reply, model=reply.model, usage={**reply.usage, "estimated": estimate}, checks=reply.checks)


def _spent(usage: Mapping[str, Any]) -> int:
    return sum(usage.get(kind, 0) for kind in ("input", "output", "cache_read", "cache_write"))
