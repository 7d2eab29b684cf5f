"""What stands in a stream beside the pieces of its answer is read as in any answer, or refused in one line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gate.errors import InputError
from gate.submission.caps import Caps
from gate.submission.transcripts import table
from gate.submission.transcripts.record import Record

CAPS = Caps(max_bytes=10**7, max_turns=1_000, max_turn_chars=10**6, max_depth=100)
TRUE, FALSE = "Refunds take 14 days.", "Refunds take 900 days."


def chunk(**delta: Any) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}


def start(text: str = "", **more: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": text, **more}}


def whole(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text}]
    message = {"type": "message", "role": "assistant", "content": content}
    return {"type": "response.completed", "response": {"output": [message]}}


def candidate(**content: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", **content}}]}


BEGIN, STOP = {"type": "message_start", "message": {"model": "m", "role": "assistant"}}, {"type": "message_stop"}
SAID, END = chunk(role="assistant", content=TRUE), {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}


def read(*pieces: Any) -> Record:
    return table.parse("a.sse", "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces) + "data: [DONE]\n", CAPS)


READ = [
    [SAID, chunk(content=[{"type": "text", "text": FALSE}]), END],
    [SAID, chunk(audio={"transcript": FALSE[:8]}), chunk(audio={"transcript": FALSE[8:]}), END],
    [SAID, END, chunk(content=FALSE)],
    [BEGIN, start(TRUE), {"type": "content_block_start", "index": 1, "content_block": {"text": FALSE}}, STOP],
    [
        candidate(parts=[{"text": TRUE}]),
        candidate(parts=[{"text": FALSE, "x": 1}]),
        {"candidates": [{"finishReason": ""}]},
    ],
]


@pytest.mark.parametrize("pieces", READ)
def test_what_a_window_shows_of_a_stream_is_in_its_answer(pieces: list[Any]) -> None:
    assert FALSE in read(*pieces).turns[-1].content


REFUSED = [
    [SAID, {"choices": [{"index": 0, "message": {"content": FALSE}}]}, END],
    [{"choices": [{"index": 0, "delta": {"content": TRUE}, "text": FALSE}]}, END],
    [SAID, {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": FALSE}}, END],
    [SAID, {"choices": [], "text": FALSE}, END],
    [SAID, {"model": "m", "message": {"content": FALSE}, "done": False}, END],
    [SAID, {"error": {"message": FALSE}}, END],
    [SAID, chunk(output_text=FALSE), END],
    [SAID, {"choices": [{"index": "0", "delta": {"content": FALSE}}]}, END],
    [SAID, {"choices": [{"index": None, "delta": {"content": FALSE}}]}, END],
    [SAID, {"choices": [FALSE]}, END],
    [SAID, FALSE, END],
    [SAID, [chunk(content=FALSE)], END],
    [BEGIN, start(FALSE), start(TRUE), STOP],
    [BEGIN, start(FALSE), STOP, BEGIN, start(TRUE), STOP],
    [BEGIN, start(TRUE), {"type": "ping", "text": FALSE}, STOP],
    [{**BEGIN, "content": FALSE}, start(TRUE), STOP],
    [
        BEGIN,
        start(TRUE),
        {"type": "content_block_start", "index": 1, "content_block": {"type": "thinking"}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": FALSE}},
        STOP,
    ],
    [{"type": "response.output_text.delta", "delta": FALSE}, whole(TRUE)],
    [{"type": "response.output_text.done", "text": FALSE}, whole(TRUE)],
    [whole(FALSE), whole(TRUE)],
    [{**whole(TRUE), "content": FALSE}],
    [whole(TRUE), candidate(parts=[{"text": TRUE[:8], "audio": FALSE}])],
    [chunk(content=FALSE) | {"choices": None}, whole(TRUE), {"reasoning_content": "", "answer": FALSE}],
    [candidate(parts=[{"text": TRUE}]), {"candidates": [{"content": FALSE, "finishReason": "STOP"}]}],
    [chunk(**{"a": json.loads('{"a":' * 500 + "1" + "}" * 500)}), END],
]


@pytest.mark.parametrize("pieces", REFUSED)
def test_a_stream_that_says_more_than_its_answer_is_refused_in_a_line(pieces: list[Any]) -> None:
    with pytest.raises(InputError) as refused:
        read(*pieces)
    assert "\n" not in refused.value.safe_message


HONEST = [
    [chunk(role="assistant", content=""), chunk(role="assistant", content=TRUE[:9]), chunk(content=TRUE[9:]), END],
    [SAID | {"usage": None, "obfuscation": "a1"}, END | {"usage": {"total_tokens": 7}, "obfuscation": "b2"}],
    [SAID | {"citations": ["https://a.org"]}, END | {"citations": ["https://a.org", "https://b.org"]}],
    [{"choices": [{"index": 0, "text": TRUE[:9]}]}, {"choices": [{"text": TRUE[9:], "finish_reason": "stop"}]}],
    [BEGIN, start(), {"type": "ping"}, {"type": "content_block_delta", "index": 0, "delta": {"text": TRUE}}, STOP],
    [{"type": "response.output_text.delta", "delta": TRUE[:9]},
     {"type": "response.output_text.delta", "delta": TRUE[9:]}, {"type": "response.output_text.done", "text": TRUE},
     whole(TRUE)],
    [candidate(parts=[{"text": TRUE[:9]}]), candidate(parts=[{"text": TRUE[9:]}]),
     {"candidates": [{"finishReason": "STOP"}]}],
]  # fmt: skip


@pytest.mark.parametrize("pieces", HONEST)
def test_an_honest_stream_is_read_as_its_answer(pieces: list[Any]) -> None:
    record = read(*pieces)
    assert [turn.content for turn in record.turns] == [TRUE]
    assert {left.kind for left in record.not_read} <= {"citations"}


def test_reasoning_and_calls_of_tools_in_a_stream_are_named() -> None:
    called = chunk(tool_calls=[{"index": 0, "function": {"name": "f", "arguments": '{"a": "b c"}'}}])
    record = read(SAID, chunk(reasoning_content="Hm, "), chunk(reasoning_content="well."), called, END)
    assert [left.kind for left in record.not_read] == ["reasoning_content", "tool_calls"]


def test_an_event_of_another_name_than_its_data_is_refused() -> None:
    events = f"data: {json.dumps(SAID)}\n\nevent: aside\ndata: {json.dumps(chunk(content=FALSE))}\n\ndata: [DONE]\n"
    with pytest.raises(InputError, match="line 4: an event of a name"):
        table.parse("a.sse", events, CAPS)


ENVELOPE = f"data: {json.dumps(SAID)}\n\n%s\ndata: {json.dumps(END)}\n\ndata: [DONE]\n"


@pytest.mark.parametrize("line", [f": {FALSE}", f":{FALSE}", f"id: {FALSE}", f"event: {FALSE}", "retry: ноль евро"])
def test_words_beside_the_data_which_whoever_opens_the_file_reads_are_refused(line: str) -> None:
    with pytest.raises(InputError, match="line 3: words beside the data"):
        table.parse("a.sse", ENVELOPE % line, CAPS)


@pytest.mark.parametrize(
    "lines",
    [
        ": Refunds take\n: ninety days\n: not fourteen",
        ":refund=90days_not_14",
        "id: refund=90days_not_14",
        "event: refunds_take_days\n",
        "event: refunds_take\nevent: ninety_days\nevent: message",
        "event: refunds_take\nid: ninety\n",
        ": r e f u n d s",
    ],
)
def test_words_beside_the_data_are_counted_over_all_lines_and_within_signs(lines: str) -> None:
    with pytest.raises(InputError, match="words beside the data"):
        table.parse("a.sse", ENVELOPE % lines, CAPS)


@pytest.mark.parametrize(
    "line",
    [
        ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n",
        ": keep-alive\n\n: keep-alive\n",
        ": ping - 2026-11-26T08:00:00Z\n\n: ping - 2026-11-26T08:00:15.5Z\n",
        "id: 5f0c7f7e-2f0e-4a43-9f0e-0c5b6e0b1a7d\n\nid: 1a0c7f7e-2f0e-4a43-9f0e-0c5b6e0b1abc\n",
        'event: message_start_of_it\ndata: {"type": "message_start_of_it", "choices": []}\n',
        ": OPENROUTER PROCESSING",
        ": ping - 2026-11-26 08:00:00.123456+00:00",
        ":" + " " * 2_048,
        "id: 5f0c7f7e-2f0e-4a43-9f0e-0c5b6e0b1a7d",
        "retry: 3000",
        "event: message",
    ],
)
def test_a_sign_of_life_beside_the_data_says_nothing(line: str) -> None:
    assert [turn.content for turn in table.parse("a.sse", ENVELOPE % line, CAPS).turns] == [TRUE]


def test_lines_of_ollama_that_say_more_than_their_message_are_refused() -> None:
    lines = [{"model": "m", "message": {"role": "assistant", "content": TRUE}, "done": False},
             {"model": "m", "response": FALSE, "done": True}]  # fmt: skip
    with pytest.raises(InputError):
        table.parse("a.jsonl", "\n".join(map(json.dumps, lines)), CAPS)
