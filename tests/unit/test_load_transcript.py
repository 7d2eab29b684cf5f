"""A submission becomes a transcript, or one line that says what is wrong with it and where."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.agents.load_transcript import load_transcript
from gate.catalogue import STATE_SCHEMA
from gate.errors import InputError, SettingsError
from gate.settings import Settings
from gate.submission.transcripts.own import Submission
from tests.entrance import Entrance

TURNS = [{"role": "user", "content": "Q?"}, {"role": "assistant", "content": "A."}]

A_PART = {"type": "text", "text": "A."}


def loaded(document: Any, name: str = "answer.json", **further: Any) -> dict[str, Any]:
    text = document if isinstance(document, str) else json.dumps(document)
    state = {"submission": {"name": name, "text": text}, **further}
    load_transcript(state)
    return state


def test_a_plain_answer_is_one_assistant_turn_kept_to_the_letter() -> None:
    text = "  One.\r\n\tTwo. \n"
    assert loaded(text, "answer.md")["transcript"]["turns"] == [{"role": "assistant", "content": text}]


def test_the_own_format_brings_turns_segment_and_artifacts() -> None:
    state = loaded(
        {
            "id": "t-1",
            "turns": TURNS,
            "segment": {"use_case": "x"},
            "artifacts": {"docs": []},
        }
    )
    assert state["transcript"] == {"id": "t-1", "turns": TURNS, "not_read": []}
    assert state["has"] == {"artifacts": True, "segment": True, "unread": False, "own_repository": False}


@pytest.mark.parametrize(
    "answer",
    [
        {"id": "x", "object": "chat.completion", "choices": [{"index": 0, "message": TURNS[1]}]},
        {"type": "message", "role": "assistant", "content": [{"type": "thinking", "thinking": "…"}, A_PART]},
        {"output": {"message": {"role": "assistant", "content": [{"text": "A."}]}}, "stopReason": "end_turn"},
    ],
)
def test_an_answer_may_be_what_a_chat_api_sent(answer: Any) -> None:
    assert loaded(answer)["transcript"]["turns"] == TURNS[1:]


def test_each_of_several_choices_is_checked() -> None:
    state = loaded({"choices": [{"message": TURNS[1]}, {"message": {"role": "assistant", "content": "B."}}]})
    assert [turn["content"] for turn in state["transcript"]["turns"]] == ["A.", "B."]


def test_a_segment_beside_the_text_serves_a_text_that_brings_none() -> None:
    beside = {"use_case": "beside"}
    plain: dict[str, Any] = {"submission": {"name": "a.md", "text": "A.", "segment": beside}}
    own: dict[str, Any] = {
        "submission": {"name": "a.json", "text": json.dumps({"turns": TURNS, "segment": {}}), "segment": beside}
    }
    load_transcript(plain)
    load_transcript(own)
    assert (plain["segment"], plain["has"]["segment"]) == (beside, True)
    assert own["segment"] == {}


def test_the_policy_is_the_operators_and_moves_out_of_the_config() -> None:
    state = loaded("A.", "a.txt", config={"policy": {"name": "lenient", "unsupported": "review"}})
    assert (state["policy"]["name"], state["policy"]["unsupported"]) == ("lenient", "review")
    assert "policy" not in state["config"]
    assert loaded("A.", "a.txt")["policy"]["name"] == "default"
    with pytest.raises(SettingsError, match="policy: unsuported"):
        loaded("A.", "a.txt", config={"policy": {"unsuported": "block"}})


def test_a_message_list_is_read_with_or_without_its_wrapper() -> None:
    messages: list[dict[str, Any]] = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Q?"}, {"type": "image_url", "image_url": {"url": "x"}}]},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "42"},
        {"role": "assistant", "content": [{"type": "output_text", "text": "A."}, {"type": "refusal", "refusal": "B."}]},
    ]
    for document in (messages, {"model": "m", "messages": messages}):
        turns = loaded(document)["transcript"]["turns"]
        assert [turn["role"] for turn in turns] == ["system", "user", "assistant", "tool", "assistant"]
        assert [turn["content"] for turn in turns] == ["Be brief.", "Q?", "", "42", "A.\nB."]


def test_a_byte_order_mark_does_not_hide_that_a_document_is_json() -> None:
    assert loaded("\ufeff" + json.dumps({"turns": TURNS}), "stdin")["transcript"]["turns"] == TURNS


def test_a_part_that_names_no_kind_is_read_where_it_holds_text() -> None:
    parts = [{"text": "A."}, {"type": "message", "text": "B."}, {"type": "text", "text": "C."}, {"image": {}}]
    assert loaded([{"role": "assistant", "content": parts}])["transcript"]["turns"][0]["content"] == "A.\nB.\nC."


def test_has_is_always_written_because_the_state_machine_routes_on_it() -> None:
    assert loaded("A.", "a.txt")["has"] == {
        "artifacts": False,
        "segment": False,
        "unread": False,
        "own_repository": False,
    }


def test_the_index_comes_from_the_run_or_else_from_the_settings() -> None:
    assert loaded("A.", "a.txt")["config"]["elasticsearch"] == {"index": "trusted_docs"}
    config = {"elasticsearch": {"index": "mine"}, "search": {"top_k": 3}}
    found = loaded("A.", "a.txt", config=config)["config"]
    assert found == {**config, "against": "corpus", "schema": STATE_SCHEMA}


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.md", "", "empty"),
        ("a.md", " \n\t ", "empty"),
        ("a.jsonl", '{"messages": []}', "no assistant turn"),
        ("a.html", "<p>A.</p>", "a page"),
        ("a.json", '{"choices": [{}]}', "choices.0: "),
        ("a.json", '{"output": "A."}', "no known format"),
        ("a.json", '{"content": "A."}', "role: should be"),
        ("a.json", "{", "not JSON: .* line 1"),
        ("a.json", "NaN", "NaN"),
        ("a.json", '{"x": 1}', "no known format"),
        ("a.json", "3", "no known format"),
        ("a.json", '{"turns": []}', "no assistant turn"),
        ("a.json", '{"turns": [{"role": "user", "content": "Q"}]}', "no assistant turn"),
        ("a.json", '{"turns": [{"role": "assistant", "content": "  "}]}', "no assistant turn"),
        ("a.json", '{"turns": [{"role": "robot", "content": "Q"}]}', r"turns.0.role: .*'assistant'"),
        ("a.json", '{"turns": [{"role": "assistant", "content": "A", "x": 1}]}', "turns.0.x"),
        ("a.json", '{"turns": [{"role": "assistant", "content": "A"}], "policy": {}}', "policy"),
        ("a.json", '[{"role": "assistant", "content": 3}]', "messages.0.content"),
        ("a.json", '[{"role": "alien", "content": "A"}]', "messages.0.role"),
        ("a.json", '{"messages": 3}', "should be a list"),
        ("a.json", '{"turns": [{"role": "assistant", "content": "A\\ud800"}]}', r"turns\.0\.content: .*surrogate"),
        ("a.md", "A\ud800", "turn 0: .*surrogate"),
        ("a.json", json.dumps({"turns": TURNS, "id": "\ud800"}), "id: .*surrogate"),
        ("a.json", json.dumps({"turns": TURNS, "segment": {"\udc00": 1}}), "segment, a key: .*surrogate"),
        ("a.json", '{"turns": [], "turns": [{"role": "assistant", "content": "A."}]}', "same key twice"),
        ("a.json", '[{"role": "assistant", "content": "A.", "content": "B."}]', "same key twice"),
        ("a.json", '{"turns": [], "segment": {"a": 1' + "0" * 5_000 + "}}", "more than 1000 digits"),
        ("a.json", '{"turns": [], "segment": {"a": -1e999}}', "larger than any"),
        ("a.json", '{"turns": [], "segment": {"a": {"$blob": "x"}}}', "reserved"),
        ("a.json", "[" * 100_000, "deep"),
        ("a.json", '{"turns":' + "[" * 40 + "]" * 40 + "}", "nested deeper than 32"),
    ],
)
def test_bad_input_is_one_line_that_says_what_and_where(name: str, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        loaded(text, name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("setting", "says"),
    [("max_bytes", "larger than 2 bytes"), ("max_turns", "than 2 turns"), ("max_turn_chars", "turn 1")],
)
def test_each_cap_is_a_setting(entrance: Entrance, tmp_path: Path, setting: str, says: str) -> None:
    entrance.use(Settings(home=tmp_path, **{setting: 2}))
    turns = [TURNS[0], {"role": "assistant", "content": "Answer."}, TURNS[0]]
    with pytest.raises(InputError, match=says) as caught:
        loaded({"turns": turns})
    assert f"GATE_{setting.upper()}" in caught.value.hint


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.text(max_size=60)
    | st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["turns", "messages", "choices", "message", "output", "role", "content", "$blob"]),
                inner,
            )
        ),
    ).map(json.dumps)
)
def test_any_text_is_read_or_refused_with_an_input_error(text: str) -> None:
    with suppress(InputError):
        assert loaded(text)["transcript"]["turns"]


def test_the_published_schema_is_the_model() -> None:
    published = json.loads(Path("docs/schemas/submission.schema.json").read_text())
    assert published == Submission.model_json_schema()


def test_a_submission_may_name_a_path_only_where_the_operator_allows_it() -> None:
    submission = {"turns": TURNS, "artifacts": {"repo": {"kind": "worktree", "path": "a"}}}
    with pytest.raises(InputError, match=r"artifacts\.repo\.path"):
        loaded(submission)
    assert loaded(submission, config={"repo_root": "/srv/repo"})["artifacts"] == submission["artifacts"]


def test_a_repository_of_the_operator_gives_the_detectives_work() -> None:
    assert loaded("A.", "a.txt", config={"repo_root": "/srv/repo"})["has"]["artifacts"]
