"""What a chat window shows is in a turn, or the record is refused; what it does not show is named as not read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.agents.load_transcript import load_transcript
from gate.errors import InputError
from gate.services.run import caps
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.table import FORMATS, parse
from gate.submission.transcripts.unread_parts import TEXT_WORDS

HIDDEN = "Refunds take 90 days."
ANSWER = {"role": "assistant", "content": "The sky is blue."}
COMPLETION = {"id": "c-1", "object": "chat.completion", "choices": [{"index": 0, "message": ANSWER}]}
MESSAGES = {"model": "m", "messages": [{"role": "user", "content": "Q?"}, ANSWER]}
ANTHROPIC = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "The sky is blue."}]}
CONVERSE = {"output": {"message": {"role": "assistant", "content": [{"text": "The sky is blue."}]}}}
OWN = {"turns": [ANSWER]}


def record_of(document: Any) -> Record:
    return parse("answer.json", json.dumps(document), caps())


def answers(document: Any) -> list[str]:
    return [turn.content for turn in record_of(document).turns if turn.role == "assistant"]


def answering(**message: Any) -> dict[str, Any]:
    return {"messages": [{"role": "assistant", **message}]}


def trace(**attributes: str) -> dict[str, Any]:
    """One span with attributes."""
    listed = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    return {"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "1", "name": "chat", "attributes": listed}]}]}]}


@pytest.mark.parametrize(
    ("document", "read"),
    [
        (answering(content=None, refusal=HIDDEN), [HIDDEN]),
        (answering(content="A.", refusal=HIDDEN), [f"A.\n{HIDDEN}"]),
        (answering(content=None, audio={"id": "a", "data": "QUJD", "transcript": HIDDEN}), [HIDDEN]),
        (answering(content=[{"type": "text", "text": {"value": HIDDEN, "annotations": []}}]), [HIDDEN]),
        (answering(content=[{"type": "output_audio", "transcript": HIDDEN, "data": "QUJD"}]), [HIDDEN]),
        (answering(content=[{"citationsContent": {"content": [{"text": HIDDEN}], "citations": []}}]), [HIDDEN]),
        (answering(content=[{"text": "A.", "citationsContent": {"content": [{"text": HIDDEN}]}}]), [f"A.\n{HIDDEN}"]),
        (answering(content=[{"guardContent": {"text": {"text": HIDDEN, "qualifiers": ["query"]}}}]), [HIDDEN]),
        (answering(content=[{"type": "image_url", "text": HIDDEN, "image_url": {"url": "x"}}]), [HIDDEN]),
        ({"choices": [{"text": "A.", "index": 0}, {"text": HIDDEN, "index": 1}]}, ["A.", HIDDEN]),
        ({"choices": [{"message": ANSWER}, {"message": {**ANSWER, "content": HIDDEN}}]}, ["The sky is blue.", HIDDEN]),
    ],
)
def test_what_a_chat_window_shows_is_read(document: Any, read: list[str]) -> None:
    assert answers(document) == read


@pytest.mark.parametrize(
    "document",
    [
        MESSAGES | COMPLETION,
        MESSAGES | CONVERSE,
        COMPLETION | {"content": HIDDEN},
        COMPLETION | CONVERSE,
        ANTHROPIC | CONVERSE,
        OWN | MESSAGES,
        OWN | COMPLETION,
    ],
)
def test_a_document_in_two_formats_is_refused(document: Any) -> None:
    with pytest.raises(InputError, match="two formats at once"):
        record_of(document)


@pytest.mark.parametrize("role", ["user", "tool", "system"])
def test_what_a_model_said_is_nobody_elses_whatever_it_is_called(role: str) -> None:
    message = {"role": role, "content": HIDDEN}
    for document in (
        {"choices": [{"message": ANSWER}, {"message": message}]},
        {"output": [{"type": "message", **ANSWER}, {"type": "message", **message}]},
        {"candidates": [{"content": {"role": role, "parts": [{"text": HIDDEN}]}}]},
        trace(
            **{"gen_ai.output.messages": json.dumps([{"role": role, "parts": [{"type": "text", "content": HIDDEN}]}])}
        ),
    ):
        with pytest.raises(InputError, match=r"role: should be the assistant's"):
            record_of(document)
    said = {
        "gen_ai.completion.0.content": "A.",
        "gen_ai.completion.1.role": role,
        "gen_ai.completion.1.content": HIDDEN,
    }
    assert answers(trace(**said)) == ["A.", HIDDEN]


@pytest.mark.parametrize(
    "said",
    [
        {"gen_ai.completion.0.content": HIDDEN, "llm.output_messages.0.message.content": "A."},
        {"gen_ai.completion.0.content": HIDDEN, "gen_ai.completion.00.content": "A."},
        {"gen_ai.completion.0.content": "A.", "output.value": HIDDEN},
        {"gen_ai.completion.0.content": "A.", "output.value": f"{HIDDEN} A."},
        {"gen_ai.completion.0.content": "A.", "output.value": f'{{"output": "{HIDDEN}"}}'},
        {"gen_ai.output.messages": '[{"role": "assistant", "parts": []}]', "llm.output_messages.0.content": HIDDEN},
    ],
)
def test_no_convention_of_a_trace_hides_what_another_says(said: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"which was given|stands there twice"):
        record_of(trace(**said))


def test_an_answer_that_is_json_is_read_as_it_stands_and_an_output_that_holds_none_is_named() -> None:
    said = {"llm.output_messages.0.message.content": "A.", "llm.output_messages.1.message.content": '{"days": 90}'}
    assert answers(trace(**said)) == ["A.", '{"days": 90}']
    beside = record_of(trace(**{"gen_ai.completion.0.content": "A.", "output.value": '[{"score": "high"}]'}))
    assert "score" in [left.kind for left in beside.not_read]


def test_a_span_whose_conventions_say_one_thing_is_read_once() -> None:
    said = {"gen_ai.completion.0.content": "A  b.", "llm.output_messages.0.message.content": "A b."}
    assert answers(trace(**said, **{"output.value": "assistant: A b."})) == ["A  b."]
    parts = {f"llm.output_messages.0.message.contents.{at}.message_content.text": text for at, text in enumerate("AB")}
    assert answers(trace(**parts)) == ["A\nB"]


def test_an_attribute_of_an_answer_that_is_there_twice_is_refused() -> None:
    twice = trace(**{"gen_ai.completion.0.content": HIDDEN})
    [span] = twice["resourceSpans"][0]["scopeSpans"][0]["spans"]
    span["attributes"].append({"key": "gen_ai.completion.0.content", "value": {"stringValue": "A."}})
    with pytest.raises(InputError, match="stands there twice"):
        record_of(twice)


@pytest.mark.parametrize(
    ("document", "place"),
    [
        (MESSAGES | {"answer": HIDDEN}, "answer"),
        (MESSAGES | {"completion": HIDDEN}, "completion"),
        (MESSAGES | {"final_answer": HIDDEN}, "final_answer"),
        (MESSAGES | {"response": COMPLETION}, r"response\.choices\.0\.message\.content"),
        (MESSAGES | {"data": {"turns": [{"content": HIDDEN}]}}, r"data\.turns\.0\.content"),
        (COMPLETION | {"candidates": [{"content": {"parts": [{"text": HIDDEN}]}}]}, "gemini"),
        (COMPLETION | {"output_text": HIDDEN}, "output_text"),
        ({"choices": [{"message": ANSWER, "text": HIDDEN}]}, r"choices\.0\.text"),
        ({"choices": [{"message": ANSWER, "delta": {"content": HIDDEN}}]}, r"choices\.0\.delta\.content"),
        ({"choices": [{"delta": {"content": HIDDEN}}]}, r"choices\.0"),
        ({"output": {**CONVERSE["output"], "text": HIDDEN}}, r"output\.text"),
        ({"output": [{"type": "message", "content": [{"type": "output_text", "text": HIDDEN}]}]}, r"output\.0\.role"),
        (answering(content="A.", parts=[HIDDEN]), r"messages\.0\.parts"),
        (answering(content=[{"type": "card", "body": HIDDEN}]), r"messages\.0\.content\.0\.body"),
        (answering(content=[{"type": "card", "content": [{"type": "text", "text": HIDDEN}]}]), r"content\.0\.content"),
        (answering(content=[{"type": "text", "text": {"value": "A.", "markdown": HIDDEN}}]), r"text\.markdown"),
        (answering(content=[{"type": "text", "text": 3}]), "holds no text"),
        (answering(content=[{"type": "text"}]), "holds no text"),
        (answering(content=[{"citationsContent": {"text": HIDDEN}}]), r"citationsContent\.text"),
    ],
)
def test_a_text_where_no_format_has_one_is_refused_with_its_place(document: Any, place: str) -> None:
    with pytest.raises(InputError, match=place) as caught:
        record_of(document)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        (answering(content="A.", reasoning_content=HIDDEN), "reasoning_content"),
        (answering(content="A.", tool_calls=[{"function": {"arguments": HIDDEN}}]), "tool_calls"),
        (answering(content="A.", annotations=[{"url_citation": {"title": HIDDEN}}]), "annotations"),
        (answering(content=[{"text": "A."}, {"type": "thinking", "thinking": HIDDEN}]), "thinking"),
        (answering(content=[{"text": "A."}, {"type": "reasoning", "text": HIDDEN}]), "reasoning"),
        (answering(content=[{"text": "A."}, {"reasoningContent": {"reasoningText": {"text": HIDDEN}}}]),
         "reasoningContent"),
        (answering(content=[{"text": "A."}, {"type": "tool_use", "input": {"text": HIDDEN}}]), "tool_use"),
        (answering(content=[{"type": "text", "text": "A.", "citations": [{"cited_text": HIDDEN}]}]), "citations"),
        (MESSAGES | {"tools": [{"function": {"description": HIDDEN}}]}, "tools"),
        (MESSAGES | {"system": [{"type": "text", "text": HIDDEN}]}, "system"),
    ],
)  # fmt: skip
def test_what_a_chat_window_does_not_show_is_named_and_asks_for_nothing(document: Any, kind: str) -> None:
    record = record_of(document)
    (entry,) = record.not_read
    assert (entry.kind, entry.shown) == (kind, False)
    assert entry.characters >= len(HIDDEN)
    assert not any(HIDDEN in turn.content for turn in record.turns)


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ({"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}, "image_url"),
        ({"image": {"format": "png", "source": {"bytes": "QUJD"}}}, "image"),
        ({"type": "output_audio", "data": "QUJD"}, "output_audio"),
        ({"type": "hologram", "frames": [1, 2]}, "unknown part"),
    ],
)
def test_what_is_shown_and_cannot_be_read_asks_for_review(part: Any, kind: str) -> None:
    document = answering(content=[{"text": "A."}, part])
    assert [(entry.kind, entry.shown) for entry in record_of(document).not_read] == [(kind, True)]
    state: dict[str, Any] = {"submission": {"name": "a.json", "text": json.dumps(document)}}
    load_transcript(state)
    assert state["has"]["unread"] is True
    asked = {"messages": [{"role": "user", "content": [{"text": "Q?"}, part]}, ANSWER]}
    assert [(entry.kind, entry.shown) for entry in record_of(asked).not_read] == [(kind, False)]


def test_the_state_counts_what_was_not_read_by_kind() -> None:
    turns = [{**ANSWER, "reasoning": "So it is."}, {**ANSWER, "reasoning": "And so on."}]
    state: dict[str, Any] = {"submission": {"name": "a.json", "text": json.dumps({"messages": turns})}}
    load_transcript(state)
    entry = {"kind": "reasoning", "place": "messages.0.reasoning", "count": 2, "characters": 19, "shown": False}
    assert state["transcript"]["not_read"] == [entry]
    assert state["has"]["unread"] is False


def test_what_apis_send_beside_the_answer_is_not_mistaken_for_text() -> None:
    usage = {"prompt_tokens": 1, "completion_tokens_details": {"text_tokens": 1}}
    choice = {"index": 0, "message": {**ANSWER, "refusal": None, "annotations": []}, "logprobs": None,
              "finish_reason": "stop", "content_filter_results": {"hate": {"severity": "safe"}}}  # fmt: skip
    completion = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4o", "usage": usage,
                  "service_tier": "default", "system_fingerprint": "fp_1", "choices": [choice]}  # fmt: skip
    anthropic = ANTHROPIC | {"id": "msg_1", "model": "m", "stop_reason": "end_turn", "stop_sequence": None,
                             "usage": {"input_tokens": 1, "service_tier": "standard"}}  # fmt: skip
    converse = CONVERSE | {"stopReason": "end_turn", "usage": {"inputTokens": 1}, "metrics": {"latencyMs": 1}}
    for document in (completion, anthropic, converse):
        record = record_of(document)
        assert [turn.content for turn in record.turns] == ["The sky is blue."]
        assert record.not_read == ()


QUIET = ["note", "mood", "tool_calls", "reasoning_content", "thinking", "image_url", "metadata", "audio", "citations"]
LOUD = [*sorted(TEXT_WORDS), "final_answer", "replyText", "citationsContent", "type"]
KEYS = st.sampled_from(QUIET) | st.sampled_from(QUIET) | st.sampled_from(LOUD)
TEXTS = st.integers(0, 10**6).map(lambda number: f"Refund {number} takes 90 days.")
KINDS = st.sampled_from(["text", "thinking", "tool_use", "image", "audio", "card", "Some words here."])
SUBTREES = st.recursive(
    TEXTS | TEXTS | KINDS | st.none() | st.integers(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, min_size=1, max_size=2),
    max_leaves=4,
)
NO_PARTS: dict[str, str] = {}
PARTS = st.fixed_dictionaries({"type": KINDS}) | st.just(NO_PARTS)


def objects(value: Any) -> Iterator[Any]:
    """Every object of a document, and every list."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict | list):
        yield value
    for element in inner:
        yield from objects(element)


