"""Earlier user and tool turns may support a claim weakly; an assistant turn never certifies a later one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gate.adapters.model_verifier import ModelVerifier
from gate.adapters.scripted import ScriptedModel
from gate.agents import verify_claims as agent
from gate.agents.extract_claims import extract_claims
from gate.claims.history import history_documents
from gate.settings import Settings
from tests.entrance import Entrance
from tests.fakes.model import replying

TURNS = [
    {"role": "user", "content": "My order 1234 arrived on Monday. It was broken."},
    {"role": "assistant", "content": "Your order 1234 arrived on Friday."},
    {"role": "tool", "content": "order 1234: status delivered"},
    {"role": "user", "content": "What about the weather?"},
]


def test_user_and_tool_turns_are_found_and_assistant_turns_are_not() -> None:
    found = history_documents("The order 1234 arrived on Monday.", TURNS)
    assert [document["id"] for document in found] == ["turn-0", "turn-2"]
    assert history_documents("The order 1234 arrived on Friday.", TURNS)[0]["id"] == "turn-0"
    assert all("Friday" not in document["content"] for document in history_documents("It arrived on Friday.", TURNS))


@pytest.mark.parametrize(("wanted", "expected"), [(True, True), (False, False)])
def test_claims_carry_history_only_where_the_settings_want_it(
    entrance: Entrance, wanted: bool, expected: bool, tmp_path: Path
) -> None:
    entrance.use(Settings(home=tmp_path, history=wanted))
    state: dict[str, Any] = {
        "transcript": {"turns": [*TURNS, {"role": "assistant", "content": "Your order 1234 arrived on Monday."}]}
    }
    extract_claims(state)
    assert [bool(claim.get("history")) for claim in state["claims"]] == [expected, expected]


CLAIM: dict[str, Any] = {
    "text": "It arrived on Monday.",
    "source_prompt": "",
    "source_response": "",
    "claim_id": "c0001",
    "history": [{"id": "turn-0", "content": "It came on Monday."}],
}
YES = "LABEL: supported\nJUSTIFICATION: Stated.\nQUOTE: It came on Monday.\nDOCUMENTS: {d1}"
NO = "LABEL: unsupported\nJUSTIFICATION: Not there.\nREASON: not_mentioned"
CONTRARY = "LABEL: unsupported\nJUSTIFICATION: It was Friday.\nREASON: contradicted"


def verdict(
    entrance: Entrance, documents: list[dict[str, str]], answers: dict[str, Any], text: str = CLAIM["text"]
) -> dict[str, Any]:
    entrance.give(verifier=ModelVerifier(ScriptedModel({key: replying(reply) for key, reply in answers.items()})))
    state: dict[str, Any] = {"evidence": [{"claim": {**CLAIM, "text": text}, "documents": documents}]}
    agent.verify_claims(state)
    return dict(state["verdicts"][0])


DOCUMENT = [{"id": "doc", "content": "Corpus."}]


@pytest.mark.parametrize("documents", [[], DOCUMENT])
def test_what_only_the_conversation_says_is_supported_weakly_whatever_the_model_thinks(
    entrance: Entrance, documents: list[dict[str, str]]
) -> None:
    found = verdict(entrance, documents, {"Corpus": NO, "came": YES})
    assert (found["label"], found["reason"], found["documents"]) == ("weakly_supported", "partial", ["turn-0"])
    assert found["justification"] == "Only earlier turns of the conversation say so: Stated."


@pytest.mark.parametrize("documents", [[], [{"id": "doc", "content": "Corpus of 9 volumes."}]])
def test_figures_of_a_claim_are_checked_where_only_the_conversation_speaks(
    entrance: Entrance, documents: list[dict[str, str]]
) -> None:
    found = verdict(entrance, documents, {"Corpus": NO, "came": YES}, "All 40 came on Monday.")
    assert [check["passed"] for check in found["checks"] if check["name"] == "numbers"] == [False]
    assert ("has 9" in found["checks"][0]["detail"]) == bool(documents)


@pytest.mark.parametrize("first", [YES, CONTRARY, "unreadable"])
def test_where_the_documents_decide_the_conversation_is_not_asked(entrance: Entrance, first: str) -> None:
    found = verdict(entrance, DOCUMENT, {"Corpus": first, "came": YES})
    assert "turn-0" not in found["documents"]
    assert found["label"] != "weakly_supported"


@pytest.mark.parametrize("second", [NO, "unreadable"])
def test_a_conversation_that_does_not_help_changes_nothing(entrance: Entrance, second: str) -> None:
    found = verdict(entrance, [], {"came": second})
    assert (found["label"], found["reason"]) == ("unsupported", "no_evidence")
