"""The runtime carries state between agents: by value where routing reads it, by reference where large or private."""

from __future__ import annotations

import json
import logging
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate import runtime, wiring
from gate.errors import (
    DamagedIndexError,
    InputError,
    InternalError,
    ModelThrottledError,
    SettingsError,
    StateTooLargeError,
)
from gate.services.audit_log import record
from tests.entrance import Entrance

Agent: TypeAlias = Callable[[dict[str, Any]], None]
PutAgent: TypeAlias = Callable[[Agent], None]

SECRET = "Jane Roe's account 4711"


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch) -> PutAgent:
    """Put a function in the place of an agent's own."""

    def put(function: Agent) -> None:
        monkeypatch.setattr(runtime, "agent_function", lambda name: function)

    return put


def test_what_holds_text_leaves_as_a_reference_and_comes_back_as_it_was(agent: PutAgent) -> None:
    agent(lambda state: state.update(evidence=[{"claim": {"text": SECRET}, "documents": []}], ranking=[["d1"]]))
    left = runtime.handle("retrieve_evidence", {"run_id": "r", "state": {"branch": 0, "claims": []}})
    assert SECRET not in json.dumps(left)
    assert left["evidence"]["items"] == 1
    seen = {}
    agent(lambda state: seen.update(state))
    runtime.handle("verify_claims", {"run_id": "r", "state": left})
    assert seen["evidence"] == [{"claim": {"text": SECRET}, "documents": []}]


def test_each_branch_is_a_reference_and_the_list_stays_in_line_for_the_map(agent: PutAgent) -> None:
    agent(lambda state: state.update(claims=[], non_claims=[], branches=[[{"text": SECRET}], [{"text": "b"}]]))
    left = runtime.handle("extract_claims", {"run_id": "r", "state": {}})
    assert [branch["items"] for branch in left["branches"]] == [1, 1]
    assert SECRET not in json.dumps(left)


def test_a_reference_is_resolved_at_any_depth_under_the_keys_an_agent_reads(agent: PutAgent) -> None:
    blobs = runtime.RunBlobs(wiring.current().blob_store(), "r")
    checked = [{"branch": 0, "verdicts": blobs.put([{"label": "supported"}]), "error": None}]
    seen = {}
    agent(lambda state: seen.update(state))
    runtime.handle("judge", {"run_id": "r", "state": {"checked": checked}})
    assert seen["checked"][0]["verdicts"] == [{"label": "supported"}]


def test_a_key_the_agent_does_not_read_passes_through_unopened(agent: PutAgent) -> None:
    blobs = runtime.RunBlobs(wiring.current().blob_store(), "r")
    transcript = blobs.put({"turns": []})
    agent(lambda state: state.update(decision={}))
    assert runtime.handle("judge", {"run_id": "r", "state": {"transcript": transcript}})["transcript"] == transcript


def test_a_long_response_is_stored_once_however_many_claims_repeat_it(agent: PutAgent, tmp_path: Path) -> None:
    response = "word " * 2_000
    claims = [{"text": f"c{i}", "source_response": response} for i in range(50)]
    agent(lambda state: state.update(claims=claims, non_claims=[], branches=[[claim] for claim in claims]))
    left = runtime.handle("extract_claims", {"run_id": "r", "state": {}})
    stored = sum(path.stat().st_size for path in (tmp_path / "gate").rglob("*") if path.is_file())
    assert stored < 4 * len(response)
    assert (
        runtime.RunBlobs(wiring.current().blob_store(), "r").resolve(left["branches"][49])[0]["source_response"]
        == response
    )


def test_claims_that_repeat_a_long_response_take_the_memory_of_a_few() -> None:
    blobs = runtime.RunBlobs(wiring.current().blob_store(), "r")
    response = "word " * 40_000
    claims = [{"text": f"c{i}", "source_response": response} for i in range(100)]
    tracemalloc.start()
    try:
        blobs.put(claims)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 6 * len(response)


def test_state_near_the_limit_of_the_state_machine_is_refused(agent: PutAgent) -> None:
    agent(lambda state: state.update(accounting={"problems": ["x" * 300_000]}))
    with pytest.raises(StateTooLargeError, match="judge would return"):
        runtime.handle("judge", {"run_id": "r", "state": {}})


def test_an_expected_error_keeps_its_class_its_safe_message_and_its_hint_only(agent: PutAgent) -> None:
    def fail(state: dict[str, Any]) -> None:
        try:
            raise ValueError(SECRET)
        except ValueError as error:
            raise InputError("turn 3 is too long", hint="split it") from error

    agent(fail)
    with pytest.raises(InputError) as caught:
        runtime.handle("judge", {"run_id": "r", "state": {}})
    assert str(caught.value) == "turn 3 is too long; split it"
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_an_error_made_from_other_parts_than_its_message_keeps_class_and_message(agent: PutAgent) -> None:
    def fail(state: dict[str, Any]) -> None:
        raise DamagedIndexError("birds", "part-000001.f32 has changed")

    agent(fail)
    with pytest.raises(DamagedIndexError, match=r"index 'birds' is damaged: part-000001\.f32 has changed"):
        runtime.handle("judge", {"run_id": "r", "state": {}})


