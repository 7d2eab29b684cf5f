"""A claim and its evidence can be compared without the values in them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import wiring
from gate.adapters.model_reader import ModelReader
from gate.adapters.model_verifier import ModelVerifier
from gate.adapters.pseudonymous import PseudonymousModel, PseudonymousReader, PseudonymousVerifier
from gate.adapters.redactors import redactor_named
from gate.adapters.scripted import ScriptedModel
from gate.errors import AnswerError, AnswerRefusedError
from gate.model import Document
from gate.ports import Question, Redacted, Redaction
from gate.privacy.pseudonyms import pseudonymize
from gate.prompts.fencing import fence, unfence
from gate.settings import Settings
from tests.entrance import Entrance
from tests.fakes.model import replying
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


PATTERNS = redactor_named("patterns")


def judging(reply: str | Exception) -> tuple[ScriptedModel, PseudonymousVerifier]:
    scripted = ScriptedModel({"CLAIM": replying(reply) if isinstance(reply, str) else reply})
    return scripted, PseudonymousVerifier(ModelVerifier(scripted), PATTERNS)


def test_the_model_sees_no_value_and_its_quote_is_verbatim_again() -> None:
    evidence = "Call +1 555.123.4567 or\n555-000-9999 at noon."
    scripted, verifier = judging(
        "LABEL: supported\nJUSTIFICATION: Ring PHONE-9001.\nQUOTE: Call PHONE-9001 or PHONE-9002 at noon.\n"
        "DOCUMENTS: {d1}"
    )
    judged = verifier.judge("Ring (555) 123-4567.", "Ask a@example.com", [{"content": evidence}])
    [question] = scripted.asked
    seen = unfence(question.text)
    assert (seen.claim, seen.context) == ("Ring PHONE-9001.", "Ask EMAIL-9001")
    assert [text for _, text in seen.documents] == ["Call PHONE-9001 or\nPHONE-9002 at noon."]
    assert (judged.answer.quote, judged.answer.justification) == (evidence, "Ring (555) 123-4567.")
    assert judged.model == scripted.name


@pytest.mark.parametrize(("digit", "passed"), [("7", True), ("8", False)])
def test_a_value_of_the_claim_has_to_be_that_of_the_passage_that_decides(digit: str, passed: bool) -> None:
    _, verifier = judging(
        "LABEL: supported\nJUSTIFICATION: Yes.\nQUOTE: Call PHONE-9001.\nDOCUMENTS: {d1}".replace(
            "PHONE-9001", "PHONE-9001" if passed else "PHONE-9002"
        )
    )
    documents: list[Document] = [{"content": "Call (555) 123-4567."}, {"content": "Or 555-123-4568."}]
    judged = verifier.judge(f"Call 555-123-456{digit}.", "", documents)
    [check] = [check for check in judged.checks if check["name"] == "personal_data"]
    assert check["passed"] is passed
    assert check["detail"] == ("" if passed else "not in the evidence: 555-123-4568")


def test_a_claim_without_personal_data_has_no_check_of_it() -> None:
    _, verifier = judging("LABEL: unsupported\nJUSTIFICATION: No.")
    assert not verifier.judge("Call at noon.", "", [{"content": "Call 555-123-4567."}]).checks


class Names:
    """A redactor that finds one name, within words too."""

    def redact(self, text: str) -> Redacted:
        found = [Redaction("PERSON", "names", 0, 0, at.start(), at.end()) for at in re.finditer("Anna", text)]
        return Redacted(text, tuple(found), "names/1")


def test_a_quote_that_is_not_verbatim_with_its_values_makes_the_verdict_unreadable() -> None:
    scripted = ScriptedModel({"": "LABEL: weakly_supported\nJUSTIFICATION: Yes.\nQUOTE: PERSON-9001 s house is white"})
    with pytest.raises(AnswerError, match="word for word"):
        PseudonymousVerifier(ModelVerifier(scripted), Names()).judge(
            "Anna has a house.", "", [{"content": "Annas house is white."}]
        )


def test_a_claim_without_personal_data_is_judged_as_it_is_and_errors_pass() -> None:
    scripted, verifier = judging(AnswerRefusedError("no"))
    with pytest.raises(AnswerRefusedError):
        verifier.judge("The sky is blue.", "", [{"content": "Blue sky."}])
    [question] = scripted.asked
    assert question.text == fence("The sky is blue.", [{"content": "Blue sky."}]).text


def test_a_reader_sees_no_value_and_its_claims_hold_them_again() -> None:
    scripted = ScriptedModel({"": "s1: Write to EMAIL-9001.\ns2: How nice!"})
    reader = PseudonymousReader(ModelReader(scripted), PATTERNS)
    found = reader.read("Who is a@example.com?", ["Write to a@example.com.", "How nice!"])
    assert "example.com" not in scripted.asked[0].text
    assert found == (("Write to a@example.com.",), ("How nice!",))


def test_any_other_question_is_hidden_as_one_text() -> None:
    scripted = ScriptedModel({"": "Write to EMAIL-9001."})
    answer = PseudonymousModel(scripted, PATTERNS).complete(Question("Who is a@example.com?", "Be kind."))
    assert [(question.text, question.system) for question in scripted.asked] == [("Who is EMAIL-9001?", "Be kind.")]
    assert answer.text == "Write to a@example.com."


def test_pseudonyms_are_on_until_a_setting_turns_them_off(entrance: Entrance) -> None:
    assert isinstance(wiring.current().verifier(), PseudonymousVerifier)
    entrance.use(Settings(pseudonyms=False))
    assert not isinstance(wiring.current().verifier(), PseudonymousVerifier)


@pytest.mark.parametrize("model", ["local:lexical", "local"])
def test_pseudonyms_cost_no_verdict_and_plain_redaction_lets_wrong_values_pass(entrance: Entrance, model: str) -> None:
    entrance.use(Settings(pseudonyms=False, model=model))
    scores = {way: score(PAIRS, wrap(wiring.current().verifier())) for way, wrap in WAYS.items()}
    assert scores["pseudonyms"].right >= scores["as it stands"].right
    assert scores["pseudonyms"].wrongly_supported <= scores["as it stands"].wrongly_supported
    assert scores["pseudonyms"].wrongly_supported < scores["plain redaction"].wrongly_supported
