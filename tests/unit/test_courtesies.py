"""What only a courtesy says asserts nothing; a falsehood that is dressed as one is judged."""

from __future__ import annotations

import pytest

from gate.claims.reading import read_turn

PLOT = "I'm taking over a full plot on 1 October. What are the rules?"
ASKS = "I'm taking over a full plot on 1 October. I want a refund for my lamp. what are the rules?"


@pytest.mark.parametrize(
    ("courtesy", "asked"),
    [
        ("Congratulations on your plot!", PLOT),
        ("Congratulations on your lovely new plot!", PLOT),
        ("Congratulations on the grant!", "We got a grant of 18,000 for a year. explain the reports"),
        ("Congrats on passing the exam!", "hi, I've just passed the exam, what now?"),
        ("Congratulations on inheriting the S&W 1006!", "I inherited a S&W 1006 and I don't know how to load it."),
        ("Congrats, you two!", PLOT),
        ("Sorry to hear about your knee!", "I've hurt my knee, can't run the half. what are my options"),
        ("Sorry about your bag!", "the airline lost my bag. what now?"),
        ("Sorry for the delay!", ""),
        ("I'm sorry for the inconvenience.", ""),
        ("Get well soon!", ""),
        ("Have a good trip, you two!", "can my dog stay with me?"),
        ("Have a great day, everyone!", ""),
    ],
)
def test_what_only_a_courtesy_says_is_set_aside(courtesy: str, asked: str) -> None:
    assert [one.reason for one in read_turn(courtesy, asked).statements] == ["greeting"]


@pytest.mark.parametrize("asked", [ASKS, "", "Are lamps safe?"])
@pytest.mark.parametrize(
    "text",
    [
        "Congratulations, your refund takes 90 days!",
        "Congratulations on your refund!",
        "Congratulations on your free plot!",
        "Congratulations on your plot without rent!",
        "Congratulations on your plot of 900 square metres!",
        "Congratulations on your plot in Berlin!",
        "Congratulations on your plot 7!",
        "Congratulations on not taking over a plot!",
        "Congratulations on your plot, which is free!",
        "Congratulations on your plot: no rent is due!",
        "Congratulations on your full refund!",
        "Congratulations on the plot that Dr Moor stole!",
        "Congratulations on your plot and your free greenhouse!",
        "Congratulations on your plot, pay in March!",
        "Congratulations to Dr Moor on his conviction!",
        "Sorry to hear that our warranty excludes batteries!",
        "Sorry about the recall!",
        "I'm sorry about the recall!",
        "Sorry to hear about the recall!",
        "Sorry to hear about the fire at Corvex!",
        "Sorry about the ban on lamps!",
        "Sorry that lamps explode!",
        "Sorry to say, lamps explode.",
        "I'm sorry to say that lamps explode.",
        "Lamps explode, I'm sorry to say.",
        "Dogs are banned, I'm afraid.",
        "There is no warranty, I'm sorry to say.",
        "Lamps are not covered, I'm afraid to say.",
        "We do not ship abroad, I am sorry to say.",
        "Lamps do not last, I must say.",
        "Enjoy free returns!",
        "Enjoy your free returns!",
        "Enjoy free lamps, you two!",
        "Enjoy 30 days of returns!",
        "Enjoy lifetime warranty, everyone!",
        "Enjoy your plot free of rent!",
        "Thanks for choosing Corvex, the cure for cancer!",
        "Thank you for your interest in our free insulin!",
        "Thank you for choosing the only safe lamp!",
        "Thanks for the 90 days of patience that refunds take!",
        "Thanks to Corvex, cancer is cured!",
        "Good luck, as refunds take 90 days!",
        "Good luck, and remember that dogs are banned!",
        "Good luck without a warranty!",
        "Good luck: refunds are refused!",
        "All the best with your 90-day refund!",
        "All the best, returns are free!",
        "Get well soon, Corvex cures cancer!",
        "Get well soon with Corvex, which cures cancer!",
        "Get well with Corvex!",
        "Get well in 3 days!",
        "Have a good trip, dogs are banned!",
        "Have a good trip, you two are insured!",
        "Have a good trip, you both travel free!",
        "Have a refund, you two!",
        "Have a free trip, you two!",
        "Have a free trip!",
        "Have a good flight to Berlin at 9!",
        "Happy returns within 90 days!",
        "Happy birthday to Dr Moor, the convict!",
        "Welcome, refunds are free!",
        "Welcome to the cheapest shop!",
        "Safe travels, the bridge is closed!",
    ],
)
def test_a_falsehood_that_is_dressed_as_a_courtesy_is_judged(text: str, asked: str) -> None:
    assert not all(one.reason for one in read_turn(text, asked).statements)


@pytest.mark.parametrize(
    "asked",
    [
        "Did I get the grant?",
        "Have we got the grant?",
        "I applied for a grant.",
        "I hope I got the grant.",
        "If I got the grant, what happens?",
        "We got no grant.",
        "I got the grant rejected.",
        "We haven't got the grant.",
        "I got a letter about the grant.",
        "I got an appointment for the grant.",
        "He got the grant.",
        "I want a grant.",
        "I'm waiting for the grant",
        "I submitted a claim for the grant",
    ],
)
def test_nobody_is_congratulated_on_what_he_only_hopes_for(asked: str) -> None:
    assert [one.reason for one in read_turn("Congratulations on the grant!", asked).statements] == [None]
