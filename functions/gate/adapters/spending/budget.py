"""What a run, a tenant's day and a deployment's day may spend on a model: reserved before each call, settled after it,
never exceeded."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple, Protocol

from gate.adapters.model_protocol.capabilities import Capabilities
from gate.adapters.spending.advance import in_force
from gate.adapters.spending.allowance import Allowance, asking_again, current
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


class Account(NamedTuple):
    """What a call is paid from: its key in the ledger, the tokens that it may hold, and what people call it."""

    key: str
    limit: int
    name: str


@dataclass(frozen=True, slots=True)
class Ceilings:
    """Tokens at most of a run, of a tenant in a day (UTC), and of everybody in a day; 0: there is no such ceiling."""

    run: int = 0
    tenant_day: int = 0
    day: int = 0

    def accounts(self, allowance: Allowance) -> list[Account]:
        """What a call of a run is paid from, all of them."""
        if not (allowance.within(self.run) or self.tenant_day or self.day):
            return []
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        tenant = hashlib.sha256(allowance.tenant.encode("utf-8", "replace")).hexdigest()[:32]
        found = [
            Account(allowance.run_id, allowance.within(self.run), "the run"),
            Account(f"day/{today}/{tenant}", self.tenant_day if allowance.tenant else 0, "the tenant's day"),
            Account(f"day/{today}", self.day, "this deployment's day"),
        ]
        return [account for account in found if account.limit]


def left(ledger: Ledger, ceilings: Ceilings) -> tuple[int, str] | None:
    """Tokens that the run may still spend, and what holds it to them; None: as many as it likes."""
    allowance = current()
    accounts = ceilings.accounts(allowance) if allowance else replace(ceilings, run=0).accounts(Allowance("", 0))
    counts = _spent_of(in_force(ledger), [one.key for one in accounts])
    held = [(max(0, one.limit - spent), one.name) for one, spent in zip(accounts, counts, strict=True)]
    return min(held, default=None)


def _spent_of(ledger: Ledger, keys: Sequence[str]) -> list[int]:
    """What each of these has spent, asked side by side."""
    if len(keys) < 2:
        return [ledger.spent(key) for key in keys]
    with ThreadPoolExecutor(len(keys)) as pool:
        return list(pool.map(ledger.spent, keys))


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
    """A `LanguageModel` that stops at the run's allowance, and at the day's of its tenant and of everybody.

    A call is reserved at its estimate (the most it can cost) and settled at what it cost, so calls that run side by
    side cannot pass the limit together. Every completion's usage says what was `estimated`.

    Args:
        able: what the model can do: a schema and thoughts are paid for as well.
        ceilings: what no run, tenant or day may spend more of.
    """

    def __init__(
        self,
        model: LanguageModel,
        ledger: Ledger,
        able: Capabilities | None = None,
        *,
        ceilings: Ceilings | None = None,
    ) -> None:
        self._ceilings = ceilings or Ceilings()
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
        accounts = self._ceilings.accounts(allowance) if allowance else []
        if not accounts:
            return self._counted(question, most)
        ledger = in_force(self._ledger)
        if full := _reserve(ledger, accounts, estimate):
            raise BudgetReachedError(f"{full.name} may spend {full.limit} tokens on the model and would go over")
        reserved, spent = [estimate], 0

        def again() -> bool:
            """Reserve a second try of the same call."""
            is_held = _reserve(ledger, accounts, estimate) is None
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
            for account in accounts:
                ledger.settle(account.key, spent - sum(reserved))
        return completion

    def _counted(self, question: Question, most: tuple[int, int]) -> Completion:
        try:
            completion = self._model.complete(question)
        except AnswerError as error:
            error.usage = _known(error.usage, most)
            raise
        return replace(completion, usage={**_known(completion.usage, most), "estimated": sum(most)})


def _reserve(ledger: Ledger, accounts: list[Account], tokens: int) -> Account | None:
    """Reserve tokens in all accounts, or in none; returns the one that does not hold them."""
    for place, account in enumerate(accounts):
        if not ledger.reserve(account.key, tokens, account.limit):
            for each in accounts[:place]:
                ledger.settle(each.key, -tokens)
            return account
    return None


def _known(usage: Mapping[str, int], most: tuple[int, int]) -> dict[str, int]:
    """The usage of a call; where nobody tells it, the most that it can have been, and `unknown` says so."""
    if usage.get("input") or usage.get("output"):
        return dict(usage)
    return {**usage, "input": most[0], "output": most[1], "unknown": 1}


def _spent(usage: Mapping[str, int]) -> int:
    return sum(usage.get(kind, 0) for kind in ("input", "output", "cache_read", "cache_write"))
