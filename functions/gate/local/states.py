"""Executes a state machine (Amazon States Language, JSONPath) in this process: the states and fields that ours are made
of, and no others. What is not known is refused by name when the definition is read.

The oracle is moto's interpreter (tests/contract/test_states_like_moto.py); where AWS documents otherwise, AWS holds.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from time import monotonic, sleep
from typing import Any

from gate.errors import GateError, TooSlowError
from gate.local.branches import Branch, Enter, Group, Invoke, Late, Moved, Run, RunnableMachine
from gate.local.definition import RUNTIME, TIMEOUT, StateError, checked, fields_of, sized, unknown
from gate.local.expressions import Expression, Put, condition, path, result_path, template, whole
from gate.local.recovery import Catch, Retry
from gate.local.task_tokens import TaskTokens
from gate.local.threads import Deadlines

Begin = Callable[[Branch, Any, Late], Any]
"""Begins the work of a state on its input: gives its result or a StateError, or None, and then `Late` is called."""

FOR_THE_REST = 0.8
"""Share of a run's seconds after which it is left what cannot be given up."""
ITEM = "$$.Map.Item.Value"
LAMBDA = "arn:aws:states:::lambda:invoke"
WAITING = f"{LAMBDA}.waitForTaskToken"


@dataclass(frozen=True, slots=True)
class Execution:
    """What became of an execution.

    Attributes:
        status: SUCCEEDED, FAILED or TIMED_OUT.
        output: the final state; None unless it succeeded.
        error, cause: name of the error and what was said of it; None where there is none.
    """

    status: str
    output: Any = None
    error: str | None = None
    cause: str | None = None


def execute(
    definition: str,
    state: Mapping[str, Any],
    *,
    run_id: str,
    invoke: Invoke,
    tokens: TaskTokens | None = None,
    start: str | None = None,
    seconds: float | None = None,
) -> Execution:
    """Run `definition` on `state` to its end; Lambda tasks go to `invoke`, from other threads than this one.

    Args:
        tokens: what tasks that wait for an answer wait under; None: nobody will answer.
        start: the state to begin with, as a redrive does; None: the definition's own.
        seconds: that it has: tasks whose every error is caught are given up after most of them, so that the rest is
            done in time.

    Returns the output as JSON gives it: nothing in it is shared with anybody.

    Raises:
        InternalError: the definition has something that is not known here.
    """
    machine, given = read(definition), json.loads(json.dumps(state))
    over, ends = threading.Event(), list[Execution]()

    def end(execution: Execution) -> None:
        ends.append(execution)
        over.set()

    most = float("inf") if seconds is None else seconds
    run = Run(invoke, Deadlines(), tokens or TaskTokens(), monotonic() + most * FOR_THE_REST)
    if (longest := min(machine.timeout_s or most, most)) < float("inf"):
        run.deadlines.set(longest, lambda: end(Execution("TIMED_OUT")))
    machine = replace(machine, start=start) if start else machine
    branch = Branch(run, machine, {"Execution": {"Name": run_id}}, whole, given)
    group = Group(None, lambda outcome: end(_execution(outcome)), [branch], at_once=1)
    try:
        run.deadlines.watch(over)
    finally:
        group.is_closed = True
    return ends[0]


def _execution(outcome: Any) -> Execution:
    if not isinstance(outcome, StateError):
        return Execution("SUCCEEDED", output=json.loads(json.dumps(outcome[0])))
    cause = outcome.cause
    if outcome.error == RUNTIME:
        cause = f"An error occurred while executing the state '{outcome.state}'. {cause}"
    return Execution("FAILED", error=outcome.error or None, cause=cause or None)


# Reading


@lru_cache(maxsize=8)
def read(definition: str) -> RunnableMachine:
    """Make a definition ready to run.

    Raises:
        InternalError: it has a state, a field, a path or a function that is not known here; says which.
    """
    return _machine("the definition", json.loads(definition))


def _machine(place: str, given: Mapping[str, Any]) -> RunnableMachine:
    with fields_of(place, given) as fields:
        if (language := fields.pop("QueryLanguage", "JSONPath")) != "JSONPath":
            raise unknown(place, language)
        states = {name: _state(name, state) for name, state in fields.pop("States").items()}
        machine = RunnableMachine(fields.pop("StartAt"), states, fields.pop("TimeoutSeconds", None))
    for target in _targets(given):
        if target not in states:
            raise unknown(place, f"the state {target!r}")
    return machine


