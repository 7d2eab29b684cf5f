"""Records are read from what people have: every sample into the question, answer and contexts that stand in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli
from gate.cli.inputs import Given, read_records
from gate.errors import InputError
from gate.services.run import caps
from gate.submission.caps import Caps
from gate.submission.transcripts.datasets import row
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.table import FORMATS, NAMES, parse, pieces, streamed

SAMPLES = Path(__file__).parents[2] / "events" / "records"
EXPECTED: dict[str, list[dict[str, Any]]] = json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))
REFUSED: dict[str, list[str]] = json.loads((SAMPLES / "refused" / "reasons.json").read_text(encoding="utf-8"))


def given(file: Path, form: str = "") -> list[Given]:
    return list(read_records(file, caps(), form=form, max_batch=10**9))


def record_of(one: Given) -> Record:
    assert one.refused is None, one.refused
    return parse(one.submission["name"], one.submission["text"], caps(), one.submission.get("format", ""))


def seen(record: Record) -> dict[str, Any]:
    """What a sample's expectation says of a record: its last question and answer, and what else it holds."""
    asked = [turn.content for turn in record.turns if turn.role == "user"]
    found: dict[str, Any] = {"question": asked[-1] if asked else ""}
    found["answer"] = [turn.content for turn in record.turns if turn.role == "assistant"][-1]
    found["contexts"] = [context["content"] for context in record.contexts]
    found |= {"reference": record.reference, "writer": record.metadata.get("writer")}
    return {key: value for key, value in found.items() if value or key in ("question", "answer")}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_sample_is_read_into_the_records_that_stand_in_it(name: str) -> None:
    assert [seen(record_of(one)) for one in given(SAMPLES / name)] == EXPECTED[name]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.sse"])
def test_a_record_of_very_many_objects_is_refused_before_it_is_read(name: str, tmp_path: Path) -> None:
    objects = ",".join(["{}"] * 250_000 + ["[]"] * 250_000)
    message = '{"messages":[{"role":"assistant","content":"Fees are due.","x":[' + objects + "]}]}"
    (tmp_path / name).write_text(f"data: {message}" if name == "a.sse" else message)
    [one] = given(tmp_path / name)
    assert one.refused is not None
    assert one.refused.safe_message.endswith("more than 500,000 objects and lists: data, and no record")


def test_the_rest_of_a_file_is_not_read_behind_many_records_that_cannot_be_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.cli.inputs.MOST_REFUSED", 3)
    good, bad = '{"question":"q","answer":"Fees are due."}\n', "{}\n"
    (tmp_path / "a.jsonl").write_text(bad * 2 + good + bad * 3)
    (tmp_path / "b.jsonl").write_text(bad * 3 + good * 2)
    assert [bool(one.refused) for one in given(tmp_path / "a.jsonl")] == [True, True, False, True, True, True]
    *_, last = found = given(tmp_path / "b.jsonl")
    assert len(found) == 4
    assert str(last.refused).endswith("3 records one after the other cannot be checked: the rest is not read")


@pytest.mark.parametrize("name", REFUSED)
def test_a_malformed_sample_is_refused_with_its_line_and_the_others_of_the_file_go_on(name: str) -> None:
    file = SAMPLES / "refused" / name
    refusals = [one.refused.safe_message.replace(f"{file.parent}/", "") for one in given(file) if one.refused]
    assert refusals == REFUSED[name] != []
    assert not any("\n" in one for one in refusals)


def test_every_sample_has_its_expectation_and_every_format_a_sample() -> None:
    assert {path.name for path in SAMPLES.iterdir() if path.is_file()} == {*EXPECTED, "expected.json"}
    assert {path.name for path in (SAMPLES / "refused").iterdir()} == {*REFUSED, "reasons.json"}
    read = set[str]()
    for name in EXPECTED:
        for one in given(SAMPLES / name):
            text = one.submission["text"]
            if one.submission["name"].endswith(".json"):
                read |= {format_.NAME for format_ in FORMATS if format_.matches(json.loads(text))}
    assert read == {format_.NAME for format_ in FORMATS}
    assert len(set(NAMES)) == len(NAMES)