def strings(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a document with its place."""
    if isinstance(value, str):
        yield place, value
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, element in pairs:
        yield from strings(element, f"{place}.{key}" if place else str(key))


BASES = [MESSAGES, COMPLETION, ANTHROPIC, CONVERSE, {"choices": [{"text": "A."}]}, OWN]


@pytest.mark.hostile
@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from(BASES), st.data())
def test_every_text_of_a_record_is_in_a_turn_or_named_as_not_read_or_the_record_is_refused(
    base: Any, data: Any
) -> None:
    document = json.loads(json.dumps(base))
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.sampled_from(list(objects(document))))
        if isinstance(place, list):
            place.append(data.draw(PARTS) | {data.draw(KEYS): data.draw(SUBTREES)})
        else:
            place[data.draw(KEYS)] = data.draw(SUBTREES)
    try:
        record = record_of(document)
    except InputError:
        return
    left = tuple(entry.place for entry in record.not_read)
    for at, text in strings(document):
        named = any(at == other or at.startswith(f"{other}.") for other in left)
        if " " in text or at.rpartition(".")[2] in TEXT_WORDS:
            assert named or any(text in turn.content for turn in record.turns), at


def test_every_format_has_a_name_and_is_told_by_its_structure() -> None:
    documents: tuple[dict[str, Any], ...] = (MESSAGES, COMPLETION, ANTHROPIC, CONVERSE, OWN)
    for document in documents:
        assert sum(format_.matches(document) for format_ in FORMATS) == 1
    assert len({format_.NAME for format_ in FORMATS}) == len(FORMATS)
