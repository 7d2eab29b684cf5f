"""Many uploads at once against a model's quota, in simulated time: `python -m tests.load.admission`.

Leases are the ones that functions take, tries and waits those of the committed state machine.
"""

from __future__ import annotations

import argparse
import heapq
import json
from collections import Counter
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from gate.adapters.spending import admission
from gate.adapters.spending.admission import Admission, LocalCounters, Quota
from gate.local.definition import StateError
from gate.local.recovery import Retry
from gate.local.run import pipeline
from tests.quality.outages import _tasks

CALL_S = 3.0
PROCESSES = 50
"""Functions at once that take leases, each with what it alone has seen."""


def retry() -> Retry:
    """What the state machine does when a verdict could not be had."""
    (task,) = [each for each in _tasks(json.loads(pipeline())) if each["Parameters"]["FunctionName"] == "verify_claims"]
    return Retry("VerifyClaims", task["Retry"])


@dataclass
class Result:
    """When the last claim was done, how many gave up, tries in all, and when each named group was done."""

    seconds: float = 0.0
    unchecked: int = 0
    tries: int = 0
    done: dict[str, float] = field(default_factory=dict)
    calls: Counter[int] = field(default_factory=Counter)


def simulate(quota: int, groups: list[tuple[str, float, int, str, bool]], at_once: int = 0) -> Result:
    """Let groups of claims come: name, second at which they do, how many, tenant, and whether somebody waits.

    Args:
        at_once: groups under way, of which each ended one lets the next begin; 0: all of them.
    """
    counters, policy, result = LocalCounters(), retry(), Result()
    doors = [Admission(counters, "m", Quota(requests=quota)) for _ in range(PROCESSES)]
    waiting: list[tuple[float, int, int, Counter[int]]] = []
    later = iter(range(at_once or len(groups), len(groups)))
    left = [claims for _, _, claims, _, _ in groups]
    clock = 0.0

    def begin(number: int) -> None:
        _, at, claims, _, _ = groups[number]
        for claim in range(claims):
            heapq.heappush(waiting, (max(at, clock), number * 1_000_000 + claim, number, Counter()))

    def ended(number: int) -> None:
        left[number] -= 1
        if not left[number] and (following := next(later, None)) is not None:
            begin(following)

    def now() -> float:
        return clock

    for number in range(min(at_once or len(groups), len(groups))):
        begin(number)
    with patch.object(admission, "time", SimpleNamespace(time=now)):
        while waiting:
            clock, claim, number, tries = heapq.heappop(waiting)
            name, _, _, tenant, is_urgent = groups[number]
            result.tries += 1
            if doors[result.tries % PROCESSES].admit(1, tenant, is_urgent=is_urgent):
                result.calls[int(clock // 60)] += 1
                result.done[name] = max(result.done.get(name, 0.0), clock + CALL_S)
                ended(number)
                continue
            delay = policy.delay(StateError("BusyError"), tries)
            if delay is None:
                result.unchecked += 1
                ended(number)
            else:
                heapq.heappush(waiting, (clock + delay, claim, number, tries))
    result.seconds = max(result.done.values())
    return result


def uploads(count: int, claims: int) -> list[tuple[str, float, int, str, bool]]:
    """So many uploads at once."""
    return [(f"upload {number}", 0.0, claims, "", False) for number in range(count)]


def main() -> None:
    """Simulate a thousand uploads and one person, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uploads", type=int, default=1_000)
    parser.add_argument("--quota", type=int, default=1_000)
    asked = parser.parse_args()
    middle = 60 * asked.uploads * 20 / asked.quota / 2
    urgent: list[Any] = [("person", middle, 20, "", True)]
    found = simulate(asked.quota, uploads(asked.uploads, 20) + urgent)
    bound = 60 * (asked.uploads * 20 + 20) / asked.quota
    print(f"{asked.uploads} uploads of 20 claims, {asked.quota} calls a minute: {found.unchecked} unchecked")
    print(f"done after {found.seconds:.0f} s, {found.seconds / bound:.2f} of the quota's bound")
    print(f"a person's check took {found.done['person'] - middle:.0f} s; {found.tries} tries in all")


if __name__ == "__main__":
    main()
