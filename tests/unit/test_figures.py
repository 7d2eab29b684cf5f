"""Figures are told apart by unit, rate and period, and are vouched for by the passage that speaks of them."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.adapters.local_verifier import local_verifier
from gate.adapters.local_verifier.guards import amount_differs
from gate.decision.checks import run_checks
from gate.model import Check, Document
from gate.text.figures.dates import find_dates
from gate.text.figures.quantities import find_quantities
from gate.text.figures.units import CODES, PERIODS, UNITS
from gate.text.languages import ENGLISH, language_of
from tests.unit.figure_cases import CASES, PASSAGES, Case


def failures(claim: str, *passages: str) -> list[Check]:
    return [check for check in run_checks(claim, passages) if not check["passed"]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.false)
def test_another_figure_than_the_evidence_has_is_found(case: Case) -> None:
    assert failures(case.false, *case.passages)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.honest)
def test_the_same_figure_in_another_form_is_the_same(case: Case) -> None:
    assert failures(case.honest, *case.passages) == []


def test_the_local_verifier_supports_no_claim_with_another_figure() -> None:
    verifier = local_verifier()
    for case in CASES:
        documents: list[Document] = [{"content": text} for text in case.passages]
        if language_of(case.false) in ("", ENGLISH):
            assert verifier.judge(case.false, "", documents).answer.label != "supported", case.false


def test_a_figure_of_another_passage_is_said_to_be_one_and_asks_for_caution() -> None:
    passages = ("Adults pay 14 euros for the lake ferry.", "Adults pay 9 euros for the castle tour.")
    [failed] = failures("Adults pay 9 euros for the lake ferry.", *passages)
    assert failed["detail"] == "only in another passage: 9 euros; the one that decides has 14 euros"
    stop = amount_differs([failed])
    assert stop is not None
    assert stop.label == "weakly_supported"


def test_a_claim_may_have_its_figures_from_two_passages() -> None:
    passages = ("Vorel was founded in 1972 in Lund.", "Vorel has 310 shops in 12 countries.")
    assert failures("Vorel, which was founded in 1972, has 310 shops in 12 countries.", *passages) == []


def test_a_passage_without_a_figure_of_that_kind_decides_nothing() -> None:
    passages = ("The lake ferry that adults like leaves daily.", "The ferry costs 9 euros.")
    assert failures("The lake ferry that adults like costs 9 euros.", *passages) == []


def test_the_number_of_a_passage_or_of_a_sequel_is_a_name() -> None:
    passages = ("The film Marrow 2 has 4 songs.", "In Marrow 3 the miller returns to the village.")
    assert failures("The film Marrow 3 has songs and a miller.", *passages) == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Give 5 flurbs.", "Give 5 ml."),
        ("Give 5 ml.", "Give 5 flurbs."),
        ("It costs 5 brims.", "It costs 5 euros."),
        ("It holds 5 crates.", "It holds 5 %."),
    ],
)
def test_a_unit_that_is_not_known_is_not_one_that_is(claim: str, evidence: str) -> None:
    assert failures(claim, evidence)
    assert failures(claim, claim) == []


@pytest.mark.parametrize(
    ("text", "values", "kind"),
    [
        ("a hundred and five", {105}, "number"),
        ("the twenty-first", {21}, "number"),
        ("the first six months", {6}, "month"),
        ("two and a half hours", {9000}, "time"),
        ("half an hour", {1800}, "time"),
        ("1 1/2 cups", {0.354882354}, "volume"),
        ("$3.2bn", {3.2e9}, "USD"),
        ("€5m", {5e6}, "EUR"),
        ("30 calendar days", {2592000}, "time"),
        ("5 square feet", {0.4645152}, "area"),
        ("a third of it", {100 / 3}, "percent"),
        ("kr 500", {500}, "SEK"),
        ("TWENTY-FIRST OF MAY", {21}, "number"),
        ("chf 20", {20}, "CHF"),
        ("5k", {5000}, "number"),
        ("only ſix", {6}, "number"),
        ("DOUBLEſ", {2}, "factor"),
    ],
)
def test_amounts_are_read(text: str, values: set[float], kind: str) -> None:
    found = find_quantities(text)[-1]
    assert found.kind == kind
    assert sorted(value * found.units[0].size for value in found.written) == pytest.approx(sorted(values))


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("on (2024-05-06)", {"2024-05-06"}),
        ("12024-05-06", set()),
        ("x2024-05-06", set()),
        ("11.5.2024", {"11.5.2024"}),
        ("version 1.2.3.2024", set()),
        ("21/5/2024", {"21/5/2024"}),
        ("A1/2/2024", {"1/2/2024"}),
        ("1/2/3/2024", set()),
        ("on 3 May 2024", {"3 May 2024", "May 2024"}),
        ("x3 May 2024", {"May 2024"}),
        ("123 May 2024", {"May 2024"}),
        ("type 5 may be anything", set()),
        ("until march 4 units are left", set()),
        ("on 5 May we met", {"5 May"}),
        ("on 5 may 2024", {"5 may 2024", "may 2024"}),
        ("on 5 june", {"5 june"}),
    ],
)
def test_a_date_begins_where_its_first_figure_does(text: str, dates: set[str]) -> None:
    assert {date.text for date in find_dates(text)} == dates


@pytest.mark.parametrize("text", ["3 ſeptember 2024", "3 SEPTEMBER 2024"])
def test_a_month_is_read_in_any_letters(text: str) -> None:
    assert {date.month for date in find_dates(text)} == {9}


@pytest.mark.parametrize(
    ("claim", "evidence", "same"),
    [
        ("It runs at 60 mph.", "It runs 60 miles per day.", False),
        ("It runs at 60 mph.", "It runs 60 miles an hour.", True),
        ("It sends 400 mbps.", "It sends 50 MB per hour.", False),
        ("It falls at 100 kmh.", "It falls at 27.78 m/s.", True),
    ],
)
def test_a_unit_that_holds_its_period_is_a_rate(claim: str, evidence: str, same: bool) -> None:
    assert (failures(claim, evidence) == []) is same


@pytest.mark.parametrize(
    ("evidence", "honest", "false"),
    [
        ("The weight may not exceed 20 kg.", "It weighs at most 20 kg.", "It weighs more than 20 kg."),
        ("It weighs up to 20 kg.", "It cannot exceed 20 kg.", "It exceeds 20 kg."),
        ("It isn't over 20 kg.", "It weighs no more than 20 kg.", "It is over 20 kg."),
        ("It must not be more than 20 kg.", "It weighs up to 20 kg.", "It weighs at least 20 kg."),
        ("It is never below 20 kg.", "It weighs at least 20 kg.", "It is below 20 kg."),
    ],
)
def test_a_bound_that_is_denied_is_the_other_one(evidence: str, honest: str, false: str) -> None:
    assert failures(honest, evidence) == []
    assert failures(false, evidence)
    assert failures(evidence, evidence) == []


@pytest.mark.parametrize(
    ("evidence", "false"),
    [
        ("You must be at most 20 years old.", "You need not be over 20 years old."),
        ("You must be at most 20 years old.", "You needn't be over 20 years old."),
        ("Lockers are for guests over 18.", "There is no under 18 locker."),
    ],
)
def test_what_need_not_be_and_what_there_is_none_of_is_no_denied_bound(evidence: str, false: str) -> None:
    assert failures(false, evidence)


@pytest.mark.parametrize(
    ("evidence", "honest", "false"),
    [
        ("Refunds take 30¹ days.", "Refunds take 30 days.", "Refunds take 301 days."),
        ("Refunds take 30① days.", "Refunds take 30 days.", "Refunds take 301 days."),
        ("Refunds take 30 days¹ at most.", "Refunds take 30 days.", "Refunds take 31 days."),
        ("The fee is 12 %¹ of it.", "The fee is 12 %.", "The fee is 121 %."),
        ("It holds 10⁶ cells.", "It holds 1,000,000 cells.", "It holds 106 cells."),
        ("It holds 10⁶ cells.", "It holds 10^6 cells.", "It holds 10 cells."),
        ("It weighs 10⁻³ kg.", "It weighs 1 g.", "It weighs 103 kg."),
        ("It takes 1½ hours.", "It takes 1.5 hours.", "It takes 11 hours."),
        ("It takes 1½ hours.", "It takes 90 minutes.", "It takes 2 hours."),
        ("It takes 2¾ hours.", "It takes 2¾ hours.", "It takes 23 hours."),
        ("The room has 25 m².", "The room has 25 m2.", "The room has 252 m."),
    ],
)
def test_what_is_raised_behind_a_figure_is_no_digit_of_it(evidence: str, honest: str, false: str) -> None:
    assert failures(honest, evidence) == []
    assert failures(false, evidence)
    assert failures(evidence, evidence) == []


def test_a_raised_mark_gives_the_local_verifier_no_other_figure() -> None:
    documents: list[Document] = [{"content": "Refunds of an order take 30¹ days."}]
    judged = [local_verifier().judge(f"Refunds take {days} days.", "", documents) for days in (30, 301)]
    assert [one.answer.label == "supported" for one in judged] == [True, False]


def test_the_first_of_a_range_has_the_unit_of_the_second() -> None:
    assert [found.kind for found in find_quantities("5 to 10 mg, 6-8 hours")] == ["mass", "mass", "time", "time"]


def test_a_type_number_and_a_gene_are_no_amounts() -> None:
    assert find_quantities("A Type 37A car, third-party parts and MEK 1/2 inhibitors.") == ()


SIMPLE = sorted(
    name
    for name, units in UNITS.items()
    if len(units) == 1 and units[0].dimension not in ("number", "times", "factor") and not units[0].per
)
PAIRS = [
    (one, other)
    for one in SIMPLE
    for other in SIMPLE
    if UNITS[one][0].dimension == UNITS[other][0].dimension
    and 1e-4 < UNITS[one][0].size / UNITS[other][0].size < 1e4
    and one != other
]


@given(st.sampled_from(PAIRS), st.integers(2, 999))
def test_an_amount_stays_the_same_through_a_conversion_and_back(pair: tuple[str, str], value: int) -> None:
    one, other = (UNITS[name][0] for name in pair)
    converted = (one.zero + value * one.size - other.zero) / other.size
    # three digits before the comma are thousands to some readers, so that many are never behind it
    places = max(0, 5 - math.floor(math.log10(abs(converted) or 1)))
    places += places == 3
    ours, theirs = f"It is {value} {pair[0]}.", f"It is {converted:.{places}f} {pair[1]}."
    assert failures(ours, theirs) == failures(theirs, ours) == []


@given(st.sampled_from(PAIRS), st.integers(2, 999))
def test_an_amount_is_not_the_same_number_of_another_size(pair: tuple[str, str], value: int) -> None:
    one, other = (UNITS[name][0] for name in pair)
    if abs(one.size / other.size - 1) > 0.1 and one.zero == other.zero:
        assert failures(f"It is {value} {pair[0]}.", f"It is {value} {pair[1]}.")


FORMS = ("It is {} {}.", "It is {} {} per week.", "Daily it is {} {}.", "Half of it is more than {} {}.")


@given(st.sampled_from(FORMS), st.integers(2, 5000), st.sampled_from(sorted(UNITS)))
def test_a_claim_equal_to_its_evidence_never_fails(form: str, value: int, unit: str) -> None:
    claim = form.format(value, unit)
    assert failures(claim, claim) == []
    assert failures(claim, "Elsewhere it is 7 euros a day, or a third.", claim) == []


@given(st.integers(2, 99), st.sampled_from(sorted({"day", "week", "month", "year", "hour"})))
def test_a_rate_over_another_period_is_the_same_when_it_comes_to_the_same(value: int, period: str) -> None:
    ours, day = f"It makes {value} litres a {period}.", 86400 / PERIODS[period].size
    assert failures(ours, f"It makes {value * day:.6g} litres per day.") == []
    assert failures(ours, f"It makes {2 * value * day:.6g} litres per day.")


@pytest.mark.parametrize("case", PASSAGES, ids=lambda case: case.false)
def test_the_order_of_passages_does_not_matter(case: Case) -> None:
    for claim in (case.false, case.honest):
        found = [bool(failures(claim, *order)) for order in permutations(case.passages)]
        assert len(set(found)) == 1


@given(st.permutations([text for case in PASSAGES for text in case.passages]))
def test_the_order_of_many_passages_does_not_matter(passages: list[str]) -> None:
    assert [bool(failures(case.honest, *passages)) for case in PASSAGES] == [False] * len(PASSAGES)


def test_every_currency_and_period_has_a_unit() -> None:
    assert {unit.dimension for units in UNITS.values() for unit in units} >= CODES
    assert all(unit.size > 0 for unit in PERIODS.values())


def test_groups_of_three_before_a_name_are_two_numbers() -> None:
    found = [one.written for one in find_quantities("Of 12 500 kg and 12 737 MAX jets, 10 250 Ärzte.")]
    assert found == [{12500}, {12}, {737}, {10}, {250}]
