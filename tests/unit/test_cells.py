"""A cell of a table that says yes or no states something with the heads of its row and its column."""

from __future__ import annotations

import pytest

from tests.unit.test_extract_claims import extracted

PLANS = """| | Basic | Plus |
|---|---|---|
| Hotspot | No | Yes |
| Watch | ❌ | ✅ |
| 5G | ✗ No | ✔️ Yes |
| Data | 5 GB | 30 GB |
"""


def claims(table: str) -> list[str]:
    return [claim["text"] for claim in extracted(("user", "Compare them"), ("assistant", table))["claims"]]


def test_each_cell_that_says_yes_or_no_is_a_claim_with_its_heads() -> None:
    assert claims(PLANS) == [
        "Hotspot: not Basic",
        "Hotspot: Plus",
        "Watch: not Basic",
        "Watch: Plus",
        "5G: not Basic",
        "5G: Plus",
        "Data, 5 GB, 30 GB",
    ]


def test_the_claims_of_a_row_point_at_the_row() -> None:
    found = extracted(("user", "Compare them"), ("assistant", PLANS))["claims"][:2]
    assert {PLANS[claim["start"] : claim["end"]] for claim in found} == {"Hotspot | No | Yes"}


def test_cells_that_say_more_stay_together_with_the_head_of_their_row() -> None:
    table = "| Plan | Price | Refundable? | Note |\n|---|---|---|---|\n| Basic plan | 9 euros | Yes | In 14 days |\n"
    assert claims(table) == ["Basic plan, 9 euros, In 14 days", "Basic plan: Refundable"]


def test_a_sign_of_another_kind_is_not_lost_and_a_dash_says_nothing() -> None:
    table = "| | Basic | Plus | Max |\n|---|---|---|---|\n| Hotspot | ★ | Yes | – |\n| 5G | Yes | – | No |\n"
    assert claims(table) == ["Hotspot, ★, –", "Hotspot: Plus", "5G: Basic", "5G: not Max"]


@pytest.mark.parametrize(
    "table",
    [
        "| Setting | Default |\n|---|---|\n| drafts | No |\n",
        "| Question | Answer |\n|---|---|\n| Is it refundable? | Yes |\n",
        "| Plan | Refundable |\n|---|---|\n| Basic | Yes, within 14 days |\n",
        "| Plan | |\n|---|---|\n| Basic | Yes |\n",
        "| Plan | Refundable |\n|---|---|\n| Basic | Yes [1] |\n\n[1] Terms\n",
    ],
)
def test_a_cell_that_is_a_value_or_says_more_is_judged_as_it_stands(table: str) -> None:
    assert not [text for text in claims(table) if ": " in text]


def test_a_cross_in_a_row_denies_its_cell_and_not_the_row() -> None:
    [claim] = extracted(("user", "?"), ("assistant", "| Plan | Refundable |\n|---|---|\n| Basic | ❌ |\n"))["claims"]
    assert claim["text"] == "Basic: not Refundable"
    assert "lead" not in claim
