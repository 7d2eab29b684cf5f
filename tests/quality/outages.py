"""How likely a claim stays unchecked while a service is down: `python -m tests.quality.outages`.

A task gives up when all its calls fall into the outage. Its waits are independent and uniform (full jitter), so their
sum has a distribution in closed form; it is computed exactly, from the Retry of the committed state machine and the
backoff of the SDK. Calls count as instantaneous and the first one as made when the outage begins: an upper bound.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from typing import Any

from gate.errors import RETRYABLE
from gate.local.run import pipeline

SDK_MOST_S = 20
"""Longest wait of botocore's standard mode; for a throttled call it is up to 1, 2, 4, … seconds."""
OUTAGES_S = (10, 30, 60, 120, 300)


def retry_waits() -> list[int]:
    """Longest waits before each retry of a task, in seconds, as the definition has them.

    Raises:
        AssertionError: its tasks do not all have the one policy.
    """
    policies = [retry for task in _tasks(json.loads(pipeline())) for retry in task["Retry"][:1]]
    assert all(policy == policies[0] for policy in policies), "tasks are retried by different policies"
    assert policies[0]["ErrorEquals"] == list(RETRYABLE)
    assert policies[0]["JitterStrategy"] == "FULL"
    first, rate, most = (policies[0][key] for key in ("IntervalSeconds", "BackoffRate", "MaxDelaySeconds"))
    return [min(first * rate**number, most) for number in range(policies[0]["MaxAttempts"])]


def _tasks(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("Type") == "Task":
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for element in value:
            yield from _tasks(element)


def all_waits(sdk_attempts: int = 1) -> list[int]:
    """Longest waits of a task that always fails: the state machine's, and the SDK's inside each of its calls."""
    between = retry_waits()
    inside = [min(2**number, SDK_MOST_S) for number in range(sdk_attempts - 1)]
    return between + inside * (len(between) + 1)


def unchecked_share(outage_s: float, waits: Sequence[int]) -> float:
    """Probability that independent waits, uniform from 0 to each of `waits`, add up to less than the outage.

    It is the sum over every subset S of the waits of (-1)^|S| (outage - sum of S)^n, where positive, over n! times the
    product of the waits; equal waits are counted together.
    """
    n, kinds = len(waits), Counter(waits)
    total = Fraction(0)
    for taken in product(*(range(count + 1) for count in kinds.values())):
        left = Fraction(outage_s) - sum(wait * times for wait, times in zip(kinds, taken, strict=True))
        if left > 0:
            ways = prod(comb(count, times) for count, times in zip(kinds.values(), taken, strict=True))
            total += (-1) ** sum(taken) * ways * left**n
    return float(total / (factorial(n) * prod(waits)))


def most_unchecked(claims: int, share: float, *, doubt: float = 1e-6) -> int:
    """The number of unchecked claims that is passed with probability `doubt` at most."""
    left = 1.0
    for number in range(claims + 1):
        left -= comb(claims, number) * share**number * (1 - share) ** (claims - number)
        if left <= doubt:
            return number
    return claims


def table() -> str:
    """Shares by length of the outage and by the SDK's attempts."""
    attempts = (1, 3)
    rows = ["| outage | deployed: one call a try | `GATE_MODEL_ATTEMPTS=3` |", "| --- | --- | --- |"]
    for outage in OUTAGES_S:
        shares = (unchecked_share(outage, all_waits(number)) for number in attempts)
        rows.append(f"| {outage} s | {' | '.join(_shown(share) for share in shares)} |")
    return "\n".join(rows) + "\n"


def _shown(share: float) -> str:
    """A percentage of two figures; below a millionth it says so."""
    return "< 0.0001 %" if share < 1e-6 else f"{float(f'{100 * share:.2g}'):g} %"


if __name__ == "__main__":
    print(table(), end="")
