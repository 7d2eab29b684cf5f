"""A yes or no is judged as the statement that it makes of the question before it."""

from __future__ import annotations

import pytest

from gate.claims.reading import read_turn
from gate.claims.short_answers import short_answer
from tests.unit.test_extract_claims import extracted

MOW_NOT = "You cannot make it mow at night."


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Do I get the days back?", "Yes, you do.", "You get the days back."),
        ("I was ill. do i get the days back", "Yes!", "You get the days back."),
        (
            "Do I need a card if I only want to boulder?",
            "No, you don't.",
            "You do not need a card if you only want to boulder.",
        ),
        ("Can I bring my dog? And what does it cost?", "No.", "You cannot bring your dog."),
        ("Hi, can we pay by card, and where do we pay?", "Yes, absolutely!", "We can pay by card."),
        ("Is it free of gluten?", "**Yes, it is.**", "It is free of gluten."),
        ("Do you ship to your shops?", "No", "We do not ship to our shops."),
        ("Am I covered if I go skiing?", "Yes.", "You are covered if you go skiing."),
        ("Does it work abroad?", "Yes, it does!", "It does work abroad."),
        ("can I make it mow at night so that the kids have the lawn?", "No, that isn't possible.", MOW_NOT),
        ("can I make it mow at night so that the kids have the lawn?", "I'm afraid that's not possible.", MOW_NOT),
        ("Can I make it mow at night?", "That's possible.", "You can make it mow at night."),
        ("Can I make it mow at night?", "Unfortunately not.", MOW_NOT),
        ("Can I make it mow at night?", "In short, no.", MOW_NOT),
        ("Can I make it mow at night?", "Yes, it's allowed!", "You can make it mow at night."),
        ("Can I make it mow at night?", "Better not.", "You should not make it mow at night."),
        ("Can I take it with coffee?", "It's better not to.", "You should not take it with coffee."),
        ("Is it too late to cancel?", "No, that's not true.", "It is not too late to cancel."),
        ("Do I need a card?", "The short answer is no.", "You do not need a card."),
    ],
)
def test_a_short_answer_states_what_was_asked(question: str, answer: str, statement: str) -> None:
    assert short_answer(answer, question) == statement


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do I bring it back?", "Yes."),
        ("Can I bring it back? Can I bring it anywhere?", "Yes."),
        ("Is it free or do I pay?", "Yes."),
        ("Do I pay 4 or 5 euros?", "Yes."),
        ("Can't I bring it back?", "No."),
        ("Are there any conditions?", "Yes."),
        ("Can I not bring it back?", "No."),
        ("Does the warranty cover water?", "Yes, it does."),
        ("Can I bring it back?", "Yes, you can't."),
        ("Can I bring it back?", "No, you can."),
        ("Can I bring it back?", "Yes, within 14 days."),
        ("Can I bring it back?", "No problem!"),
        ("Can I bring it back?", "It depends."),
        ("Can I bring it back?", "Yes, that's not possible."),
        ("Can I bring it back?", "That's possible within 14 days."),
        ("Can I bring it back?", "Not."),
        ("Do I need a card?", "No, that isn't possible."),
        ("Do I need a card?", "Better not."),
        ("Do I need a card?", "It is."),
        ("Can I bring it back? And are all lamps waterproof?", "Yes."),
        ("Can I bring it back and can I pay in bitcoin?", "Yes."),
        ("Can I bring it back? What about bitcoin?", "Yes."),
        ("Can I bring it back? Bitcoin accepted?", "Yes."),
        ("Can I bring it back and when it rains do I pay?", "Yes."),
        ("Can I bring it back? Tell me whether I pay.", "Yes."),
        ("Is it free\nof lead?", "Yes."),
        ("Does it cost 3.50 a day?", "Yes."),
        (f"Can I bring {'it ' * 100} back?", "Yes."),
    ],
)
def test_what_is_not_certain_is_judged_as_it_stands(question: str, answer: str) -> None:
    assert not short_answer(answer, question)


def test_the_question_is_the_one_before_it_or_the_users_own() -> None:
    answer = "No, you don't. Shoes cost 4 euros.\n\n**Can I bring my dog?**\n\nNo.\n"
    claims = extracted(("user", "Do I need a card?"), ("assistant", answer))["claims"]
    assert [claim["text"] for claim in claims] == [
        "You do not need a card.",
        "Shoes cost 4 euros.",
        "You cannot bring your dog.",
    ]
    assert answer[claims[0]["start"] : claims[0]["end"]] == "No, you don't."


def test_a_yes_behind_a_statement_answers_nobody_knows_what() -> None:
    answer = "Shoes cost 4 euros. Yes."
    claims = extracted(("user", "Do I need a card?"), ("assistant", answer))["claims"]
    assert [claim["text"] for claim in claims] == ["Shoes cost 4 euros.", "Yes."]


def test_an_answer_that_is_called_short_is_judged_apart_from_what_follows_it() -> None:
    answer = "The short answer is no: sale lamps are final."
    claims = extracted(("user", "Can I return sale lamps?"), ("assistant", answer))["claims"]
    assert [claim["text"] for claim in claims] == ["You cannot return sale lamps.", "sale lamps are final."]
    claims = extracted(("user", "Can sale lamps be returned?"), ("assistant", answer))["claims"]
    assert [claim["text"] for claim in claims] == [answer]


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, that's possible.",
        "That's possible.",
        "It's possible!",
        "That's allowed.",
        "It's true.",
        "That's okay.",
        "It's fine.",
        "In short, yes.",
        "In short, yes:",
        "Possible, yes.",
        "Sure, that's possible.",
        "Absolutely, that's fine.",
        "That isn't possible.",
        "Better not.",
        "Unfortunately not.",
        "That's a yes.",
        "There's a way.",
    ],
)
@pytest.mark.parametrize("asked", ["Can I return sale lamps?", "Can lamps be returned?", "do I have to pay for lamps"])
def test_what_answers_a_question_is_judged_in_whatever_words(answer: str, asked: str) -> None:
    assert not any(one.reason for one in read_turn(f"{answer} Lamps are red.", asked).statements)


@pytest.mark.parametrize(
    "asked",
    [
        "Can I return lamps? And are all lamps waterproof?",
        "Can I return lamps and can I pay in bitcoin?",
        "Can I return any lamp within 90 days?",
        "Can lamps be returned within 90 days?",
        "Are lamps sold? Are they waterproof?",
    ],
)
@pytest.mark.parametrize(
    "answer", ["Yes, that's right.", "Yes, you can.", "You can.", "That's okay.", "Of course you can!"]
)
def test_a_yes_to_more_than_one_plain_question_is_unread(asked: str, answer: str) -> None:
    (found,) = [one for one in read_turn(answer, asked).statements if not one.states]
    assert found.reason == "unclear"


@pytest.mark.parametrize("answer", ["90.", "Lamps, yes.", "In Berlin."])
def test_an_answer_with_a_word_of_its_own_is_judged(answer: str) -> None:
    asked = "Can I return lamps? And how many days do I have?"
    assert [one.reason for one in read_turn(answer, asked).statements] == [None]
