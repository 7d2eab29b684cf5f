"""A claim that cannot stand alone carries what it needs: into the search, and to the verifier."""

from __future__ import annotations

from typing import Any

import pytest

from gate.adapters.local_verifier import local_verifier
from gate.agents.extract_claims import extract_claims
from gate.agents.verify_claims import with_lead
from gate.claims.context import LONGEST, UNTRUE
from gate.model import Document


def claims(answer: str, prompt: str = "") -> dict[str, Any]:
    turns = [{"role": "user", "content": prompt}, {"role": "assistant", "content": answer}]
    state: dict[str, Any] = {"transcript": {"turns": turns}}
    extract_claims(state)
    return {claim["text"]: claim for claim in state["claims"]}


@pytest.mark.parametrize(
    ("answer", "text", "context"),
    [
        ("The museum is in Orval. Entry there costs 200 EUR.", "Entry there costs 200 EUR.", "The museum is in Orval."),
        ("What you need:\n\n- a pinch of salt", "a pinch of salt", "What you need:"),
        ("| Drug | Dose |\n|--|--|\n| Brenvia | 9 g |", "Brenvia, 9 g", "Drug, Dose"),
        ("- Fjordline\n  - founded by pirates", "founded by pirates", "Fjordline"),
        ("### Side effects\n\n- Dizziness", "Dizziness", "Side effects"),
        ("> How long does it take?\n\nNinety days.", "Ninety days.", "How long does it take?"),
        ("- **Who can vote?** Nobody.", "Nobody.", "Who can vote?"),
        (
            "The tax is due in June. If you miss that date, it doubles.",
            "If you miss that date, it doubles.",
            "The tax is due in June.",
        ),
    ],
)
def test_what_a_claim_needs_stands_in_its_context(answer: str, text: str, context: str) -> None:
    assert claims(answer)[text]["context"] == context


def test_a_chain_of_pronouns_leads_back_to_what_they_stand_for() -> None:
    found = claims("Quillbase 5 was released in March. This broke every plugin. Its maintainers resigned.")
    assert "Quillbase 5" in found["Its maintainers resigned."]["context"]


def test_a_bare_answer_has_the_users_question_for_its_context() -> None:
    assert claims("Yes, it does.", "Does the warranty cover water?")["Yes, it does."]["context"] == (
        "Does the warranty cover water?"
    )


def test_a_claim_that_stands_alone_carries_nothing() -> None:
    found = claims("# Refunds\n\nThe old museum is in Orval. Larkfield ships parcels to Norway every day.")
    assert {claim["context"] for claim in found.values()} == {""}


def test_a_context_stays_short() -> None:
    found = claims("The museum is in Orval. " + "It was then moved to a place near there. " * 50)
    assert max(len(claim["context"]) for claim in found.values()) <= LONGEST


@pytest.mark.parametrize(
    "sentence",
    [
        "Send it to our warehouse in Berlin.",
        "Please restart the router.",
        "Should the lift stop, press the alarm button.",
        "Before you begin, back up your data.",
        "Bitte öffnen Sie den Deckel.",
        "Aggiungi sei cucchiai di sale.",
    ],
)
def test_an_instruction_is_a_claim_of_its_kind(sentence: str) -> None:
    assert claims(sentence)[sentence]["kind"] == "instruction"


def test_a_statement_is_no_instruction() -> None:
    assert claims("Larkfield sends parcels.")["Larkfield sends parcels."]["kind"] == "statement"