def _targets(given: Mapping[str, Any]) -> list[str]:
    """The names of all states that are led to."""
    states = given["States"].values()
    rules = [rule for state in states for rule in (state, *state.get("Catch", ()), *state.get("Choices", ()))]
    return [given["StartAt"], *(rule[key] for rule in rules for key in ("Next", "Default") if key in rule)]


def _state(name: str, given: Mapping[str, Any]) -> Enter:
    with fields_of(name, given) as fields:
        kind = fields.pop("Type")
        if kind in _WORK:
            return _working(name, fields, _WORK[kind](name, fields))
        if kind in _PLAIN:
            return _PLAIN[kind](name, fields)
        raise unknown(name, f"the type {kind!r}")


def _next(fields: dict[str, Any]) -> str | None:
    return None if fields.pop("End", False) else str(fields.pop("Next"))


# States that do no work


def _pass(name: str, fields: dict[str, Any]) -> Enter:
    make, put, following = _template(fields, "Parameters"), _result_path(name, fields), _next(fields)
    return lambda branch, value: (following, checked(name, put(value, make(value, branch.context))))


def _choice(name: str, fields: dict[str, Any]) -> Enter:
    rules = []
    for given in fields.pop("Choices"):
        with fields_of(name, given) as rule:
            rules.append((condition(rule, name), rule.pop("Next")))
    otherwise = fields.pop("Default", None)

    def choose(branch: Branch, value: Any) -> Moved:
        chosen = next((target for holds, target in rules if holds(value, branch.context)), otherwise)
        if chosen is None:
            raise StateError("States.NoChoiceMatched", f"no rule of the state '{name}' holds, and it has no Default")
        return chosen, value

    return choose


def _succeed(name: str, fields: dict[str, Any]) -> Enter:
    return lambda branch, value: (None, value)


def _fail(name: str, fields: dict[str, Any]) -> Enter:
    error, cause = fields.pop("Error", ""), fields.pop("Cause", "")
    return lambda branch, value: (None, StateError(error, cause))


_PLAIN = {"Pass": _pass, "Choice": _choice, "Succeed": _succeed, "Fail": _fail}


# States that work


def _working(name: str, fields: dict[str, Any], begin: Begin) -> Enter:
    """What Task, Parallel and Map have in common: Retry, Catch, and what becomes of the result."""
    retry, catch = Retry(name, fields.pop("Retry", ())), Catch(name, fields.pop("Catch", ()))
    select, put = _template(fields, "ResultSelector"), _result_path(name, fields)
    output, following = path(fields.pop("OutputPath", "$"), "OutputPath"), _next(fields)
    gives_up = catch.takes_all

    def enter(branch: Branch, value: Any) -> Moved | None:
        return work(branch, value, Counter())

    def work(branch: Branch, value: Any, tries: Counter[int], result: Any = None) -> Moved | None:
        """Begin, unless there is a result, until it succeeds, is caught or fails."""
        while not branch.is_cut():
            try:
                if result is None:
                    result = begin(branch, value, partial(work, branch, value, tries))
                if result is None:
                    return None
                if isinstance(result, StateError):
                    raise result
                merged = put(value, select(result, branch.context))
                return following, checked(name, output(merged, branch.context))
            except StateError as error:
                delay = retry.delay(error, tries)
                if delay is None or (gives_up and monotonic() + delay >= branch.run.until):
                    return catch.after(error, value)
            sleep(delay)
            result = None
        return None

    return enter


def _task(name: str, fields: dict[str, Any]) -> Begin:
    """Calls a function; what it returns is `$.Payload` of the result."""
    if (resource := fields.pop("Resource")) not in (LAMBDA, WAITING):
        raise unknown(name, f"the resource {resource!r}")
    with fields_of(name, fields.pop("Parameters")) as parameters:
        function, payload = parameters.pop("FunctionName"), _template(parameters, "Payload")
    limit_of = _limit(name, fields)
    gives_up = Catch(name, fields.get("Catch", ())).takes_all

    def begin(branch: Branch, value: Any, late: Late) -> Any:
        event, deadlines = sized(name, payload(value, branch.context)), branch.run.deadlines
        seconds = limit_of(value, branch.context)
        left = branch.run.until - monotonic() if gives_up else seconds
        limit, missed = (left, _too_late()) if left < seconds else (seconds, StateError(TIMEOUT))
        if limit <= 0:
            return missed
        if limit == float("inf"):
            return _called(name, branch.run.invoke, function, event)
        deadline = deadlines.set(limit, partial(branch.resume, partial(late, missed)))
        result = _called(name, branch.run.invoke, function, event)
        return result if deadlines.keep(deadline) else None

    def ask(branch: Branch, value: Any, late: Late) -> Any:
        """What the function returns is nobody's; the task ends when it is answered, fails or is not answered in
        time."""
        tokens, deadlines = branch.run.tokens, branch.run.deadlines
        token = tokens.open(lambda: branch.resume(partial(late, {})))
        context = {**branch.context, "Task": {"Token": token}}
        seconds, event = limit_of(value, context), sized(name, payload(value, context))
        if seconds < float("inf"):
            missed = partial(branch.resume, partial(late, StateError(TIMEOUT)))
            deadlines.set(seconds, lambda: tokens.close(token) and missed())
        result = _called(name, branch.run.invoke, function, event)
        return result if isinstance(result, StateError) and tokens.close(token) else None

    return ask if resource == WAITING else begin