def test_the_format_can_be_named_where_two_know_a_document() -> None:
    both = json.dumps({"prompt": "Q?", "completion": "A.", "stop_reason": "stop"})
    with pytest.raises(InputError, match=r"in two formats at once \(bedrock-body, row\)"):
        parse("a.json", both, caps())
    assert [turn.role for turn in parse("a.json", both, caps(), "row").turns] == ["user", "assistant"]
    assert [turn.role for turn in parse("a.json", both, caps(), "bedrock-body").turns] == ["assistant"]
    with pytest.raises(InputError, match="no known format"):
        parse("a.json", both, caps(), "gemini")


def test_an_answer_named_as_such_is_one_whatever_it_looks_like() -> None:
    spoken = "User: Refunds take 90 days.\nAssistant: So it is.\n"
    assert [turn.role for turn in parse("a.txt", spoken, caps()).turns] == ["user", "assistant"]
    assert [turn.content for turn in parse("a.txt", spoken, caps(), "answer").turns] == [spoken]
    assert [turn.content for turn in parse("a.md", spoken, caps()).turns] == [spoken]
    assert [turn.content for turn in parse("", '{"turns": []}', caps(), "answer").turns] == ['{"turns": []}']


@pytest.mark.parametrize("beside", ["text", "messages", "final_answer", "Response"])
def test_a_second_answer_in_a_row_is_never_passed_over(beside: str) -> None:
    row = {"question": "Q?", "answer": "It is blue.", beside: "Refunds take 90 days."}
    try:
        record = parse("a.json", json.dumps(row), caps())
    except InputError:
        return
    assert [one.place for one in record.not_read] == [beside]


def test_several_records_in_one_submission_are_refused() -> None:
    with pytest.raises(InputError, match="holds 2 records"):
        parse("a.jsonl", '{"question": "Q?", "answer": "A."}\n' * 2, caps())


def test_lines_stream_and_are_never_held_together() -> None:
    line = json.dumps({"question": "Q?", "answer": "It is blue. " * 80, "contexts": ["The sky is blue."]})
    taken = 0

    def lines() -> Iterator[tuple[int, str | InputError]]:
        nonlocal taken
        for number in range(1, 1_000_000):
            taken = number
            yield number, line

    found = streamed("a.jsonl", lines(), Caps(10**6, 100, 10**6, 32))
    for expected in range(1, 50):
        assert next(found).place == f"line {expected}"
        assert taken <= expected + 1


def test_a_table_with_a_cell_that_is_too_long_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('question,answer\nq,a\nq,"' + "x" * 5_000_001 + '"\n')
    first, second = given(tmp_path / "a.csv")
    assert first.refused is None
    assert "line 3: no table" in str(second.refused)


def test_many_records_have_a_line_each_and_a_summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("corpus.jsonl").write_text('{"id": "a", "content": "Shipping to Norway costs 9 euros."}\n')
    rows = [{"question": "Norway?", "answer": "Shipping to Norway costs 9 euros."},
            {"question": "Norway?", "answer": "The founder collects stamps from Peru."}]  # fmt: skip
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + "broken\n")
    result = CliRunner().invoke(
        cli.group, ["check", "rows.jsonl", "--corpus", "corpus.jsonl", "-f", "table", "-o", "out"]
    )
    assert result.exit_code == 2
    first, second, summary = result.stdout.splitlines()
    assert first.startswith("✓ rows.jsonl, line 1: pass: 1 claim")
    assert second.startswith("✗ rows.jsonl, line 2: block: 1 claim")
    assert summary == "3 records: 1 pass, 1 block, 1 refused; 2 claims: 1 supported, 1 unsupported"
    assert "rows.jsonl, line 3: not JSON" in result.stderr
    assert sorted(path.name for path in Path("out").iterdir()) == ["rows-000001.txt", "rows-000002.txt"]


def test_a_format_that_nobody_knows_is_refused_with_the_nearest() -> None:
    result = CliRunner().invoke(cli.group, ["check", "-", "--from", "langsmit"], input="x")
    assert result.exit_code == 2
    assert "did you mean langsmith?" in result.stderr


