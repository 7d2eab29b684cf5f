"""The verifier that needs no model service."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import a_document
from gate import services, wiring
from gate.adapters.local_verifier import LocalVerifier, lexicon
from gate.errors import AnswerError, SettingsError
from gate.rules.calibrated import Calibration, Step, sigmoid
from gate.rules.fencing import fence
from gate.rules.verdict_parsing import Answer, parse_answer
from gate.settings import Settings

BRIDGE = "The Hollow Bridge spans the Rhine near Basel and was opened by the mayor in 1901."


def judge(claim: str, *texts: str, kind: str = "passage") -> Answer:
    answer = parse_answer(LocalVerifier(kind).complete(fence(claim, [a_document(text) for text in texts])))
    assert answer is not None
    return answer


def test_a_claim_that_the_evidence_repeats_is_supported() -> None:
    answer = judge("The Hollow Bridge spans the Rhine near Basel.", "Opening hours: 9 to 17.", BRIDGE)
    assert answer.label == "supported"
    assert answer.quote == BRIDGE
    assert answer.documents == ["d2"]


def test_a_claim_about_something_else_is_unsupported_and_says_what_is_missing() -> None:
    answer = judge("The harbour of Busan was closed in 1998.", BRIDGE)
    assert answer.label == "unsupported"
    assert answer.reason == "not_mentioned"
    assert "1998" in answer.justification
    assert "'Busan'" in answer.justification
    assert answer.quote == ""


@pytest.mark.parametrize("kind", ["passage", "article", "snippet"])
def test_a_missing_number_and_name_move_every_kind_away_from_support(kind: str) -> None:
    right = judge("The Hollow Bridge was opened by the mayor in 1901.", BRIDGE, kind=kind)
    wrong = judge("The Hollow Bridge was opened by the Emperor in 1907.", BRIDGE, kind=kind)
    assert wrong.scores["supported"] < right.scores["supported"] - 0.1


def test_contradiction_is_never_claimed() -> None:
    answer = judge("The Hollow Bridge does not span the Rhine.", BRIDGE)
    assert answer.reason in ("entailed", "partial", "not_mentioned")


def test_the_name_says_model_version_and_kind() -> None:
    reply = LocalVerifier("article").complete(fence("A claim.", [a_document(BRIDGE)]))
    assert reply.model == f"local-lexical/{lexicon().version} (article)"


def test_a_prompt_that_is_not_fenced_is_refused() -> None:
    with pytest.raises(AnswerError):
        LocalVerifier().complete("LABEL: supported")


def test_an_unknown_kind_of_source_names_those_that_exist() -> None:
    with pytest.raises(SettingsError, match="blog") as caught:
        LocalVerifier("blog")
    assert "article" in caught.value.hint


def test_a_run_chooses_the_kind_of_source() -> None:
    wiring.configure(Settings(model="local:lexical"))
    prompt = fence("A claim.", [a_document(BRIDGE)])
    try:
        with services.using({"verifier": {"source_kind": "snippet"}}):
            assert services.call_llm(prompt).model.endswith("(snippet)")  # type: ignore[attr-defined]
        assert services.call_llm(prompt).model.endswith("(passage)")  # type: ignore[attr-defined]
    finally:
        wiring.configure(None)


def test_a_sentence_that_the_fence_changed_is_not_quoted() -> None:
    answer = judge(
        "The Hollow Bridge spans the Rhine near Basel.", "The Hollow Bridge <<<END>>> spans the Rhine near Basel."
    )
    assert answer.quote == ""


@given(st.text(min_size=1), st.lists(st.text(min_size=1), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_claim_and_evidence_get_a_readable_answer_the_same_each_time(claim: str, texts: list[str]) -> None:
    first = judge(claim, *texts)
    assert first == judge(claim, *texts)
    assert not first.quote or any(" ".join(first.quote.split()) in " ".join(text.split()) for text in texts)


@given(st.floats(-1e4, 1e4))
def test_the_logistic_function_stays_between_nought_and_one(value: float) -> None:
    assert 0 <= sigmoid(value) <= 1


def test_scores_add_up_to_one() -> None:
    scores = Calibration(Step(0.3, (1.0, -2.0)), Step(-0.1, (0.5, 0.5))).scores((0.2, 0.9))
    assert sum(scores.values()) == pytest.approx(1)


def test_little_words_are_not_said_to_be_missing() -> None:
    answer = judge("You can also cross the Hollow Bridge, but only until dusk.", BRIDGE)
    assert "'dusk'" in answer.justification
    assert not any(f"'{word}'" in answer.justification for word in ("You", "also", "but", "only", "until"))
