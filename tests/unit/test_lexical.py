"""Counting what of a claim stands in its evidence."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.adapters.local_verifier.lexical import FEATURES, Reading, read
from gate.adapters.local_verifier.windows import sentences, window
from gate.text.tokens import keys, plain_number, tokens, words

COMMON = {"the", "of", "in", "a", "is", "it", "was"}


def weight(key: str) -> float:
    return 1.0 if key in COMMON else 7.0


def reading(claim: str, *documents: str) -> Reading:
    return read(claim, documents, weight)


def feature(found: Reading, name: str) -> float:
    return found.features[FEATURES.index(name)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The films were directed", "the film was directing"),
        ("１９９８", "1998"),
        ("١٩٩٨", "1998"),
        ("1,250.50", "1250.5"),
        ("seven", "7"),
        ("Bob’s", "bob's"),
        ("cafés", "cafés"),
    ],
)
def test_the_same_thing_written_differently_compares_equal(one: str, other: str) -> None:
    shared = {key for key in keys(one) if weight(key) > 1} & set(keys(other))
    assert shared or keys(one) == keys(other)


def test_a_note_is_not_a_not() -> None:
    assert set(keys("note notes noted noting")) == {"note"}
    assert keys("not") == ["not"]


def test_a_version_number_is_no_decimal_number() -> None:
    assert plain_number("1.2.30") == "1.2.30"
    assert plain_number("2.50") == "2.5"


@pytest.mark.parametrize(
    "text",
    [
        "東京は日本の首都です。",
        "ประเทศไทย",
        "मुंबई भारत का शहर है",
        "서울은 한국의 수도이다",
        "Москва столица",
        "ນະຄອນຫຼວງ",
        "ရန်ကုန်",
    ],
)
def test_every_script_has_tokens_that_find_themselves(text: str) -> None:
    found = reading(text, "x. " + text)
    assert len(tokens(text)) > 1
    assert feature(found, "recall") == pytest.approx(1)


ascii_pieces = st.sampled_from(["No.", "Nos. 5", "3rd", "1,250.50", "Bob's", "_", "4.", "it''s", "\x1c", "\n", " "])


@given(st.lists(ascii_pieces | st.text(st.characters(max_codepoint=127), max_size=3), max_size=12).map("".join))
def test_a_text_has_the_same_words_beside_a_letter_beyond_ascii(text: str) -> None:
    assert words(f"{text} é") == [*words(text), "é"]


def test_a_number_and_a_name_that_are_missing_are_named() -> None:
    found = reading("The fair opened in 1998 in Busan.", "The fair opened in Seoul.")
    assert found.missing_numbers == ("1998",)
    assert found.missing_names == ("Busan",)
    assert feature(found, "number_missing") == 1


def test_a_sentence_that_denies_what_the_claim_says_shows() -> None:
    found = reading("A power adapter is in the box.", "A power adapter is not in the box.")
    assert found.negation_differs
    assert not reading("A power adapter is in the box.", "A power adapter is in the box.").negation_differs


def test_the_best_sentence_is_verbatim_and_names_its_document() -> None:
    found = reading(
        "The bridge spans the Rhine.", "It rained.", "In 1901 the bridge\nwas built. The bridge spans the Rhine!"
    )
    assert found.best is not None
    assert found.best.text == "The bridge spans the Rhine!"
    assert found.best.document == 1


def test_a_long_article_is_cut_to_the_sentences_that_speak_of_the_claim() -> None:
    filler = [f"Nothing of interest happened on day {number} of that dull year." for number in range(60)]
    found = sentences([" ".join([*filler[:30], "The bridge spans the Rhine.", *filler[30:]])])
    chosen = [found[place].text for place in window(keys("The bridge spans the Rhine"), found, weight)]
    assert "The bridge spans the Rhine." in chosen
    assert sum(len(text.split()) for text in chosen) <= 150


def test_no_evidence_gives_a_reading_all_the_same() -> None:
    found = reading("The bridge spans the Rhine.")
    assert found.best is None
    assert feature(found, "recall") == 0


@pytest.mark.parametrize(("words", "extent"), [(0, 0.0), (50, 0.25), (200, 1.0), (2_000, 1.0)])
def test_how_much_evidence_there_is_counts_up_to_a_passage(words: int, extent: float) -> None:
    evidence = [" ".join(["stone"] * 10) + "."] * (words // 10)
    assert reading("The bridge spans the Rhine.", *evidence).extent == extent


@given(st.text(), st.lists(st.text(), max_size=4))
def test_any_text_gives_finite_features_and_sentences_that_stand_in_their_document(
    claim: str, documents: list[str]
) -> None:
    found = read(claim, documents, weight)
    assert len(found.features) == len(FEATURES)
    assert all(0 <= value <= 2 for value in found.features)
    assert all(sentence.text in documents[sentence.document] for sentence in found.window)


def test_of_two_sentences_that_cover_as_much_the_first_is_taken_in_every_process() -> None:
    """0.1 + 0.2 + 0.3 is 0.6 or a little more, by the order in which a set is gone through."""
    weights = {"amber": 0.1, "birch": 0.2, "cedar": 0.3, "drum": 0.6, "filler": 0.0}
    found = sentences(["Drum filler.", "Amber birch cedar.", *["filler " * 60 + "."] * 3])
    for claim in itertools.permutations(weights):
        assert window(claim, found, weights.__getitem__, words=2)[0] == 0
