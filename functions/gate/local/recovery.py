"""What a state does about an error: tries again, goes on elsewhere, or neither."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.local.definition import RUNTIME, TIMEOUT, TOO_LARGE, StateError, checked, fields_of, unknown
from gate.local.expressions import Put, result_path


def matches(names: Sequence[str], error: StateError) -> bool:
    """Whether a Retry or Catch of `names` is for the error.

    States.ALL stands for any error but two that end a run, States.TaskFailed for any of those but a timeout.
    """
    if error.error in (*names, RUNTIME, TOO_LARGE):
        return error.error in names
    return "States.ALL" in names or ("States.TaskFailed" in names and error.error != TIMEOUT)


@dataclass(frozen=True, slots=True)
class Retrier:
    """How often and after how many seconds to try again."""

    names: Sequence[str]
    first_s: float
    rate: float
    longest_s: float
    most: int
    has_jitter: bool

    def delay(self, tries: int) -> float | None:
        """Seconds to wait after so many tries; None: that was the last one."""
        if tries >= self.most:
            return None
        seconds = min(self.first_s * self.rate**tries, self.longest_s)
        return random.uniform(0, seconds) if self.has_jitter else seconds


class Retry:
    """The field Retry of a state; each of its retriers counts its own tries."""

    def __init__(self, place: str, given: Sequence[Mapping[str, Any]]) -> None:
        self._retriers = [_retrier(place, one) for one in given]

    def delay(self, error: StateError, tries: Counter[int]) -> float | None:
        """Seconds to wait before the next try, by the first retrier that matches; None: there is no next try.

        Args:
            error: of the last try.
            tries: so far, by retrier; counted on.
        """
        for number, retrier in enumerate(self._retriers):
            if matches(retrier.names, error):
                tries[number] += 1
                return retrier.delay(tries[number] - 1)
        return None


def _retrier(place: str, given: Mapping[str, Any]) -> Retrier:
    with fields_of(place, given) as fields:
        jitter = fields.pop("JitterStrategy", "NONE")
        if jitter not in ("FULL", "NONE"):
            raise unknown(place, f"the JitterStrategy {jitter!r}")
        return Retrier(
            names=fields.pop("ErrorEquals"),
            first_s=fields.pop("IntervalSeconds", 1),
            rate=fields.pop("BackoffRate", 2.0),
            longest_s=fields.pop("MaxDelaySeconds", float("inf")),
            most=fields.pop("MaxAttempts", 3),
            has_jitter=jitter == "FULL",
        )


class Catch:
    """The field Catch of a state."""

    def __init__(self, place: str, given: Sequence[Mapping[str, Any]]) -> None:
        self._place = place
        self._catchers = [_catcher(place, one) for one in given]
        self.takes_all = any("States.ALL" in names for names, _, _ in self._catchers)

    def after(self, error: StateError, value: Any) -> tuple[str, Any]:
        """The state that the error leads to, and its input, made of the failed state's input `value`.

        Raises:
            StateError: the same, where nothing matches.
        """
        for names, put, target in self._catchers:
            if matches(names, error):
                return target, checked(self._place, put(value, {"Error": error.error, "Cause": error.cause}))
        raise error


def _catcher(place: str, given: Mapping[str, Any]) -> tuple[Sequence[str], Put, str]:
    with fields_of(place, given) as fields:
        put = result_path(fields.pop("ResultPath", "$"), place)
        return fields.pop("ErrorEquals"), put, fields.pop("Next")
