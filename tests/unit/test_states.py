"""The interpreter of state machines itself: what it refuses, where it runs, and what it shares with nobody."""

from __future__ import annotations

import copy
import json
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gate.errors import TOLD_BYTES, InputError, InternalError, ModelThrottledError, SettingsError
from gate.local import states, threads
from gate.local.branches import Invoke
from gate.local.states import Execution, execute, read
from gate.local.task_tokens import TaskTokens
from tests.machines import PAYLOAD, State, a_definition, a_map, a_parallel, a_pass, a_task


def same(name: str, event: Mapping[str, Any]) -> Any:
    """A function that returns its state."""
    return event["state"]


def run(machine: State, invoke: Invoke = same, state: Any = None, **fields: Any) -> Execution:
    """Run a machine that starts at its first state."""
    return execute(a_definition(machine, **fields), {} if state is None else state, run_id="run", invoke=invoke)


# What it refuses


def changed(state: State, **fields: Any) -> State:
    return {"S": {**state, **fields}}


TASK, MAP = a_task("f"), a_map({"P": a_pass(End=True)})
RETRY = {"ErrorEquals": ["States.ALL"]}
RULE = {"Variable": "$.a", "IsPresent": True, "Next": "S"}
UNKNOWN: dict[str, tuple[State, str]] = {
    "a type": ({"S": {"Type": "Wait", "Seconds": 1, "End": True}}, "S: .* the type 'Wait'"),
    "a field": (changed(TASK, HeartbeatSeconds=3), "S: .* HeartbeatSeconds"),
    "a field of a pass": (changed(a_pass(End=True), Assign={"a": 1}), "S: .* Assign"),
    "a resource": (changed(TASK, Resource="arn:aws:states:::sqs:sendMessage"), "sqs"),
    "a parameter": (changed(TASK, Parameters={**TASK["Parameters"], "Qualifier": "1"}), "S: .* Qualifier"),
    "a path": (changed(TASK, OutputPath="$.a[*].b"), r"OutputPath: .* the path '\$\.a\[\*\]\.b'"),
    "a path that is null": (changed(TASK, OutputPath=None), "OutputPath: .* the path None"),
    "a filter": (changed(TASK, OutputPath="$.a[?(@.b)]"), "OutputPath"),
    "a part of the context object": (
        {"S": a_task("f", {**PAYLOAD, "id.$": "$$.Execution.Id"})},
        r"id\.\$: .* '\$\$\.Execution\.Id'",
    ),
    "a function": (
        changed(a_parallel({"P": a_pass(End=True)}), ResultSelector={"s.$": "States.Array($)"}),
        r"s\.\$: .* 'States\.Array",
    ),
    "a deep merge": (
        changed(a_parallel({"P": a_pass(End=True)}), ResultSelector={"s.$": "States.JsonMerge($[0], $[0], true)"}),
        "JsonMerge",
    ),
    "a value under a path's name": (changed(a_pass(End=True), Parameters={"a.$": 3}), r"a\.\$: .* the path 3"),
    "a place of a result": (changed(TASK, ResultPath="$.a.b"), r"S: .* the ResultPath '\$\.a\.b'"),
    "a comparison": (
        {"S": {"Type": "Choice", "Choices": [{"Variable": "$.a", "StringEquals": "b", "Next": "S"}]}},
        "S: .* StringEquals",
    ),
    "two comparisons in one rule": ({"S": {"Type": "Choice", "Choices": [{**RULE, "BooleanEquals": True}]}}, "S: "),
    "a jitter": (changed(TASK, Retry=[{**RETRY, "JitterStrategy": "HALF"}]), "S: .* 'HALF'"),
    "a field of a retrier": (changed(TASK, Retry=[{**RETRY, "Delay": 3}]), "S: .* Delay"),
    "a field of a catcher": (changed(TASK, Catch=[{**RETRY, "Next": "S", "Output": 3}]), "S: .* Output"),
    "a distributed map": (
        changed(MAP, ItemProcessor={**MAP["ItemProcessor"], "ProcessorConfig": {"Mode": "DISTRIBUTED"}}),
        "S: .*DISTRIBUTED",
    ),
    "a timeout of a map": (changed(MAP, TimeoutSeconds=3), "S: .* TimeoutSeconds"),
    "a state that is led to": (changed(a_pass(), Next="Elsewhere"), "the state 'Elsewhere'"),
    "a state that an error leads to": (changed(TASK, Catch=[{**RETRY, "Next": "Elsewhere"}]), "'Elsewhere'"),
    "a state that a choice leads to": (
        {"S": {"Type": "Choice", "Choices": [RULE], "Default": "Elsewhere"}},
        "'Elsewhere'",
    ),
    "a state inside a branch": ({"S": a_parallel({"W": {"Type": "Wait", "End": True}})}, "W: .* the type 'Wait'"),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_what_it_does_not_know_is_refused_by_name_before_anything_runs(what: str) -> None:
    machine, named = UNKNOWN[what]
    with pytest.raises(InternalError, match=named):
        run(machine, lambda name, event: pytest.fail("it ran"))


@pytest.mark.parametrize("fields", [{"QueryLanguage": "JSONata"}, {"Version": "1.0"}])
def test_a_machine_of_another_language_or_version_is_refused(fields: State) -> None:
    with pytest.raises(InternalError, match=next(iter(fields)) if "Version" in fields else "JSONata"):
        run({"S": a_pass(End=True)}, **fields)


@pytest.mark.parametrize("missing", ["Type", "Resource", "Parameters", "End"])
def test_a_field_that_is_missing_is_said(missing: str) -> None:
    machine = {"S": {key: value for key, value in TASK.items() if key != missing}}
    with pytest.raises(InternalError, match=f"S: '{'Next' if missing == 'End' else missing}' is missing"):
        run(machine)


def test_comments_say_nothing() -> None:
    assert run({"S": a_pass(Comment="why", End=True)}, state={"a": 1}, Comment="more").output == {"a": 1}


def test_a_definition_is_read_once() -> None:
    definition = a_definition({"Once": a_pass(End=True)})
    assert read(definition) is read(str(definition))


# What a function answers


def test_a_task_calls_the_function_it_names_and_returns_its_state() -> None:
    done = run({"Do": TASK}, lambda name, event: {"name": name, **event}, {"a": 1})
    assert done.output == {"name": "f", "run_id": "run", "state": {"a": 1}}


def test_an_error_of_the_tree_arrives_by_class_name_with_its_safe_message() -> None:
    def invoke(name: str, event: Any) -> Any:
        raise InputError("line 3 is not JSON")

    failed = run({"Do": TASK}, invoke)
    assert (failed.status, failed.error, failed.output) == ("FAILED", "InputError", None)
    assert json.loads(failed.cause or "")["errorMessage"] == "line 3 is not JSON"


def test_a_hint_travels_behind_the_message_and_both_are_kept_short() -> None:
    def invoke(name: str, event: Any) -> Any:
        raise SettingsError("GATE_MODEL: 'x' is not known", hint="local, or bedrock:" + "é" * 400)

    told = json.loads(run({"Do": TASK}, invoke).cause or "")["errorMessage"]
    assert told.startswith("GATE_MODEL: 'x' is not known; local, or bedrock:éé")
    assert TOLD_BYTES - 2 < len(told.encode()) <= TOLD_BYTES


def test_what_the_json_in_a_string_says_can_be_looked_up() -> None:
    states = {
        "Read": {"Type": "Pass", "Parameters": {"said.$": "States.StringToJson($.text)"}, "Next": "Take"},
        "Take": {"Type": "Pass", "Parameters": {"why.$": "$.said.errorMessage"}, "End": True},
    }
    assert run(states, state={"text": '{"errorMessage": "asleep"}'}).output == {"why": "asleep"}
    assert run(states, state={"text": "asleep"}).error == "States.IntrinsicFailure"


def test_an_error_that_is_not_of_the_tree_keeps_its_message_inside() -> None:
    def invoke(name: str, event: Any) -> Any:
        raise OSError("a path, a text")

    failed = run({"Do": TASK}, invoke)
    assert failed.error == "OSError"
    assert "a path" not in (failed.cause or "")


@pytest.mark.parametrize(("state", "error"), [({"a": {1, 2}}, "TypeError"), ({"a": float("nan")}, "ValueError")])
def test_a_state_that_is_not_json_is_an_error_of_the_task(state: State, error: str) -> None:
    assert run({"Do": TASK}, lambda name, event: state).error == error


def test_a_function_that_ends_its_thread_ends_the_run() -> None:
    def invoke(name: str, event: Any) -> Any:
        sys.exit(3)

    failed = run({"Do": TASK}, invoke)
    assert (failed.status, failed.error) == ("FAILED", "States.Runtime")
    assert failed.cause == "An error occurred while executing the state 'Do'. SystemExit in the interpreter"


def test_a_cause_holds_nothing_of_the_data() -> None:
    machine = {"Lost": a_parallel({"In": a_pass(Parameters={"a.$": "$.missing"}, End=True)})}
    failed = run(machine, state={"text": "a secret"})
    assert failed.cause == (
        "An error occurred while executing the state 'In'. "
        "The JSONPath '$.missing' specified for the field 'a.$' could not be found"
    )


# What is shared


def test_a_function_that_changes_its_event_changes_nothing_else() -> None:
    def invoke(name: str, event: Any) -> Any:
        event["state"]["list"].append(name)
        event["state"]["own"] = name
        return event["state"]

    machine = {"B": a_parallel({"A": a_task("a")}, {"C": a_task("c")}, {"P": a_pass(End=True)})}
    state: State = {"list": []}
    assert run(machine, invoke, state).output == [
        {"list": ["a"], "own": "a"},
        {"list": ["c"], "own": "c"},
        {"list": []},
    ]
    assert state == {"list": []}


def test_an_output_that_its_owner_changes_is_new_in_the_next_run() -> None:
    machine = {"P": a_pass(Parameters={"found": {}, "list": []}, End=True)}
    first = run(machine).output
    before = copy.deepcopy(first)
    first["found"]["x"] = 1
    first["list"].append(1)
    assert run(machine).output == before


# Where it runs


def test_no_more_iterations_are_under_way_than_may_be() -> None:
    lock, under_way, most = threading.Lock(), 0, 0

    def invoke(name: str, event: Any) -> Any:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.005)
        with lock:
            under_way -= 1
        return {"n": event["state"]}

    done = run({"M": a_map({"T": a_task("f")}, MaxConcurrency=7)}, invoke, {"items": list(range(60))})
    assert [one["n"] for one in done.output] == list(range(60))
    assert most == 7


