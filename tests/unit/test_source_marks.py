"""Marks that point at a source are no part of a claim; a number that a reader may take for a figure is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.extract_claims import extract_claims
from gate.rules.source_marks import without_marks


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Shipping to Norway costs 9 euros [1].", "Shipping to Norway costs 9 euros."),
        ("Refunds are paid within 5 days.[2]", "Refunds are paid within 5 days."),
        ("It has 32 GB of storage [1][3].", "It has 32 GB of storage."),
        ("It takes 3 days [1, 2], and more on islands [3–5].", "It takes 3 days, and more on islands."),
        ("It weighs 174 g.[^4]", "It weighs 174 g."),
        ("The parcel is light【4:1†source】.", "The parcel is light."),
        ("[2] Boats leave at ten.", "Boats leave at ten."),
        ("返品は30日以内です[1]。", "返品は30日以内です。"),
    ],
)
def test_marks_of_sources_are_left_out(text: str, said: str) -> None:
    assert without_marks(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "The fee is [5].",
        "Refunds take [14] days.",
        "It costs exactly [5], taxes included.",
        "[14] days are enough.",
        "Die Gebühr beträgt [5].",
        "费用为[5]。",
        "Fee: [5]",
        "Fee, [5]",
        "Fee [5]",
        "The values lie in the range [1, 5].",
        "The first element is a[0].",
        "See [1](https://example.com).",
        "Mind the [note].",
        "[5]",
    ],
)
def test_what_may_be_a_figure_is_checked_as_one(text: str) -> None:
    assert without_marks(text) == text


@given(st.text(alphabet="ab [1]9.,^【】†", max_size=40))
def test_nothing_but_marks_is_taken_out(text: str) -> None:
    kept = iter(text)
    assert all(letter in kept for letter in without_marks(text))


def test_a_claim_points_at_its_place_with_the_mark_and_is_checked_without() -> None:
    answer = "Shipping to Norway costs 9 euros [1]. Refunds are paid within 5 days.[2]"
    state = {"transcript": {"turns": [{"role": "assistant", "content": answer}]}}
    extract_claims(state)
    assert [claim["text"] for claim in state["claims"]] == [
        "Shipping to Norway costs 9 euros.",
        "Refunds are paid within 5 days.",
    ]
    first = state["claims"][0]
    assert answer[first["start"] : first["end"]].endswith("[1].")
