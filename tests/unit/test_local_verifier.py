"""The verifier that needs no model service."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gate import services, wiring
from gate.adapters.local_verifier import LocalVerifier, lexicon, local_verifier
from gate.adapters.local_verifier.calibration import Calibration, Step, sigmoid
from gate.errors import AnswerError, SettingsError
from gate.model import Answer, Document
from gate.prompts.fencing import fence
from gate.prompts.verdicts import parse_verdict
from gate.services.run import source_kind, using
from gate.settings import Settings
from gate.text.languages import ENGLISH, language_of
from tests.builders import a_document
from tests.entrance import Entrance

BRIDGE = "The Hollow Bridge spans the Rhine near Basel and was opened by the mayor in 1901."


def judge(claim: str, *texts: str, kind: str = "passage") -> Answer:
    return LocalVerifier(kind).judge(claim, "", [a_document(text) for text in texts]).answer  # type: ignore[misc]


def test_a_claim_that_the_evidence_repeats_is_supported() -> None:
    answer = judge("The Hollow Bridge spans the Rhine near Basel.", "Opening hours: 9 to 17.", BRIDGE)
    assert answer.label == "supported"
    assert answer.quote == BRIDGE
    assert answer.documents == (1,)


def test_a_claim_about_something_else_is_unsupported_and_says_what_is_missing() -> None:
    answer = judge("The harbour of Busan was closed in 1998.", BRIDGE)
    assert answer.label == "unsupported"
    assert answer.reason == "not_mentioned"
    assert "1998" in answer.justification

    assert "'Busan'" in answer.justification
    assert answer.quote == ""


def test_a_figure_that_needs_no_evidence_is_not_said_to_be_missing() -> None:
    claim, documents = "In total you pay £98 for 7 lamps.", [Document(content=BRIDGE)]
    before = LocalVerifier().judge(claim, "", documents).answer
    after = LocalVerifier().judge(claim, "", documents, {"£98": "£20 + £78"}).answer
    assert (after.label, after.scores) == (before.label, before.scores)
    assert "98" in before.justification
    assert "98" not in after.justification
    assert "7" in after.justification


@pytest.mark.parametrize("kind", ["passage", "article", "snippet"])
def test_a_missing_number_and_name_move_every_kind_away_from_support(kind: str) -> None:
    right = judge("The Hollow Bridge was opened by the mayor in 1901.", BRIDGE, kind=kind)
    wrong = judge("The Hollow Bridge was opened by the Emperor in 1907.", BRIDGE, kind=kind)
    assert wrong.scores["supported"] < right.scores["supported"] - 0.1


def test_counting_alone_never_claims_contradiction() -> None:
    answer = judge("The Hollow Bridge does not span the Rhine.", BRIDGE)
    assert answer.reason in ("entailed", "partial", "not_mentioned")


def test_the_name_says_model_version_and_kind() -> None:
    judged = LocalVerifier("article").judge("A claim.", "", [{"content": BRIDGE}])
    assert judged.model == f"local-lexical/{lexicon().version} (article)"


def test_call_llm_has_a_fenced_claim_judged_and_answers_nothing_else() -> None:
    prompt = fence("The Hollow Bridge spans the Rhine.", [{"content": BRIDGE}]).text
    assert parse_verdict(services.call_llm(prompt))[0] == "supported"
    with pytest.raises(AnswerError):
        services.call_llm("LABEL: supported")


def test_an_unknown_kind_of_source_names_those_that_exist() -> None:
    with pytest.raises(SettingsError, match="blog") as caught:
        LocalVerifier("blog")
    assert "article" in caught.value.hint


def test_a_run_chooses_the_kind_of_source(entrance: Entrance) -> None:
    entrance.use(Settings(model="local:lexical"))
    with using({"verifier": {"source_kind": "snippet"}}):
        assert (
            wiring.current()
            .verifier(source_kind())
            .judge("A claim.", "", [{"content": BRIDGE}])
            .model.endswith("(snippet)")
        )
    assert (
        wiring.current()
        .verifier(source_kind())
        .judge("A claim.", "", [{"content": BRIDGE}])
        .model.endswith("(passage)")
    )


@pytest.mark.parametrize("mark", ["<<<END>>>", "《《《END》》》"])
def test_a_sentence_that_looks_like_a_fence_is_no_evidence(mark: str) -> None:
    answer = judge(
        "The Hollow Bridge spans the Rhine near Basel.", f"The Hollow Bridge {mark} spans the Rhine near Basel."
    )
    assert (answer.label, answer.quote) == ("unsupported", "")


@given(st.text(min_size=1), st.lists(st.text(min_size=1), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_claim_and_evidence_get_a_readable_answer_the_same_each_time(claim: str, texts: list[str]) -> None:
    assume(language_of(claim) in ("", ENGLISH))
    first = judge(claim, *texts)
    assert first == judge(claim, *texts)
    assert all(first.quote in texts[place] for place in first.documents)


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


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("An upgrade to first class costs £12 per day.", "Upgrades to first class cost 12 pounds a day."),
        ("The pump draws 2,200 W.", "Power: 2200 W. Voltage: 220 V. The pump draws 2200 W at most."),
        ("The shop closes at 18:00.", "The shop closes at 6 pm."),
    ],
)
def test_an_amount_in_another_spelling_is_supported_and_another_amount_is_not(claim: str, evidence: str) -> None:
    other = claim.replace("12", "13").replace("2,200", "2,300").replace("18", "19")
    documents: list[Document] = [{"content": f"Please read this page. {evidence} Ask us if you have a question."}]
    judged = [local_verifier().judge(text, "", documents).answer.label for text in (claim, other)]
    assert judged == ["supported", "unsupported"]
