"""Our interpreter beside moto's, the oracle: the same output, error, cause and tries, on the deployed definition, on
the batch's chain, on small machines and on machines that Hypothesis makes. Where the two differ it is said why."""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.catalogue import BY_NAME, DETECTIVES
from gate.errors import GateError, InputError, ModelThrottledError, ReviewOverError, SearchUnavailableError
from gate.local import states
from gate.local.branches import Invoke
from gate.local.run import pipeline
from gate.local.states import Execution
from tests.differential import a_call, assert_alike, execute_twice
from tests.machines import PAYLOAD, a_definition, a_map, a_parallel, a_pass, a_task, batch_chain
from tests.stubs.moto_states import Moto, oracle

pytestmark = pytest.mark.integration

State = dict[str, Any]


@pytest.fixture(scope="module")
def moto() -> Iterator[Moto]:
    with oracle() as moto, pytest.MonkeyPatch.context() as patch:
        patch.setattr(states, "sleep", lambda seconds: None)
        yield moto


# The deployed definition, and the chain of states that a batch goes through


REFERENCE = {"$blob": "0" * 64, "items": 1}
WRITES: dict[str, State] = {
    "load_transcript": {"has": {"artifacts": True, "segment": True}, "transcript": REFERENCE, "contexts": REFERENCE},
    "extract_claims": {
        "claims": REFERENCE,
        "non_claims": [],
        "reading": {"characters": 9},
        "estimate": None,
        "branches": [REFERENCE] * 3,
    },
    "retrieve_evidence": {"evidence": REFERENCE, "ranking": REFERENCE},
    "verify_claims": {"verdicts": REFERENCE},
    **{name: {"evidences": {BY_NAME[name].source: REFERENCE}} for name in DETECTIVES},
    "aggregate_evidence": {"evidences": REFERENCE, "metadata": {"pipeline_integrity": "SUCCESS"}},
    "retrieve_citations": {"citations": REFERENCE},
    "judge": {"review": {"wanted": False, "limit_s": 1}},
}
MACHINES = {"the pipeline": pipeline(), "the chain of a batch": batch_chain()}
TASKS = [name for name in BY_NAME if f'"{name}"' in pipeline()]
BROKEN: dict[str, Callable[[int], Any]] = {
    "throttled once": lambda tries: ModelThrottledError("slow down") if tries == 1 else None,
    "throttled for ever": lambda tries: ModelThrottledError("slow down"),
    "wrong input": lambda tries: InputError("line 3 is not JSON"),
    "a bug": lambda tries: ZeroDivisionError("a text"),
    "no JSON": lambda tries: {"verdicts": {1, 2}},
}


def agents(broken: str = "", how: Callable[[int], Any] = lambda tries: None) -> Invoke:
    """Agents that write references; one of them is broken."""
    tries: dict[Any, int] = defaultdict(int)

    def invoke(name: str, event: Mapping[str, Any]) -> State:
        call = a_call(name, event)
        tries[call] += 1
        outcome = how(tries[call]) if name == broken else None
        if isinstance(outcome, Exception):
            raise outcome
        return {**event["state"], **WRITES.get(name, {}), **(outcome or {})}

    return invoke


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize("broken", TASKS)
def test_an_agent_that_breaks_ends_the_same_way(moto: Moto, machine: str, how: str, broken: str) -> None:
    state = {"config": {"name": "a.md"}, "submission": REFERENCE, "run_id": "one"}
    execute_twice(MACHINES[machine], state, run_id="one", invoke=agents(broken, BROKEN[how]), moto=moto)


@pytest.mark.parametrize("asked", [{}, {"request_review": ReviewOverError("decided")}], ids=["nobody", "over"])
def test_a_person_who_does_not_answer_in_time_or_need_not_ends_the_same_way(
    moto: Moto, asked: dict[str, Exception]
) -> None:
    wanted = {"review": {"wanted": True, "limit_s": 1}}
    plain = agents("judge", lambda tries: wanted)

    def invoke(name: str, event: Mapping[str, Any]) -> State:
        if name in asked:
            raise asked[name]
        tokenless = {key: value for key, value in event.items() if key != "task_token"}
        return dict(plain(name, tokenless))

    state = {"config": {"name": "a.md"}, "submission": REFERENCE, "run_id": "one"}
    ours = states.execute(pipeline(), state, run_id="one", invoke=invoke)
    theirs = moto.execute(pipeline(), state, run_id="one", invoke=invoke)
    assert ours.status == theirs.status == "SUCCEEDED"
    assert ours.output == theirs.output
    assert ours.output["review"] == wanted["review"]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("branches", [0, 1, 41])
