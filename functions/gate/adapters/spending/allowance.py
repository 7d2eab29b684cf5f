"""What the run on whose behalf work is done may spend on a model; set around an agent's call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many tokens the run `run_id` asks to be held to; 0: as many as it may spend. `tenant` pays for it as well;
    it is urgent where somebody waits for it."""

    run_id: str
    tokens: int
    tenant: str = ""
    is_urgent: bool = False

    def within(self, limit: int) -> int:
        """The tokens that the run may spend where no run may spend more than `limit`; 0: as many as it likes."""
        return min((tokens for tokens in (self.tokens, limit) if tokens > 0), default=0)


_another: ContextVar[Callable[[], bool] | None] = ContextVar("another", default=None)
_allowance: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def allowing(allowance: Allowance) -> Iterator[None]:
    """Hold the calls made inside (in this context) to an allowance."""
    token = _allowance.set(allowance)
    try:
        yield
    finally:
        _allowance.reset(token)


def current() -> Allowance | None:
    """The allowance in force; None: there is none."""
    return _allowance.get()


@contextmanager
def asking_again(consent: Callable[[], bool]) -> Iterator[None]:
    """Let `consent` say whether a call made inside (in this context) may be made a second time."""
    token = _another.set(consent)
    try:
        yield
    finally:
        _another.reset(token)


def may_ask_again() -> bool:
    """Whether the run can afford to make the call under way a second time."""
    consent = _another.get()
    return consent is None or consent()