def test_branches_in_branches_are_all_under_way_at_once() -> None:
    """Each task waits until all are there: fewer threads than tasks, and none would ever come back."""
    barrier = threading.Barrier(3 * 4 * 10, timeout=20)

    def invoke(name: str, event: Any) -> Any:
        barrier.wait()
        return event["state"]

    inner = a_map({"T": a_task("f")}, ItemsPath="$.inner")
    part = {"M": a_map({"N": inner}, ItemSelector={"inner.$": "$.inner"})}
    done = run({"B": a_parallel(part, part, part)}, invoke, {"items": [0] * 4, "inner": list(range(10))})
    assert done.output == [[list(range(10))] * 4] * 3


def test_a_hundred_runs_side_by_side_do_not_mix() -> None:
    definition = a_definition({"M": a_map({"T": a_task("f", {**PAYLOAD, "n.$": "$$.Map.Item.Index"})})})

    def one(number: int) -> Any:
        def invoke(name: str, event: Any) -> Any:
            return {"by": number, "run": event["run_id"], "item": event["state"]}

        return execute(definition, {"items": [number] * 20}, run_id=f"run-{number}", invoke=invoke).output

    with ThreadPoolExecutor(100) as pool:
        outputs = list(pool.map(one, range(100)))
    assert outputs == [[{"by": n, "run": f"run-{n}", "item": n}] * 20 for n in range(100)]