PUT: tuple[Any, ...] = (None, True, 7, "Refunds take 90 days.", [], {}, [[]], [{}], {"text": "Refunds take 90 days."})
"""What is put in the place of any value of a sample."""


def places(value: Any, keys: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value of a document."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, element in pairs:
        yield (*keys, key)
        yield from places(element, (*keys, key))


def changed(document: Any, keys: tuple[str | int, ...], put: Any) -> Any:
    """A document with something else in one place."""
    document = json.loads(json.dumps(document))
    holder = document
    for key in keys[:-1]:
        holder = holder[key]
    holder[keys[-1]] = put
    return document


def documents() -> list[Any]:
    """A record in each format, as JSON."""
    found: dict[str, Any] = {}
    for name in EXPECTED:
        one = given(SAMPLES / name)[0]
        if one.submission["name"].endswith(".json"):
            document = json.loads(one.submission["text"])
            (form,) = [format_.NAME for format_ in FORMATS if format_.matches(document)]
            found.setdefault(form, document)
    return list(found.values())


def test_whatever_stands_in_any_place_of_a_record_is_read_or_refused_in_one_line() -> None:
    for document in documents():
        for number, keys in enumerate(places(document)):
            for put in PUT[number % 3 :: 3]:
                with suppress(InputError):
                    parse("a.json", json.dumps(changed(document, keys, put)), caps())


HIDDEN = "Refunds take 90 days, whatever the shop says."
BESIDE_PASSAGES = frozenset(("citations", "context", "source_nodes"))
"""What tells of a passage that the model was given is no part of the answer."""


def test_a_sentence_put_under_any_key_of_a_format_is_read_named_or_refused() -> None:
    for document in documents():
        for keys in places(document):
            held = changed(document, keys, HIDDEN)
            try:
                record = parse("a.json", json.dumps(held), caps())
            except InputError:
                continue
            texts = [turn.content for turn in record.turns] + [context["content"] for context in record.contexts]
            place = ".".join(map(str, keys if isinstance(held, dict) else ("messages", *keys)))
            named = any(place.startswith(left.place) for left in record.not_read)
            kept = HIDDEN in (record.reference, *record.metadata.values(), record.id)
            beside = not BESIDE_PASSAGES.isdisjoint(keys)
            assert named or kept or beside or any(HIDDEN in text for text in texts), keys


TRUE, FALSE = "Refunds take 30 days.", "Refunds take 90 days."


def said(content: str, role: str = "assistant") -> dict[str, Any]:
    return {"role": role, "content": content}


def spans(*answers: str) -> list[Any]:
    """One trace of several outermost spans."""
    return [
        {
            "traceId": "t",
            "endTimeUnixNano": str(at),
            "attributes": [{"key": "output.value", "value": {"stringValue": answer}}],
        }
        for at, answer in enumerate(answers)
    ]


@pytest.mark.parametrize(
    "document",
    [
        {"run_type": "chain", "inputs": {"input": "Q?"}, "outputs": {"messages": [said(FALSE), said(TRUE)]}},
        {"run_type": "chain", "inputs": {"input": "Q?"}, "outputs": {"answer": [TRUE, FALSE]}},
        {"run_type": "llm", "inputs": {"input": "Q?"}, "outputs": {"generations": [[{"text": TRUE}, {"text": FALSE}]]}},
        {"observations": [], "input": "Q?", "output": {"messages": [said("Q?", "user"), said(FALSE), said(TRUE)]}},
        {"resourceSpans": [{"scopeSpans": [{"spans": spans(FALSE, TRUE)}]}]},
    ],
)
def test_of_several_answers_of_a_trace_every_one_is_judged(document: dict[str, Any]) -> None:
    record = parse("a.json", json.dumps(document), caps())
    assert {FALSE, TRUE} <= {turn.content for turn in record.turns if turn.role == "assistant"}


def test_what_a_trace_s_assistant_said_before_it_was_asked_is_not_its_answer() -> None:
    told = [said("Hello."), said("Q?", "user"), said(TRUE)]
    record = parse("a.json", json.dumps({"run_type": "chain", "inputs": {}, "outputs": {"messages": told}}), caps())
    assert [turn.content for turn in record.turns if turn.role == "assistant"] == [TRUE]


@pytest.mark.parametrize("newest_first", [False, True])
def test_of_a_trace_without_an_output_the_generation_that_began_last_is_judged(newest_first: bool) -> None:
    observations = [
        {"type": "GENERATION", "startTime": f"2026-11-26T10:00:0{at}Z", "output": text}
        for at, text in enumerate(["A question about refunds", TRUE])
    ]
    trace = {"input": "Q?", "observations": observations[::-1] if newest_first else observations}
    assert parse("a.json", json.dumps(trace), caps()).turns[-1].content == TRUE


@pytest.mark.parametrize("beside", ["output", "response", "answer", "text"])
def test_an_answer_beside_a_list_of_records_is_refused(beside: str) -> None:
    rows = [{"question": "Q?", "answer": TRUE}]
    with pytest.raises(InputError, match="holds text that no known format has there"):
        list(read_pieces({"data": rows, beside: FALSE}))


GOOD, BAD = {"question": "Q?", "answer": TRUE}, {"question": "Q?", "answer": FALSE}


@pytest.mark.parametrize(
    "document",
    [
        {"data": [GOOD], "rows": [BAD]},
        {"runs": [GOOD], "traces": [BAD]},
        {"data": [GOOD], "session": {"messages": [said(FALSE)]}},
        {"data": [GOOD], "session": {"messages": [said("Yes")]}},
        {"items": [GOOD], "conversation": {"turns": [FALSE]}},
        {"items": [GOOD], "evaluation": [{"question": "Is it free?", "answer": "Yes"}]},
        {"rows": [{"row": GOOD, "answer": FALSE}]},
        {"rows": [{"row": GOOD, "other": {"answer": FALSE}}]},
        {"results": {"results": [GOOD], "answer": FALSE}},
        {"results": {"results": [GOOD], "rows": [BAD]}},
        {"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": name} for name in "ab"]}]}], "rows": [BAD]},
    ],
)
def test_an_answer_anywhere_beside_a_list_of_records_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"holds text that no known format|two lists of records"):
        list(read_pieces(document))
    with pytest.raises(InputError, match=r"holds text that no known format|two lists of records"):
        parse("a.json", json.dumps(document), caps())


