"""Our interpreter held against moto's: both run a machine, and must agree on status, output, error, cause and tries."""

from __future__ import annotations

import copy
import json
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from gate.local import states
from gate.local.branches import Invoke
from gate.local.states import Execution
from gate.local.task_tokens import TaskTokens
from tests.stubs.moto_states import Moto

LATE_S = 30
"""Longer than the timeout of a task under test whose handler does not come back."""

Call = tuple[str, str]
"""An agent, and the event as JSON."""


def a_call(name: str, event: Mapping[str, Any]) -> Call:
    """What two calls have in common that are two tries of one task."""
    return name, json.dumps(event, sort_keys=True)


class Recorded:
    """Calls agents, and keeps what came of every try: nothing yet, or a state, or an error."""

    def __init__(self, invoke: Invoke) -> None:
        self._invoke = invoke
        self._lock = threading.Lock()
        self.tries: dict[Call, list[list[Any]]] = defaultdict(list)

    def __call__(self, name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
        outcome: list[Any] = []
        with self._lock:
            self.tries[a_call(name, event)].append(outcome)
        try:
            state = self._invoke(name, event)
        except Exception as error:
            outcome.append(error)
            raise
        outcome.append(copy.deepcopy(state))
        return state


class Played:
    """Answers as it was recorded; what had not begun, or not come back, when the run was over comes back after it."""

    def __init__(self, recorded: Recorded, *, failed: bool) -> None:
        self.over = threading.Event()
        self.cut_off = False
        self._failed = failed
        self._recorded = {call: [list(outcome) for outcome in tries] for call, tries in recorded.tries.items()}
        self._lock = threading.Lock()
        self.tries: dict[Call, int] = defaultdict(int)

    def __call__(self, name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
        call = a_call(name, event)
        with self._lock:
            number = self.tries[call]
            self.tries[call] += 1
        tries = self._recorded.get(call, [])
        if number >= len(tries) and self._failed:  # ours had ended before it came to this
            self.cut_off = True
            raise LookupError(f"{name} had not begun when the run failed")
        if number >= len(tries) or not tries[number]:  # cut off beside what failed, or a difference that is told late
            self.over.wait(LATE_S)
            raise LookupError(f"{name} did not come back, or was not called this way, or not so often")
        (outcome,) = tries[number]
        if isinstance(outcome, Exception):
            raise outcome
        state: Mapping[str, Any] = copy.deepcopy(outcome)
        return state


def execute_twice(
    definition: str,
    state: Mapping[str, Any],
    *,
    run_id: str,
    invoke: Invoke,
    moto: Moto,
    seconds: float | None = None,
    tokens: TaskTokens | None = None,
) -> Execution:
    """Run ours, play to moto what the agents did, and compare.

    A difference is played again before it counts: what differs between the interpreters differs each time, and one
    that a busy machine showed once never came back.
    """
    recorded = Recorded(invoke)
    ours = states.execute(definition, state, run_id=run_id, invoke=recorded, seconds=seconds, tokens=tokens)
    play = partial(moto.execute, definition, state, run_id=run_id)
    with suppress(AssertionError):
        return compared(ours, recorded, play)
    return compared(ours, recorded, play)


def compared(ours: Execution, recorded: Recorded, play: Callable[..., Execution]) -> Execution:
    """Ours, if moto's is alike."""
    played = Played(recorded, failed=ours.status != "SUCCEEDED")
    motos = play(invoke=played)
    played.over.set()
    if played.cut_off:  # of a run that fails, what goes on beside is cut off at any moment: moto's came further
        return ours
    assert_alike(ours, motos)
    if ours.status == "SUCCEEDED":  # when a run fails, what goes on beside is cut off at any moment
        assert {call: len(tries) for call, tries in recorded.tries.items()} == played.tries
    return ours


def assert_alike(ours: Execution, motos: Execution) -> None:
    """The same end, told in the same words but for what moto says of its history and of the data."""
    assert (ours.status, ours.output, ours.error) == (motos.status, motos.output, motos.error)
    assert comparable_cause(ours.cause) == comparable_cause(motos.cause)


def comparable_cause(cause: str | None) -> str:
    """A cause without the number of an event, the name of a field and the input, which moto puts into some of them."""
    short = re.sub(r" \(entered at the event id #\d+\)| specified for the field '[^']*'", "", cause or "")
    return re.sub(r" in the input '.*'", "", short)
