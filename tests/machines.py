"""Small state machines for tests of the interpreter, and the chain of states that a batch runs for each transcript."""

from __future__ import annotations

import json
from typing import Any

from gate.local.run import pipeline

State = dict[str, Any]
PAYLOAD = {"run_id.$": "$$.Execution.Name", "state.$": "$"}


def a_definition(states: State, **fields: Any) -> str:
    """A machine that starts at its first state."""
    return json.dumps({"StartAt": next(iter(states)), "States": states, **fields})


def _ending(state: State) -> State:
    return state if "Next" in state or "End" in state else {**state, "End": True}


def a_task(function: str, payload: State = PAYLOAD, **fields: Any) -> State:
    """A task that calls a function; the last state where nothing is said."""
    return _ending(
        {
            "Type": "Task",
            "Resource": "arn:aws:states:::lambda:invoke",
            "Parameters": {"FunctionName": function, "Payload": payload},
            "OutputPath": "$.Payload",
            **fields,
        }
    )


def a_pass(**fields: Any) -> State:
    """A state that does nothing."""
    return {"Type": "Pass", **fields}


def a_parallel(*branches: State, **fields: Any) -> State:
    """Branches, each a table of states that starts at its first."""
    parts = [{"StartAt": next(iter(states)), "States": states} for states in branches]
    return _ending({"Type": "Parallel", "Branches": parts, **fields})


def a_map(states: State, **fields: Any) -> State:
    """A table of states for each of `$.items`."""
    processor = {"ProcessorConfig": {"Mode": "INLINE"}, "StartAt": next(iter(states)), "States": states}
    return _ending({"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor, **fields})


def batch_chain() -> str:
    """What a batch runs for each transcript: the pipeline, whose run has its id in the state.

    tests/infra holds it against the synthesized machine.
    """
    machine = json.loads(pipeline().replace("$$.Execution.Name", "$.run_id"))
    check = next(
        branch["States"]["CheckClaims"]
        for branch in machine["States"]["Gather"]["Branches"]
        if "CheckClaims" in branch["States"]
    )
    check["ItemSelector"]["run_id.$"] = "$.run_id"
    states = {name: state for name, state in machine["States"].items() if name not in ("AnyReview", "RequestReview")}
    states["Judge"]["Next"] = "PublishReport"  # nobody is waited for
    return json.dumps({"StartAt": machine["StartAt"], "States": states})
