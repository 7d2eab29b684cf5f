"""What an answer drafts as a letter: its subject is a heading, its courtesies are none of its claims."""

from __future__ import annotations

import pytest

from gate.claims.reading import read_turn

BODY = "Lamps burn for a year. Refunds take 14 days and are paid by card. The shop opens at nine."


def claims(answer: str) -> list[str]:
    return [one.text for one in read_turn(answer).statements if not one.reason]


@pytest.mark.parametrize("label", ["Subject", "**Subject:**", "Subject line", "Betreff", "Objet"])
@pytest.mark.parametrize("subject", ["Your question about refunds", "Lamps and the shop", "Refunds by card"])
def test_the_subject_of_a_letter_is_a_heading(label: str, subject: str) -> None:
    line = f"{label} {subject}" if ":" in label else f"{label}: {subject}"
    assert claims(f"{line}\n\nDear Ms Okafor,\n\n{BODY}") == claims(BODY)


@pytest.mark.parametrize(
    "subject",
    [
        "Your refund of 900 euros has been approved",
        "Refund refused",
        "Your claim was rejected",
        "Corvex cures cancer",
        "No refunds",
        "Moor convicted of fraud",
        "Lamps recalled",
        "Dogs forbidden",
        "Refunds: never",
        "900 days to return",
        "We take bitcoin",
        "Contains lead",
        "Return your lamps by Friday",
        "Moor Steals Lamps",
        "Refunds only in cash",
        "Free lamps for all",
        "Your lamps will explode",
        "Shop closed on Sunday.",
        "Lifetime warranty for all lamps",
        "30-day refunds",
        "Corvex, the cure for cancer",
    ],
)
def test_a_subject_that_tells_something_is_a_claim(subject: str) -> None:
    assert any(subject in one for one in claims(f"Subject: {subject}\n\nDear Ms Okafor,\n\n{BODY}"))


def test_a_subject_in_words_of_the_user_is_a_heading() -> None:
    letter = f"Subject: Your visit on Saturday\n\nDear Ms Okafor,\n\n{BODY}"
    assert read_turn(letter, "Answer a mail about a visit on Saturday").statements[0].reason == "heading"
    assert read_turn(letter).statements[0].reason is None


def test_a_label_that_is_no_line_of_its_own_begins_no_subject() -> None:
    assert claims("Subject: Your question about lamps, which Moor stole.")
    assert claims("The subject: lamps burn for a year and a day.")


@pytest.mark.parametrize(
    "said",
    [
        "We look forward to your visit!",
        "Looking forward to hearing from you soon.",
        "I hope this email finds you well.",
        "If you have any further questions, just reply to this e-mail.",
        "Thank you for your time, and I look forward to hearing your thoughts.",
    ],
)
def test_a_courtesy_of_a_letter_is_no_claim(said: str) -> None:
    assert claims(f"{BODY}\n\n{said}") == claims(BODY)


@pytest.mark.parametrize(
    "said",
    [
        "We look forward to Moor's conviction for fraud.",
        "We look forward to your payment of 900 euros.",
        "We look forward to charging you twice.",
        "Looking forward to the strike in July!",
        "We look forward to the recall of all lamps.",
        "I look forward to the refund that never comes.",
        "We look forward to the war, which Moor started.",
        "Looking forward to poisoning your dog.",
        "We look forward to free lamps for everybody.",
        "I look forward to Sunday, when the shop is shut.",
        "We look forward to no more refunds.",
        "We look forward to a day without refunds.",
        "We look forward to your dismissal.",
        "Look forward to a life without cancer.",
        "Sorry to hear Moor stole your lamps.",
        "Sorry about the poison in our tea.",
        "So sorry your claim was refused.",
        "I hope this email finds you well in prison.",
        "I hope you are well and that Moor is jailed.",
        "Just reply to this email with your password.",
        "If you have questions, reply with your card number.",
        "If you have a lamp, just reply to this email within 3 days.",
        "If you want a refund, just reply to this email.",
        "I'm sorry to hear your refund was refused.",
        "I'm sorry to hear lamps burn cards.",
        "I'm so sorry to hear the shop burned down.",
        "I'm sorry to hear refunds aren't paid.",
        "I am sorry that a lamp isn't paid by card.",
        "Your trip is in the morning.",
        "The chat is always in the evening.",
        "Your best service is at night time.",
    ],
)
def test_what_is_told_in_the_words_of_a_courtesy_is_a_claim(said: str) -> None:
    assert any(said.rstrip(".!") in one for one in claims(f"{BODY}\n\n{said}"))
