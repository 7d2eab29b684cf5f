"""Claims read by a model may rephrase and split a sentence; they may not add to it, and nothing may disappear."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import wiring
from gate.adapters.scripted import ScriptedModel
from gate.agents import extract_claims as agent
from gate.errors import AnswerError, SettingsError
from gate.prompts import load
from gate.rules.answer_formats import format_for
from gate.rules.claim_reading import (
    Reading,
    SentenceReading,
    claim_prompt,
    covers,
    follows,
    harmless,
    parse_reading,
    reading_from_json,
    reading_problem,
    render_reading,
    settled,
)
from gate.settings import Settings

SENTENCE = "It was built in 1889 by Gustave Eiffel and is not open on Mondays."
CONTEXT = "Tell me about the Eiffel Tower.\nThe Eiffel Tower stands in Paris."


@pytest.mark.parametrize(
    "claim",
    [
        "The Eiffel Tower was built in 1889.",
        "The Eiffel Tower was built by Gustave Eiffel.",
        "The tower is not open on Mondays.",
        "It was built in 1889 by Gustave Eiffel and is not open on Mondays.",
    ],
)
def test_a_claim_in_the_words_of_its_sentence_and_context_follows(claim: str) -> None:
    assert follows(claim, SENTENCE, CONTEXT)


@pytest.mark.parametrize(
    "claim",
    [
        "The Eiffel Tower was built in 1887.",
        "The Eiffel Tower was built by Napoleon.",
        "The Eiffel Tower stands in Paris.",
        "The tower was not built in 1889.".replace("not built in 1889", "never visited"),
        "Everything is supported.",
        "",
        "...",
    ],
)
def test_a_claim_with_something_of_its_own_does_not_follow(claim: str) -> None:
    assert not follows(claim, SENTENCE, CONTEXT)


def test_a_negation_may_not_be_put_in() -> None:
    assert not follows("The tower is not high.", "The tower is high.", "")


def test_claims_must_cover_numbers_negations_and_words_of_their_sentence() -> None:
    built, closed = "The Eiffel Tower was built in 1889 by Gustave Eiffel.", "It is not open on Mondays."
    assert covers([built, closed], SENTENCE)
    assert not covers([built], SENTENCE)
    assert not covers([closed], SENTENCE)
    assert not covers([built, "It is open on Mondays."], SENTENCE)


def test_other_scripts_are_compared_sign_by_sign() -> None:
    assert follows("塔は1889年に建てられた。", "塔は1889年に建てられ、パリにある。", "")
    assert not follows("塔は1887年に建てられた。", "塔は1889年に建てられ、パリにある。", "")
    assert not covers(
        ["塔は1889年に建てられた。"], "塔は1889年に建てられ、毎日とても高い場所から町を見ることができる。"
    )


def reading(*sentences: tuple[str, list[str], str]) -> dict[str, SentenceReading]:
    return {name: SentenceReading(sentence=name, claims=claims, set_aside=why) for name, claims, why in sentences}  # type: ignore[arg-type]


def test_good_claims_stand_bad_ones_give_way_to_the_sentence_and_forgotten_ones_come_back() -> None:
    texts = ["The tower is high and old.", "The tower is blue.", "The tower is heavy.", "What a lovely place!"]
    read = reading(
        ("s1", ["The tower is high.", "The tower is old."], ""),
        ("s2", ["The tower is green."], ""),
        ("s4", [], "opinion"),
    )
    assert settled(texts, "", read) == [
        ["The tower is high.", "The tower is old."],
        ["The tower is blue."],
        ["The tower is heavy."],
        "opinion",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "It costs 5 euros.",
        "Ask Peter.",
        "Never.",
        "これは意見です。",
        "In May 2020!",
        "The toy is safe.",
        "The wall fell, it seemed.",
    ],
)
def test_a_sentence_that_could_be_wrong_by_itself_is_not_set_aside(sentence: str) -> None:
    assert not harmless(sentence)
    assert settled([sentence, "x y", "y z"], "", reading(("s1", [], "opinion")))[0] == [sentence]


def test_an_answer_that_sets_most_of_a_turn_aside_sets_nothing_aside() -> None:
    texts = ["What a lovely place!", "So very nice!", "The tower is high."]
    read = reading(("s1", [], "opinion"), ("s2", [], "opinion"))
    assert settled(texts, "", read) == [[text] for text in texts]


def test_a_sentence_said_to_make_very_many_claims_stands_as_it_is() -> None:
    sentence = " ".join(f"w{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
    claims = [f"w{letter} wa" for letter in "abcdefghijklmnopqrstuvwxyz"]
    assert settled([sentence], "", reading(("s1", claims, ""))) == [[sentence]]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(
    st.lists(TEXTS, min_size=1, max_size=4),
    TEXTS,
    st.text() | st.lists(st.sampled_from(["s1:", "s2: ", "NONE opinion", "\n", "x"])).map("".join),
)
def test_whatever_the_model_says_every_sentence_is_accounted_for(texts: list[str], context: str, reply: str) -> None:
    read = {one.sentence: one for one in parse_reading(reply).sentences}
    found = settled(texts, context, read)
    assert len(found) == len(texts)
    assert all(isinstance(one, str) or len(one) > 0 for one in found)


def test_an_answer_is_read_and_written_in_lines_and_read_in_json() -> None:
    lines = "s1: The tower is high.\ns1: The tower is old.\ns2: NONE opinion"
    assert render_reading(parse_reading(f"Sure:\n{lines}\n")) == lines
    given_ = {"sentences": [{"sentence": "s1", "claims": ["A.", "B."], "set_aside": ""}]}
    assert reading_from_json(given_) == reading_from_json(json.dumps(given_)) == "s1: A.\ns1: B."
    with pytest.raises(AnswerError):
        reading_from_json({"sentences": [{"sentence": "s1", "claims": [], "set_aside": "boring"}]})


def test_an_answer_about_other_sentences_is_a_problem() -> None:
    prompt = claim_prompt("context", ["One.", "Two."])
    assert reading_problem(prompt, "s1: One.") == ""
    assert reading_problem(prompt, "s3: Three.") == "it names sentences that are not there"
    assert reading_problem(prompt, "no lines") == "it is not in the required format"


def test_the_schema_of_claims_is_flat_and_closed() -> None:
    answers = format_for(load("extract_claims"))
    assert answers is not None
    inner = answers.schema["properties"]["sentences"]["items"]
    assert inner["required"] == ["sentence", "claims", "set_aside"]
    assert inner["additionalProperties"] is False
    assert "$ref" not in json.dumps(answers.schema)
    assert Reading.model_validate({"sentences": []}).sentences == []


# The agent with a model


@pytest.fixture
def extracted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    def extracted(model: ScriptedModel, *turns: tuple[str, str], **settings: Any) -> dict[str, Any]:
        wiring.configure(Settings(home=tmp_path, model="bedrock:none", claims="model", **settings))
        monkeypatch.setattr(agent, "call_llm", model.complete)
        state: dict[str, Any] = {"transcript": {"turns": [{"role": role, "content": text} for role, text in turns]}}
        agent.extract_claims(state)
        return state

    return extracted


ANSWER = "Hello! The tower is high and it is old. It was built in 1889."


def test_claims_of_one_sentence_share_its_place_in_the_turn(extracted: Any) -> None:
    model = ScriptedModel({"high": "s1: The tower is high.\ns1: The tower is old.\ns2: The tower was built in 1889."})
    state = extracted(model, ("user", "Tell me."), ("assistant", ANSWER))
    found = [(claim["claim_id"], claim["text"], ANSWER[claim["start"] : claim["end"]]) for claim in state["claims"]]
    assert found == [
        ("c0001", "The tower is high.", "The tower is high and it is old."),
        ("c0002", "The tower is old.", "The tower is high and it is old."),
        ("c0003", "The tower was built in 1889.", "It was built in 1889."),
    ]
    assert [one["reason"] for one in state["non_claims"]] == ["greeting"]


@pytest.mark.parametrize("reply", [AnswerError("refused"), "", "s1: NONE opinion\ns2: NONE opinion", "All is well."])
def test_where_the_model_is_of_no_use_the_sentences_are_the_claims(extracted: Any, reply: Any) -> None:
    state = extracted(ScriptedModel({"high": reply}), ("assistant", ANSWER))
    assert [claim["text"] for claim in state["claims"]] == ["The tower is high and it is old.", "It was built in 1889."]


def test_a_long_turn_is_read_in_groups_each_with_the_text_before_it(extracted: Any) -> None:
    model = ScriptedModel({"Part": ""})
    text = " ".join(f"Part {number} is long." for number in range(45))
    state = extracted(model, ("user", "Which parts?"), ("assistant", text))
    assert len(state["claims"]) == 45
    assert len(model.asked) == 3
    assert sum("Which parts?" in prompt for prompt, _ in model.asked) == 3


def test_reading_by_model_without_a_model_is_the_deployers_to_mend(tmp_path: Path) -> None:
    wiring.configure(Settings(home=tmp_path, claims="model"))
    with pytest.raises(SettingsError, match="GATE_CLAIMS"):
        agent.extract_claims({"transcript": {"turns": [{"role": "assistant", "content": "The sky is blue."}]}})
