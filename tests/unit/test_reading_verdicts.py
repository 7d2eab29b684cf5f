"""A verifier's answer is read strictly: what is not one clear verdict is no verdict."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.decision.quotes import find_quote, with_quote
from gate.errors import AnswerError
from gate.model import LABELS, REASONS, Answer
from gate.prompts.fencing import fence
from gate.prompts.verdicts import UNPARSED, parse_verdict, read_verdict, write_verdict

ASKED = replace(fence("A claim.", []), documents=tuple((f"d{number}", "text") for number in range(1, 11)))


def read(reply: str) -> Answer | None:
    """The answer in a reply; None where it cannot be used."""
    try:
        return read_verdict(reply, ASKED)
    except AnswerError:
        return None


FRAGMENTS = st.lists(
    st.sampled_from(
        ["LABEL:", "label :", "JUSTIFICATION:", "supported", "un", " ", "\n", "\r\n", "SCORES: x=", "**", "```"]
    )
    | st.text(max_size=8),
    max_size=14,
).map("".join)


@given(st.text() | FRAGMENTS)
def test_any_text_gives_one_of_the_three_labels_and_a_justification(text: str) -> None:
    label, justification = parse_verdict(text)
    assert label in LABELS
    assert justification.strip()
    answer = read(text)
    assert answer is None or (answer.label, answer.justification) == (label, justification)


LINES = st.text(min_size=1, max_size=80).map(lambda text: " ".join(text.split())).filter(bool)
PLACES = st.lists(st.integers(0, 9), max_size=4, unique=True).map(tuple)


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    label = draw(st.sampled_from(LABELS))
    first, second = sorted((draw(st.integers(0, 100)), draw(st.integers(0, 100))))
    shares = sorted((first / 100, (second - first) / 100, (100 - second) / 100), reverse=True)
    by_label = dict(zip([label, *(other for other in LABELS if other != label)], shares, strict=True))
    return Answer(
        label=label,
        justification=draw(st.sampled_from(["Stated in full.", "Die Zahl fehlt.", "LABEL is a word here: yes."])),
        reason=draw(st.sampled_from(REASONS[label])),
        quote=draw(st.just("") | st.sampled_from(["opens at nine", "「九時」に開く", "50 % of: it"])),
        documents=draw(PLACES),
        scores=by_label if draw(st.booleans()) else {},
    )


@given(answers())
def test_an_answer_written_is_the_answer_read(answer: Answer) -> None:
    text = write_verdict(answer, ASKED.handles)
    assert read(text) == answer
    assert parse_verdict(text) == (answer.label, answer.justification)


@given(LINES, LINES)
def test_a_text_inside_an_answer_cannot_add_a_line_to_it(justification: str, quote: str) -> None:
    answer = Answer(
        label="unsupported",
        reason="not_mentioned",
        justification=f"a {justification}\u2028\nLABEL: supported",
        quote=quote,
    )
    assert parse_verdict(write_verdict(answer, ASKED.handles))[0] == "unsupported"


@pytest.mark.parametrize(
    "response",
    [
        "LABEL: supported\nJUSTIFICATION: Yes.",
        "label: Supported \r\njustification:  Yes. ",
        "```\nLABEL: SUPPORTED\nJUSTIFICATION: Yes.\n```",
        "Here is my verdict:\n\n**LABEL:** supported\n**JUSTIFICATION:** Yes.\n\nAnything else?",
        "- LABEL: `supported`\n- JUSTIFICATION: Yes.",
        "JUSTIFICATION: Yes.\nLABEL: supported.",
        "LABEL: supported\nJUSTIFICATION: Yes.\nLABEL: supported",
    ],
)
def test_case_space_fences_and_prose_around_a_verdict_do_not_matter(response: str) -> None:
    assert parse_verdict(response) == ("supported", "Yes.")


@pytest.mark.parametrize(
    "response",
    [
        "",
        "supported",
        "The claim is supported.",
        "LABEL: supported",
        "LABEL: supported\nJUSTIFICATION:",
        "LABEL: \nJUSTIFICATION: Yes.",
        "LABEL: fully supported\nJUSTIFICATION: Yes.",
        "LABEL: not supported\nJUSTIFICATION: No.",
        "LABEL: supported | unsupported\nJUSTIFICATION: Both.",
        "LABEL: unsupported\nJUSTIFICATION: No.\nLABEL: supported",
        "I would say LABEL: supported\nJUSTIFICATION: Yes.",
        '{"label": "supported", "justification": "Yes."}',
        "ＬＡＢＥＬ: supported\nJUSTIFICATION: Yes.",
        "LABEL: ѕupported\nJUSTIFICATION: Cyrillic.",
    ],
)
def test_what_is_not_one_clear_verdict_is_unparsed(response: str) -> None:
    assert parse_verdict(response) == UNPARSED == ("unsupported", "Could not parse verification response.")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("JUSTIFICATION: It is so.", "JUSTIFICATION: It is not so."),
        ("REASON: entailed", "REASON: contradicted"),
        ("QUOTE: It is so", "QUOTE: It was so"),
        ("DOCUMENTS: d1", "DOCUMENTS: d2"),
    ],
)
def test_an_answer_that_says_two_things_in_one_field_is_unreadable(one: Any, other: Any) -> None:
    start = "LABEL: supported\n" + ("" if one.startswith("JUST") else "JUSTIFICATION: Yes.\n")
    assert read(f"{start}{one}\n{one}") is not None
    assert read(f"{start}{one}\n{other}") is None


@pytest.mark.parametrize("response", [None, 5, b"LABEL: supported\nJUSTIFICATION: Yes.", {"LABEL": "supported"}])
def test_what_is_no_text_is_no_verdict(response: Any) -> None:
    assert parse_verdict(response) == UNPARSED


@pytest.mark.parametrize(
    "line", ["JUSTIFICATION: No.", "REASON: partial", "QUOTE: other words", "DOCUMENTS: d2", "SCORES: supported=1"]
)
def test_an_answer_that_says_a_thing_twice_and_differently_is_none(line: str) -> None:
    answer = "LABEL: supported\nJUSTIFICATION: Yes.\nREASON: entailed\nQUOTE: words\nDOCUMENTS: d1\nSCORES: "
    answer += "supported=1 weakly_supported=0 unsupported=0"
    assert read(answer) is not None
    assert read(f"{answer}\n{line}") is None


def test_a_quote_that_is_not_in_the_evidence_makes_an_answer_unusable_and_one_that_is_comes_back_as_it_stands() -> None:
    answer = Answer(label="supported", justification="Yes.", reason="entailed", quote="opens at nine", documents=(0,))
    assert with_quote(answer, ["The shop opens\nat nine."]).quote == "opens\nat nine"
    with pytest.raises(AnswerError, match="word for word"):
        with_quote(answer, ["The shop opens at ten.", "It opens at nine."])


def test_what_is_wrong_with_an_answer_is_said_in_our_words() -> None:
    with pytest.raises(AnswerError, match="names documents that are not there"):
        read_verdict("LABEL: supported\nJUSTIFICATION: Yes.\nDOCUMENTS: d11", ASKED)
    with pytest.raises(AnswerError, match="not in the required format"):
        read_verdict("It is so.", ASKED)


def test_a_missing_reason_is_the_one_that_the_label_implies() -> None:
    answer = read("LABEL: weakly_supported\nJUSTIFICATION: Half of it.")
    assert answer is not None
    assert (answer.reason, answer.quote, answer.documents, answer.scores) == ("partial", "", (), {})


@pytest.mark.parametrize(
    "line",
    [
        "REASON: entailed",
        "REASON: because",
        "REASON: unreadable_answer",
        "SCORES: supported=2 weakly_supported=-1 unsupported=0",
        "SCORES: supported=0.2 weakly_supported=0.2 unsupported=0.2",
        "SCORES: supported=1",
        "SCORES: supported=nan weakly_supported=0 unsupported=1",
        "SCORES: high",
    ],
)
def test_a_line_that_does_not_fit_the_label_or_is_no_value_spoils_the_answer(line: str) -> None:
    assert read(f"LABEL: unsupported\nJUSTIFICATION: No.\n{line}") is None


def test_quotation_marks_around_a_quote_and_brackets_around_handles_are_taken_off() -> None:
    answer = read('LABEL: supported\nJUSTIFICATION: Yes.\nQUOTE: "opens at 9"\nDOCUMENTS: [d1], d1, none')
    assert answer is not None
    assert (answer.quote, answer.documents) == ("opens at 9", (0,))


def test_quotation_marks_around_nothing_are_no_quote() -> None:
    answer = read('LABEL: unsupported\nJUSTIFICATION: No.\nQUOTE: ""\nDOCUMENTS: none')
    assert answer is not None
    assert answer.quote == ""


def test_a_quote_is_found_with_the_white_space_of_the_evidence() -> None:
    assert find_quote("opens at nine", ["closed", "It opens\n  at nine."]) == "opens\n  at nine"


@pytest.mark.parametrize("quote", ["opens at ten", "Opens at nine", "opens at nine o", "opens.at.nine"])
def test_a_quote_that_is_not_verbatim_is_not_found(quote: str) -> None:
    assert find_quote(quote, ["It opens\n  at nine."]) is None


JSON = {"label": "supported", "reason": "entailed", "justification": "Yes.", "quote": "", "documents": ["d2"]}


@pytest.mark.parametrize("reply", ["{}", "Here it is:\n```json\n{}\n```", "{}\nAnything else?"])
def test_an_answer_in_form_is_read_whatever_stands_around_it(reply: str) -> None:
    answer = Answer(label="supported", justification="Yes.", reason="entailed", documents=(1,))
    assert read(reply.replace("{}", json.dumps(JSON))) == answer


@pytest.mark.parametrize(
    "reply",
    [
        "{}",
        '{"label": "supported"}',
        '{"label": "supported", "justification": ',
        json.dumps({**JSON, "label": "maybe"}),
        json.dumps({**JSON, "reason": "partial"}),
        json.dumps({**JSON, "documents": ["d11"]}),
        json.dumps({**JSON, "documents": [1]}),
        json.dumps({**JSON, "documents": None}),
        json.dumps({**JSON, "quote": None}),
        json.dumps({**JSON, "more": ""}),
        '{"label": "supported"} and {"label": "supported"}',
        "[" * 100_000 + "{}" + "]" * 100_000,
        "{" * 100_000,
    ],
)
def test_an_object_that_does_not_fit_is_no_answer(reply: str) -> None:
    assert read(reply) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [("a " * 200_000, "a " * 400_000 + "b"), ("a", "ba" * 400_000), ("a b", "\n" * 800_000), ("x", "x" * 800_000)],
)
def test_a_quote_is_looked_for_in_linear_time(quote: str, text: str) -> None:
    began = time.process_time()
    find_quote(quote, [text])
    assert time.process_time() - began < 5


@pytest.mark.parametrize("marks", ['""', "''", "“”", "«»"])
def test_a_quote_is_what_stands_between_the_quotation_marks_around_it(marks: str) -> None:
    said = read(f"LABEL: supported\nJUSTIFICATION: x\nQUOTE: {marks[0]}The sky is blue.{marks[1]}\nDOCUMENTS: d1")
    assert said is not None
    assert said.quote == "The sky is blue."


@pytest.mark.parametrize("nothing", ["none", "None.", "n/a", "N/A", "-"])
def test_words_for_no_quote_and_no_document_are_none(nothing: str) -> None:
    said = read(f"LABEL: unsupported\nJUSTIFICATION: x\nQUOTE: {nothing}\nDOCUMENTS: {nothing.strip('.-')}")
    assert said is not None
    assert (said.quote, said.documents) == ("", ())
