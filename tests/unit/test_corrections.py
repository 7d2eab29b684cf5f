"""What could stand in a claim instead of a wrong figure, and the words of it that no passage has."""

from __future__ import annotations

import pytest

from gate.decision.corrections import corrections, name_correction
from gate.decision.coverage import uncovered

KLARNA = "Orders of 150 euros or more can be split into three monthly instalments with Klarna."
RETURNS = "Orders placed between 15 November and 24 December can be returned until 31 January."


@pytest.mark.parametrize(
    ("claim", "evidence", "offered"),
    [
        ("Orders of 150 euros can be paid in four monthly instalments with Klarna.", [KLARNA], "three monthly"),
        (
            "Orders placed between 15 November and 24 December can be returned until 15 January.",
            [RETURNS],
            "31 January",
        ),
        ("The tower was finished in 1931.", ["The tower was finished in 1889 by 300 workers."], "1889"),
        ("The pass costs 12 euros.", ["It has two floors.", "The pass costs 9 euros."], "9 euros"),
        (
            "Whoever wants to see all five houses of the old park needs a ticket, and that comes to 12 euros.",
            ["Whoever wants to see all five houses of the old park needs a ticket, sold at the gate for 9 euros."],
            "9 euros",
        ),
    ],
)
def test_the_figure_that_the_evidence_has_instead_is_offered(claim: str, evidence: list[str], offered: str) -> None:
    (found,) = corrections(claim, evidence)
    assert found.instead == offered
    assert claim[found.start : found.end] == found.said


def test_a_date_within_another_date_is_not_taken_for_it() -> None:
    claim = "It opens on 11 March and shuts on 1 March of the next year."
    (found,) = corrections(claim, ["It opens on 11 March and shuts on 3 March of the next year."])
    assert (found.start, found.instead) == (claim.rindex("1 March"), "3 March")


def test_a_date_that_stands_twice_is_not_mended_in_one_place_alone() -> None:
    assert corrections("It opens on 1 March at noon and shuts on 1 March.", ["It opens on 3 March at noon."]) == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The pass costs 9 euros.", ["The pass costs 9 euros."]),
        ("The pass costs 12 euros.", []),
        ("The pass costs 12 euros.", ["Dogs need a ticket of 3 euros on the ferry."]),
        ("The pass costs 12 euros.", ["The pass costs 9 euros, or 7 euros."]),
        ("The pass costs 12 euros.", ["The pass costs 9 euros.", "The pass costs 8 euros."]),
        ("Booster 9 flew without a fault.", ["The booster flew with 33 engines without a fault."]),
        ("It comes with 64 GB of storage.", ["The device holds 32 GB.", "The Mini comes with 16 GB of storage."]),
    ],
    ids=["nothing wrong", "no evidence", "about something else", "two figures", "two sentences", "a name", "the first"],
)
def test_nothing_is_offered_where_it_is_not_certain_which_figure_is_meant(claim: str, evidence: list[str]) -> None:
    assert corrections(claim, evidence) == []


@pytest.mark.parametrize(
    ("claim", "evidence", "said", "instead"),
    [
        (
            "Anna Moor has led the library since 2019.",
            "Anna Kessler has led the library since 2019.",
            "Anna Moor",
            "Anna Kessler",
        ),
        ("The kettle is made in Basel.", "The kettle is made in Bern.", "Basel", "Bern"),
        ("Since May the pass is sold by Holm in town.", "The pass is sold by Vester in town.", "Holm", "Vester"),
        (
            "The bridge of Anna Moor was built in 1931.",
            "The bridge was built in 1931 by Anna Kessler.",
            "Anna Moor",
            "Anna Kessler",
        ),
    ],
    ids=["a word of it exchanged", "between the same words", "in the middle", "elsewhere in the sentence"],
)
def test_the_name_that_the_evidence_has_instead_is_offered(claim: str, evidence: str, said: str, instead: str) -> None:
    found = name_correction(claim, ["It has two floors.", evidence])
    assert found is not None
    assert (found.said, found.instead, found.sentence) == (said, instead, evidence)
    assert claim[found.start : found.end] == said


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The kettle is made in Bern.", ["The kettle is made in Bern."]),
        ("The kettle is made in Basel.", []),
        ("The kettle is made in Basel.", ["The kettle is made in Bern.", "The kettle is made in Chur."]),
        ("The kettle is made in Basel.", ["The kettle is made of steel, says Holm."]),
        ("The kettle is made in Basel.", ["Dogs travel free to Bern."]),
        ("In Basel the kettle is made by Holm.", ["In Bern the kettle is made by Vester."]),
        ("Kessler made the kettle in Bern.", ["Anna Kessler made the kettle in Bern."]),
    ],
    ids=["it is there", "no evidence", "two names", "another place", "about something else", "two wrong", "shortened"],
)
def test_no_name_is_offered_where_it_is_not_certain_which_one_is_meant(claim: str, evidence: list[str]) -> None:
    assert name_correction(claim, evidence) is None


def test_words_that_no_passage_has_are_found_with_their_neighbours() -> None:
    claim = "The case was designed by the studio Holm & Vester, and boats leave at nine."
    found = [claim[start:end] for start, end in uncovered(claim, ["Boats leave at nine.", "The case is black."])]
    assert found == ["designed", "studio Holm", "Vester"]


def test_words_of_a_sentence_that_the_evidence_says_are_all_covered() -> None:
    assert uncovered("Boats leave at nine.", ["At 9 the boat left; boats leave."]) == []