def test_a_branch_that_fails_ends_the_run_though_another_does_not_come_back() -> None:
    released, went_on = threading.Event(), []

    def invoke(name: str, event: Any) -> Any:
        if name == "failing":
            raise InputError("no")
        if name == "after":
            went_on.append(name)
        released.wait(20)
        return {}

    slow = {"Slow": a_task("slow", Next="After"), "After": a_task("after")}
    began = time.monotonic()
    assert run({"B": a_parallel({"F": a_task("failing")}, slow)}, invoke).error == "InputError"
    assert time.monotonic() - began < 10
    released.set()
    time.sleep(0.1)
    assert went_on == [], "a branch that is cut off goes no further"


def test_a_task_that_does_not_come_back_ends_at_its_timeout_and_what_it_says_later_is_not_heard() -> None:
    released, tries = threading.Event(), []

    def invoke(name: str, event: Any) -> Any:
        tries.append(name)
        if len(tries) == 1:
            released.wait(20)
            return {"try": 1}
        return {"try": 2}

    retry = [{"ErrorEquals": ["States.Timeout"], "MaxAttempts": 1, "IntervalSeconds": 1}]
    began = time.monotonic()
    done = run({"T": a_task("f", TimeoutSeconds=1, Retry=retry)}, invoke)
    assert done.output == {"try": 2}
    assert 1 <= time.monotonic() - began < 10
    released.set()
    time.sleep(0.1)
    assert (done.output, len(tries)) == ({"try": 2}, 2)


