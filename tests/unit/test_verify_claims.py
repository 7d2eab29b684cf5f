"""verify_claims: the specification's own cases, then what the gate adds for claims with an id."""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gate.adapters.model_verifier import ModelVerifier
from gate.adapters.scripted import ScriptedModel
from gate.agents import verify_claims as agent
from gate.agents.verify_claims import NO_TEXT, parse_verdict, verify_claims
from gate.errors import AnswerError, AnswerRefusedError, ModelThrottledError, RequestRefusedError, SettingsError
from gate.model import LABELS
from gate.ports import Completion, Question
from gate.services.run import search_options, using
from tests.builders import a_numbered_claim
from tests.entrance import Entrance
from tests.fakes.model import replying

SUPPORTED = "LABEL: supported\nJUSTIFICATION: The evidence directly confirms the 30-day return policy."
UNSUPPORTED = "LABEL: unsupported\nJUSTIFICATION: No evidence mentions this pricing."
SUPPORTED_BY_X = f"{SUPPORTED}\nQUOTE: x\nDOCUMENTS: {{d1}}"
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


Judging = Callable[..., ScriptedModel]


@pytest.fixture
def judging(entrance: Entrance, monkeypatch: pytest.MonkeyPatch) -> Judging:
    """A verifier over a model that gives these replies, the last one for ever; `call_llm` may not be used."""

    def install(*replies: str | Completion | Exception) -> ScriptedModel:
        left = list(replies)

        def next_reply(question: Question) -> str | Completion:
            reply = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(reply, Exception):
                raise reply
            if isinstance(reply, Completion):
                return replace(reply, text=replying(reply.text)(question))
            return replying(reply)(question)

        model = ScriptedModel({"": next_reply})
        entrance.give(verifier=ModelVerifier(model))
        monkeypatch.setattr(agent, "call_llm", lambda prompt, system="": pytest.fail("a claim of ours became text"))
        return model

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
    assert verify_claims(state) is None  # type: ignore[func-returns-value]  # an agent answers in its state alone
    found: list[dict[str, Any]] = state["verdicts"]
    return found


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


def test_a_claim_is_put_to_the_verifier_with_the_lead_in_that_it_completes(judging: Judging) -> None:
    model = judging(UNSUPPORTED)
    one = entry("c0001", "worn seals", "Worn seals are not covered.")
    one["claim"]["lead"] = "The warranty does not cover:"
    [verdict] = verdicts(one)
    assert "The warranty does not cover: worn seals" in model.asked[0].text
    assert verdict["claim"] == "worn seals"


def test_a_row_whose_value_its_evidence_gives_to_another_is_not_supported(judging: Judging) -> None:
    scores = "SCORES: supported=0.9 weakly_supported=0.08 unsupported=0.02"
    told = "LABEL: supported\nJUSTIFICATION: Stated.\nREASON: entailed\nQUOTE: The Day Pass costs 18\nDOCUMENTS: {d1}"
    judging(Completion(f"{told}\n{scores}", "m/1", {"input": 10, "output": 5}))
    one = entry("c0001", "Day, 64 pounds", "The Day Pass costs 18 pounds, the Week Pass 64 pounds.")
    one["claim"]["table"] = [["Pass", "Price"], ["Day", "64 pounds"], ["Week", "18 pounds"]]
    [verdict] = verdicts(one)
    why = "the evidence has 64 pounds for Week, and 18 pounds for Day"
    assert (verdict["label"], verdict["reason"]) == ("unsupported", "not_mentioned")
    assert verdict["justification"] == f"Exchanged: {why}."
    assert verdict["checks"][-1] == {"name": "pairs", "passed": False, "detail": why}


