"""What a check in the request takes from its accounts once for many calls, and hands out in its own process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gate.errors import GateError

if TYPE_CHECKING:
    from gate.adapters.spending.budget import Ledger

CALLS_AHEAD = 40
"""Calls at most that tokens are taken for at a time: so much stays counted of a process that dies."""
KEPT_FREE = 10
"""Of an account's limit the last tenth is not taken in advance: there every call is reserved and settled on its own, so
that what one check holds and may not need refuses no call of another."""


@dataclass(slots=True)
class _Held:
    """Of one account: tokens that are counted in the ledger and that no call has; the calls that are still expected;
    whether calls go to the ledger itself from now on."""

    calls: int
    is_direct: bool
    tokens: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Advance:
    """A `Ledger` in front of the one that everything shares.

    All that it hands out or holds is counted there before. A call for which it holds too little takes as much again for
    each call that is expected; where the account does not hold that, and once a call has cost more than was held, calls
    go to the ledger itself. Alone on a ledger it answers as that ledger does.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._accounts: dict[str, _Held] = {}
        self._lock = threading.Lock()
        self._calls = 0
        self._is_over = False

    def expect(self, calls: int) -> None:
        """Take tokens for so many calls, from now on."""
        with self._lock:
            self._calls = calls
            for held in self._accounts.values():
                held.calls = calls

    def reserve(self, run_id: str, tokens: int, limit: int) -> bool:
        """See `Ledger`."""
        held = self._held(run_id)
        with held.lock:
            if not held.is_direct and held.tokens < tokens:
                self._take(held, run_id, tokens, limit)
            if not held.is_direct:
                held.tokens -= tokens
                held.calls -= 1
                return True
        return self._ledger.reserve(run_id, tokens, limit)

    def settle(self, run_id: str, difference: int) -> None:
        """See `Ledger`. What a call leaves is for the next one."""
        held = self._held(run_id)
        with held.lock:
            if not held.is_direct:
                held.tokens -= difference
                if held.tokens < 0:
                    self._release(held, run_id)
                return
        self._ledger.settle(run_id, difference)

    def spent(self, run_id: str) -> int:
        """See `Ledger`; what is held and no call has is not spent."""
        held = self._held(run_id)
        with held.lock:
            return self._ledger.spent(run_id) - held.tokens

    def give_back(self) -> None:
        """Give back what no call needed; a call that is under way settles with the ledger itself.

        Raises:
            GateError: of the ledger. What could not be given back stays counted as spent.
        """
        with self._lock:
            self._is_over = True
            accounts = list(self._accounts.items())
        failed: GateError | None = None
        for name, held in accounts:
            with held.lock:
                try:
                    self._release(held, name)
                except GateError as error:
                    failed = error
        if failed is not None:
            raise failed

    def is_of(self, ledger: Ledger) -> bool:
        """Whether it stands in front of that ledger."""
        return self._ledger is ledger

    def _held(self, name: str) -> _Held:
        with self._lock:
            return self._accounts.setdefault(name, _Held(self._calls, self._is_over))

    def _take(self, held: _Held, name: str, tokens: int, limit: int) -> None:
        more = tokens * max(1, min(CALLS_AHEAD, held.calls)) - held.tokens
        if self._ledger.reserve(name, more, limit - limit // KEPT_FREE):
            held.tokens += more
        else:
            self._release(held, name)

    def _release(self, held: _Held, name: str) -> None:
        """Hold nothing any more; below zero it is what a call cost beyond all that was held."""
        tokens, held.tokens, held.is_direct = held.tokens, 0, True
        if tokens:
            self._ledger.settle(name, -tokens)


_advance: ContextVar[Advance | None] = ContextVar("advance", default=None)


@contextmanager
def taking(advance: Advance) -> Iterator[None]:
    """Have the calls made inside (in this context) paid out of `advance`."""
    token = _advance.set(advance)
    try:
        yield
    finally:
        _advance.reset(token)


def in_force(ledger: Ledger) -> Ledger:
    """What stands in front of a ledger here; where nothing does, the ledger."""
    advance = _advance.get()
    return advance if advance is not None and advance.is_of(ledger) else ledger
