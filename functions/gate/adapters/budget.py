"""What a run may spend on a model: reserved before each call, settled after it, never exceeded."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Protocol

from gate.adapters.allowance import current
from gate.adapters.bedrock_models import Capabilities
from gate.errors import AnswerError, BudgetReachedError
from gate.ports import LanguageModel, Reply


class Ledger(Protocol):
    """Counts what runs have spent; shared by everything that works on a run."""

    def reserve(self, run_id: str, tokens: int, limit: int) -> bool:
        """Add `tokens` to the run's count unless that takes it over `limit`; says whether it did."""
        ...

    def settle(self, run_id: str, difference: int) -> None:
        """Correct the count by what a call cost more (or, negative, less) than was reserved."""
        ...

    def spent(self, run_id: str) -> int:
        """What the run has spent or reserved so far."""
        ...


def left(ledger: Ledger) -> int | None:
    """Tokens that the run may still spend; None: as many as it likes."""
    allowance = current()
    if allowance is None or not allowance.tokens:
        return None
    return max(0, allowance.tokens - ledger.spent(allowance.run_id))


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

    def spent(self, run_id: str) -> int:
        """See `Ledger`."""
        with self._lock:
            return self._spent.get(run_id, 0)


class BudgetedModel:
    """A `LanguageModel` that stops at the run's allowance.

    A call is reserved at its estimate (the most it can cost) and settled at what it cost, so calls that run side by
    side cannot pass the limit together. Every reply's usage says what was `estimated`.

    Args:
        able: what the model can do: a schema and thoughts are paid for as well.
    """

    def __init__(self, model: LanguageModel, ledger: Ledger, able: Capabilities | None = None) -> None:
        self._model = model
        self._ledger = ledger
        self._able = able or Capabilities()
        self.name = model.name

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Answer within the allowance.

        Raises:
            BudgetReachedError: the call might have cost more than is left.
        """
        estimate = sum(self._able.call_tokens(prompt, system))
        allowance = current()
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