@pytest.mark.parametrize("claim_id", [None, "c0001"])
def test_the_model_receives_claim_and_evidence_texts_and_nothing_else(
    answering: Answering, judging: Judging, claim_id: str | None
) -> None:
    model, asked = judging(UNSUPPORTED), [] if claim_id else answering(SUPPORTED)
    one = entry(claim_id or "", "We accept returns.", "Returns: 30 days.", "No refunds.")
    if claim_id is None:
        del one["claim"]["claim_id"]
    verdicts(one)
    [(prompt, system)] = asked or [(question.text, question.system) for question in model.asked]
    lines = [line for line in prompt.split("\n") if not line.startswith("<<<")]
    assert lines == ["We accept returns.", "Returns: 30 days.", "No refunds."]
    for mark in (line for line in prompt.split("\n") if line.startswith("<<<")):
        assert re.fullmatch("CLAIM|END|d[0-9]+", mark.strip("<>").split()[0])
    foreign = ("PROMPT-TEXT", "RESPONSE-TEXT", "TITLE", "example.org", "doc-1", "c0001")
    assert not any(text in prompt + system for text in foreign)
    assert all(label in system for label in LABELS)


# What a claim with an id gets


def test_a_claim_with_an_id_gets_reason_documents_quote_scores_checks_and_origin(judging: Judging) -> None:
    reply = (
        "LABEL: supported\nJUSTIFICATION: Stated.\nREASON: entailed\nQUOTE: Return it within 30 days\n"
        "DOCUMENTS: {d2}\nSCORES: supported=0.9 weakly_supported=0.08 unsupported=0.02"
    )
    judging(Completion(reply, "m/1", {"input": 10, "output": 5}))
    [verdict] = verdicts(entry("c0007", "Returns within 30 days.", "No.", "Return it within\n30 days."))
    checks = verdict.pop("checks")
    assert verdict == {
        "claim": "Returns within 30 days.",
        "label": "supported",
        "justification": "Stated.",
        "claim_id": "c0007",
        "reason": "entailed",
        "documents": ["doc-2"],
        "quote": "Return it within\n30 days",
        "scores": {"supported": 0.9, "weakly_supported": 0.08, "unsupported": 0.02},
        "doubt": None,
        "checked_by": "m/1",
        "usage": {"input": 10, "output": 5},
    }
    assert all(set(check) == {"name", "passed", "detail"} for check in checks)


def test_a_claim_with_an_id_and_no_documents_says_no_evidence(judging: Judging) -> None:
    judging(SUPPORTED)
    [verdict] = verdicts(entry("c0001", "A."))
    assert (verdict["label"], verdict["reason"], verdict["checked_by"]) == (
        "unsupported",
        "no_evidence",
        "rule:no-evidence/1",
    )


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("garbage", "AnswerError: no usable answer at the second try: it is not in the required format"),
        ("", "AnswerError: no usable answer at the second try: it is not in the required format"),
        (f"{SUPPORTED}\nQUOTE: words that are not there\nDOCUMENTS: {{d1}}", "its quote is not in the document"),
        (f"{SUPPORTED}\nQUOTE: The evidence.\nDOCUMENTS: d9", "it names documents that are not there"),
        (f"{SUPPORTED}\nQUOTE: The evidence.\nDOCUMENTS: doc-1", "it names documents that are not there"),
        (f"{SUPPORTED}\nREASON: not_mentioned", "its values do not fit together"),
        (AnswerError("the answer was cut off"), "AnswerError: no usable answer at the second try: the answer was cut"),
        (
            AnswerRefusedError("the guardrail stepped in", hint="GATE_GUARDRAIL"),
            "AnswerRefusedError: the guardrail stepped in; GATE_GUARDRAIL",
        ),
    ],
)
def test_an_answer_whose_quote_ids_or_reason_do_not_hold_is_unreadable_and_says_why(
    judging: Judging, reply: str | Exception, why: str
) -> None:
    judging(reply)
    [verdict] = verdicts(entry("c0001", "A.", "The evidence."))
    assert (verdict["label"], verdict["reason"], verdict["quote"], verdict["documents"]) == (
        "unsupported",
        "unreadable_answer",
        "",
        [],
    )
    assert verdict["justification"].startswith("Could not parse verification response. ")
    assert why in verdict["justification"]


def test_one_call_is_made_for_each_entry_with_documents(judging: Judging) -> None:
    model = judging(UNSUPPORTED)
    verdicts(entry("c1", "A.", "x"), entry("c2", "B."), entry("c3", "C.", "y", "z"))
    assert len(model.asked) == 2