def _limit(name: str, fields: dict[str, Any]) -> Expression:
    """Seconds that a task may take: a number, what the input says, or infinitely many."""
    if "TimeoutSecondsPath" not in fields:
        seconds = fields.pop("TimeoutSeconds", float("inf"))
        return lambda value, context: seconds
    get = path(fields.pop("TimeoutSecondsPath"), "TimeoutSecondsPath")

    def limit(value: Any, context: Mapping[str, Any]) -> int:
        seconds = get(value, context)
        if type(seconds) is not int or seconds < 1:
            raise StateError(RUNTIME, f"TimeoutSecondsPath of the state '{name}' names no whole number above 0")
        return seconds

    return limit


def _too_late() -> StateError:
    """What a task is given up with that has no time left in its run."""
    return _failed(TooSlowError.__name__, "the run's time was over before this was done")


def _failed(error: str, message: str) -> StateError:
    said = {"errorType": error, "errorMessage": message}
    return StateError(error, json.dumps(said, separators=(",", ":")))


def _called(name: str, invoke: Invoke, function: str, event: str) -> Any:
    """What the Lambda service would answer: JSON in, JSON out, whatever escapes a handler by its class."""
    try:
        text = sized(name, invoke(function, json.loads(event)))
    except StateError as error:
        return error
    except GateError as error:
        return _failed(error.code, str(error))
    except Exception as error:  # noqa: BLE001 - as the Lambda service does
        return _failed(type(error).__name__, "an error outside of the agent's own tree")
    return {"ExecutedVersion": "$LATEST", "Payload": json.loads(text), "StatusCode": 200}


def _parallel(name: str, fields: dict[str, Any]) -> Begin:
    machines = [_machine(name, given) for given in fields.pop("Branches")]

    def begin(branch: Branch, value: Any, late: Late) -> Any:
        branches = [Branch(branch.run, machine, branch.context, whole, value) for machine in machines]
        Group(branch, late, branches, at_once=len(branches))
        return None

    return begin


def _map(name: str, fields: dict[str, Any]) -> Begin:
    """Runs a machine on each item; MaxConcurrency 0 is no limit."""
    processor = dict(fields.pop("ItemProcessor"))
    if (config := processor.pop("ProcessorConfig", {"Mode": "INLINE"})) != {"Mode": "INLINE"}:
        raise unknown(name, f"the processor {config!r}")
    machine, items_of = _machine(name, processor), path(fields.pop("ItemsPath", "$"), "ItemsPath")
    select = template(fields.pop("ItemSelector"), "ItemSelector") if "ItemSelector" in fields else path(ITEM, ITEM)
    at_once = fields.pop("MaxConcurrency", 0)

    def begin(branch: Branch, value: Any, late: Late) -> Any:
        items = items_of(value, branch.context)
        if not isinstance(items, list):
            raise StateError(RUNTIME, "Reference path of ItemsPath must point to array.")
        contexts = [{"Map": {"Item": {"Index": index, "Value": item}}} for index, item in enumerate(items)]
        branches = [Branch(branch.run, machine, {**branch.context, **one}, select, value) for one in contexts]
        if not branches:
            return []
        Group(branch, late, branches, at_once or len(branches))
        return None

    return begin


_WORK = {"Task": _task, "Parallel": _parallel, "Map": _map}


# Results


def _template(fields: dict[str, Any], key: str) -> Expression:
    return template(fields.pop(key), key) if key in fields else whole


def _result_path(name: str, fields: dict[str, Any]) -> Put:
    return result_path(fields.pop("ResultPath", "$"), name)
