"""What we change in moto's interpreter, one test each: a red one here says what a new moto broke."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from gate.errors import InputError, ModelThrottledError
from gate.local import patches
from gate.local.interpreter import Execution, execute

pytestmark = pytest.mark.integration

PAYLOAD = {"run_id.$": "$$.Execution.Name", "state.$": "$"}


def a_task(function: str, **fields: Any) -> dict[str, Any]:
    """A task state that calls a function."""
    return {
        "Type": "Task",
        "Resource": "arn:aws:states:::lambda:invoke",
        "Parameters": {"FunctionName": function, "Payload": PAYLOAD},
        "OutputPath": "$.Payload",
    } | (fields if "Next" in fields else fields | {"End": True})


def run(states: dict[str, Any], invoke: patches.Invoke, state: dict[str, Any] | None = None) -> Execution:
    """Run a machine that starts at its first state."""
    definition = json.dumps({"StartAt": next(iter(states)), "States": states})
    return execute(definition, state or {}, run_id="run", invoke=invoke)


def test_a_task_calls_the_function_it_names_and_returns_its_state() -> None:
    done = run({"Do": a_task("agent")}, lambda name, event: {"name": name, **event}, {"a": 1})
    assert done.output == {"name": "agent", "run_id": "run", "state": {"a": 1}}


def test_an_error_of_the_tree_arrives_by_class_name_with_its_safe_message() -> None:
    def invoke(name: str, event: Any) -> Any:
        raise InputError("line 3 is not JSON")

    failed = run({"Do": a_task("agent")}, invoke)
    assert (failed.status, failed.error) == ("FAILED", "InputError")
    assert json.loads(failed.cause or "")["errorMessage"] == "line 3 is not JSON"


def test_an_error_that_is_not_of_the_tree_keeps_its_message_inside() -> None:
    def invoke(name: str, event: Any) -> Any:
        raise OSError("a path, a text")

    failed = run({"Do": a_task("agent")}, invoke)
    assert failed.error == "OSError"
    assert "a path" not in (failed.cause or "")


def test_a_state_that_is_not_json_is_an_error_of_the_task() -> None:
    assert run({"Do": a_task("agent")}, lambda name, event: {"a": {1, 2}}).error == "TypeError"


def test_a_throttled_task_is_tried_again() -> None:
    calls: list[str] = []

    def invoke(name: str, event: Any) -> Any:
        calls.append(name)
        if len(calls) < 3:
            raise ModelThrottledError("slow down")
        return {"tries": len(calls)}

    retry = [{"ErrorEquals": ["ModelThrottledError"], "IntervalSeconds": 1, "MaxAttempts": 7, "JitterStrategy": "FULL"}]
    assert run({"Do": a_task("agent", Retry=retry)}, invoke).output == {"tries": 3}


def test_a_path_is_parsed_once() -> None:
    patches.install()
    from moto.stepfunctions.parser.asl.utils import json_path

    path = "$.only_here.once"
    before = json_path.parse.cache_info()
    for _ in range(3):
        json_path.extract_json(path, {"only_here": {"once": 1}})
    after = json_path.parse.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 2)


def test_a_definition_is_parsed_once_and_its_runs_share_nothing() -> None:
    patches.install()
    from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser

    misses = AmazonStateLanguageParser.parse.cache_info().misses
    outputs = []
    for number in range(3):
        calls: list[str] = []

        def invoke(name: str, event: Any, calls: list[str] = calls, number: int = number) -> Any:
            calls.append(name)
            if len(calls) < 3:
                raise ModelThrottledError("slow down")
            return {"run": number, "tries": len(calls)}

        retry = [{"ErrorEquals": ["States.ALL"], "IntervalSeconds": 1, "MaxAttempts": 2, "BackoffRate": 1.0}]
        retry[0] |= {"MaxDelaySeconds": 2, "JitterStrategy": "FULL"}
        outputs.append(run({"Shared": a_task("agent", Retry=retry)}, invoke).output)
    assert outputs == [{"run": number, "tries": 3} for number in range(3)]
    assert AmazonStateLanguageParser.parse.cache_info().misses == misses + 1


def test_nothing_of_the_state_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    states = {"Do": a_task("agent", Next="Lost"), "Lost": {"Type": "Pass", "InputPath": "$.missing", "End": True}}
    failed = run(states, lambda name, event: event["state"], {"text": "a secret"})
    assert failed.status == "FAILED"
    assert "a secret" not in caplog.text


def test_a_branch_still_under_way_when_another_fails_dies_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    patches.install()
    complained: list[str] = []
    monkeypatch.setattr(sys, "stderr", type("Stderr", (), {"write": lambda _, text: complained.append(text)})())

    def invoke(name: str, event: Any) -> Any:
        if name == "failing":
            raise InputError("no")
        time.sleep(0.2)
        return {}

    branches = [
        {"StartAt": "Fail", "States": {"Fail": a_task("failing")}},
        {"StartAt": "Slow", "States": {"Slow": a_task("slow", Next="More"), "More": {"Type": "Pass", "End": True}}},
    ]
    before = set(threading.enumerate())
    assert run({"Both": {"Type": "Parallel", "Branches": branches, "End": True}}, invoke).error == "InputError"
    for thread in set(threading.enumerate()) - before:
        if thread.ident is not None:  # the interpreter may be about to start one
            thread.join(2)
    assert complained == []


def test_other_threads_still_complain(monkeypatch: pytest.MonkeyPatch) -> None:
    complaints: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", complaints.append)
    patches.hush_late_siblings()

    def die() -> None:
        raise RuntimeError("a real one")

    thread = threading.Thread(target=die)
    thread.start()
    thread.join()
    assert [str(args.exc_value) for args in complaints] == ["a real one"]


def test_ended_threads_are_forgotten() -> None:
    run({"Do": a_task("agent")}, lambda name, event: {})
    from moto.stepfunctions.parser.utils import TMP_THREADS

    assert not [thread for thread in TMP_THREADS if not thread.is_alive()]


def test_the_interpreter_loads_without_ec2_and_leaves_batch_as_it_was() -> None:
    script = """
import sys
from gate.local import patches
patches.install()
assert not [name for name in sys.modules if name.startswith(("moto.ec2", "moto.batch"))]
from importlib.util import find_spec
assert find_spec("moto.batch").origin, "the stand-in is still there"
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_copies_of_the_state_are_copies_and_other_things_are_left_to_the_library() -> None:
    inner, other = {"list": [1, {"a": None}]}, threading.Event
    value = {"same": inner, "other": other, "number": 1.5}
    found = patches.copied(value)
    assert found == value
    assert found["same"]["list"][1] is not inner["list"][1]
    assert patches.copied({1, 2}) == {1, 2}


def test_components_are_named_by_their_class_and_events_counted_as_they_are_listed() -> None:
    patches.install()
    from moto.stepfunctions.parser.asl.component.common.comment import Comment
    from moto.stepfunctions.parser.asl.eval.event.event_manager import EventHistoryContext, EventManager

    assert str(Comment("a secret")) == "Comment"
    manager = EventManager()
    for _ in range(3):
        manager.add_event(EventHistoryContext.of_program_start(), "PassStateEntered")
    assert patches.event_count(manager) == len(manager.get_event_history()) == 3


def test_every_module_that_copies_the_state_uses_the_quick_copy() -> None:
    patches.install()
    for name in patches.COPYING:
        assert sys.modules[f"{patches.ASL}.{name}"].copy.deepcopy is patches.copied