def test_a_model_that_may_not_be_used_for_any_claim_is_an_error_of_the_settings(judging: Judging) -> None:
    judging(SettingsError("bedrock:m may not be used (ExpiredTokenException)", hint="the credentials have expired"))
    with pytest.raises(SettingsError, match=r"ExpiredTokenException\); the credentials have expired"):
        verdicts(entry("c0001", "A.", "x"), entry("c0002", "B."))


def test_a_request_that_is_refused_costs_no_other_claim_its_verdict_and_says_why(judging: Judging) -> None:
    refused = RequestRefusedError("bedrock:m refused the request (ValidationException)", hint="GATE_MODEL")
    judging(SUPPORTED_BY_X, refused)
    found = {verdict["claim"]: verdict for verdict in verdicts(entry("c1", "A.", "x"), entry("c2", "B.", "x"))}
    (one,) = [verdict for verdict in found.values() if verdict["reason"] == "error"]
    assert (one["label"], one["checked_by"], len(found)) == ("unsupported", "RequestRefusedError", 2)
    assert one["justification"] == (
        "The claim could not be checked (RequestRefusedError: bedrock:m refused the request (ValidationException); "
        "GATE_MODEL)."
    )


def test_a_throttled_model_is_left_to_the_state_machine(judging: Judging) -> None:
    judging(ModelThrottledError("slow down"))
    with pytest.raises(ModelThrottledError):
        verdicts(entry("c1", "A.", "x"), entry("c2", "B.", "x"))


def test_an_entry_in_the_shape_of_the_specification_asks_once_whatever_comes_back(answering: Answering) -> None:
    asked = answering("garbage")
    verdicts(seed_entry("A.", "x"), seed_entry("B."), seed_entry("C.", "y", "z"))
    assert len(asked) == 2


def test_both_shapes_stand_side_by_side(answering: Answering, judging: Judging) -> None:
    model, asked = judging(UNSUPPORTED), answering(SUPPORTED)
    first, second = verdicts(seed_entry("A.", "x"), entry("c0001", "B.", "y"))
    assert (len(asked), len(model.asked)) == (1, 1)
    assert set(first) == {"claim", "label", "justification"}
    assert (first["label"], second["label"], second["claim_id"]) == ("supported", "unsupported", "c0001")


def test_without_a_replacement_call_llm_asks_the_verifier_in_force() -> None:
    found = verdicts(seed_entry("The sky is blue.", "Today the sky is blue."), seed_entry("Cats bark.", "Dogs bark."))
    assert [verdict["label"] for verdict in found] == ["supported", "unsupported"]


def test_claims_of_one_branch_wait_for_the_verifier_together_and_see_the_settings_of_their_run(
    entrance: Entrance,
) -> None:
    together, seen = threading.Barrier(4, timeout=10), []

    def answer(question: Question) -> str:
        together.wait()
        seen.append(search_options())
        supported = f"{SUPPORTED}\nQUOTE: x\nDOCUMENTS: {{d1}}"
        return replying(supported)(question) if "claim 2" in question.text else UNSUPPORTED

    verifier = ModelVerifier(ScriptedModel({"": answer}))
    entrance.give(verifier=verifier)
    with using({"search": {"tenant": "t"}}):
        found = verdicts(*(entry(f"c{n}", f"claim {n}", "x") for n in range(4)))
    assert seen == [{"tenant": "t"}] * 4
    assert [(v["claim_id"], v["label"] == "supported") for v in found] == [
        ("c0", False),
        ("c1", False),
        ("c2", True),
        ("c3", False),
    ]


@pytest.mark.parametrize("claim", [a_numbered_claim(1), {"text": "The sky is blue."}])
def test_a_document_without_a_text_leaves_its_claim_unchecked(claim: Any) -> None:
    state = {"evidence": [{"claim": claim, "documents": [{"title": "Sky"}]}]}
    verify_claims(state)
    verdict: Any = state["verdicts"][0]
    assert (verdict["label"], verdict["justification"]) == ("unsupported", NO_TEXT)
    assert verdict.get("reason", "error") == "error"


def test_a_verdict_says_which_request_it_came_from_where_the_service_does(judging: Judging) -> None:
    judging(Completion(SUPPORTED_BY_X, "m/1", request_id="r-1"))
    [verdict] = verdicts(entry("c0001", "x.", "x"))
    assert verdict["request_id"] == "r-1"
