"""Claims read by a model may rephrase and split a sentence; they may not add to it, and nothing may disappear."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.adapters.model_reader import ModelReader
from gate.adapters.scripted import ScriptedModel
from gate.agents import extract_claims as agent
from gate.claims.rewriting.model_claims import accepted_claims
from gate.errors import AnswerError, AnswerRefusedError, SettingsError
from gate.prompts.readings import read_reading, reading_question
from gate.settings import Settings
from tests.entrance import Entrance

EIFFEL = "The Eiffel Tower stands in Paris."
SPLIT_AND_RESOLVED = [
    (
        "It was built in 1889 and is open on Mondays.",
        "The Eiffel Tower was built in 1889.|The tower is open on Mondays.",
    ),
    ("It is not open on Mondays.", "The Eiffel Tower is not open on Mondays."),
    ("Its lift is slow.", "The Eiffel Tower's lift is slow."),
    ("The tower is high and it is old.", "The tower is high.|The tower is old."),
    ("Refunds take 90 days, and shipping takes 14 days.", "Refunds take 90 days.|Shipping takes 14 days."),
    ("The refund takes 90 days; the post takes 14.", "The refund takes 90 days.|The post takes 14."),
    ("Dr Moor and Dr Kahl were convicted.", "Dr Moor were convicted.|Dr Kahl were convicted."),
    ("Der Turm ist hoch und alt.", "Der Turm ist hoch.|Der Turm ist alt."),
    ("La tour est haute et elle est vieille.", "La tour est haute.|La tour est vieille."),
    ("La torre es alta y vieja.", "La torre es alta.|La torre es vieja."),
    ("La torre è alta e vecchia.", "La torre è alta.|La torre è vecchia."),
    ("De toren is hoog en oud.", "De toren is hoog.|De toren is oud."),
    ("Tornet är högt och gammalt.", "Tornet är högt.|Tornet är gammalt."),
]


@pytest.mark.parametrize(("sentence", "claims"), SPLIT_AND_RESOLVED)
def test_a_model_may_split_a_sentence_and_say_what_a_pronoun_stands_for(sentence: str, claims: str) -> None:
    assert accepted_claims([sentence], EIFFEL, [claims.split("|")]) == [claims.split("|")]


REFUSED = [
    # names, roles and figures exchanged
    ("Dr Moor convicted Dr Kahl.", "Dr Kahl convicted Dr Moor."),
    ("Refunds take 90 days and shipping 14.", "Refunds take 14 days and shipping 90."),
    ("Refunds take 90 days and shipping takes 14 days.", "Refunds take 14 days.|Shipping takes 90 days."),
    ("Refunds and shipping take 90 and 14 days.", "Refunds take 14 days.|Shipping take 90 days."),
    ("Moor was convicted by Kahl.", "Moor convicted Kahl."),
    ("The employer sued the employee.", "The employee sued the employer."),
    ("Den Hund biss der Mann.", "Der Hund biss den Mann."),
    ("Moor verklagte Kahl und Stein.", "Stein verklagte Kahl und Moor."),
    ("Le chien a mordu l'homme.", "L'homme a mordu le chien."),
    ("El perro mordió a Juan.", "Juan mordió a el perro."),
    ("Il cane ha morso Giovanni.", "Giovanni ha morso il cane."),
    ("De hond beet Jan.", "Jan beet de hond."),
    ("Hunden bet Sven.", "Sven bet hunden."),
    ("It costs $5.", "It costs €5."),
    ("The share fell to -5.", "The share fell to 5."),
    ("It was built in 1889.", "It was built in 1887."),
    # negations dropped, added or given to another clause
    ("De winkel is niet open op zondag.", "De winkel is open op zondag."),
    ("De winkel is open op zondag.", "De winkel is niet open op zondag."),
    ("Butiken är inte öppen på söndag.", "Butiken är öppen på söndag."),
    ("Das Geschäft ist sonntags niemals offen.", "Das Geschäft ist sonntags offen."),
    ("Der Laden öffnet montags und dienstags nicht.", "Der Laden öffnet montags.|Der Laden öffnet dienstags nicht."),
    ("Le magasin n'est pas ouvert le dimanche.", "Le magasin est ouvert le dimanche."),
    ("La tienda no abre los domingos.", "La tienda abre los domingos."),
    ("Il negozio non è aperto la domenica.", "Il negozio è aperto la domenica."),
    ("The shop is hardly open on Sundays in winter.", "The shop is open on Sundays in winter."),
    ("The card fails to charge the customer.", "The card charges the customer."),
    ("None of the guests paid the bill.", "The guests paid the bill."),
    ("No, refunds take 90 days.", "No refunds take 90 days."),
    ("The shop is not cheap and clean.", "The shop is not cheap.|The shop is clean."),
    ("The drug is not toxic and cures flu.", "The drug is not toxic.|The drug is not cures flu."),
    ("The tower is high.", "The tower is not high."),
    # conditions, reports and hedges dropped
    ("If it rains, the shop is closed and the bar is open.", "If it rains, the shop is closed.|The bar is open."),
    ("Kahl said that Moor won and Stein lost.", "Kahl said that Moor won.|Stein lost."),
    ("In humans, Corvex cures cancer.", "Corvex cures cancer.|In humans"),
    ("It reportedly is open and is cheap.", "It reportedly is open.|It is cheap."),
    ("All guests and staff paid.", "All guests paid.|staff paid"),
    ("Wenn es regnet, ist der Laden zu und die Bar offen.", "Wenn es regnet, ist der Laden zu.|die Bar offen"),
    # words left out, or of the model's own
    ("The tower is high and old.", "The tower is high."),
    ("The tower is high and old.", "The tower is high and very old."),
    ("The tower is high and old.", "The tower is high.|The tower is old.|The tower is blue."),
    ("The tower is high or old.", "The tower is high.|The tower is old."),
    ("It was built by Gustave Eiffel.", "The Eiffel Tower was built by Napoleon."),
    ("It was built by Gustave Eiffel.", "The Eiffel Tower stands in Paris."),
    ("塔は1889年に建てられ、高い。", "塔は1889年に建てられた。|塔は高い。"),
    ("Corvex cures cancer.", "NONE opinion"),
    ("Corvex cures cancer.", "..."),
]


@pytest.mark.parametrize(("sentence", "claims"), REFUSED)
def test_whatever_else_a_model_writes_gives_way_to_the_sentence(sentence: str, claims: str) -> None:
    assert accepted_claims([sentence], EIFFEL, [claims.split("|")]) == [[sentence]]


@pytest.mark.parametrize("name", ["nobody", "No one", "Napoleon", "1889"])
def test_a_pronoun_stands_for_words_of_the_text_before_and_never_for_a_figure_or_a_negation(name: str) -> None:
    context = "Nobody came. No one saw Paris in 1889."
    assert accepted_claims(["It won."], context, [[f"{name} won."]]) == [["It won."]]
    assert accepted_claims(["It won."], context, [["Paris won."]]) == [["Paris won."]]


def test_a_sentence_said_to_make_very_many_claims_stands_as_it_is() -> None:
    sentence = "; ".join(f"w{letter} is high" for letter in "abcdefghijklmnopqrstuvwxyz")
    assert accepted_claims([sentence], "", [sentence.split("; ")]) == [[sentence]]


def test_a_sentence_that_the_model_forgets_is_a_claim_and_names_the_ones_after_it() -> None:
    texts = ["The Grey Tower is high.", "It is old.", "It is blue."]
    read = [(), ("The Grey Tower is old.",), ()]
    assert accepted_claims(texts, "", read) == [texts[:1], ["The Grey Tower is old."], texts[2:]]


NAMES = st.permutations(["Moor", "Kahl", "Stein"])
FIGURES = st.permutations(["90", "14", "7"])
PATTERNS = [
    ("{0} sued {1} in {a} and {2} in {b}.", "never"),
    ("{0} zahlte {1} {a} Euro und {2} {b} Euro.", "nicht"),
    ("{0} a payé {a} euros et {1} {b} euros.", "jamais"),
    ("{0} pagó {a} euros y {1} es de {2}.", "nunca"),
    ("{0} ha pagato {a} euro e {1} è di {2}.", "mai"),
    ("{0} betaalde {a} euro en {1} is van {2}.", "niet"),
    ("{0} betalade {a} euro och {1} är från {2}.", "inte"),
]


@given(st.sampled_from(PATTERNS), NAMES, FIGURES, st.data())
def test_no_two_words_can_be_exchanged_and_no_negation_slipped_in_or_out(
    pattern: tuple[str, str], names: list[str], figures: list[str], data: st.DataObject
) -> None:
    text, negation = pattern
    plain = text.format(*names, a=figures[0], b=figures[1])
    words = plain[:-1].split()
    one, other = sorted(data.draw(st.lists(st.integers(0, len(words) - 1), min_size=2, max_size=2, unique=True)))
    crossed = [*words]
    crossed[one], crossed[other] = words[other], words[one]
    place = data.draw(st.integers(0, len(words)))
    denied = [*words[:place], negation, *words[place:]]
    if crossed != words:
        assert accepted_claims([plain], "", [[" ".join(crossed)]]) == [[plain]]
    assert accepted_claims([plain], "", [[" ".join(denied)]]) == [[plain]]
    assert accepted_claims([" ".join(denied)], "", [[plain]]) == [[" ".join(denied)]]


@given(st.sampled_from(PATTERNS), NAMES, FIGURES, st.data())
def test_parts_keep_each_figure_beside_the_words_it_stood_beside(
    pattern: tuple[str, str], names: list[str], figures: list[str], data: st.DataObject
) -> None:
    """Of two parts drawn at will, whatever is accepted leaves out one stretch that an "and" begins or ends."""
    words = pattern[0].format(*names, a=figures[0], b=figures[1])[:-1].split()
    whole = " ".join(words)
    cuts = st.lists(st.integers(0, len(words)), min_size=2, max_size=2).map(sorted)
    parts = [words[:start] + words[end:] for start, end in (data.draw(cuts), data.draw(cuts))]
    found = accepted_claims([whole], "", [[" ".join(part) for part in parts]])[0]
    if found != [whole]:
        joint = next(at for at, word in enumerate(words) if word in ("and", "und", "et", "y", "e", "en", "och"))
        assert set(words) - {words[joint]} <= {word for claim in found for word in claim.split()} <= set(words)
        for claim in found:
            kept = claim.split()
            lost = len(words) - len(kept)
            ways = [at for at in range(len(kept) + 1) if words[:at] + words[at + lost :] == kept]
            assert any(joint in (at, at + lost - 1) for at in ways) or not lost


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(
    st.lists(TEXTS, min_size=1, max_size=4),
    TEXTS,
    st.text() | st.lists(st.sampled_from(["s1:", "s2: ", "NONE opinion", "\n", "x"])).map("".join),
)
def test_whatever_the_model_says_every_sentence_is_accounted_for(texts: list[str], context: str, reply: str) -> None:
    try:
        read = read_reading(reply, len(texts))
    except AnswerError:
        read = ((),) * len(texts)
    found = accepted_claims(texts, context, read)
    assert len(found) == len(texts)
    assert all(found)


def test_an_answer_is_read_in_lines_and_in_json() -> None:
    lines = "Sure:\ns1: The tower is high.\ns1: The tower is old.\ns2: How nice!\n"
    both = (("The tower is high.", "The tower is old."), ("How nice!",), ())
    assert read_reading(lines, 3) == both
    first = {"sentence": "s1", "claims": ["The tower is high.", "The tower is\nold."]}
    second = {"sentence": "s2", "claims": ["How nice!"]}
    assert read_reading(json.dumps({"sentences": [first, second]}), 3) == both


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("s3: Three.", "it names sentences that are not there"),
        ("no lines", "it is not in the required format"),
        ('{"sentences": []}', "it is not in the required format"),
        ('{"sentences": [{"sentence": "s1", "claims": []}]}', "it is not in the required"),
    ],
)
def test_an_answer_about_other_sentences_or_in_another_format_is_unreadable(reply: str, problem: str) -> None:
    with pytest.raises(AnswerError, match=problem):
        read_reading(reply, 2)


def test_the_schema_of_claims_is_flat_and_closed() -> None:
    form = reading_question("context", ["One.", "Two."]).form
    assert form is not None
    inner = form.schema["properties"]["sentences"]["items"]
    assert inner["required"] == ["sentence", "claims"]
    assert inner["additionalProperties"] is False
    assert "$ref" not in json.dumps(form.schema)


# The agent with a model


@pytest.fixture
def extracted(entrance: Entrance, tmp_path: Path) -> Any:
    def extracted(model: ScriptedModel, *turns: tuple[str, str], **settings: Any) -> dict[str, Any]:
        entrance.use(Settings(home=tmp_path, model="bedrock:none", claims="model", **settings))
        entrance.give(claim_reader=ModelReader(model))
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
    model = ScriptedModel({"Part": AnswerRefusedError("no")})
    text = " ".join(f"Part {number} is long." for number in range(45))
    state = extracted(model, ("user", "Which parts?"), ("assistant", text))
    assert len(state["claims"]) == 45
    assert len(model.asked) == 12
    assert sum("Which parts?" in question.text for question in model.asked) == 12


def test_reading_by_model_without_a_model_is_the_deployers_to_mend(entrance: Entrance, tmp_path: Path) -> None:
    entrance.use(Settings(home=tmp_path, claims="model"))
    with pytest.raises(SettingsError, match="GATE_CLAIMS"):
        agent.extract_claims({"transcript": {"turns": [{"role": "assistant", "content": "The sky is blue."}]}})