@pytest.mark.parametrize("has", [{}, {"artifacts": True}, {"segment": True}])
def test_what_came_and_how_much_of_it_leads_the_same_way(
    moto: Moto, machine: str, branches: int, has: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        WRITES, "load_transcript", WRITES["load_transcript"] | {"has": {"artifacts": False, "segment": False} | has}
    )
    monkeypatch.setitem(WRITES, "extract_claims", WRITES["extract_claims"] | {"branches": [REFERENCE] * branches})
    state = {"config": {}, "run_id": "one"}
    done = execute_twice(MACHINES[machine], state, run_id="one", invoke=agents(), moto=moto)
    assert done.status == "SUCCEEDED"
    assert len(done.output["checked"]) == branches


# Small machines


ALL = [{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]
CAUGHT = {"Caught": a_pass(End=True)}
THROTTLED = {"ErrorEquals": ["ModelThrottledError"], "IntervalSeconds": 3, "MaxAttempts": 4, "BackoffRate": 1.5}
OTHERS = {"ErrorEquals": ["States.TaskFailed"], "MaxAttempts": 1}
LAST = {"ErrorEquals": ["States.ALL"], "IntervalSeconds": 2, "MaxDelaySeconds": 5, "JitterStrategy": "FULL"}

SMALL: dict[str, State] = {
    "a retrier counts its own tries": {"T": a_task("f", Retry=[THROTTLED, OTHERS, LAST])},
    "a retrier that is used up is not replaced": {"T": a_task("f", Retry=[OTHERS, LAST], Catch=ALL), **CAUGHT},
    "no try is left": {"T": a_task("f", Retry=[LAST | {"MaxAttempts": 0}])},
    "an error takes the place of the input": {"T": a_task("f", Catch=ALL), **CAUGHT},
    "an error is put beside the input": {"T": a_task("f", Catch=[ALL[0] | {"ResultPath": "$.e"}]), **CAUGHT},
    "an error is thrown away": {"T": a_task("f", Catch=[ALL[0] | {"ResultPath": None}]), **CAUGHT},
    "an error that nobody waits for": {
        "T": a_task("f", Catch=[{"ErrorEquals": ["Other", "States.Timeout"], "Next": "Caught"}]),
        **CAUGHT,
    },
    "the result is put beside the input": {
        "T": a_task(
            "g", OutputPath="$", ResultSelector={"got.$": "$.Payload", "code.$": "$.StatusCode"}, ResultPath="$.r"
        )
    },
    "the result is thrown away": {"T": a_task("g", OutputPath="$", ResultPath=None)},
    "a pass leaves what it names": {"P": a_pass(Parameters={"a": {"b.$": "$.items[1]"}, "c": [1, None]}, End=True)},
    "a pass puts beside": {"P": a_pass(Parameters={"n.$": "$.n"}, ResultPath="$.copy", End=True)},
    "the JSON in a string": {"P": a_pass(Parameters={"a.$": "States.StringToJson($.word)"}, End=True)},
    "an error of ours is told": {
        "T": a_task("f", Catch=[ALL[0] | {"ResultPath": "$.error"}]),
        "Caught": a_pass(Parameters={"cause.$": "States.StringToJson($.error.Cause)"}, ResultPath="$.told", Next="L"),
        "L": a_pass(Parameters={"why.$": "$.told.cause.errorMessage"}, End=True),
    },
    "a machine that fails": {"F": {"Type": "Fail", "Error": "Own", "Cause": "said so"}},
    "a machine that succeeds": {"S": {"Type": "Succeed"}},
    "branches are merged from left to right": {
        "B": a_parallel(
            {"A": a_pass(Parameters={"x": 1, "y": {"a": 1}}, End=True)},
            {"B1": a_pass(Parameters={"y": {"b": 2}, "items": []}, End=True)},
            ResultSelector={"s.$": "States.JsonMerge(States.JsonMerge($[0], $[1], false), $[0], false)"},
            OutputPath="$.s",
        )
    },
    "a branch that fails ends its siblings": {
        "B": a_parallel({"A": {"Type": "Fail", "Error": "Own", "Cause": "a"}}, {"W": a_pass(End=True)}, Catch=ALL),
        **CAUGHT,
    },
    "a parallel is tried again as a whole": {
        "B": a_parallel({"A": a_task("f")}, {"W": a_pass(End=True)}, Retry=[LAST | {"MaxAttempts": 9}])
    },
    "each item with its number": {
        "M": a_map({"P": a_pass(End=True)}, ItemSelector={"i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value"})
    },
    "items as they are, one at a time": {"M": a_map({"P": a_pass(End=True)}, MaxConcurrency=1)},
    "an item that fails ends the map": {
        "M": a_map({"T": a_task("f", payload={"run_id": "one", "state.$": "$"})}, MaxConcurrency=1)
    },
    "a map in a branch of a map": {
        "M": a_map(
            {"N": a_map({"P": a_pass(End=True)}, ItemsPath="$.list")},
            ItemSelector={"list.$": "$.items", "n.$": "$$.Map.Item.Value"},
        )
    },
}
for name, number in {"more": 2, "equal": 3, "less": 4}.items():
    SMALL[f"a number that is {name}"] = {
        "C": {
            "Type": "Choice",
            "Choices": [{"Variable": "$.n", "NumericGreaterThan": number, "Next": "Caught"}],
            "Default": "Else",
        },
        **CAUGHT,
        "Else": a_pass(Parameters={"else": True}, End=True),
    }
for variable in ("$.no", "$.yes", "$.word", "$.none"):
    SMALL[f"whether {variable} is true"] = {
        "C": {
            "Type": "Choice",
            "Choices": [
                {"Variable": variable, "BooleanEquals": True, "Next": "Caught"},
                {"Variable": "$.gone", "IsPresent": True, "Next": "Caught"},
                {"Variable": "$.none", "IsPresent": False, "Next": "Caught"},
            ],
            "Default": "Else",
        },
        **CAUGHT,
        "Else": a_pass(Parameters={"else": True}, End=True),
    }
ERRORS: tuple[GateError | None, ...] = (
    ModelThrottledError("1"),
    InputError("2"),
    ModelThrottledError("3"),
    SearchUnavailableError("4"),
    ModelThrottledError("5"),
    InputError("6"),
    None,
)


def failing(errors: tuple[GateError | None, ...]) -> Invoke:
    """`f` fails in this order and then works; any other function works."""
    left = iter(errors)

    def invoke(name: str, event: Mapping[str, Any]) -> State:
        if name == "f" and (error := next(left, None)):
            raise error
        return {"of": name, "state": event["state"]}

    return invoke


@pytest.mark.parametrize("name", SMALL)
def test_a_small_machine_ends_the_same_way(moto: Moto, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(random, "uniform", lambda low, high: high)
    monkeypatch.setattr(states, "sleep", waits.append)
    moto.waits.clear()
    state = {"items": [1, {"b": 2}, []], "n": 3, "yes": True, "no": False, "word": "true", "none": None}
    execute_twice(a_definition(SMALL[name]), state, run_id="one", invoke=failing(ERRORS), moto=moto)
    assert waits == moto.waits


# Machines that nobody thought of


NAMES = ("ModelThrottledError", "InputError", "SearchUnavailableError")
matched = st.one_of(
    st.just(["States.ALL"]),
    st.lists(st.sampled_from([*NAMES, "States.TaskFailed", "States.Timeout"]), min_size=1, max_size=3, unique=True),
)
retriers = st.lists(
    st.fixed_dictionaries(
        {"ErrorEquals": matched, "MaxAttempts": st.integers(0, 3)},
        optional={"IntervalSeconds": st.integers(1, 9), "BackoffRate": st.sampled_from([1.0, 1.5, 2.0])},
    ),
    max_size=3,
)


@st.composite
def chains(draw: st.DrawFn, prefix: str, depth: int, may_fail: bool) -> State:
    """States in a row, by name, the last one an end; errors only where `may_fail`, so that the first one is certain."""
    names = [f"{prefix}{number}" for number in range(draw(st.integers(1, 4)))]
    made: State = {}
    for name, following in zip(names, [*names[1:], f"{prefix}End"], strict=True):
        kinds = ["Task", "Pass", "Choice"] + (["Parallel", "Map"] if depth else [])
        state = draw(KINDS[draw(st.sampled_from(kinds))](name, depth, may_fail))
        if state["Type"] == "Choice":
            state["Choices"][0]["Next"], state["Default"] = (
                following,
                draw(st.sampled_from([following, f"{prefix}End"])),
            )
        else:
            state["Next"] = following
        for catcher in state.get("Catch", ()):
            catcher["Next"] = draw(st.sampled_from([following, f"{prefix}End"]))
        made[name] = state
    ends = [a_pass(End=True), {"Type": "Succeed"}, a_pass(Parameters={"items.$": "$.items", "end": prefix}, End=True)]
    if may_fail:
        ends.append({"Type": "Fail", "Error": "Own", "Cause": prefix})
    return {**made, f"{prefix}End": draw(st.sampled_from(ends))}


def handling(draw: st.DrawFn, state: State) -> State:
    """A state with what it does about errors."""
    if retry := draw(retriers):
        state["Retry"] = retry
    paths = st.sampled_from(["$.error", None])
    if catch := draw(st.lists(st.fixed_dictionaries({"ErrorEquals": matched, "ResultPath": paths}), max_size=2)):
        state["Catch"] = catch
    return state


@st.composite
def tasks(draw: st.DrawFn, name: str, depth: int, may_fail: bool) -> State:
    shape = draw(
        st.sampled_from([{}, {"OutputPath": "$", "ResultPath": "$.r", "ResultSelector": {"p.$": "$.Payload"}}])
    )
    function = f"{'f' if may_fail else 'g'}-{name}"
    return handling(draw, {**a_task(function, Next="", payload={"run_id": "one", "state.$": "$"}), **shape})


@st.composite
def passes(draw: st.DrawFn, name: str, depth: int, may_fail: bool) -> State:
    made: dict[str, Any] = {
        "items.$": "$.items",
        "n.$": "$.n",
        name: draw(st.sampled_from([1, "x", None, [], {"a": [True]}])),
    }
    shapes: list[State] = [a_pass(), a_pass(Parameters=made), a_pass(Parameters=made, ResultPath="$.r")]
    return draw(st.sampled_from(shapes))


@st.composite
def choices(draw: st.DrawFn, name: str, depth: int, may_fail: bool) -> State:
    wanted = st.one_of(
        st.fixed_dictionaries(
            {"Variable": st.sampled_from(["$.r", "$.items[1]", "$.gone"]), "IsPresent": st.booleans()}
        ),
        st.fixed_dictionaries({"Variable": st.sampled_from(["$.n", "$.items"]), "BooleanEquals": st.booleans()}),
        st.fixed_dictionaries({"Variable": st.just("$.n"), "NumericGreaterThan": st.integers(0, 6)}),
    )
    return {"Type": "Choice", "Choices": [draw(wanted)]}


@st.composite
def parallels(draw: st.DrawFn, name: str, depth: int, may_fail: bool) -> State:
    count = 1 if may_fail else draw(st.integers(1, 3))  # how far a sibling gets before it is cut off is chance
    parts = [draw(chains(f"{name}b{number}", depth - 1, may_fail)) for number in range(count)]
    return handling(draw, a_parallel(*parts, ResultPath="$.parts", Next=""))


@st.composite
def maps(draw: st.DrawFn, name: str, depth: int, may_fail: bool) -> State:
    selector = {"item.$": "$$.Map.Item.Value", "index.$": "$$.Map.Item.Index", "items.$": "$.items", "n.$": "$.n"}
    inner = draw(chains(f"{name}i", depth - 1, may_fail))
    at_once = 1 if may_fail else draw(st.integers(0, 3))
    return handling(draw, a_map(inner, ItemSelector=selector, MaxConcurrency=at_once, ResultPath="$.parts", Next=""))


KINDS: dict[str, Any] = {"Task": tasks, "Pass": passes, "Choice": choices, "Parallel": parallels, "Map": maps}
errors = st.lists(st.sampled_from([None, ModelThrottledError("m"), InputError("i"), SearchUnavailableError("s")]))


def scripted(errors: list[GateError | None]) -> Invoke:
    """Functions named f-… fail in this order at every event, and then work."""
    tries: dict[Any, int] = defaultdict(int)

    def invoke(name: str, event: Mapping[str, Any]) -> State:
        call = a_call(name, event)
        tries[call] += 1
        error = errors[tries[call] - 1] if name.startswith("f-") and tries[call] <= len(errors) else None
        if error:
            raise error
        return {**event["state"], "n": 5, "tries": tries[call]}

    return invoke


@given(machine=chains("s", 2, True), errors=errors, n=st.sampled_from([0, 3, True, "3"]))
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
def test_any_machine_ends_the_same_way(moto: Moto, machine: State, errors: list[GateError | None], n: Any) -> None:
    state = {"items": [1, {"b": 2}], "n": n}
    execute_twice(a_definition(machine), state, run_id="one", invoke=scripted(errors), moto=moto)


# Where moto is not like AWS, ours is like AWS


RUNTIME, LARGE = "States.Runtime", "States.DataLimitExceeded"
UNKNOWN_PATH = {"Variable": "$.gone", "BooleanEquals": True, "Next": "Caught"}
BIG = {"Type": "Pass", "Parameters": {"text": "x" * 140_000}, "End": True}
BIGGER = {"Big": a_parallel({"One": BIG}, {"Two": BIG}, Catch=ALL)}

DIFFERENT: dict[str, tuple[State, tuple[str, str | None], tuple[str, str | None]]] = {
    # "States.ALL … can't catch the States.DataLimitExceeded terminal error type and runtime error types."
    "a path that leads nowhere is caught by moto": (
        {"T": a_task("g", Catch=ALL, payload={**PAYLOAD, "x.$": "$.gone"}), **CAUGHT},
        ("FAILED", RUNTIME),
        ("SUCCEEDED", None),
    ),
    "a result that is too large is caught by moto": (
        {"T": a_task("large", Catch=ALL), **CAUGHT},
        ("FAILED", LARGE),
        ("SUCCEEDED", None),
    ),
    # "When … the input of a state is larger than the payload size quota": moto looks at outputs alone.
    "an input that is too large is taken by moto": (
        {"T": a_task("g", payload={**PAYLOAD, "more.$": "$$.Execution.Name", "twice": {"a.$": "$", "b.$": "$"}})},
        ("FAILED", LARGE),
        ("SUCCEEDED", None),
    ),
    # A branch's error is its Parallel's or Map's; moto takes no name that begins with "States." for one.
    "a timeout in a branch has another name in moto": (
        {"B": a_parallel({"T": a_task("slow", TimeoutSeconds=1)})},
        ("FAILED", "States.Timeout"),
        ("FAILED", RUNTIME),
    ),
    # "If the state input doesn't contain the $.type field, the execution fails."
    "a comparison without its variable is false in moto": (
        {"C": {"Type": "Choice", "Choices": [UNKNOWN_PATH], "Default": "Caught"}, **CAUGHT},
        ("FAILED", RUNTIME),
        ("SUCCEEDED", None),
    ),
    # "States.NoChoiceMatched": no rule holds, and there is no Default.
    "a choice that leads nowhere has no name in moto": (
        {"C": {"Type": "Choice", "Choices": [{**UNKNOWN_PATH, "Variable": "$.no"}]}, **CAUGHT},
        ("FAILED", "States.NoChoiceMatched"),
        ("FAILED", RUNTIME),
    ),
    # "States.IntrinsicFailure" is an error that States.ALL catches; moto names it States.Runtime.
    "a merge of what is no object has another name in moto": (
        {"B": a_parallel({"P": a_pass(End=True)}, ResultSelector={"s.$": "States.JsonMerge($[0], $[0].n, false)"})},
        ("FAILED", "States.IntrinsicFailure"),
        ("FAILED", RUNTIME),
    ),
    # "States.ResultPathMatchFailure": the path cannot be applied to the input.
    "a result beside what is no object has another name in moto": (
        {"M": a_map({"P": a_pass(Parameters={"a": 1}, ResultPath="$.r", End=True)})},
        ("FAILED", "States.ResultPathMatchFailure"),
        ("FAILED", RUNTIME),
    ),
    # An error of the query language JSONata in moto; this is JSONPath.
    "a map over what is no list has another name in moto": (
        {"M": a_map({"P": a_pass(End=True)}, ItemsPath="$.n")},
        ("FAILED", RUNTIME),
        ("FAILED", "States.QueryEvaluationError"),
    ),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_where_moto_is_not_like_aws_ours_is(moto: Moto, name: str) -> None:
    machine, aws, motos = DIFFERENT[name]
    definition, state = a_definition(machine), {"n": 3, "no": False, "items": [1], "text": "x" * 140_000}

    def invoke(name: str, event: Mapping[str, Any]) -> State:
        if name == "slow":
            time.sleep(1.5)
        return {"text": "x" * 280_000} if name == "large" else {}

    ours = states.execute(definition, state, run_id="one", invoke=invoke)
    theirs = moto.execute(definition, state, run_id="one", invoke=invoke)
    assert (ours.status, ours.error) == aws
    assert (theirs.status, theirs.error) == motos


@pytest.mark.parametrize("error", [RUNTIME, LARGE])
def test_too_much_from_all_branches_together_ends_the_run_in_both(moto: Moto, error: str) -> None:
    machine = {**BIGGER, **CAUGHT} if error == LARGE else {"P": a_pass(Parameters={"a.$": "$.gone"}, End=True)}
    done = execute_twice(a_definition(machine), {}, run_id="one", invoke=failing(()), moto=moto)
    assert done.error == error


def test_the_comparison_sees_a_difference(moto: Moto) -> None:
    with pytest.raises(AssertionError):
        assert_alike(Execution("FAILED", None, "A", "said"), Execution("FAILED", None, "A", "said otherwise"))
    with pytest.raises(AssertionError):
        assert_alike(Execution("SUCCEEDED", {"a": 1}), Execution("SUCCEEDED", {"a": True, "b": json.loads("1")}))
