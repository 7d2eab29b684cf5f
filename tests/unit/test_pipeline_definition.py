"""Rules that the committed definition keeps (functions/gate/pipeline.asl.json)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from gate.catalogue import AGENTS, BY_NAME, DETECTIVES, MAX_CONCURRENCY, MOST_REVIEW_HOURS
from gate.errors import RETRYABLE, TELLING, WAITED_FOR
from gate.local.run import ASKING, pipeline
from gate.local.states import read

Machine = dict[str, Any]
FUNCTIONS = Path(__file__).parents[2] / "functions"
OUTSIDE = {agent.name for agent in AGENTS if agent.on}
"""Agents that are no task of the machine: one is called when an execution has failed."""


@pytest.fixture(scope="module")
def machine() -> Machine:
    """The definition."""
    import json

    loaded: Machine = json.loads(pipeline())
    return loaded


def states(machine: Machine) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every state at every depth, by name."""
    for name, state in machine["States"].items():
        yield name, state
        inner = [*state.get("Branches", ()), *([state["ItemProcessor"]] if "ItemProcessor" in state else [])]
        for part in inner:
            yield from states(part)


def tasks(machine: Machine) -> dict[str, dict[str, Any]]:
    """Task states by name."""
    return {name: state for name, state in states(machine) if state["Type"] == "Task"}


def ways_out(branch: Machine) -> list[set[str]]:
    """The keys that a branch returns, at each of its ends."""
    ends = [state for state in branch["States"].values() if state.get("End")]
    return [{key.removesuffix(".$") for key in state.get("Parameters", {})} for state in ends]


def test_the_branches_of_gather_return_disjoint_keys_the_same_on_every_way_out(machine: Machine) -> None:
    carry, *others = machine["States"]["Gather"]["Branches"]
    assert carry["States"] == {"Carry": {"Type": "Pass", "End": True}}
    keys = [ways_out(branch) for branch in others]
    assert all(one == other for ways in keys for one, other in pairwise(ways))
    assert all(not one & other for one, other in combinations([ways[0] for ways in keys], 2))
    assert all(ways[0] for ways in keys)


def test_an_iteration_and_a_detective_return_the_same_keys_however_they_end(machine: Machine) -> None:
    by_name = dict(states(machine))
    parts = [by_name["CheckClaims"]["ItemProcessor"], *by_name["Detect"]["Branches"]]
    for part in parts:
        ways = ways_out(part)
        assert len(ways) == 2
        assert ways[0] == ways[1]


def test_every_task_retries_times_out_and_returns_its_function_s_state(machine: Machine) -> None:
    for name, task in tasks(machine).items():
        function = task["Parameters"]["FunctionName"]
        assert BY_NAME[function].state_name == name
        assert [retry["ErrorEquals"] for retry in task["Retry"]] == [list(RETRYABLE), list(WAITED_FOR)]
        if function != ASKING:
            assert task["Resource"] == "arn:aws:states:::lambda:invoke"
            assert task["OutputPath"] == "$.Payload"
            assert task["TimeoutSeconds"] > BY_NAME[function].timeout_s
    assert machine["TimeoutSeconds"] > MOST_REVIEW_HOURS * 3600


def test_the_task_that_waits_for_a_person_leaves_the_state_as_it_was_and_waits_as_long_as_the_policy_says(
    machine: Machine,
) -> None:
    task = tasks(machine)["RequestReview"]
    assert task["Resource"].endswith(":lambda:invoke.waitForTaskToken")
    assert task["Parameters"]["Payload"]["task_token.$"] == "$$.Task.Token"
    assert (task["TimeoutSecondsPath"], task["ResultPath"], task["Next"]) == ("$.review.limit_s", None, "PublishReport")
    (catch,) = task["Catch"]
    assert (catch["ErrorEquals"], catch["ResultPath"]) == (["States.Timeout", "ReviewOverError"], None)
    assert catch["Next"] == "PublishReport"
    (question,) = machine["States"]["AnyReview"]["Choices"]
    assert (question["Variable"], question["BooleanEquals"]) == ("$.review.wanted", True)


def test_there_is_one_retry_policy(machine: Machine) -> None:
    policies = [task["Retry"] for task in tasks(machine).values()]
    assert all(policy == policies[0] for policy in policies)


