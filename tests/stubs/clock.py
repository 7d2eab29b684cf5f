"""A clock that runs faster, for what waits between two tries: the interpreter of state machines, the AWS SDK, and
what speaks to other model services."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from gate.local import states


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
        """Make retries, the state machine's and those below it, wait by this clock."""
        monkeypatch.setattr(states, "sleep", self.sleep)
        monkeypatch.setattr("botocore.endpoint.time", SimpleNamespace(sleep=self.sleep))
        monkeypatch.setattr("gate.adapters.openai.service.sleep", self.sleep)
        return self
