"""A row of a table that gives a value to another name than its evidence does is told, and no other row."""

from __future__ import annotations

import pytest

from gate.decision.pairings import exchanged
from tests.unit.test_extract_claims import extracted

Table = list[list[str]]


def table(text: str) -> Table:
    return [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]


def told(rows: Table, *evidence: str) -> bool:
    """Whether any row of a table is told to be exchanged."""
    heads, *others = rows
    return any(exchanged([heads, row, *(one for one in others if one is not row)], evidence) for row in others)


BIKES = "A city bike is 14 euros a day and 59 euros a week. An electric bike is 32 euros a day and 149 euros a week."
HONEST = {
    "names before their values": (
        "Pass | Price\nDay | 18 pounds\nWeek | 64 pounds",
        "The Day Pass costs 18 pounds, the Week Pass 64 pounds.",
    ),
    "values before their names": (
        "Ticket | Price\nAdult | 14 euros\nUnder 18 | 9 euros",
        "A ticket costs 14 euros for adults and 9 euros for visitors under 18.",
    ),
    "a sentence for each": (
        "Plan | Price\nSolo | $0\nTeam | $19",
        "Solo costs 0 dollars and has one agent. Team costs 19 dollars per agent.",
    ),
    "two names and one value": (
        "Medium | Period\nBooks | four weeks\nDVDs | one week\nGames | one week",
        "Books are lent for four weeks, DVDs and games for one week.",
    ),
    "names as heads": (
        "Feature | Basic | Plus\nPrice | €9 | €17\nData | 5 GB | 30 GB",
        "Basic costs 9 euros and includes 5 GB of data, Plus costs 17 euros and includes 30 GB.",
    ),
    "two values of a kind": (
        "Bike | Day | Week\nCity | 14 euros | 59 euros\nElectric | 32 euros | 149 euros",
        BIKES,
    ),
    "one of the values of a name": (
        "Bike | Week\nCity | 59 euros\nElectric | 149 euros",
        BIKES,
    ),
    "words": (
        "Bin | Contents\nBlue | paper\nYellow | plastics",
        "The blue bin is for paper. Plastics go into the yellow bin.",
    ),
    "a value that the evidence gives to both": (
        "Card | Fee\nClassic | 2 euros\nGold | 9 euros",
        "Classic costs 2 euros; Gold costs 9 euros and a second Gold card 2 euros. At first Classic costs 9 euros.",
    ),
    "a name that the evidence does not have": (
        "Visitor | Price\nAdults | 12 euros\nStudents | 7 euros",
        "Admission is 12 euros, reduced 7 euros for students.",
    ),
    "a value behind a semicolon": (
        "Item | Classic | Gold\nNew card | €10 | Free",
        "A new card costs 10 euros; with Gold it is free. Classic costs 2 euros a month.",
    ),
    "a sentence whose parts begin with a name and with a value": (
        "Pass | Price\nDay | 18 pounds\nWeek | 64 pounds",
        "The Day Pass costs 18 pounds; it is 64 pounds for the Week Pass.",
    ),
    "rows": (
        "Plan | Price | Seats\nA | 5 | 10\nB | 10 | 5",
        "Plan: A | Price: 5 | Seats: 10\n\nPlan: B | Price: 10 | Seats: 5",
    ),
    "a row of which some cells are left out": (
        "Plan | Seats\nA | 10\nB | 5",
        "Plan: A | Price: 5 | Seats: 10\n\nPlan: B | Price: 10 | Seats: 5",
    ),
    "rows turned into columns": (
        "Field | A | B\nPrice | 5 | 10\nSeats | 10 | 5",
        "Plan: A | Price: 5 | Seats: 10\n\nPlan: B | Price: 10 | Seats: 5",
    ),
    "cells with several sentences": (
        "Name | Meaning\nopen | It waits. Nobody has it.\nbusy | It waits no more.",
        "Name: open | Meaning: It waits. Nobody has it.\n\nName: busy | Meaning: It waits no more.",
    ),
    "other evidence": ("Pass | Price\nDay | 18 pounds\nWeek | 64 pounds", "The café opens at 18 and closes at 23."),
}


@pytest.mark.parametrize("case", HONEST)
def test_a_table_that_pairs_as_its_evidence_does_is_left_alone(case: str) -> None:
    text, evidence = HONEST[case]
    assert not told(table(text), evidence)


def exchanged_rows(rows: Table) -> Table:
    """The table with the values of its first two rows exchanged."""
    heads, first, second, *others = rows
    return [heads, [first[0], *second[1:]], [second[0], *first[1:]], *others]


def exchanged_heads(rows: Table) -> Table:
    """The table with its last two heads exchanged."""
    return [[*rows[0][:-2], rows[0][-1], rows[0][-2]], *rows[1:]]


UNTOLD = {
    "names as heads",
    "a value behind a semicolon",
    "a value that the evidence gives to both",
    "a name that the evidence does not have",
    "other evidence",
}


@pytest.mark.parametrize("case", sorted(HONEST.keys() - UNTOLD))
def test_a_table_whose_rows_have_exchanged_their_values_is_told(case: str) -> None:
    text, evidence = HONEST[case]
    assert told(exchanged_rows(table(text)), evidence)


@pytest.mark.parametrize("case", ["names as heads", "two values of a kind", "rows", "rows turned into columns"])
def test_a_table_whose_heads_have_been_exchanged_is_told(case: str) -> None:
    text, evidence = HONEST[case]
    assert told(exchanged_heads(table(text)), evidence)


def test_what_is_told_names_both_pairs() -> None:
    rows = table("Pass | Price\nDay | 64 pounds\nWeek | 18 pounds")
    said = exchanged(rows, ["The Day Pass costs 18 pounds, the Week Pass 64 pounds."])
    assert said == "the evidence has 64 pounds for Week, and 18 pounds for Day"


def test_rows_are_named_by_the_first_column_whose_cells_differ() -> None:
    rows = table("Kind | Field | Type\nneeded | id | string\nneeded | size | number")
    evidence = "Kind: needed | Field: id | Type: number\n\nKind: needed | Field: size | Type: string"
    assert told(rows, evidence)


ANSWER = "| Pass | Price |\n|---|---|\n| Day | £18 [1] |\n| Week | £64 |\n\n[1] Passes\n"


def test_a_row_is_judged_with_its_heads_and_the_rows_beside_it() -> None:
    found = extracted(("user", "Prices?"), ("assistant", ANSWER))["claims"]
    assert [claim["table"] for claim in found] == [
        [["Pass", "Price"], ["Day", "£18"], ["Week", "£64"]],
        [["Pass", "Price"], ["Week", "£64"], ["Day", "£18"]],
    ]


def test_a_table_of_very_many_cells_is_not_compared() -> None:
    wide = "|".join(f"h{at}" for at in range(13))
    answer = f"|{wide}|\n|{'---|' * 13}\n|{wide.replace('h', 'v')}|\n"
    assert "table" not in extracted(("user", "All?"), ("assistant", answer))["claims"][0]