def test_an_error_is_caught_where_the_rest_is_still_worth_having_and_nowhere_else(machine: Machine) -> None:
    caught = {name for name, state in states(machine) if "Catch" in state}
    detectives = {BY_NAME[name].state_name for name in DETECTIVES}
    checking = {"RetrieveEvidence", "VerifyClaims", "AggregateEvidence", "RetrieveCitations"}
    assert caught == checking | detectives | {"RequestReview", "PublishReport"}


def test_what_a_catch_keeps_is_the_name_of_the_error_and_what_ours_say(machine: Machine) -> None:
    by_name = dict(states(machine))
    for name, task in tasks(machine).items():
        for catch in task.get("Catch", ()) if name not in ("PublishReport", "RequestReview") else ():
            kept = by_name[by_name[catch["Next"]]["Next"]]["Parameters"]
            assert {"$.error.Error", "$.told.cause.errorMessage"} <= {str(value) for value in kept.values()}
            assert not any("Cause" in str(value) or value == "$.error" for value in kept.values())
    detectives = {BY_NAME[name].state_name: BY_NAME[name].state_name for name in DETECTIVES}
    parts = {"RetrieveEvidence": "", "VerifyClaims": ""}
    parts |= {"AggregateEvidence": "Artifacts", "RetrieveCitations": "Citations"}
    for name, part in (parts | detectives).items():
        ways = {tuple(catch["ErrorEquals"]): catch["Next"] for catch in by_name[name]["Catch"]}
        assert ways == {TELLING: f"{part}Told", ("States.ALL",): f"{part}Untold"}


def test_every_error_that_an_agent_may_end_with_is_one_whose_message_is_kept() -> None:
    tree = re.compile(r"^class (\w+)\((\w+Error)\)", re.MULTILINE)
    found = {
        match[1]
        for path in (FUNCTIONS / "gate").rglob("*.py")
        for match in tree.finditer(path.read_text(encoding="utf-8"))
        if match[2] in TELLING
    }
    entrances = {"NotTheirsError", "NoSuchThing", "MayNotError", "NoReviewError", "TooLargeError"}
    assert found - set(TELLING) == entrances


def test_a_report_stays_though_nobody_could_be_told_of_it_and_any_other_error_fails_the_run(machine: Machine) -> None:
    (catch,) = machine["States"]["PublishReport"]["Catch"]
    assert (catch["ErrorEquals"], catch["ResultPath"]) == (["EventsUnavailableError"], None)
    assert machine["States"][catch["Next"]] == {"Type": "Pass", "End": True}


def test_the_definition_stays_within_what_the_local_run_executes(machine: Machine) -> None:
    assert read(pipeline()).start == machine["StartAt"]
    maps = [state for _, state in states(machine) if state["Type"] == "Map"]
    assert [(state["ItemProcessor"]["ProcessorConfig"]["Mode"], state["MaxConcurrency"]) for state in maps] == [
        ("INLINE", MAX_CONCURRENCY)
    ]


def test_state_names_are_unique_at_every_depth(machine: Machine) -> None:
    names = [name for name, _ in states(machine)]
    assert len(names) == len(set(names))


def test_the_catalogue_and_the_task_states_agree(machine: Machine) -> None:
    called = {task["Parameters"]["FunctionName"] for task in tasks(machine).values()}
    expected = {agent.name for agent in AGENTS} - OUTSIDE
    assert called == expected, f"no state: {sorted(expected - called)}; no agent: {sorted(called - expected)}"


def test_the_catalogue_and_the_handler_folders_agree() -> None:
    folders = {path.parent.name for path in FUNCTIONS.glob("*/handler.py")}
    expected = set(BY_NAME)
    assert folders == expected, f"no folder: {sorted(expected - folders)}; no agent: {sorted(folders - expected)}"


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_a_handler_is_three_lines(name: str) -> None:
    text = (FUNCTIONS / name / "handler.py").read_text(encoding="utf-8")
    assert text == f'from gate.runtime import lambda_handler_for\n\nhandler = lambda_handler_for("{name}")\n'
    assert (FUNCTIONS / name / "__init__.py").read_text(encoding="utf-8") == ""