def asleep_for(seconds: float) -> Callable[[str, Any], dict[str, Any]]:
    def invoke(name: str, event: Any) -> dict[str, Any]:
        time.sleep(seconds)
        return {}

    return invoke


def test_a_timeout_is_no_failure_of_the_task() -> None:
    caught = {"ErrorEquals": ["States.TaskFailed"], "Next": "C"}
    machine = {"T": a_task("f", TimeoutSeconds=1, Catch=[caught]), "C": a_pass(End=True)}
    assert run(machine, asleep_for(1.5)).error == "States.Timeout"


def test_a_machine_ends_at_its_timeout() -> None:
    began = time.monotonic()
    done = run({"T": TASK}, asleep_for(3), TimeoutSeconds=1)
    assert done == Execution("TIMED_OUT")
    assert 1 <= time.monotonic() - began < 2.5


def test_waits_grow_to_the_longest_and_are_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(states, "sleep", waits.append)

    def invoke(name: str, event: Any) -> Any:
        raise ModelThrottledError("slow down")

    retry = {"ErrorEquals": ["States.ALL"], "IntervalSeconds": 5, "BackoffRate": 2, "MaxAttempts": 7}
    retry |= {"MaxDelaySeconds": 60, "JitterStrategy": "FULL"}
    assert run({"T": a_task("f", Retry=[retry])}, invoke).error == "ModelThrottledError"
    longest = [5, 10, 20, 40, 60, 60, 60]
    assert all(0 <= wait <= most for wait, most in zip(waits, longest, strict=True))
    assert len(set(waits)) == 7


def test_threads_are_used_again_and_end_when_nobody_needs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "IDLE_S", 0.2)
    pool, names, done = threads.Threads(), [], threading.Semaphore(0)

    def work() -> None:
        names.append(threading.get_ident())
        done.release()

    for _ in range(5):
        pool.start(work)
        done.acquire(timeout=5)
        time.sleep(0.02)
    assert len(set(names)) == 1
    time.sleep(0.5)
    assert names[0] not in {thread.ident for thread in threading.enumerate()}
    pool.start(work)
    assert done.acquire(timeout=5)


