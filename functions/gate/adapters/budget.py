"""What a run may spend on a model: reserved before each call, settled after it, never exceeded."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from gate.adapters.allowance import asking_again, current
from gate.adapters.model_protocol.capabilities import Capabilities
from gate.errors import AnswerError, BudgetReachedError, TooSlowError
from gate.ports import Completion, LanguageModel, Question


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


def left(ledger: Ledger, limit: int = 0) -> int | None:
    """Tokens that the run may still spend, no run more than `limit`; None: as many as it likes."""
    allowance = current()
    if allowance is None or not (tokens := allowance.within(limit)):
        return None
    return max(0, tokens - ledger.spent(allowance.run_id))


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
    side cannot pass the limit together. Every completion's usage says what was `estimated`.

    Args:
        able: what the model can do: a schema and thoughts are paid for as well.
        limit: tokens that no run may spend more of; 0: there is no such limit.
    """

    def __init__(
        self, model: LanguageModel, ledger: Ledger, able: Capabilities | None = None, *, limit: int = 0
    ) -> None:
        self._limit = limit
        self._model = model
        self._ledger = ledger
        self._able = able or Capabilities()
        self.name = model.name

    def complete(self, question: Question) -> Completion:
        """Answer within the allowance.

        Raises:
            BudgetReachedError: the call might have cost more than is left.
        """
        most = self._able.call_tokens(question)
        allowance, estimate = current(), sum(most)
        if allowance is None or not (tokens := allowance.within(self._limit)):
            return self._counted(question, most)
        if not self._ledger.reserve(allowance.run_id, estimate, tokens):
            raise BudgetReachedError(f"the run may spend {tokens} tokens on the model and would go over")
        reserved, spent = [estimate], 0

        def again() -> bool:
            """Reserve a second try of the same call."""
            is_held = self._ledger.reserve(allowance.run_id, estimate, tokens)
            reserved.extend([estimate] * is_held)
            return is_held

        try:
            with asking_again(again):
                completion = self._counted(question, most)
            spent = _spent(completion.usage)
        except AnswerError as error:
            spent = _spent(error.usage)
            raise
        except TooSlowError:  # nobody says what it cost
            spent = sum(reserved)
            raise
        finally:
            self._ledger.settle(allowance.run_id, spent - sum(reserved))
        return completion

    def _counted(self, question: Question, most: tuple[int, int]) -> Completion:
        try:
            completion = self._model.complete(question)
        except AnswerError as error:
            error.usage = _known(error.usage, most)
            raise
        return replace(completion, usage={**_known(completion.usage, most), "estimated": sum(most)})


def _known(usage: Mapping[str, int], most: tuple[int, int]) -> dict[str, int]:
    """The usage of a call; where nobody tells it, the most that it can have been, and `unknown` says so."""
    if usage.get("input") or usage.get("output"):
        return dict(usage)
    return {**usage, "input": most[0], "output": most[1], "unknown": 1}


def _spent(usage: Mapping[str, int]) -> int:
    return sum(usage.get(kind, 0) for kind in ("input", "output", "cache_read", "cache_write"))