def test_what_a_tool_writes_around_its_records_is_passed_over() -> None:
    http = {
        "body": {"messages": [said("Answer {{question}} in one line.", "user")]},
        "transformResponse": "json => json.a",
    }
    around = {
        "config": {"providers": [{"id": "http", "config": http}], "tests": [{"vars": {"question": "Is it free?"}}]},
        "stats": {"successes": 1},
        "features": [{"name": "answer", "type": {"dtype": "string"}}],
    }
    (record,) = read_pieces(
        {"results": {"version": 3, "results": [GOOD], "prompts": [{"raw": "Say {{it}}."}]}, **around}
    )
    assert record.turns[-1].content == TRUE


def read_pieces(document: Any) -> Iterator[Record]:
    return (parse(one.name, one.text, caps()) for one in pieces("a.json", json.dumps(document), caps()))


@pytest.mark.parametrize(
    "document",
    [
        {"output": [{"type": "message", **said(TRUE)}, {"type": "image_generation_call", "result": "AAAA"}]},
        {
            "chat_messages": [
                {
                    "sender": "assistant",
                    "content": [
                        {"type": "text", "text": TRUE},
                        {"type": "tool_use", "name": "artifacts", "input": {"content": FALSE}},
                    ],
                }
            ]
        },
        {
            "current_node": "b",
            "mapping": {
                "a": {
                    "message": {
                        "author": {"role": "assistant"},
                        "recipient": "canmore.create_textdoc",
                        "content": {"content_type": "code", "text": FALSE},
                    }
                },
                "b": {
                    "parent": "a",
                    "message": {
                        "author": {"role": "assistant"},
                        "recipient": "all",
                        "content": {"content_type": "text", "parts": [TRUE]},
                    },
                },
            },
        },
    ],
)
def test_what_the_window_shows_beside_a_message_asks_for_review(document: dict[str, Any]) -> None:
    assert any(left.shown for left in parse("a.json", json.dumps(document), caps()).not_read)


