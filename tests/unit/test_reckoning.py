"""Figures that need no evidence: the user's own, and what is reckoned right from figures that have it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import Gate
from gate.agents.verify_claims import verify_claims
from gate.decision.checks import run_checks
from gate.decision.reckoning import ASKED, known_figures
from gate.model import Answer
from gate.ports import Judged
from tests.entrance import Entrance

RENT = "A half plot costs £40 a year, water £8. The deposit is £60, a key £10. Tenants over 65 pay half of the rent."
PLANS = "The Team plan costs 10 euros per user and month and includes 4,000 minutes per user."
WARRANTY = "The warranty is 3 years, or 4 years if the mower is registered within 60 days after buying it."


@pytest.mark.parametrize(
    ("claim", "asked", "around", "evidence", "known"),
    [
        ("4 × 10 euros = 40 euros a month", "we are 4", "4 × 10 euros = 40 euros a month", PLANS, "4 × 10 euros"),
        ("That comes to 40 euros.", "we are 4", "4 × 10 = 40 euros.\nThat comes to 40 euros.", PLANS, "4 × 10"),
        ("For 4 people that makes 40 euros at 10 euros each.", "we are 4", "", PLANS, "4 × 10 euros"),
        ("Rent (half of £40), £20", "", "", RENT, "half of £40"),
        ("Total, £78", "", "| Water | £8 |\n| Deposit | £60 |\n| Key | £10 |\n| Total | £78 |", RENT, "£8 + £60 + £10"),
        ("You pay £78:", "", "You pay £78:\n- Water £8\n- Deposit £60\n- Key £10", RENT, "£8 + £60 + £10"),
        ("£58: £60 less £10 plus £8", "", "", RENT, "£60 − £10 + £8"),
        ("It costs £44 after 10% off £40, £4 more.", "10% off?", "", RENT, "£40 + 10%"),
        ("So it's on until 1 May 2030, 4 years.", "bought it on 1 May 2026", "", WARRANTY, "1 May 2026 + 4 years"),
        (
            "Be there by 11:45, 45 minutes before.",
            "the 12:30 one",
            "",
            "It closes 45 minutes before.",
            "12:30 − 45 minutes",
        ),
        ("It was 50 days.", "bought on 1 May, registered on 20 June", "", WARRANTY, "1 May to 20 June"),
        (
            "Multiply by 2.5: 10 people for 4.",
            "for 10 people",
            "",
            "The soup serves 4. Take 250 g of lentils.",
            "10 ÷ 4",
        ),
        (
            "Lentils, 250 g, 625 g",
            "for 10",
            "By 2.5, 10 for 4.\n250 g, 625 g",
            "It serves 4. Take 250 g.",
            "250 g × 2.5",
        ),
    ],
)
def test_a_sum_that_is_right_is_known(claim: str, asked: str, around: str, evidence: str, known: str) -> None:
    found = known_figures(claim, asked, around or claim, [evidence])
    assert known in found.values()


@pytest.mark.parametrize(
    ("claim", "asked", "around", "evidence", "figure"),
    [
        ("4 × 10 euros = 45 euros a month", "we are 4", "", PLANS, "45 euros a month"),  # a wrong sum
        ("4 × 11 euros = 44 euros a month", "we are 4", "", PLANS, "44 euros a month"),  # of a wrong price
        ("5 × 10 euros = 50 euros a month", "we are 4", "", PLANS, "50 euros a month"),  # of nobody's number
        ("4 × 10 = 39 euros a month", "we are 4", "4 × 10 = 39 euros a month", PLANS, "39 euros a month"),
        ("Total, £80", "", "| Water | £8 |\n| Deposit | £60 |\n| Key | £10 |\n| Total | £80 |", RENT, "£80"),
        ("Total, £79", "", "| Water | £9 |\n| Deposit | £60 |\n| Key | £10 |\n| Total | £79 |", RENT, "£79"),
        ("Rent (half of £40), £25", "", "", RENT, "£25"),
        ("It's on until 1 May 2031, 4 years.", "bought it on 1 May 2026", "", WARRANTY, "1 May 2031"),
        ("It's on until 1 May 2030, 4 years.", "bought it last year", "", WARRANTY, "1 May 2030"),
        ("Be there by 11:40, 45 minutes before.", "the 12:30 one", "", "It closes 45 minutes before.", "11:40"),
        ("It costs £100.", "", "", RENT, "£100"),
        # about as much, and no more than that
        ("You pay about £67, £60 and £10.", "", "", RENT, "£67"),
        ("You get up to £53 back, £60 less £10.", "", "", RENT, "£53"),
        # grams times spoons, and euros times euros
        ("Lentils, 1250 g, 250 g and 5 tbsp", "", "", "Take 250 g and 5 tbsp.", "1250 g"),
        ("You have 100 calls at $10.", "at $10?", "", "Each call is $10.", "100"),
        # a small number, and one that the evidence has otherwise
        ("Version 3 supports 6 devices, 2 at home.", "", "", "Version 3 runs on 2 devices at home.", "6"),
        ("A round of 20 games has 30 breaks of 10.", "", "", "A round has 20 games and 25 breaks. Bring 10.", "30"),
    ],
)
def test_a_sum_that_is_wrong_or_of_figures_that_nothing_has_is_not(
    claim: str, asked: str, around: str, evidence: str, figure: str
) -> None:
    assert figure not in known_figures(claim, asked, around or claim, [evidence])
    assert not all(check["passed"] for check in run_checks(claim, [evidence]))


DELAY = "For a delay of more than 5 minutes in a day there is a credit."


@pytest.mark.parametrize(
    ("claim", "asked", "evidence", "figure"),
    [
        ("12 minutes are over the 5 minutes in a day.", "There was a 12 minute outage.", DELAY, "12 minutes"),
        (
            "Since your pupils are 13, they get in free.",
            "I come with a class, they are 13.",
            "Schools get in free.",
            "13",
        ),
        ("On 6 April there is one option left.", "It's 6 April, I am ill.", "Places can be passed on.", "6 April"),
    ],
)
def test_what_the_user_says_of_themselves_is_theirs(claim: str, asked: str, evidence: str, figure: str) -> None:
    assert known_figures(claim, asked, claim, [evidence]) == {figure: ASKED}
    assert all(check["passed"] for check in run_checks(claim, [evidence], {figure: ASKED}))


@pytest.mark.parametrize(
    ("claim", "asked", "evidence"),
    [
        (
            "Refunds are paid within 30 days.",
            "refunds are paid within 30 days, right?",
            "Refunds are paid within 14 days.",
        ),
        (
            "The storage boxes hold 50 litres.",
            "So boxes are 50 litres?",
            "Members are entitled to a storage box of 35 litres.",
        ),
        ("Applications close on 3 May.", "They close on 3 May?", "Applications for the grant close on 30 April."),
        (
            "The grant is paid in two parts, 60 % at the start and 35 % at the end.",
            "The parts are 60 % and 35 %?",
            "The grant is paid in two parts, 60 % at the start and 40 % at the end.",
        ),
        (
            "That leaves 20 GB, 10 % of 200 GB.",
            "I have 200 GB, and 10 % may be left?",
            "By default 5 % may be left of all GB.",
        ),
        ("The 4 of you may borrow 4 books.", "We are 4, how many books?", "You may borrow 10 books at a time."),
        # what they ask tells what the claim is about
        ("Yes, the limit is 30 days.", "So refunds are paid within 30 days?", "Refunds are paid within 14 days."),
        # how many or how old they are is no price and no time
        ("A ticket costs 12 euros.", "My daughter is 12. What is a ticket?", "Tickets are sold at the desk."),
        ("It comes in 12 days.", "My daughter is 12. When does it come?", "Orders are sent by post."),
    ],
)
def test_what_the_evidence_tells_otherwise_is_not_the_user_s_to_say(claim: str, asked: str, evidence: str) -> None:
    found = known_figures(claim, asked, claim, [evidence])
    assert not all(check["passed"] for check in run_checks(claim, [evidence], found))


def test_an_amount_that_the_user_names_without_its_unit_is_theirs() -> None:
    claim = "Your 60,000 euros are safe."
    assert known_figures(claim, "I have 60k. Is it safe?", claim, ["Money is safe."]) == {"60,000 euros": ASKED}


@pytest.mark.parametrize("asked", ["until 31 December 9999", "since 1 January 0001"])
def test_a_day_at_the_end_of_the_calendar_breaks_nothing(asked: str) -> None:
    assert known_figures("It ends on 5 May 2020, in 0 days.", asked, "", ["It ends in 0 days."]) == {}


@given(st.integers(2, 9), st.integers(10, 99), st.integers(0, 999))
def test_a_product_is_known_where_it_is_right_and_nowhere_else(count: int, price: int, said: int) -> None:
    claim = f"{count} × {price} euros = {said} euros"
    found = known_figures(claim, f"for {count} of us", claim, [f"A ticket costs {price} euros."])
    assert (found.get(f"{said} euros") == f"{count} × {price} euros") == (said == count * price)


def asked(claim: str, prompt: str, evidence: str) -> dict[str, Any]:
    about = {"text": claim, "source_prompt": prompt, "source_response": claim, "claim_id": "c1", "turn": 1, "start": 0}
    state: dict[str, Any] = {
        "evidence": [{"claim": {**about, "end": len(claim)}, "documents": [{"content": evidence}]}]
    }
    verify_claims(state)
    found: dict[str, Any] = state["verdicts"][0]
    return found


class Told:
    """Keeps the context that it was given."""

    name = "told/1"
    context = ""

    def judge(self, claim: str, context: str, documents: Any, known: Any = None) -> Judged:
        Told.context = context
        checks = tuple(run_checks(claim, [document["content"] for document in documents], known or {}))
        answer = Answer(label="supported", reason="entailed", justification="It does.", quote="a", documents=(0,))
        return Judged(answer, self.name, checks=checks)


def test_a_verifier_is_told_the_question_and_the_sums_and_its_checks_pass(entrance: Entrance) -> None:
    entrance.give(verifier=Told())
    verdict = asked("At 4 people 10 euros each make 40 euros.", "We are 4. What do we pay?", PLANS)
    assert verdict["known"] == {"4": ASKED, "40 euros": "4 × 10 euros"}
    assert all(check["passed"] for check in verdict["checks"])
    assert "40 euros = 4 × 10 euros." in Told.context
    asked("You are 17 and may come along.", "I'm 17, may I come?", "Guests may come along.")
    assert Told.context.startswith("I'm 17, may I come?")


def test_a_figure_that_needs_no_evidence_stops_no_answer_and_the_report_says_how_it_is_known() -> None:
    evidence = [{"id": "d1", "text": "A day ticket for the museum costs 18 euros per person."}]
    turns = [
        {"role": "user", "content": "What do day tickets for the museum cost for 3 people?"},
        {
            "role": "assistant",
            "content": "A day ticket for the museum costs 18 euros per person, 3 × 18 euros = 54 euros.",
        },
    ]
    report = Gate().check({"messages": turns}, contexts=evidence, name="answer.json")
    assert [claim.known for claim in report.claims] == [{"3": ASKED, "54 euros": "3 × 18 euros"}]
    assert report.outcome == "pass"
    turns[1]["content"] = turns[1]["content"].replace("54", "52")
    wrong = Gate().check({"messages": turns}, contexts=evidence, name="answer.json")
    assert (wrong.outcome != "pass", wrong.claims[0].known) == (True, {"3": ASKED})


def test_a_claim_without_an_answer_around_it_is_judged() -> None:
    claim = {"text": "A ticket costs 18 euros, 3 × 18 euros = 54 euros.", "claim_id": "c1", "source_prompt": ""}
    state: dict[str, Any] = {
        "evidence": [{"claim": claim, "documents": [{"content": "For 3 a ticket costs 18 euros."}]}]
    }
    verify_claims(state)
    assert state["verdicts"][0]["known"] == {"54 euros": "3 × 18 euros"}
