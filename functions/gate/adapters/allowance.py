"""What the run on whose behalf work is done may spend on a model; set around an agent's call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


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


def current() -> Allowance | None:
    """The allowance in force; None: there is none."""
    return _allowance.get()