@pytest.mark.parametrize(
    ("answer", "text", "lead"),
    [
        ("The warranty does not cover:\n\n- worn seals", "worn seals", "The warranty does not cover:"),
        ("You can return:\n\n- Gift cards", "Gift cards", "You can return:"),
        ("The box contains:\n\n1. a cable of one metre", "a cable of one metre", "The box contains:"),
        ("The capital of Australia is:\n\n- Sydney", "Sydney", "The capital of Australia is:"),
        ("The deposit is:\n\n* 9 euros", "9 euros", "The deposit is:"),
        ("## What is not covered\n\n- worn seals", "worn seals", "What is not covered:"),
        ("- Not covered:\n  - worn seals", "worn seals", "Not covered:"),
        ("Nie bezahlt werden:\n\n- Dichtungen aus Kork", "Dichtungen aus Kork", "Nie bezahlt werden:"),
    ],
)
def test_an_item_that_completes_a_lead_in_is_judged_with_it(answer: str, text: str, lead: str) -> None:
    found = claims(answer)[text]
    assert found["lead"] == lead
    assert with_lead(found) == f"{lead} {text}"


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("These are the steps:\n\n- Press the button.", "Press the button."),
        ("If the door won't lock, try this:\n\n- Press the button.", "Press the button."),
        ("The benefits are:\n\n- Less noise in town", "Less noise in town"),
        ("These are the seals:\n\n- Cork", "Cork"),
        ("The steps are:\n\n- Press it.", "Press it."),
        ("The warranty does not cover:\n\n- Seals. They wear out in a year.", "They wear out in a year."),
        ("The warranty does not cover seals.\n\n- It lasts two years.", "It lasts two years."),
        ("The warranty does not cover:\n\nSeals wear out in a year.", "Seals wear out in a year."),
    ],
)
def test_what_says_something_by_itself_is_judged_by_itself(answer: str, text: str) -> None:
    assert with_lead(claims(answer)[text]) == text


@pytest.mark.parametrize(("lead", "holds"), [("does not cover", True), ("covers", False)])
def test_what_a_lead_in_denies_is_held_against_the_denial(lead: str, holds: bool) -> None:
    answer = f"The warranty {lead}:\n\n- accidental damage such as a cracked screen"
    claim = claims(answer)["accidental damage such as a cracked screen"]
    evidence: Document = {"content": "The warranty does not cover accidental damage such as a cracked screen."}
    judged = local_verifier().judge(with_lead(claim), claim["context"], [evidence])
    assert (judged.answer.label == "supported") == holds


@pytest.mark.parametrize(("amount", "holds"), [("50 euros", True), ("9 euros", False)])
def test_a_figure_under_what_it_is_said_of_is_held_against_that(amount: str, holds: bool) -> None:
    claim = claims(f"The deposit is:\n\n- {amount}")[amount]
    evidence: Document = {"content": "The rent is 9 euros a day. The deposit is 50 euros."}
    judged = local_verifier().judge(with_lead(claim), claim["context"], [evidence])
    assert (judged.answer.label == "supported") == holds


RELEASE = """## Quillbox 2.4

### Added

- S3 repositories
- The command `mount` shows a snapshot as a folder.

### Removed

- Support for Python 3.9

### What next?

- Windows support

**Local folder**

Fastest option

**Cloud**

- ❌ Encryption
"""


def test_a_few_words_without_a_verb_are_judged_with_the_title_that_they_are_said_of() -> None:
    leads = {text: claim.get("lead") for text, claim in claims(RELEASE).items()}
    assert leads["S3 repositories"] == "Added:"
    assert leads["Support for Python 3.9"] == "Removed:"
    assert leads["Fastest option"] == "Local folder:"
    assert leads["The command mount shows a snapshot as a folder."] is None
    assert leads["Windows support"] is None


def test_what_is_crossed_out_by_a_sign_stays_so_under_a_title() -> None:
    assert claims(RELEASE)["Encryption"]["lead"] == UNTRUE


def test_the_right_fact_under_the_wrong_title_is_less_likely() -> None:
    evidence: Document = {"content": "A local folder is the fastest; SFTP is limited by the latency of the connection."}
    found = []
    for title in ("Local folder", "SFTP"):
        claim = claims(f"## Where to store\n\n### {title}\n\n- Fastest option")["Fastest option"]
        found.append(local_verifier().judge(with_lead(claim), "", [evidence]).answer.scores["supported"])
    assert found[0] > found[1], found
