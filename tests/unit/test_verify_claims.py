"""verify_claims: the specification's own cases, then what the gate adds for claims with an id."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from typing import Any

import pytest

from gate import services
from gate.agents import verify_claims as agent
from gate.agents.verify_claims import parse_verdict, verify_claims
from gate.errors import AnswerError, ModelThrottledError
from gate.model import LABELS
from gate.ports import Reply

SUPPORTED = "LABEL: supported\nJUSTIFICATION: The evidence directly confirms the 30-day return policy."
UNSUPPORTED = "LABEL: unsupported\nJUSTIFICATION: No evidence mentions this pricing."
WEAK = "LABEL: weakly_supported\nJUSTIFICATION: The evidence is ambiguous."


class Asked(list[tuple[str, str]]):
    """Prompts and system prompts that arrived."""


Answering = Callable[..., Asked]


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Answering:
    def install(*replies: str | Exception) -> Asked:
        asked, left = Asked(), list(replies)

        def call_llm(prompt: str, system: str = "") -> str:
            asked.append((prompt, system))
            reply = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(reply, Exception):
                raise reply
            return reply

        monkeypatch.setattr(agent, "call_llm", call_llm)
        return asked

    return install


def seed_entry(text: str = "We accept returns within 30 days.", *contents: str) -> dict[str, Any]:
    claim = {"text": text, "source_prompt": "PROMPT-TEXT", "source_response": "RESPONSE-TEXT"}
    return {"claim": claim, "documents": [{"content": content} for content in contents]}


def entry(claim_id: str, text: str, *contents: str) -> dict[str, Any]:
    documents = [
        {"content": content, "id": f"doc-{n}", "title": "TITLE", "url": "https://example.org/x"}
        for n, content in enumerate(contents, 1)
    ]
    claim = {"text": text, "source_prompt": "PROMPT-TEXT", "source_response": "RESPONSE-TEXT", "claim_id": claim_id}
    return {"claim": claim, "documents": documents}


def verdicts(*entries: dict[str, Any]) -> list[dict[str, Any]]:
    state: dict[str, Any] = {"evidence": list(entries)}
    assert verify_claims(state) is None  # type: ignore[func-returns-value]
    return state["verdicts"]


# The specification's cases


def test_the_signature_is_the_specified_one() -> None:
    assert str(inspect.signature(verify_claims, eval_str=True)) == "(state: dict[str, typing.Any]) -> None"


@pytest.mark.parametrize(
    ("reply", "label", "justification"),
    [
        (SUPPORTED, "supported", "The evidence directly confirms the 30-day return policy."),
        (UNSUPPORTED, "unsupported", "No evidence mentions this pricing."),
        (WEAK, "weakly_supported", "The evidence is ambiguous."),
    ],
)
def test_label_and_justification_are_those_of_the_answer(
    answering: Answering, reply: str, label: str, justification: str
) -> None:
    answering(reply)
    expected = {"claim": "We accept returns.", "label": label, "justification": justification}
    assert verdicts(seed_entry("We accept returns.", "Returns: 30 days.")) == [expected]


def test_without_documents_the_claim_is_unsupported_and_nobody_is_asked(answering: Answering) -> None:
    asked = answering(SUPPORTED)
    expected = {"claim": "A.", "label": "unsupported", "justification": "No evidence documents found."}
    assert verdicts(seed_entry("A.")) == [expected]
    assert asked == []


def test_an_answer_that_cannot_be_read_counts_as_unsupported(answering: Answering) -> None:
    answering("I think it is fine.")
    expected = {"claim": "A.", "label": "unsupported", "justification": "Could not parse verification response."}
    assert verdicts(seed_entry("A.", "text")) == [expected]


def test_the_label_is_always_lower_case(answering: Answering) -> None:
    answering("LABEL:  SUPPORTED \nJUSTIFICATION: Yes.")
    assert verdicts(seed_entry("A.", "text"))[0]["label"] == "supported"
    assert parse_verdict("LABEL: Weakly_Supported\nJUSTIFICATION: x")[0] == "weakly_supported"


def test_there_is_one_verdict_for_each_entry_in_the_order_of_the_entries(answering: Answering) -> None:
    answering(SUPPORTED, UNSUPPORTED, WEAK)
    found = verdicts(seed_entry("A.", "x"), seed_entry("B.", "y"), seed_entry("C."), seed_entry("D.", "z"))
    assert [(v["claim"], v["label"]) for v in found] == [
        ("A.", "supported"),
        ("B.", "unsupported"),
        ("C.", "unsupported"),
        ("D.", "weakly_supported"),
    ]


def test_no_entries_give_no_verdicts(answering: Answering) -> None:
    answering(SUPPORTED)
    assert verdicts() == []


def test_the_model_receives_claim_and_evidence_texts_and_nothing_else(answering: Answering) -> None:
    asked = answering(SUPPORTED)
    verdicts(entry("c0001", "We accept returns.", "Returns: 30 days.", "No refunds."))
    [(prompt, system)] = asked
    lines = [line for line in prompt.split("\n") if not line.startswith("<<<")]
    assert lines == ["We accept returns.", "Returns: 30 days.", "No refunds."]
    for mark in (line for line in prompt.split("\n") if line.startswith("<<<")):
        assert mark.strip("<>").split()[0] in ("CLAIM", "d1", "d2", "END")
    foreign = ("PROMPT-TEXT", "RESPONSE-TEXT", "TITLE", "example.org", "doc-1", "c0001")
    assert not any(text in prompt + system for text in foreign)
    assert all(label in system for label in LABELS)


# What a claim with an id gets


def test_a_claim_with_an_id_gets_reason_documents_quote_scores_checks_and_origin(answering: Answering) -> None:
    reply = (
        "LABEL: supported\nJUSTIFICATION: Stated.\nREASON: entailed\nQUOTE: within 30 days\n"
        "DOCUMENTS: d2\nSCORES: supported=0.9 weakly_supported=0.08 unsupported=0.02"
    )
    answering(Reply(reply, model="m/1", usage={"input": 10, "output": 5}))
    [verdict] = verdicts(entry("c0007", "Returns within 30 days.", "No.", "Return it within\n30 days."))
    checks = verdict.pop("checks")
    assert verdict == {
        "claim": "Returns within 30 days.",
        "label": "supported",
        "justification": "Stated.",
        "claim_id": "c0007",
        "reason": "entailed",
        "documents": ["doc-2"],
        "quote": "within\n30 days",
        "scores": {"supported": 0.9, "weakly_supported": 0.08, "unsupported": 0.02},
        "checked_by": "m/1",
        "usage": {"input": 10, "output": 5},
    }
    assert all(set(check) == {"name", "passed", "detail"} for check in checks)


def test_a_claim_with_an_id_and_no_documents_says_no_evidence(answering: Answering) -> None:
    answering(SUPPORTED)
    [verdict] = verdicts(entry("c0001", "A."))
    assert (verdict["label"], verdict["reason"], verdict["checked_by"]) == (
        "unsupported",
        "no_evidence",
        "rule:no-evidence/1",
    )


@pytest.mark.parametrize(
    "reply",
    [
        "garbage",
        "",
        "LABEL: supported\nJUSTIFICATION: Yes.\nQUOTE: words that are not there",
        "LABEL: supported\nJUSTIFICATION: Yes.\nDOCUMENTS: d9",
        "LABEL: supported\nJUSTIFICATION: Yes.\nDOCUMENTS: doc-1",
        "LABEL: supported\nJUSTIFICATION: Yes.\nREASON: not_mentioned",
        AnswerError("the answer was cut off"),
    ],
)
def test_an_answer_whose_quote_ids_or_reason_do_not_hold_is_unreadable(
    answering: Answering, reply: str | Exception
) -> None:
    answering(reply)
    [verdict] = verdicts(entry("c0001", "A.", "The evidence."))
    assert (verdict["label"], verdict["justification"], verdict["reason"], verdict["quote"], verdict["documents"]) == (
        "unsupported",
        "Could not parse verification response.",
        "unreadable_answer",
        "",
        [],
    )


def test_one_call_is_made_for_each_entry_with_documents(answering: Answering) -> None:
    asked = answering(SUPPORTED)
    verdicts(entry("c1", "A.", "x"), entry("c2", "B."), entry("c3", "C.", "y", "z"))
    assert len(asked) == 2


def test_a_throttled_model_is_left_to_the_state_machine(answering: Answering) -> None:
    answering(ModelThrottledError("slow down"))
    with pytest.raises(ModelThrottledError):
        verdicts(entry("c1", "A.", "x"), entry("c2", "B.", "x"))


def test_claims_of_one_branch_wait_for_the_model_together_and_see_the_settings_of_their_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    together, seen = threading.Barrier(4, timeout=10), []

    def call_llm(prompt: str, system: str = "") -> str:
        together.wait()
        seen.append(services.search_options())
        return SUPPORTED if "claim 2" in prompt else UNSUPPORTED

    monkeypatch.setattr(agent, "call_llm", call_llm)
    with services.using({"search": {"tenant": "t"}}):
        found = verdicts(*(entry(f"c{n}", f"claim {n}", "x") for n in range(4)))
    assert seen == [{"tenant": "t"}] * 4
    assert [(v["claim_id"], v["label"] == "supported") for v in found] == [
        ("c0", False),
        ("c1", False),
        ("c2", True),
        ("c3", False),
    ]