def test_work_that_comes_as_its_thread_ends_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "IDLE_S", 0.001)
    pool, done = threads.Threads(), threading.Semaphore(0)
    for number in range(300):
        pool.start(done.release)
        assert done.acquire(timeout=5), number
        time.sleep(0.001)


def test_the_limit_of_a_state_counts_bytes_of_compact_utf8() -> None:
    text = "é" * ((262_144 - len('{"t":""}')) // 2)
    assert run({"P": a_pass(End=True)}, state={"t": text}).status == "SUCCEEDED"
    assert run({"P": a_pass(End=True)}, state={"t": text + "e"}).error == "States.DataLimitExceeded"


def test_an_invoke_may_run_a_machine_of_its_own() -> None:
    def invoke(name: str, event: Mapping[str, Any]) -> Any:
        return {"inner": run({"T": a_task("g")}, lambda name, event: {"of": name}).output}

    assert run({"T": TASK}, invoke).output == {"inner": {"of": "g"}}


ASKS = a_definition(
    {
        "Ask": a_task(
            "ask",
            {"run_id.$": "$$.Execution.Name", "task_token.$": "$$.Task.Token"},
            Resource="arn:aws:states:::lambda:invoke.waitForTaskToken",
            OutputPath="$",
            ResultPath=None,
            TimeoutSecondsPath="$.limit_s",
        )
    }
)


def test_a_task_that_waits_ends_with_the_answer_under_its_token_and_not_with_the_function() -> None:
    tokens, asked = TaskTokens(), list[str]()

    def ask(name: str, event: Any) -> Any:
        asked.append(event["task_token"])
        threading.Timer(0.05, tokens.answer, asked).start()
        return {"not": "looked at"}

    done = execute(ASKS, {"limit_s": 20}, run_id="r", invoke=ask, tokens=tokens)
    assert (done.status, done.output) == ("SUCCEEDED", {"limit_s": 20})
    assert not tokens.answer(asked[0]), "it is answered once"
    assert tokens.waiting() == []


def test_a_task_that_is_answered_before_its_function_returns_has_been_answered() -> None:
    tokens = TaskTokens()
    done = execute(
        ASKS,
        {"limit_s": 20},
        run_id="r",
        invoke=lambda name, event: {"was": tokens.answer(event["task_token"])},
        tokens=tokens,
    )
    assert done.status == "SUCCEEDED"


def test_a_task_that_nobody_answers_times_out_and_its_token_is_gone() -> None:
    tokens = TaskTokens()
    done = execute(ASKS, {"limit_s": 1}, run_id="r", invoke=lambda name, event: {}, tokens=tokens)
    assert (done.status, done.error) == ("FAILED", "States.Timeout")
    assert tokens.waiting() == []


@pytest.mark.parametrize("limit", [0, -1, 1.5, "60", None, True])
def test_a_limit_that_is_no_whole_number_of_seconds_ends_the_run(limit: object) -> None:
    done = execute(ASKS, {"limit_s": limit}, run_id="r", invoke=lambda name, event: {})
    assert (done.status, done.error) == ("FAILED", "States.Runtime")


def test_a_function_that_fails_to_ask_fails_the_task_and_nobody_is_waited_for() -> None:
    tokens = TaskTokens()

    def ask(name: str, event: Any) -> Any:
        raise InputError("no report")

    done = execute(ASKS, {"limit_s": 60}, run_id="r", invoke=ask, tokens=tokens)
    assert (done.status, done.error, tokens.waiting()) == ("FAILED", "InputError", [])


def test_a_run_is_gone_on_with_at_the_state_that_is_named() -> None:
    machine = a_definition({"First": a_pass(Next="Second"), "Second": a_pass(Parameters={"at": 2}, End=True)})
    assert execute(machine, {}, run_id="r", invoke=lambda name, event: {}, start="Second").output == {"at": 2}
