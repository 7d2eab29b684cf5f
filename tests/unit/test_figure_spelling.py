"""The verifier reads a claim's figures as its evidence writes them, and no other figure for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.adapters.local_verifier.figure_spelling import as_written
from gate.decision.checks import run_checks

ALIKE = [
    ("A seat costs £12 a day.", "Seats cost 12 pounds a day.", "A seat costs 12 pounds a day."),
    ("A seat costs 12 pounds a day.", "Seats cost £12 a day.", "A seat costs £12 a day."),
    ("The shop closes at 18:00.", "We close at 6 pm.", "The shop closes at 6 pm."),
    ("The pump draws 2,200 W.", "Power: 2200 watts.", "The pump draws 2200 watts."),
    ("It opens on March 1, 2024.", "It opens on 2024-03-01.", "It opens on 2024-03-01."),
    ("It is kept for 21 days.", "It is kept for three weeks.", "It is kept for three weeks."),
    ("There are three rooms.", "There are 3 rooms.", "There are 3 rooms."),
    ("It is on the 3rd floor.", "It is on the third floor.", "It is on the third floor."),
    ("From 11 March to 1 March.", "From March 1.", "From 11 March to March 1."),
    ("It opens at 8 pm.", "Open from 8:00 to 20:00.", "It opens at 20:00."),
    ("It opens at 6 am.", "Open from 06:00 to 18:00.", "It opens at 06:00."),
    ("It had 1.5 million guests.", "It had 1,500,000 guests.", "It had 1,500,000 guests."),
]
STAYS = [
    ("A seat costs £12.", "Seats cost 12 pounds, or £12 in signs."),
    ("A seat costs 12 pounds.", "Seats cost £12, or 12 pounds in words."),
    ("It takes 21 days.", "It takes 3¹ weeks."),
    ("A seat costs £13 a day.", "Seats cost 12 pounds a day."),
    ("A seat costs £144 a year.", "Seats cost 12 pounds a month."),
    ("Twelve people work here.", "It costs 12 euros."),
    ("It is over 50 km long.", "It is under 50 kilometres long."),
    ("It is the third room.", "There are 3 rooms."),
    ("It opens on 1 March 2024.", "It opens on 1 March."),
    ("Nothing is counted.", "There are 3 rooms."),
    ("It opens at 6 pm.", "It opens at 06:00."),
    ("It opens at 6 pm.", "It opens at 6:00."),
    ("It opens on 5 March 2024.", "It opens on 03/05/2024."),
    ("It opens on 03/05/2024.", "It opens on 3 May 2024."),
    ("It has 1 million guests.", "It has 500,000 guests."),
    ("It takes at least 30 days.", "It takes 27 days."),
    ("It takes 121 minutes.", "It takes 2 hours."),
    ("It was built in 1963.", "It was built in the 1960s."),
    ("It weighs 1.5 kg.", "It weighs 1,500 kg."),
    ("It weighs 1.500 kg.", "It weighs 1,500 kg."),
]


@pytest.mark.parametrize(("claim", "evidence", "written"), ALIKE)
def test_a_figure_is_written_as_the_evidence_writes_the_same_one(claim: str, evidence: str, written: str) -> None:
    assert as_written(claim, [evidence]) == written


@pytest.mark.parametrize(("claim", "evidence"), STAYS)
def test_a_figure_stays_where_the_evidence_has_it_so_or_has_another(claim: str, evidence: str) -> None:
    assert as_written(claim, [evidence]) == claim


def test_the_first_text_that_has_the_figure_says_how_it_is_written() -> None:
    assert as_written("It costs £12.", ["No price.", "Cost: 12 GBP.", "12 pounds."]) == "It costs 12 GBP."


AMOUNTS = st.sampled_from(
    ["£12", "12 pounds", "€9", "9 euros", "2,200 W", "2200 watts", "18:00", "6 pm", "5 km", "three weeks", "21 days",
     "March 1", "1 March", "2024-03-01", "12", "twelve", "5 %", "5 percent", "over 50 km", "a third", "03/05/2024"]
)  # fmt: skip
TEXTS = st.lists(AMOUNTS, min_size=1, max_size=4).map(lambda amounts: f"It has {', and '.join(amounts)} of it.")


@given(TEXTS, TEXTS)
def test_no_check_says_otherwise_of_what_is_written_so(claim: str, evidence: str) -> None:
    written = as_written(claim, [evidence])
    passed = [{check["name"]: check["passed"] for check in run_checks(text, [evidence])} for text in (claim, written)]
    assert all(passed[0].values()) == all(passed[1].values())
    assert as_written(written, [evidence]) == written