def claude(*parts: dict[str, Any], **beside: str) -> dict[str, Any]:
    message = {"sender": "assistant", "content": [{"type": "text", "text": TRUE}, *parts], **beside}
    return {"chat_messages": [message]}


def chatgpt(**content: Any) -> dict[str, Any]:
    told = [{"content_type": "text", "parts": [TRUE]}, content]
    nodes = {
        f"{number}": {
            "parent": f"{number - 1}" if number else None,
            "message": {"author": {"role": "assistant"}, "content": one},
        }
        for number, one in enumerate(told)
    }
    return {"mapping": nodes, "current_node": "1"}


def responses(**item: Any) -> dict[str, Any]:
    return {"output": [{"type": "message", **said(TRUE)}, item]}


@pytest.mark.parametrize(
    "document",
    [
        responses(type="widget", title=FALSE),
        responses(type="message_call", content=[{"type": "output_text", "text": FALSE}]),
        chatgpt(content_type="super_widget", text=FALSE),
        chatgpt(content_type="text", parts=[TRUE], footer=FALSE),
        claude({"type": "tool_use", "name": "create_file", "input": {"file_text": FALSE}}),
        claude({"type": "text", "text": TRUE, "footer": FALSE}),
        claude(footer=FALSE),
        {"messages": [said(TRUE) | {"footer": FALSE}]},
        {"messages": [said(TRUE) | {"notes": {"lower": [FALSE]}}]},
        {"conversations": [{"from": "gpt", "value": TRUE, "footer": FALSE}]},
        {"contents": [{"role": "model", "parts": [{"text": TRUE}], "footer": FALSE}]},
    ],
)
def test_what_an_answer_holds_of_a_kind_that_nobody_knows_asks_for_review(document: dict[str, Any]) -> None:
    (_,) = [left for left in parse("a.json", json.dumps(document), caps()).not_read if left.shown]


@pytest.mark.parametrize(
    "document",
    [
        responses(type="web_search_call", action={"query": FALSE}),
        responses(type="reasoning", summary=[{"type": "summary_text", "text": FALSE}]),
        chatgpt(content_type="thoughts", thoughts=[{"summary": FALSE}]),
        chatgpt(content_type="code", language="python", text="print('Refunds take 90 days.')"),
        claude({"type": "tool_use", "name": "web_search", "input": {"query": FALSE}}),
        {"messages": [said(TRUE) | {"date": "2026-11-28 10:00"}, said("Why?", "user") | {"feedback": "It is wrong."}]},
    ],
)
def test_what_a_window_folds_away_is_named_and_asks_for_nothing(document: dict[str, Any]) -> None:
    left = parse("a.json", json.dumps(document), caps()).not_read
    assert left
    assert not [one for one in left if one.shown]


def test_a_sentence_in_a_column_without_a_name_asks_for_review() -> None:
    [asking] = parse("a.csv", f"question,answer,\nQ?,{TRUE},{FALSE}\n", caps()).not_read
    assert asking.shown
    numbered = parse("a.csv", f",question,answer\n1,Q?,{TRUE}\n", caps())
    assert not numbered.not_read


@pytest.mark.parametrize("beside", [{FALSE: 1}, {"a": [{FALSE: None}]}, FALSE])
def test_a_sentence_that_is_the_key_of_an_object_is_named_too(beside: Any) -> None:
    row_, message = {"question": "Q?", "answer": TRUE, "note": beside}, said(TRUE) | {"note": beside}
    [left] = parse("a.json", json.dumps(row_), caps()).not_read
    [asking] = parse("a.json", json.dumps({"messages": [message]}), caps()).not_read
    assert (left.characters, asking.shown) == (len(FALSE), True)


