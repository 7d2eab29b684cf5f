"""What opens a claim and tells nothing is no part of what is judged."""

from __future__ import annotations

import pytest

from gate.agents.verify_claims import with_lead
from gate.claims.openers import without_opener
from gate.claims.reading import read_turn


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("Therefore, lamps burn for a year.", "lamps burn for a year."),
        ("However, please note that lamps are not refunded.", "lamps are not refunded."),
        ("It is important to note that dogs are not allowed.", "dogs are not allowed."),
        ("In addition, you also need a ticket.", "you also need a ticket."),
    ],
)
def test_what_opens_a_claim_and_tells_nothing_is_not_judged(sentence: str, claim: str) -> None:
    (said,) = read_turn(sentence).statements
    assert (said.text, said.reason) == (sentence, None)
    assert with_lead({"text": said.text, "source_prompt": "", "source_response": sentence}) == claim


@pytest.mark.parametrize(
    "sentence",
    [
        "Therefore, no.",
        "However long it takes, wait for it.",
        "Thus far, no lamp was refunded.",
        "Note that down.",
        "In short supply, lamps are rationed.",
        "Overall weight: 17 kg.",
        "Please restart the router.",
        "Only additionally, lamps are sold.",
        "Not therefore, but for its price it is bought.",
        "In other words it is free.",
        "Remember Moor, that thief.",
        "It is important that dogs are kept outside.",
        "It is not important to note that it is free.",
    ],
)
def test_what_tells_something_opens_no_claim(sentence: str) -> None:
    assert without_opener(sentence) == sentence
