"""Sentences of which one clause is an abstention: the other is judged alone, and nothing is lost between them."""

from __future__ import annotations

import pytest

from gate.claims.reading import read_turn


def read(answer: str, prompt: str = "") -> tuple[list[str], list[tuple[str, str]]]:
    statements = read_turn(answer, prompt).statements
    return [one.text for one in statements if not one.reason], [
        (one.text, one.reason) for one in statements if one.reason
    ]


@pytest.mark.parametrize(
    ("sentence", "claim", "aside"),
    [
        (
            "I'm afraid I can't cancel visits for you here, but you can do so by phone or in the portal.",
            "but you can do so by phone or in the portal.",
            "I'm afraid I can't cancel visits for you here",
        ),
        (
            "I can't say for certain, since rooms are drawn by lot.",
            "since rooms are drawn by lot.",
            "I can't say for certain",
        ),
        (
            "The handbook mentions four rooms that are booked online, but it doesn't specify where they are.",
            "The handbook mentions four rooms that are booked online",
            "but it doesn't specify where they are.",
        ),
        (
            "The passages do not say how long lamps burn, so some testing may be needed.",
            "so some testing may be needed.",
            "The passages do not say how long lamps burn",
        ),
        (
            "Lamps are sold in three sizes; the documents don't state their prices.",
            "Lamps are sold in three sizes",
            "the documents don't state their prices.",
        ),
    ],
)
def test_a_clause_beside_an_abstention_is_judged_alone(sentence: str, claim: str, aside: str) -> None:
    assert read(sentence) == ([claim], [(aside, "abstention")])


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("I can't say for certain, but Dr Moor was convicted of fraud.", "Dr Moor was convicted of fraud"),
        ("The handbook doesn't say, but lamps are never refunded.", "lamps are never refunded"),
        ("The documents do not mention it, so you may take two a day.", "you may take two a day"),
        ("The sources don't say, but it is free.", "it is free"),
        ("The passages do not mention a fee, since there is none.", "there is none"),
        ("The sources do not name a price, because Corvex is banned.", "Corvex is banned"),
        ("I can't tell, so take it twice.", "take it twice"),
        ("Corvex cures cancer, although the sources do not say why.", "Corvex cures cancer"),
        ("Ida Vale stole the lamps, as the documents do not say otherwise.", "Ida Vale stole the lamps"),
        ("Nobody gets a refund; the handbook does not say why.", "Nobody gets a refund"),
        ("I don't know – ask Moor, who sold poisoned tea.", "Moor, who sold poisoned tea"),
        ("I can't book it here, and neither can anybody else in Norway.", "neither can anybody else in Norway"),
        ("The documents don't say whether it is safe, but pilots drink it daily.", "pilots drink it daily"),
        ("I couldn't find the price, but it's 900 euros.", "900 euros"),
        ("I can't see your account, but your parcel was lost at sea.", "your parcel was lost at sea"),
        ("The handbook doesn't mention dogs, so dogs are forbidden.", "dogs are forbidden"),
        ("The passages do not say why, and more tests may show that Corvex kills.", "tests may show that Corvex kills"),
        ("They don't mention refunds, because they grant none.", "they grant none"),
    ],
)
def test_whatever_stands_beside_an_abstention_is_judged(sentence: str, told: str) -> None:
    for prompt in ("", "Can I return it?", "Is Corvex safe?"):
        assert told in " ".join(read(sentence, prompt)[0])


@pytest.mark.parametrize("said", ["yes", "no", "I think so", "absolutely not", "probably", "better not", "of course"])
def test_who_does_not_know_and_answers_nevertheless_is_judged(said: str) -> None:
    for sentence in (f"I don't know, but {said}.", f"I can't say for certain, but {said}."):
        assert read(sentence, "Is Corvex safe?")[0] == [sentence]
        assert read(f"Is Corvex safe? {sentence}")[0] == [sentence]


def test_who_does_not_know_and_repeats_what_is_asked_whether_it_is_so_answers_it() -> None:
    for told in ("but you can return them", "so the answer is no", "but lamps can be returned"):
        assert told in " ".join(read(f"I can't tell, {told}.", "Can I return lamps?")[0])
    asked = "The documents don't say whether lamps can be returned."
    assert read(asked, "Can I return lamps?") == ([], [(asked, "abstention")])


def test_an_answer_to_the_question_before_it_stays_whole() -> None:
    assert (
        "I'm afraid not" in read("I'm afraid not, but lamps can be exchanged within a month.", "Can I return it?")[0][0]
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "As far as I can tell from the leaflet, lamps aren't sold without a test.",
        "As far as I know, the museum is not open on Mondays.",
        "From what I can tell, Corvex doesn't harm the liver.",
        "I'm sure that it isn't toxic.",
        "I know Corvex is not toxic.",
        "I can confirm Corvex isn't toxic.",
        "I can confirm no fee is charged.",
        "I am certain no lamp is refunded.",
        "I found the lamp was not tested.",
        "I'm not joking when I say Corvex is safe.",
        "I do not hesitate to say Corvex cures cancer.",
        "I don't need to tell you Corvex cures cancer.",
        "I can guess it never arrives.",
        "I can tell you nobody is refunded, not even in Norway.",
        "I say Moor never paid.",
    ],
)
def test_who_knows_and_denies_something_else_abstains_from_nothing(sentence: str) -> None:
    assert read(sentence)[0] == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "I know nothing about lamps.",
        "I found no information on lamps.",
        "I could not find anything about lamps.",
        "I'm not sure whether lamps are refunded.",
        "I cannot tell you how long lamps burn.",
        "I don't have enough information to answer that.",
    ],
)
def test_who_does_not_know_abstains(sentence: str) -> None:
    assert read(sentence) == ([], [(sentence, "abstention")])
