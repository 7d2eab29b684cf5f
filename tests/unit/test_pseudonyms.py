"""A claim and its evidence can be compared without the values in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import wiring
from gate.adapters.pseudonymous import PseudonymousModel
from gate.adapters.redactors import redactor_named
from gate.adapters.scripted import ScriptedModel
from gate.errors import AnswerError
from gate.rules.fencing import fence, unfence
from gate.rules.pseudonyms import pseudonymize
from gate.settings import Settings
from tests.quality.pseudonyms.__main__ import PAIRS, WAYS, score

values = st.sampled_from(
    ["555-123-4567", "(555) 123-4567", "555-999-0000", "a@example.com", "A@EXAMPLE.com", "123-45-6789"]
)
words = st.sampled_from(["call", "or", "PHONE-9001", "EMAIL", "the office.", "x1"])
texts = st.lists(values | words, max_size=8).map(" ".join)


def test_the_same_value_has_the_same_token_however_it_is_written() -> None:
    hidden, _ = pseudonymize(["Call (555) 123-4567.", "The number is +1 555.123.4567."])
    assert hidden == ["Call PHONE-9001.", "The number is PHONE-9001."]


def test_different_values_have_different_tokens() -> None:
    hidden, _ = pseudonymize(["Call 555-123-4567.", "Call 555-123-4568, or a@example.com, or b@example.com."])
    assert hidden == ["Call PHONE-9001.", "Call PHONE-9002, or EMAIL-9001, or EMAIL-9002."]


def test_a_quote_comes_back_as_the_evidence_writes_it() -> None:
    evidence = "Call +1 555.123.4567 at noon."
    _, pseudonyms = pseudonymize(["Ring (555) 123-4567.", evidence])
    assert pseudonyms.restore("QUOTE: Call PHONE-9001 at noon.") == f"QUOTE: {evidence}"
    assert (
        pseudonyms.restore("JUSTIFICATION: Ring PHONE-9001 is right") == "JUSTIFICATION: Ring (555) 123-4567 is right"
    )


def test_a_token_that_a_text_already_holds_is_not_used() -> None:
    hidden, pseudonyms = pseudonymize(["Set PHONE-9001 to 555-123-4567, then EMAIL-9001.", "a@example.com"])
    assert hidden == ["Set PHONE-9001 to PHONE-9002, then EMAIL-9001.", "EMAIL-9002"]
    assert (
        pseudonyms.restore("PHONE-9001 PHONE-9002 EMAIL-9001 EMAIL-9002")
        == "PHONE-9001 555-123-4567 EMAIL-9001 a@example.com"
    )


def test_texts_without_personal_data_are_left_alone() -> None:
    hidden, pseudonyms = pseudonymize(["The sky is blue.", ""])
    assert hidden == ["The sky is blue.", ""]
    assert pseudonyms.restore("PHONE-9001 is blue") == "PHONE-9001 is blue"


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


def test_the_model_sees_no_value_and_its_quote_is_verbatim_again() -> None:
    evidence = "Call +1 555.123.4567 or 555-000-9999 at noon."
    scripted = ScriptedModel({"CLAIM": "LABEL: supported\nQUOTE: Call PHONE-9001 or PHONE-9002 at noon."})
    reply = PseudonymousModel(scripted, redactor_named("patterns")).complete(
        fence("Ring (555) 123-4567.", [{"content": evidence}]), system="s"
    )
    [(prompt, system)] = scripted.asked
    seen = unfence(prompt)
    assert (seen.claim, system) == ("Ring PHONE-9001.", "s")
    assert seen.documents == [("d1", "Call PHONE-9001 or PHONE-9002 at noon.")]
    assert reply == f"LABEL: supported\nQUOTE: {evidence}"
    assert reply.model == scripted.name


def test_a_prompt_that_is_not_fenced_is_hidden_as_one_text() -> None:
    scripted = ScriptedModel({"": "Write to EMAIL-9001."})
    reply = PseudonymousModel(scripted, redactor_named("patterns")).complete("Who is a@example.com?")
    assert scripted.asked == [("Who is EMAIL-9001?", "")]
    assert reply == "Write to a@example.com."


def test_a_prompt_without_personal_data_is_asked_as_it_is_and_errors_pass() -> None:
    scripted = ScriptedModel().enqueue("yes", AnswerError("no"))
    model = PseudonymousModel(scripted, redactor_named("patterns"))
    prompt = fence("The sky is blue.", [{"content": "Blue sky."}])
    assert model.complete(prompt) == "yes"
    assert scripted.asked == [(prompt, "")]
    with pytest.raises(AnswerError):
        model.complete("Call 555-123-4567")


def test_pseudonyms_are_on_until_a_setting_turns_them_off() -> None:
    assert isinstance(wiring.language_model(), PseudonymousModel)
    wiring.configure(Settings(pseudonyms=False))
    assert not isinstance(wiring.language_model(), PseudonymousModel)


@pytest.mark.parametrize("model", ["local:lexical", "local"])
def test_pseudonyms_cost_no_verdict_and_plain_redaction_lets_wrong_values_pass(model: str) -> None:
    wiring.configure(Settings(pseudonyms=False, model=model))
    scores = {way: score(PAIRS, wrap(wiring.language_model())) for way, wrap in WAYS.items()}
    assert scores["pseudonyms"].right >= scores["as it stands"].right
    assert scores["pseudonyms"].wrongly_supported <= scores["as it stands"].wrongly_supported
    assert scores["pseudonyms"].wrongly_supported < scores["plain redaction"].wrongly_supported