def test_the_documents_list_every_format_and_every_name_of_a_column() -> None:
    page = (SAMPLES.parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
    listed = page.partition("## Formats")[2].partition("\nThe columns of")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", listed, re.MULTILINE) == [*NAMES_IN_ORDER]
    for known in (row.QUESTION, row.ANSWER, row.CONTEXTS, row.REFERENCE, row.WRITER):
        assert all(f"`{name}`" in page for name in known if name not in CAMEL)


CAMEL = ("actualoutput", "retrievalcontext", "expectedoutput")
"""DeepEval's names in JSON, which are the same without regard to case."""
NAMES_IN_ORDER = ("answer", "speakers", "csv", "yaml", "stream", *(format_.NAME for format_ in FORMATS))


def otel_span(name: str, parent: str, end: int, said: str = "") -> dict[str, Any]:
    told = [{"key": "output.value", "value": {"stringValue": said}}] if said else []
    return {"traceId": "t", "spanId": name, "parentSpanId": parent, "endTimeUnixNano": str(end), "attributes": told}


@pytest.mark.parametrize(
    "spans",
    [
        [otel_span("r", "", 9), otel_span("a", "r", 5, "False."), otel_span("b", "r", 6, "True.")],
        [otel_span("a", "gone", 5, "False."), otel_span("b", "gone", 6, "True."), otel_span("c", "b", 5, "Draft.")],
        [otel_span("a", "a", 5, "False."), otel_span("b", "0000", 6, "True.")],
        [otel_span("a", "", 5, "False."), otel_span("", "", 6, "True.")],
    ],
)
def test_no_answer_of_a_span_beside_another_goes_unread(spans: list[dict[str, Any]]) -> None:
    from gate.submission.transcripts.traces import otel

    record = otel.parse({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
    assert [turn.content for turn in record.turns] == ["False.", "True."]


@pytest.mark.parametrize(
    "column", ["final_answer", "final answer", "finalAnswer", "answer_2", "Answer B", "answer_text", "raw-output"]
)
def test_a_second_answer_in_a_row_is_refused_whatever_it_is_called(column: str) -> None:
    row = {"question": "How long?", "answer": "30 days.", column: "Refunds are never given."}
    with pytest.raises(InputError, match="holds text that no known format has there"):
        parse("a.json", json.dumps(row), caps())


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("final_answer", "It takes 30 days."),
        ("answer_relevancy_reason", "It speaks of days."),
        ("answer_relevancy", 0.9),
        ("response_id", "a-1"),
        ("correct_answers", "It takes 30 days; A month."),
        ("reference_output", "Within a month."),
    ],
)
def test_a_row_may_have_its_answer_twice_and_columns_about_it(column: str, value: object) -> None:
    row = {"question": "How long?", "answer": "It takes 30 days.", column: value}
    record = parse("a.json", json.dumps(row), caps())
    assert record.turns[-1].content == "It takes 30 days."


@pytest.mark.parametrize("label", ["Customer", "Tool", "System", "Q"])
def test_a_new_label_within_an_answer_is_named_and_asks_for_review(label: str) -> None:
    chat = (
        f"User: How long?\nAssistant: 30 days.\n{label}: Refunds are never given.\nNot one.\nUser: Thanks.\nBot: Bye."
    )
    record = parse("a.txt", chat, caps())
    assert [(turn.role, turn.content) for turn in record.turns] == [
        ("user", "How long?"),
        ("assistant", "30 days."),
        ("user", "Thanks."),
        ("assistant", "Bye."),
    ]
    assert any(left.shown and left.characters >= len("Refunds are never given.") for left in record.not_read)


@pytest.mark.parametrize(
    "chat",
    [
        "User: How long?\nTool: 30\nAssistant: 30 days.\nTool: 31\nUser: Thanks.",
        "Bot: Hello.\nUser: How long?\nBot: 30 days.",
        "User: How long?\nBot: 30 days.\nAgent: 31 days.",
        "[1/1/26, 10:00] Ann: How long?\n[1/1/26, 10:01] Bot: 30 days.\n[1/1/26, 10:02] Bob: Thanks.",
    ],
)
def test_a_label_that_somebody_spoke_under_begins_a_turn(chat: str) -> None:
    record = parse("a.txt", chat, caps())
    assert len(record.turns) == len(chat.splitlines())
    assert not record.not_read
