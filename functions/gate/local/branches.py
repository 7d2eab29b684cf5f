"""How a machine goes from state to state: its own path and those of its Parallel and Map states, each in whichever
thread has just done a piece of its work. No thread waits for another one, so that no number of them is too few."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gate.local.definition import RUNTIME, StateError
from gate.local.expressions import Expression
from gate.local.task_tokens import TaskTokens
from gate.local.threads import Deadlines, Threads

Invoke = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""Calls an agent by name with an event `{"run_id": …, "state": …}`, and returns the state."""
Moved = tuple[str | None, Any]
"""The next state and its input, or None and what the branch ends with: its output or a StateError."""
Step = Callable[[], Moved | None]
"""Does the work of one state; None: another thread goes on, now or later."""
Late = Callable[[Any], Moved | None]
"""Takes the result or the StateError of work that was not done at once, and finishes the state."""
Enter = Callable[["Branch", Any], Moved | None]
"""A state: takes its branch and its input."""

THREADS = Threads()


@dataclass(frozen=True, slots=True)
class RunnableMachine:
    """A definition, or a part of one, ready to run."""

    start: str
    states: Mapping[str, Enter]
    timeout_s: int | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """What all branches of an execution share; `until` (of `monotonic`) it may work on what it can do without."""

    invoke: Invoke
    deadlines: Deadlines
    tokens: TaskTokens
    until: float = float("inf")


class Branch:
    """One path through a machine.

    Args:
        run: that it belongs to.
        machine: whose states it goes through.
        context: the context object, as far as it is known here.
        select: makes the input of the first state, out of `value`.
    """

    def __init__(
        self, run: Run, machine: RunnableMachine, context: Mapping[str, Any], select: Expression, value: Any
    ) -> None:
        self.run = run
        self.context = context
        self.index = 0
        self.group: Group
        self._machine = machine
        self._select = select
        self._value = value
        self._state = machine.start

    def is_cut(self) -> bool:
        """Whether nobody waits for its end any more."""
        return self.group.is_closed or (self.group.parent is not None and self.group.parent.is_cut())

    def first(self) -> Moved:
        """The first state and its input."""
        return self._machine.start, self._select(self._value, self.context)

    def resume(self, step: Step) -> None:
        """Go on with `step` in another thread."""
        THREADS.start(partial(_walk, self, step))

    def take(self, step: Step) -> Moved | None:
        """Take a step; an error, whatever it is, ends the branch."""
        try:
            return step()
        except StateError as error:
            error.state = error.state or self._state
            return None, error
        except BaseException as bug:  # noqa: BLE001 - a run must end, whatever happens in its threads
            ended = StateError(RUNTIME, f"{type(bug).__name__} in the interpreter")
            ended.state = self._state
            return None, ended

    def enter(self, name: str, value: Any) -> Step:
        """The step that the state `name` is."""
        self._state = name
        return partial(self._machine.states[name], self, value)


def _walk(branch: Branch | None, step: Step) -> None:
    """Go on with `step`, from state to state and from branch to branch, as far as this thread can."""
    while branch is not None and not branch.is_cut():
        moved = branch.take(step)
        if moved is None:
            return
        name, value = moved
        if name is None:
            branch, step = branch.group.ended(branch, value)
        else:
            step = branch.enter(name, value)


class Group:
    """The branches of one Parallel or Map state: together they end with the list of their outputs, or with the first
    error.

    Args:
        parent: whose state it is; None for the machine itself.
        late: takes what they end with.
        branches: in the order of their outputs; at least one.
        at_once: how many of them may be under way.
    """

    def __init__(self, parent: Branch | None, late: Late, branches: Sequence[Branch], at_once: int) -> None:
        self.parent = parent
        self.is_closed = False
        self._late = late
        self._outputs: list[Any] = [None] * len(branches)
        self._left = len(branches)
        self._waiting = iter(branches[at_once:])
        self._lock = threading.Lock()
        for index, branch in enumerate(branches):
            branch.group, branch.index = self, index
        for branch in branches[:at_once]:
            branch.resume(branch.first)

    def ended(self, branch: Branch, outcome: Any) -> tuple[Branch | None, Step]:
        """Note how a branch ended; returns who goes on and how: a branch that waited, the parent, or nobody."""
        with self._lock:
            if self.is_closed:
                return None, _nothing
            if not isinstance(outcome, StateError):
                self._outputs[branch.index] = outcome
                self._left -= 1
                waiting = next(self._waiting, None)
                if waiting is not None:
                    return waiting, waiting.first
                if self._left:
                    return None, _nothing
                outcome = self._outputs
            self.is_closed = True
        if self.parent is None:
            self._late(outcome)
        return self.parent, partial(self._late, outcome)


def _nothing() -> None:
    return None
