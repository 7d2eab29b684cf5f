"""What the state machine costs on this machine.

The committed definition in the interpreter of the local run, with handlers that do nothing, so that what is measured
is orchestration alone: two tasks a branch, median of five runs, best in brackets.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

from gate.local.run import pipeline
from gate.local.states import execute, read
from tests.benchmarks.table import Row

REFERENCE = {"$blob": "0" * 64, "items": 1}
ROUNDS = 5
State = dict[str, Any]


def trivial(branches: int, delay_s: float = 0.0) -> Callable[[str, Mapping[str, Any]], State]:
    """Handlers that leave references as the real ones do; those of a branch take `delay_s`."""
    written: dict[str, State] = {
        "load_transcript": {"has": {"artifacts": False, "segment": False}},
        "extract_claims": {
            "claims": REFERENCE,
            "non_claims": [],
            "estimate": None,
            "reading": {"characters": 0, "claims": 0, "marks": 0, "set_aside": {}, "unread": 0},
            "branches": [REFERENCE] * branches,
        },
        "retrieve_evidence": {"evidence": REFERENCE, "ranking": REFERENCE},
        "verify_claims": {"verdicts": REFERENCE},
    }

    def invoke(name: str, event: Mapping[str, Any]) -> State:
        if name in ("retrieve_evidence", "verify_claims"):
            time.sleep(delay_s)
        return {**event["state"], **written.get(name, {})}

    return invoke


def seconds(branches: int, delay_s: float = 0.0) -> tuple[float, float]:
    """Best and median wall time of a run."""
    took = []
    for number in range(ROUNDS):
        began = time.perf_counter()
        done = execute(pipeline(), {"config": {}}, run_id=f"bench-{number}", invoke=trivial(branches, delay_s))
        took.append(time.perf_counter() - began)
        if done.status != "SUCCEEDED":
            raise SystemExit(f"{branches} branches: {done.status} {done.error} {done.cause}")
    return min(took), statistics.median(took)


def measure() -> list[Row]:
    """Run the machine at several sizes."""
    read.cache_clear()
    began = time.perf_counter()
    read(pipeline())
    rows = [Row("read the definition", f"{(time.perf_counter() - began) * 1_000:.1f} ms")]
    best, median = seconds(1)
    rows.append(Row("a run of one branch", f"{median * 1_000:.1f} ms ({best * 1_000:.1f})"))
    for branches, goal in ((10, None), (100, None), (400, 0.5)):
        rows.append(per_item(f"a branch, of {branches}", seconds(branches), branches, goal))
    rows.append(per_item("a claim, of 1,000 in 334 branches", seconds(334), 1_000, 0.25))
    best, median = seconds(40, delay_s=0.2)
    what = "40 branches, two handlers of 200 ms each, 40 at once"
    rows.append(Row(what, f"{median:.2f} s ({best:.2f})", "≤ 0.6 s", median <= 0.6))
    return rows


def per_item(what: str, took: tuple[float, float], items: int, goal_ms: float | None) -> Row:
    """A row in milliseconds an item."""
    best, median = (each / items * 1_000 for each in took)
    goal = f"≤ {goal_ms:g} ms" if goal_ms else ""
    return Row(what, f"{median:.2f} ms ({best:.2f})", goal, median <= goal_ms if goal_ms else None)