def test_an_unexpected_error_says_its_class_and_place_and_never_its_text(agent: PutAgent) -> None:
    def fail(state: dict[str, Any]) -> None:
        raise KeyError(SECRET)

    agent(fail)
    with pytest.raises(InternalError, match=r"KeyError in judge \(test_runtime.py:\d+\)") as caught:
        runtime.handle("judge", {"run_id": "r", "state": {}})
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("sha", ["../../etc/passwd", "", None, 7, "A" * 64])
def test_a_forged_reference_is_refused(agent: PutAgent, sha: str) -> None:
    agent(lambda state: None)
    with pytest.raises(InternalError, match="malformed"):
        runtime.handle("judge", {"run_id": "r", "state": {"claims": {"$blob": sha}}})


def test_a_missing_blob_fails_the_task(agent: PutAgent) -> None:
    agent(lambda state: None)
    with pytest.raises(InternalError, match="missing"):
        runtime.handle("judge", {"run_id": "r", "state": {"claims": {"$blob": "0" * 64, "items": 1}}})


@pytest.mark.parametrize("damage", [b"", b"[", b'[{"label":"supported"}]'])
def test_a_damaged_blob_fails_the_task_even_where_it_is_still_json(
    agent: PutAgent, tmp_path: Path, damage: Any
) -> None:
    agent(lambda state: None)
    claims = runtime.RunBlobs(wiring.current().blob_store(), "r").put([{"label": "unsupported"}])
    next(path for path in wiring.current().settings.home.rglob(claims["$blob"])).write_bytes(damage)
    with pytest.raises(InternalError, match="damaged"):
        runtime.handle("judge", {"run_id": "r", "state": {"claims": claims}})


def test_a_folder_that_cannot_be_written_is_said_in_one_line_without_the_names_in_it(
    entrance: Entrance, agent: PutAgent, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    entrance.change(home=tmp_path / "file")
    agent(lambda state: state.update(claims=[SECRET]))
    with pytest.raises(SettingsError, match="the gate's own folder cannot be used: not a directory") as caught:
        runtime.handle("extract_claims", {"run_id": "r", "state": {}})
    assert "GATE_HOME" in caught.value.hint


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30) | st.just("long " * 1_000),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=8), children, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(json_values.filter(lambda value: "$blob" not in json.dumps(value)))
def test_any_value_survives_being_stored(value: Any) -> None:
    blobs = runtime.RunBlobs(wiring.current().blob_store(), "property")
    assert blobs.resolve(blobs.put(value)) == value


def a_handler(entrance: Entrance, agent: PutAgent, function: Agent) -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    """The Lambda handler of `extract_claims`, which does `function` instead."""
    agent(function)
    entrance.give(preload=None)
    logging.root.manager.loggerDict.pop("extract_claims", None)  # one made before writes to where stdout was then
    return runtime.lambda_handler_for("extract_claims")


def test_the_lambda_handler_logs_counts_and_never_text(
    entrance: Entrance, agent: PutAgent, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = {"claims": [{"text": SECRET}], "non_claims": [], "branches": [[{"text": SECRET}]]}
    handler = a_handler(entrance, agent, lambda state: state.update(secret))
    handler({"run_id": "r-1", "state": {}}, None)
    out = capsys.readouterr().out
    assert SECRET not in out
    assert '"claims":1' in out.replace(" ", "")
    assert "r-1" in out
    assert '"Namespace":"ReliabilityGate"' in out.replace(" ", "")


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_json_does_not_have_is_never_stored(agent: PutAgent, value: Any) -> None:
    with pytest.raises(ValueError, match="Out of range"):
        runtime.RunBlobs(wiring.current().blob_store(), "r").put({"score": value})


def test_a_failure_is_counted_under_its_own_name_for_the_alarm(
    entrance: Entrance, agent: PutAgent, capsys: pytest.CaptureFixture[str]
) -> None:
    def throttled(state: dict[str, Any]) -> None:
        raise ModelThrottledError("slow down")

    handler = a_handler(entrance, agent, throttled)
    with pytest.raises(ModelThrottledError):
        handler({"run_id": "r", "state": {}}, None)
    figures = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "_aws" in line]
    assert any("ModelThrottledError" in figure and "Errors" in figure for figure in figures)


def test_a_figure_with_a_hint_is_a_warning_in_the_log(
    entrance: Entrance, agent: PutAgent, capsys: pytest.CaptureFixture[str]
) -> None:
    handler = a_handler(entrance, agent, lambda state: record("EmptyCitations", 1, hint="index a corpus"))
    handler({"run_id": "r", "state": {}}, None)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "WARNING" in line]
    assert [(line["message"], line["hint"]) for line in lines] == [("EmptyCitations", "index a corpus")]


def test_what_is_for_the_log_alone_is_no_dimension_of_a_metric(
    entrance: Entrance, agent: PutAgent, capsys: pytest.CaptureFixture[str]
) -> None:
    handler = a_handler(entrance, agent, lambda state: record("Lost", code="x", hint="why", document="a.md"))
    handler({"run_id": "r", "state": {}}, None)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (metric,) = [line for line in lines if "Lost" in line]
    assert metric["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["service", "code"]]
    assert [line["document"] for line in lines if line.get("message") == "Lost"] == ["a.md"]
