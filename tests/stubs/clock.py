"""A clock that runs faster, for what waits between two tries: the interpreter of state machines, and the AWS SDK."""

from __future__ import annotations

import time
from importlib import import_module
from types import SimpleNamespace

import pytest

from gate.local import patches

RETRIER = f"{patches.ASL}.component.common.retry.retrier_decl"


class FastClock:
    """`speed` seconds pass on it in one.

    Only waits are shortened; calls take as long as ever, and so seem `speed` times as long.
    """

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._began = time.monotonic()
        self.slept: list[float] = []

    def now(self) -> float:
        """Seconds on this clock since it was made."""
        return (time.monotonic() - self._began) * self._speed

    def sleep(self, seconds: float) -> None:
        """Wait for `seconds` of this clock."""
        self.slept.append(seconds)
        time.sleep(seconds / self._speed)

    def drive(self, monkeypatch: pytest.MonkeyPatch) -> FastClock:
        """Make retries, the state machine's and the SDK's, wait by this clock."""
        with patches.without_batch():
            import_module(RETRIER)
        for module in (RETRIER, "botocore.endpoint"):
            monkeypatch.setattr(f"{module}.time", SimpleNamespace(sleep=self.sleep))
        return self
