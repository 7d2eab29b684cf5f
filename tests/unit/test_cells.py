"""A cell of a table that says yes or no states something with the heads of its row and its column."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.claims.reading import read_turn
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


CELLS = st.text("abc 19€éß'", max_size=9).map(str.strip) | st.sampled_from(["Yes", "No", "✅", "–", "5 GB", "a & b"])


HEADS = st.sampled_from(["", "Plan", "Basic", "Plus", "Shipping", "Allowed", "Feature", "Duration"])


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    size = draw(st.integers(2, 4))
    rows = draw(st.lists(st.lists(CELLS, min_size=size, max_size=size), min_size=1, max_size=4))
    return [draw(st.lists(HEADS, min_size=size, max_size=size)), *rows]


def as_markdown(table: list[list[str]]) -> str:
    lines = ["|" + "|".join(f" {html.escape(cell, quote=False)} " for cell in row) + "|\n" for row in table]
    return "".join([lines[0], "|" + "---|" * len(table[0]) + "\n", *lines[1:]])


def as_html(table: list[list[str]], *, closed: bool = True) -> str:
    rows = ""
    for number, row in enumerate(table):
        name = "td" if number else "th"
        cells = [f"<{name}>{html.escape(cell, quote=False)}" + (f"</{name}>" if closed else "\n") for cell in row]
        rows += "<tr>" + "".join(cells) + ("</tr>\n" if closed else "")
    return f"<table>\n{rows}</table>\n"


@given(tables(), st.booleans())
def test_a_table_of_html_is_read_as_its_twin_in_markdown(table: list[list[str]], closed: bool) -> None:
    assert statements(as_html(table, closed=closed)) == statements(as_markdown(table))


def statements(answer: str) -> list[tuple[object, ...]]:
    return [(one.text, one.reason, one.states, one.table) for one in read_turn(answer, "Compare them").statements]


def test_a_table_of_html_is_read_with_what_stands_around_it() -> None:
    answer = (
        "<p>These are they:</p>\n<table><caption>Plans</caption>\n<thead><tr><th></th><th>Basic</th></tr></thead>\n"
        '<tbody><tr><td>Hotspot<td>No\n<tr><th><a href="#data">Data</a><td>5 <b>GB</b></table> It is so.\n'
    )
    assert claims(answer) == ["Hotspot: not Basic", "Data, 5 GB", "It is so."]


@pytest.mark.parametrize(
    ("row", "texts"),
    [
        ("<td colspan=2>Hotspot</td><td>No</td>", ["Hotspot", "No"]),
        ("<td colspan=2></td><td>Hotspot</td><td>No</td>", ["Hotspot", "No"]),
        ("<td>Hotspot</td><td>No</td><td>Yes</td>", ["Hotspot", "No", "Yes"]),
        ("Refunds never arrive<td>Hotspot</td><td>No</td>", ["Refunds never arrive", "Hotspot", "No"]),
        ("<td>Refunds never arrive. It is so.</td><td>No</td>", ["Refunds never arrive.", "It is so.", "No"]),
        ("<td><ul><li>Refunds never arrive<li>So it is</ul><td>No", ["Refunds never arrive", "So it is", "No"]),
        ("<td>Hotspot<table><tr><td>Red</td></tr></table></td><td>No</td>", ["Hotspot", "Red", "No"]),
    ],
)
def test_what_is_not_certain_to_stand_below_a_head_is_read_by_itself(row: str, texts: list[str]) -> None:
    answer = f"<table><tr><th>Plan</th><th>Basic</th></tr><tr>{row}</tr></table>\n"
    assert [one.text for one in read_turn(answer, "Compare them").statements] == ["Plan", "Basic", *texts]


@pytest.mark.parametrize("head", ["Dogs forbidden", "Free returns", "Made in China", "Lamps explode", "900 days"])
def test_a_head_of_html_that_may_assert_is_judged(head: str) -> None:
    answer = f"<table><tr><th>{head}</th><th>Basic</th></tr><tr><td>Hotspot</td><td>No</td></tr></table>\n"
    assert head in claims(answer)


def test_cells_without_heads_are_read_by_themselves() -> None:
    before = "| | Plus |\n|---|---|\n| Watch | Yes |\n\n"
    answer = f"{before}<table><tr><td>Hotspot</td><td>No</td></tr><tr><td>5G</td><td>No</td></tr></table>\n"
    assert not [one for one in statements(answer) if one[0] == "Hotspot, No"]


@pytest.mark.parametrize("row", ["", "| Screen | 6-inch |\n", "| Screen | yes |\n"])
@pytest.mark.parametrize(
    "head", ["Refunds | are never given", "Customers | pay | postage", "The founder | was convicted | of fraud"]
)
def test_a_sentence_cut_over_the_cells_of_a_head_is_not_set_aside(head: str, row: str) -> None:
    reason = read_turn(f"| {head} |\n|{'---|' * (head.count('|') + 1)}\n{row}").statements[0].reason
    assert reason == ("unclear" if row else None)


@pytest.mark.parametrize(
    "head", ["refunds | are never given", "Refunds | Are never given", "| Heron Mini | waterproof"]
)
def test_an_auxiliary_or_a_small_letter_behind_a_capital_goes_on_with_a_sentence(head: str) -> None:
    table = f"| {head} |\n|{'---|' * (head.count('|') + 1)}\n|{' x |' * (head.count('|') + 1)}\n"
    assert read_turn(table).statements[0].reason == "unclear"


@pytest.mark.parametrize("head", ["plan | price | refunds", "Plan | Price | Refunds", "![Plan](plan.png) Plan | Price"])
def test_names_of_columns_that_begin_alike_state_nothing(head: str) -> None:
    table = f"| {head} |\n|{'---|' * (head.count('|') + 1)}\n|{' x |' * (head.count('|') + 1)}\n"
    assert read_turn(table).statements[0].reason == "heading"


def test_a_head_over_no_row_is_judged() -> None:
    assert claims("| Lamps | Explode |\n|---|---|\n\nThey are old.") == ["Lamps, Explode", "They are old."]
