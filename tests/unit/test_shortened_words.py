"""A shortened verb is no word of its own: nobody's documents have "you'd", and it tells nothing."""

from __future__ import annotations

import pytest

from gate.adapters.local_verifier import lexicon
from gate.text.tokens import keys

EVIDENCE = "Members get 40 % back. The box is not covered."


@pytest.mark.parametrize(("short", "long"), [("you'd", "you"), ("we’re", "we"), ("I've", "I"), ("she'll", "she")])
def test_a_shortened_verb_counts_as_the_word_before_it(short: str, long: str) -> None:
    assert keys(short) == keys(long)


@pytest.mark.parametrize("short", ["isn't", "don’t", "won't", "can't"])
def test_a_shortened_negation_counts_as_not(short: str) -> None:
    assert keys(short) == ["not"]


def test_what_a_claim_lacks_names_no_shortened_verb() -> None:
    missing = lexicon().read("The box isn't covered, and we've asked.", [EVIDENCE]).missing
    assert "isn't" not in missing
    assert lexicon().read("You're getting 40 % back.", [EVIDENCE]).features[0] > 0.5
