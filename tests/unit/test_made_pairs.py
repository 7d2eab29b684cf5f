"""Pairs that are made to train on say what their target says."""

from __future__ import annotations

import random
import re

import pytest

from training.data import OURS, Row
from training.pairs import DETAIL, NEITHER, ROLES, SUPPORT, Mixer, Pair, target
from training.technical import technical

IDF = {"": 6.0}


def a_row(claim: str, evidence: str, label: str = "supported", name: str = "fever-rte-dev") -> Row:
    return Row(name, claim, claim, (evidence,), label, label)


def mixer(*rows: Row) -> Mixer:
    return Mixer(list(rows), IDF, {}, seed=1)


ROWS = (
    a_row("Ada Lovelace admired Mary Somerville.", "Ada Lovelace admired her tutor Mary Somerville."),
    a_row("The bridge was opened in Porto.", "The bridge of Porto was opened in 1886 by the king."),
    a_row("The ferry sails with forty passengers on board.", "The ferry sails at nine with forty passengers on board."),
)
PLACES = ("museum", "library", "bakery", "market", "castle")


def test_a_handbook_supports_only_what_stands_in_it() -> None:
    chance = random.Random(7)
    for _ in range(300):
        claim, documents, meant = technical(chance)
        assert sum(meant) == pytest.approx(1)
        assert all((claim, *documents))
        if meant == SUPPORT:
            assert set(re.findall(r"\d+", claim)) <= set(re.findall(r"\d+", " ".join(documents)))


def test_the_same_seed_makes_the_same_handbook() -> None:
    assert technical(random.Random(3)) == technical(random.Random(3))


def test_an_answers_manner_keeps_the_words_of_its_claim() -> None:
    mix = mixer(*ROWS)
    said = [mix.said_otherwise("The bridge was opened in Porto.") for _ in range(120)]
    assert all("bridge was opened in Porto" in claim for claim in said)
    assert 1 < len(set(said)) < 60


def made(make: str) -> list[Pair]:
    mix = mixer(*ROWS)
    return [getattr(mix, make)() for _ in range(40)]


def test_exchanged_roles_are_never_supported() -> None:
    claims = {pair.claim: pair.target for pair in made("_roles_swapped")}
    assert claims["Mary Somerville admired Ada Lovelace."] != SUPPORT


def test_an_added_detail_is_never_supported_whole() -> None:
    added = {pair.claim: pair.target for pair in made("_added")}
    assert (added["Ada Lovelace admired Mary Somerville in Porto."] or SUPPORT)[1] < 0.5


def test_a_claim_without_its_last_detail_stays_supported() -> None:
    shorter = [pair for pair in made("_left_out") if pair.claim not in {row.claim for row in ROWS}]
    assert all(pair.target and pair.target[1] >= 0.9 for pair in shorter)


def test_a_sentence_beside_the_documents_of_others_is_neither_supported_nor_refuted() -> None:
    rows = [
        a_row(f"The {name} opens at nine.", f"The {name} opens at nine.", name=own) for own in OURS for name in PLACES
    ]
    mix = mixer(*rows)
    for pair in [mix._elsewhere() for _ in range(40)]:
        (named,) = [name for name in PLACES if name in pair.claim]
        assert pair.evidence
        assert named not in pair.evidence
        assert pair.target == NEITHER


def test_two_sentences_are_supported_only_while_the_document_has_both() -> None:
    cut = [f"The {name} of the old town opens its doors at {hour} every day." for hour, name in enumerate(PLACES)]
    mix = mixer(a_row("The town is old.", " ".join(cut), "supported", "factcg-doc-train"))
    pairs = [mix._two_sentences() for _ in range(60)]
    assert {pair.target == SUPPORT for pair in pairs} == {True, False}
    for pair in pairs:
        named = [name for name in PLACES if name in pair.claim]
        assert len(named) == 2
        assert all(name in pair.evidence for name in named) == (pair.target == SUPPORT)


@pytest.mark.parametrize("claim", ["Ada is British.", "Ada was a mathematician.", "Ada and Mary met."])
def test_names_that_share_no_verb_are_not_exchanged(claim: str) -> None:
    assert ROLES.fullmatch(claim) is None


def test_a_detail_is_the_phrase_at_the_end() -> None:
    found = DETAIL.search("The bridge was opened in Porto")
    assert found
    assert found[0] == " in Porto"


def test_a_claim_over_several_sentences_with_one_taken_away_is_in_neither_way_decided() -> None:
    assert target(a_row("A claim.", "A text.", "unsupported", "factcg-doc-train")) == (1.0, 0.0, 0.0)
