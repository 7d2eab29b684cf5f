"""Checks that need no model: what a claim counts, dates, measures and quotes must stand in its evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.decision.checks import run_checks
from gate.text.figures.letters import as_digits


def outcome(claim: str, evidence: str) -> dict[str, bool]:
    return {check["name"]: check["passed"] for check in run_checks(claim, [evidence])}


HOLDS = [
    ("It has 12 rooms.", "There are twelve rooms.", "numbers"),
    ("It has twelve rooms.", "12 rooms", "numbers"),
    ("It sold 1,234 copies.", "1234 copies were sold", "numbers"),
    ("Es wurden 1.234 Stück verkauft.", "1,234 sold", "numbers"),
    ("Es kostet 3,5 Punkte.", "It costs 3.5 points.", "numbers"),
    ("About 50 people came.", "There were 53 visitors.", "numbers"),
    ("It sold 1.2 million copies.", "It sold 1,234,567 copies.", "numbers"),
    ("It was founded in 1999.", "Founded on 1999-03-05.", "numbers"),
    ("It has two hundred and five seats.", "205 seats", "numbers"),
    ("It opened in the 1960s.", "It opened in 1963.", "numbers"),
    ("It was in the 2018–19 season.", "the season of 2018", "numbers"),
    ("He came 3rd.", "He finished third.", "numbers"),
    ("Sales rose by 12 %.", "Sales rose 12 percent", "percentages"),
    ("Sales rose by 12 per cent.", "Growth (%): 12", "percentages"),
    ("It costs $5.", "The price is 5 dollars.", "currencies"),
    ("It costs EUR 1.5 million.", "Costs: €1,500,000", "currencies"),
    ("The run is 5 miles long.", "a run of 8 km", "units"),
    ("Returns within 30 days.", "a 30-day return policy", "units"),
    ("Returns within 30 days.", "30 calendar days", "units"),
    ("It lasts 2 hours.", "120 minutes", "units"),
    ("Bake it at 350°F (175°C).", "Heat the oven to 350 F.", "units"),
    ("It opens at 9 am.", "Open from 9:00", "times"),
    ("It opens at 17:30.", "open until 5.30 p.m.", "times"),
    ("It opened on 5 March 2024.", "opened 2024-03-05", "dates"),
    ("It opened on March 5th, 2024.", "5.3.2024", "dates"),
    ("It opened in March 2024.", "opened on 5 March 2024", "dates"),
    ("It opened on 5 March 2024.", "In 2024 it opened (5 March).", "dates"),
    ("2024年3月5日に開いた。", "2024-03-05", "dates"),
    ("It weighs 20 tons.", "20 tonnes", "units"),
    ("Sales rose by 5 percentage points.", "an increase of 5 percentage points", "units"),
    ("The link carries 8 Gbit/s.", "a link of 1 GB/s", "units"),
    ("The disk holds 20 gb.", "a disk of 20 GB", "units"),
    ("More than 50 people came.", "At least 50 people came.", "numbers"),
    ("No more than 50 people came.", "Fewer than 50 people came.", "numbers"),
    ("Up to 50 people came.", "50 or fewer came.", "numbers"),
    ("More than 50 people came.", "52 people came.", "numbers"),
    ("Refunds take l4 days.", "Refunds take 14 days.", "units"),
    ("The fee is $5O.", "a fee of 50 dollars", "currencies"),
    ("The jug holds 2l.", "2 litres", "units"),
    ("It takes ≥ 5 days.", "It takes 5 days or more.", "units"),
    ("He called it “a very fine day”.", 'They said: "A very\nfine day", twice', "quotes"),
    ("He said “it was … a fine day”.", "it was, I think, a fine day", "quotes"),
    ("They sang “no tax without a vote.”", "They sang No Tax without… a Vote, and left.", "quotes"),
    (
        "It means “name of 'Anne of Orval' and 'Anne of Moor'.”",
        "Name of 'Anne of Orval' and 'Anne of Moor'.he",
        "quotes",
    ),
    (
        'Pin it 1/4" away from the edge, "right sides facing".',
        'pin it 1/4" in, right sides facing each other',
        "quotes",
    ),
]

DIFFERS = [
    ("Returns end on 46 November.", "Returns end on 15 November.", "numbers", ""),
    ("It was signed on 40/13/2024.", "It was signed on 4/3/2024.", "numbers", ""),
    ("It has 12 rooms.", "It has 13 rooms.", "numbers", "13"),
    ("It has twelve rooms.", "It has ten rooms.", "numbers", "ten"),
    ("About 50 people came.", "There were 80 visitors.", "numbers", "80"),
    ("It opened on 5 March 2024.", "On 5 March it opened; it cost 2024 euros.", "dates", "5 March"),
    ("It sold 1.2 million copies.", "It sold 1,334,567 copies.", "numbers", "1,334,567"),
    ("It opened in the 1960s.", "It opened in 1970.", "numbers", "1970"),
    ("It was founded in 1999.", "Founded in 1989.", "numbers", "1989"),
    ("Sales rose by 12 %.", "Sales rose 21 percent", "percentages", "21 percent"),
    ("Sales rose by 12 %.", "Sales rose by $12", "percentages", ""),
    ("It costs $5.", "The price is 5 euros.", "currencies", "5 euros"),
    ("It costs $5 million.", "The price is $5 billion.", "currencies", "$5 billion"),
    ("Returns within 30 days.", "Returns within 14 days.", "units", "14 days"),
    ("Returns within 30 days.", "Returns within 30 hours.", "units", "30 hours"),
    ("The run is 5 miles long.", "a run of 5 km", "units", "5 km"),
    ("Bake it at 170°C.", "Heat the oven to 350 F.", "units", "350 F"),
    ("A fever begins at 40 °C.", "A fever begins at 100 °F.", "units", "100 °F"),
    ("It opens at 9 am.", "Open from 9 p.m.", "times", "9 p.m"),
    ("It opened on 5 March 2024.", "opened 2024-03-06", "dates", "2024-03-06"),
    ("It opened on 5 March 2024.", "It opened in 2024.", "dates", ""),
    ("It opened on 5 March 2024.", "opened 2024-04-05", "dates", "2024-04-05"),
    ("It opened on 5 March 2024.", "opened 2023-03-05", "dates", "2023-03-05"),
    ("The run is 5 miles long.", "a run of 8.5 km", "units", "8.5 km"),
    ("It weighs 20 tons.", "It weighs 20 kg.", "units", "20 kg"),
    ("Sales rose by 5 %.", "Sales rose by 5 percentage points.", "percentages", ""),
    ("The cache holds 20 GB.", "The cache holds 20 Gb.", "units", "20 Gb"),
    ("The heater draws 5 MW.", "The heater draws 5 mW.", "units", "5 mW"),
    ("More than 50 people came.", "Less than 50 people came.", "numbers", "50"),
    ("It costs at least $50.", "It costs no more than $50.", "currencies", "$50"),
    ("It takes over 5 days.", "It takes 5 days or less.", "units", "5 days"),
    ("It has 50+ rooms.", "It has up to 50 rooms.", "numbers", "50"),
    ("Refunds take 14O days.", "Refunds take 14 days.", "units", "14 days"),
    ("Refunds take l4 days.", "Refunds take 15 days.", "units", "15 days"),
    ("The fee is 5o euros.", "The fee is 5 euros.", "currencies", "5 euros"),
    ("The lamp burns S0 hours.", "The lamp burns 30 hours.", "units", "30 hours"),
    ("It takes > 5 days.", "It takes < 5 days.", "units", "5 days"),
    ("It takes ≤ 5 days.", "It takes 5 days at least.", "units", "5 days"),
    ("It takes up to 5 days.", "Cold: it takes\tlonger, >= 5 days.", "units", "5 days"),
    ("It weighs up to 5 kg.", "Its weight>5 kg.", "units", "5 kg"),
    ("It takes more than 5 days.", "It takes up to <b>5 days</b>.", "units", "5 days"),
    ("He said “a very fine day”.", "He said a very bad day.", "quotes", ""),
    ("He said “sales rose by 1.5 million”.", "He said sales rose by 15 million.", "quotes", ""),
    ("He said “sales rose > 5 million”.", "He said sales rose < 5 million.", "quotes", ""),
    ("He said “we re-sign in May”.", "He said we resign in May.", "quotes", ""),
    ("Press button 4 twice.", "Press button 3 twice.", "numbers", "3"),
]


@pytest.mark.parametrize(
    "evidence",
    [
        "Refunds take <b>14 days</b>.",
        'Refunds take <span class="a figure that is told in large letters"><i>14 days</i></span>.',
        "Refunds:<br/>14 days.",
        "Refunds -> 14 days.",
        "refunds => 14 days",
        "The terms say of refunds:\n> 14 days",
        "The terms say of refunds:\n\n> > 14 days",
    ],
)
def test_a_tag_an_arrow_or_the_sign_of_a_quoted_line_makes_no_amount_a_least_one(evidence: str) -> None:
    assert all(check["passed"] for check in run_checks("Refunds take up to 14 days.", [evidence]))


@pytest.mark.parametrize(("claim", "evidence", "name"), HOLDS)
def test_what_stands_in_the_evidence_in_another_form_passes(claim: str, evidence: str, name: str) -> None:
    found = outcome(claim, evidence)
    assert found[name]
    assert all(found.values())


@pytest.mark.parametrize(("claim", "evidence", "name", "instead"), DIFFERS)
def test_what_the_evidence_does_not_have_fails_and_the_detail_says_what_it_has(
    claim: str, evidence: str, name: str, instead: str
) -> None:
    [failed] = [check for check in run_checks(claim, [evidence]) if not check["passed"]]
    assert failed["name"] == name
    assert instead in failed["detail"]


@pytest.mark.parametrize("named", ["The O2 arena is in gate B10.", "The 5G mast has an S3 bucket.", "Form I9 is long."])
def test_letters_of_a_name_are_no_digits(named: str) -> None:
    assert as_digits(named) == named


def test_a_first_release_is_called_without_its_zero() -> None:
    evidence = "> direnv >= 2.38.0 is required"
    assert [check["passed"] for check in run_checks("direnv 2.38 and later has it.", [evidence])] == [True]
    assert [check["passed"] for check in run_checks("direnv 2.36 and later has it.", [evidence])] == [False]
    assert [check["passed"] for check in run_checks("It listens on 10.0.", ["It listens on 10.0.0.0/8."])] == [False]


PLANS = "Plan 7 costs 7 euros. Plan 9 costs 9 euros."
FLOORS = "Building 5 is open on Sunday. Building 6 is closed on Sunday."


@pytest.mark.parametrize(
    ("claim", "evidence", "detail"),
    [
        ("Plan 7 costs 9 euros.", [PLANS], "said of Plan 9, not of Plan 7: 9 euros"),
        ("Plan 7 costs 9 euros.", PLANS.split("s. ", 1), "said of Plan 9, not of Plan 7: 9 euros"),
        (
            "Parcel type 7 may be returned within 9 days.",
            ["Type 7 may be returned within 7 days.", "Type 9 may be returned within 9 days."],
            "said of Type 9, not of type 7: 9 days",
        ),
        (
            "Level 3 staff may approve up to 5,000 euros.",
            ["Level 3 staff may approve up to 2,500 euros.", "Level 4 staff may approve up to 5,000 euros."],
            "said of Level 4, not of Level 3: 5,000 euros",
        ),
        ("Building 5 is closed on Sunday.", [FLOORS], "said of Building 6, not of Building 5: 5"),
    ],
)
def test_what_is_said_of_another_number_of_a_name_is_not_said_of_this_one(
    claim: str, evidence: list[str], detail: str
) -> None:
    assert [check["detail"] for check in run_checks(claim, evidence) if not check["passed"]] == [detail]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Plan 9 costs 9 euros.", PLANS),
        ("Plan 7 and Plan 9 cost 7 and 9 euros.", PLANS),
        ("Building 6 is closed on Sunday.", FLOORS),
        ("Building 5 is open on Sunday, unlike Building 6.", FLOORS),
        ("Plan 7 costs 9 euros.", "Plan 7 costs 7 euros. Abroad it costs 9 euros."),
        ("With plan 7 a call takes 9 days.", "Plan 7 is the cheapest. With plan 9, as with all, a call takes 9 days."),
    ],
)
def test_what_is_said_of_a_numbered_name_stands(claim: str, evidence: str) -> None:
    assert [check for check in run_checks(claim, [evidence]) if not check["passed"]] == []


@pytest.mark.parametrize(
    ("claim", "there", "holds"),
    [
        ("It takes up to 5,000 euros.", "It takes up to 1,000 euros.", False),
        ("It takes up to 5,000 euros.", "It takes up to 5,000 euros.", True),
        ("It takes about 5,000 people.", "It takes 1,000 people.", False),
        ("It takes about 5,000 people.", "It takes 4,980 people.", True),
        ("It takes at least 50 people.", "It takes 52 people.", True),
        ("It takes at least 50 people.", "It takes 48 people.", False),
        ("It takes at least 50 people.", "It takes at least 52 people.", False),
        ("It takes up to 30 days.", "It takes up to 28 days.", False),
        ("It takes up to 30 days.", "It takes 28 days.", True),
        ("It takes about 20°C.", "It takes 30°C.", False),
    ],
)
def test_an_inexact_amount_is_near_its_evidence_and_a_bound_is_met_or_the_same(
    claim: str, there: str, holds: bool
) -> None:
    assert [check["passed"] for check in run_checks(claim, [there])] == [holds]


def test_a_detail_names_first_what_could_stand_for_the_missing_figure() -> None:
    evidence = "The warranty lasts two years, one year for the battery; repairs take 10 days. It has 32 GB."
    [failed] = run_checks("It has 64 GB.", [evidence])
    assert failed["detail"] == "not in the evidence: 64 GB; the evidence has 32 GB, two years, one year"


def test_a_detail_names_no_figure_of_another_kind() -> None:
    [failed] = run_checks("It weighs 12 kg.", ["It weighs 9 kg and costs 5 euros."])
    assert failed["detail"] == "not in the evidence: 12 kg; the evidence has 9 kg"


@pytest.mark.parametrize("numeral", ["九十", "Ⅻ", "❾⓿", "\U0001d360", "🔟", "百", "XC", "II"])
def test_a_numeral_that_is_not_reckoned_with_stands_in_the_evidence_or_fails(numeral: str) -> None:
    [check] = run_checks(f"It takes {numeral} days.", ["It takes 90 days."])
    assert (check["name"], check["passed"]) == ("numbers", False)
    assert numeral in check["detail"]
    [check] = run_checks(f"It takes {numeral} days.", [f"It takes {numeral} days."])
    assert check["passed"]


@pytest.mark.parametrize(("numeral", "other"), [("九十", "九百九十 days"), ("XC", "EXCEL days"), ("Ⅻ", "ⅫⅠ days")])
def test_a_numeral_within_another_one_is_another(numeral: str, other: str) -> None:
    assert not run_checks(f"It takes {numeral} days.", [f"It takes {other}."])[0]["passed"]


@pytest.mark.parametrize(
    "claim", ["三个人来了。", "第二十届大会。", "XL shirts are sold.", "The CD player works.", "Louis XIV reigned."]
)
def test_a_word_or_name_that_looks_like_a_numeral_is_none(claim: str) -> None:
    assert run_checks(claim, ["Nothing."]) == []


@pytest.mark.parametrize(
    "claim",
    [
        "GPT-4 and COVID-19 are names, as are H2O, MP3 and Python 3.11.2.",
        "One of them is second to none.",
        'She wrote "Master of the Puppets".',
        "The 'best' of \"all\".",
        "It may be so.",
    ],
)
def test_a_claim_without_amounts_has_nothing_to_check(claim: str) -> None:
    assert run_checks(claim, ["Nothing."]) == []


def test_the_number_of_an_own_step_is_no_amount() -> None:
    assert run_checks("Repeat step 4, and steps 5 and 6 too.", ["Make two smears."]) == []
    assert [check["passed"] for check in run_checks("Step 4 takes 6 days.", ["It takes 5 days."])] == [False]


def test_a_quotation_mark_that_nothing_closes_quotes_nothing() -> None:
    checks = run_checks("He said “all was well” and «left in a hurry, „never “to be seen again", ["All was well."])
    assert [(check["name"], check["passed"]) for check in checks] == [("quotes", True)]


def test_each_passage_may_bring_a_part() -> None:
    found = run_checks("It has 12 rooms and cost $5 million.", ["12 rooms", "cost: 5 million dollars"])
    assert [check["passed"] for check in found] == [True, True]


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=3))
def test_any_text_can_be_checked_and_holds_against_itself(claim: str, evidence: list[str]) -> None:
    run_checks(claim, evidence)
    assert all(check["passed"] for check in run_checks(claim, [*evidence, claim]))


AMOUNTS = st.from_regex(r"[$€]?[0-9]{1,4}([.,][0-9]{1,3})?( ?(%|km|days|million|euros|am|May 2020))?", fullmatch=True)


@given(st.lists(AMOUNTS, min_size=1, max_size=4).map(" and ".join))
def test_any_amount_holds_against_itself(claim: str) -> None:
    assert all(check["passed"] for check in run_checks(claim, [claim]))


@pytest.mark.parametrize(
    "written",
    [
        "1\u00a0000",
        "1\u202f000",
        "1\u2009000",
        "1\u2007000",
        "1\u066c000",
        "1\u00a0000\u00a0000",
        "12 500",
        "2 901 019",
    ],
)
def test_a_figure_in_groups_of_three_is_one(written: str) -> None:
    evidence = [f"The Heron costs {written} euros."]
    parts = {*written.replace("\u066c", " ").split()}
    assert [check["passed"] for part in parts for check in run_checks(f"It costs {part} euros.", evidence)] == [
        False for _ in parts
    ]
    whole = "".join(letter for letter in written if letter.isdecimal())
    assert [check["passed"] for check in run_checks(f"It costs {int(whole):,} euros.", evidence)] == [True]


@pytest.mark.parametrize("written", ["Add a 1 400 g tin.", "Of the 35 787s 20 are 787-8s.", "Basic 12 100 250\n"])
def test_two_figures_beside_each_other_are_not_one(written: str) -> None:
    figure = written.replace("\n", " ").split()[-3 if "Basic" in written else 2]
    assert all(check["passed"] for check in run_checks(f"There are {figure}.", [written]))


@pytest.mark.parametrize("unseen", ["\u200b", "\u00ad", "\u2060", "\ufeff", "\u034f", "\u200e", "\ufe0f"])
def test_what_shows_nothing_parts_no_figure(unseen: str) -> None:
    evidence = [f"Refunds take 1{unseen}4 days."]
    assert [check["passed"] for check in run_checks("Refunds take 4 days.", evidence)] == [False]
    assert [check["passed"] for check in run_checks("Refunds take 14 days.", evidence)] == [True]
