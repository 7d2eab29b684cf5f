"""The runtime carries state between agents: by value where routing reads it, by reference where large or private."""

from __future__ import annotations

import json
import logging

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate import runtime, wiring
from gate.adapters.embedded.manifest import DamagedIndexError
from gate.errors import InputError, InternalError, SettingsError, StateTooLargeError

SECRET = "Jane Roe's account 4711"


@pytest.fixture
def agent(monkeypatch):
    """Put a function in the place of an agent's own."""

    def put(function):
        monkeypatch.setattr(runtime, "agent_function", lambda name: function)

    return put


def test_what_holds_text_leaves_as_a_reference_and_comes_back_as_it_was(agent):
    agent(lambda state: state.update(evidence=[{"claim": {"text": SECRET}, "documents": []}], ranking=[["d1"]]))
    left = runtime.handle("retrieve_evidence", {"run_id": "r", "state": {"branch": 0, "claims": []}})
    assert SECRET not in json.dumps(left)
    assert left["evidence"]["items"] == 1
    seen = {}
    agent(lambda state: seen.update(state))
    runtime.handle("verify_claims", {"run_id": "r", "state": left})
    assert seen["evidence"] == [{"claim": {"text": SECRET}, "documents": []}]


def test_each_branch_is_a_reference_and_the_list_stays_in_line_for_the_map(agent):
    agent(lambda state: state.update(claims=[], non_claims=[], branches=[[{"text": SECRET}], [{"text": "b"}]]))
    left = runtime.handle("extract_claims", {"run_id": "r", "state": {}})
    assert [branch["items"] for branch in left["branches"]] == [1, 1]
    assert SECRET not in json.dumps(left)


def test_a_reference_is_resolved_at_any_depth_under_the_keys_an_agent_reads(agent):
    blobs = runtime.RunBlobs(wiring.blob_store(), "r")
    checked = [{"branch": 0, "verdicts": blobs.put([{"label": "supported"}]), "error": None}]
    seen = {}
    agent(lambda state: seen.update(state))
    runtime.handle("judge", {"run_id": "r", "state": {"checked": checked}})
    assert seen["checked"][0]["verdicts"] == [{"label": "supported"}]


def test_a_key_the_agent_does_not_read_passes_through_unopened(agent):
    blobs = runtime.RunBlobs(wiring.blob_store(), "r")
    transcript = blobs.put({"turns": []})
    agent(lambda state: state.update(decision={}))
    assert runtime.handle("judge", {"run_id": "r", "state": {"transcript": transcript}})["transcript"] == transcript


def test_a_long_response_is_stored_once_however_many_claims_repeat_it(agent, tmp_path):
    response = "word " * 2_000
    claims = [{"text": f"c{i}", "source_response": response} for i in range(50)]
    agent(lambda state: state.update(claims=claims, non_claims=[], branches=[[claim] for claim in claims]))
    left = runtime.handle("extract_claims", {"run_id": "r", "state": {}})
    stored = sum(path.stat().st_size for path in (tmp_path / "gate").rglob("*") if path.is_file())
    assert stored < 4 * len(response)
    assert runtime.RunBlobs(wiring.blob_store(), "r").resolve(left["branches"][49])[0]["source_response"] == response


def test_state_near_the_limit_of_the_state_machine_is_refused(agent):
    agent(lambda state: state.update(accounting={"problems": ["x" * 300_000]}))
    with pytest.raises(StateTooLargeError, match="judge would return"):
        runtime.handle("judge", {"run_id": "r", "state": {}})


def test_an_expected_error_keeps_its_class_and_its_safe_message_only(agent):
    def fail(state):
        try:
            raise ValueError(SECRET)
        except ValueError as error:
            raise InputError("turn 3 is too long", hint="split it") from error

    agent(fail)
    with pytest.raises(InputError) as caught:
        runtime.handle("judge", {"run_id": "r", "state": {}})
    assert str(caught.value) == "turn 3 is too long"
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_an_error_made_from_other_parts_than_its_message_keeps_class_and_message(agent):
    def fail(state):
        raise DamagedIndexError("birds", "part-000001.f32 has changed")

    agent(fail)
    with pytest.raises(DamagedIndexError, match=r"index 'birds' is damaged: part-000001\.f32 has changed"):
        runtime.handle("judge", {"run_id": "r", "state": {}})


def test_an_unexpected_error_says_its_class_and_place_and_never_its_text(agent):
    def fail(state):
        raise KeyError(SECRET)

    agent(fail)
    with pytest.raises(InternalError, match=r"KeyError in judge \(test_runtime.py:\d+\)") as caught:
        runtime.handle("judge", {"run_id": "r", "state": {}})
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("sha", ["../../etc/passwd", "", None, 7, "A" * 64])
def test_a_forged_reference_is_refused(agent, sha):
    agent(lambda state: None)
    with pytest.raises(InternalError, match="malformed"):
        runtime.handle("judge", {"run_id": "r", "state": {"claims": {"$blob": sha}}})


def test_a_missing_blob_fails_the_task(agent):
    agent(lambda state: None)
    with pytest.raises(InternalError, match="missing"):
        runtime.handle("judge", {"run_id": "r", "state": {"claims": {"$blob": "0" * 64, "items": 1}}})


@pytest.mark.parametrize("damage", [b"", b"[", b'[{"label":"supported"}]'])
def test_a_damaged_blob_fails_the_task_even_where_it_is_still_json(agent, tmp_path, damage):
    agent(lambda state: None)
    claims = runtime.RunBlobs(wiring.blob_store(), "r").put([{"label": "unsupported"}])
    next(path for path in wiring.settings().home.rglob(claims["$blob"])).write_bytes(damage)
    with pytest.raises(InternalError, match="damaged"):
        runtime.handle("judge", {"run_id": "r", "state": {"claims": claims}})


def test_a_folder_that_cannot_be_written_is_said_in_one_line_without_the_names_in_it(agent, tmp_path):
    (tmp_path / "file").write_text("in the way")
    wiring.configure(wiring.settings().model_copy(update={"home": tmp_path / "file"}))
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
def test_any_value_survives_being_stored(value):
    blobs = runtime.RunBlobs(wiring.blob_store(), "property")
    assert blobs.resolve(blobs.put(value)) == value


def test_the_lambda_handler_logs_counts_and_never_text(agent, capsys, monkeypatch):
    agent(lambda state: state.update(claims=[{"text": SECRET}], non_claims=[], branches=[[{"text": SECRET}]]))
    monkeypatch.setattr(wiring, "preload", lambda uses: None)
    logging.root.manager.loggerDict.pop("extract_claims", None)  # one made before writes to where stdout was then
    handler = runtime.lambda_handler_for("extract_claims")
    handler({"run_id": "r-1", "state": {}}, None)
    out = capsys.readouterr().out
    assert SECRET not in out
    assert '"claims":1' in out.replace(" ", "")
    assert "r-1" in out
    assert '"Namespace":"ReliabilityGate"' in out.replace(" ", "")
