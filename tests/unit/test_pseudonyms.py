"""A claim and its evidence can be compared without the values in them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gate.rules.pseudonyms import pseudonymize

values = st.sampled_from(
    ["555-123-4567", "(555) 123-4567", "555-999-0000", "a@example.com", "A@EXAMPLE.com", "123-45-6789"]
)
words = st.sampled_from(["call", "or", "PHONE1", "EMAIL", "the office.", "x1"])
texts = st.lists(values | words, max_size=8).map(" ".join)


def test_the_same_value_has_the_same_token_however_it_is_written() -> None:
    hidden, _ = pseudonymize(["Call (555) 123-4567.", "The number is +1 555.123.4567."])
    assert hidden == ["Call PHONE1.", "The number is PHONE1."]


def test_different_values_have_different_tokens() -> None:
    hidden, _ = pseudonymize(["Call 555-123-4567.", "Call 555-123-4568, or a@example.com, or b@example.com."])
    assert hidden == ["Call PHONE1.", "Call PHONE2, or EMAIL1, or EMAIL2."]


def test_a_quote_comes_back_as_the_evidence_writes_it() -> None:
    evidence = "Call +1 555.123.4567 at noon."
    _, pseudonyms = pseudonymize(["Ring (555) 123-4567.", evidence])
    assert pseudonyms.restore("QUOTE: Call PHONE1 at noon.") == f"QUOTE: {evidence}"
    assert pseudonyms.restore("JUSTIFICATION: Ring PHONE1 is right") == "JUSTIFICATION: Ring (555) 123-4567 is right"


def test_a_token_that_a_text_already_holds_is_not_used() -> None:
    hidden, pseudonyms = pseudonymize(["Set PHONE1 to 555-123-4567, then EMAIL10.", "a@example.com"])
    assert hidden == ["Set PHONE1 to PHONE2, then EMAIL10.", "EMAIL2"]
    assert pseudonyms.restore("PHONE1 PHONE2 EMAIL10 EMAIL2") == "PHONE1 555-123-4567 EMAIL10 a@example.com"


def test_texts_without_personal_data_are_left_alone() -> None:
    hidden, pseudonyms = pseudonymize(["The sky is blue.", ""])
    assert hidden == ["The sky is blue.", ""]
    assert pseudonyms.restore("PHONE1 is blue") == "PHONE1 is blue"


@given(st.lists(texts, min_size=1, max_size=3))
def test_no_value_is_left_and_every_text_comes_back(given_texts: list[str]) -> None:
    hidden, pseudonyms = pseudonymize(given_texts)
    assert not any(value in text for text in hidden for value in ("555-123-4567", "a@example.com", "123-45-6789"))
    for before, after in zip(given_texts, hidden, strict=True):
        restored = pseudonyms.restore(after)
        assert _digits_and_letters(restored) == _digits_and_letters(before)


@given(st.lists(texts, min_size=1, max_size=3))
def test_pseudonyms_are_the_same_each_time(given_texts: list[str]) -> None:
    assert pseudonymize(given_texts)[0] == pseudonymize(given_texts)[0]


def _digits_and_letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
