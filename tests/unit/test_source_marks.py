"""Marks that point at a source are no part of a claim; a number that a reader may take for a figure is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.agents.extract_claims import extract_claims
from gate.claims.attribution.source_marks import marks, without


def without_marks(text: str) -> str:
    return without(text, [(mark.start, mark.end) for mark in marks(text)])


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
        ("The dam holds.¹ ²", "The dam holds."),
        ("Smoking is allowed [1][2] in all wards [3].", "Smoking is allowed in all wards."),
        ("Tern 3 drops Linux[^rel].", "Tern 3 drops Linux."),
        ("The ferry sails at noon (Passage 3).", "The ferry sails at noon."),
        ("It cleans the ears (Passage 2, points 2 and 3).", "It cleans the ears."),
        ("The keeper is 27 years old (Source: club website).", "The keeper is 27 years old."),
        ("The lift carries eight [Kestrel Building Guide, p. 3].", "The lift carries eight."),
        ("Based on the given passages, a raffle is a game.", "a raffle is a game."),
        ("According to passage 2, it opens at nine.", "it opens at nine."),
        ("As stated in the staff handbook (section 7.2), overtime is paid.", "overtime is paid."),
        ("It opens at nine, according to the handbook.", "It opens at nine."),
        ("Doc. 2 says that interest is charged.", "interest is charged."),
        ("Per [2, 5], the mayor resigned.", "the mayor resigned."),
        ("Laut Passage 2 ist der Tee giftig.", "ist der Tee giftig."),
        ("返品は30日以内です[1]。", "返品は30日以内です。"),
        ("It opens at nine, as stated in passage 2.", "It opens at nine."),
        ("The ferry sails at noon from the passages.", "The ferry sails at noon."),
        ("The parcel is light【4:1†guide.pdf】.", "The parcel is light."),
        ("It sails at noon. \ue200cite\ue202turn0search1\ue202turn7view0\ue201", "It sails at noon."),
        ("It sails at noon. citeturn0search0turn0search1", "It sails at noon."),
        ("It sails at noon. :contentReference[oaicite:0]{index=0}", "It sails at noon."),
        ("It has 64 seats[cite: 12, 14-16].", "It has 64 seats."),
        ("Lamps [cite: 3] are old, [cite: 4], and dear (Passage 3).", "Lamps are old,, and dear."),
        ("As stated in (Passage 3), it helps our well-being [2].", "As stated in, it helps our well-being."),
        ("However, passage 3 also recommends two brushes.", "However, also recommends two brushes."),
        ("Finally, passage 3 recommends two brushes.", "Finally, recommends two brushes."),
        ("Care: Passage 1 states that the brush lasts.", "Care: the brush lasts."),
        ("2. Care: Passages 1 and 2 mention two brushes.", "2. Care: mention two brushes."),
        ("The second passage lists two fees.", "lists two fees."),
        ("The warranty lasts two years (docs/warranty.md).", "The warranty lasts two years."),
        (
            "The warranty[^1] lasts two years[^2], and the fee【3】 is low.",
            "The warranty lasts two years, and the fee is low.",
        ),
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
        "Mind the [note].",
        "According to Dr Moor, it opens at nine.",
        "It opens at nine (the mayor said so).",
        "It has 9 rooms (Source: the mayor, who was jailed).",
        "It covers 5 m².",
        "[5]",
        "It costs 9 euros per article.",
        "Passwords are stored in plain text.",
        "The bag is made from recycled materials.",
        "They come back in radioactive material.",
        "The novel is based on recycled material.",
        "Material: plutonium.",
        "It is sold (radioactive material).",
        "It is safe (Source: not approved by doctors).",
        "It is safe (never for children, p. 3).",
        "Refunds are paid within 5 days (Source: 900 Days For Members).",
        "It is safe【4†The mayor was shot】.",
        "It is safe [^the-mayor-was-shot].",
        "It is [^not] safe.",
        "The area is 9².",
        "It holds [cite: never more than 9].",
        "It cites turn0search1 as its name.",
        "Refunds take 【90】 days.",
        "Refunds take [^90] days.",
        "It can be returned within[^90] days.",
        "Refunds take 30 【900】 days.",
        "Refunds take 【9】0 days.",
        "Refunds take [^9][^0] days.",
        "The fee in euros is 【90】.",
        "Return it within (source 90) days of delivery.",
        "Return it within (Passage 90) days of delivery.",
        "Return it within [cite: 90] days of delivery.",
        "Return it within :contentReference[oaicite:90]{index=90} days of delivery.",
        "Return it within citeturn0search90 days of delivery.",
        "Return it within 【90†days】 of delivery.",
        "Return it within (90.pdf) days of delivery.",
        "The fee in euros is (Passage 90).",
        "The fee in euros is [cite: 90].",
    ],
)
def test_what_may_be_a_figure_is_checked_as_one(text: str) -> None:
    assert without_marks(text) == text


def test_a_link_in_brackets_whose_text_holds_an_amount_is_said() -> None:
    answer = "Refunds are paid within 5 days ([900 Days For Members](https://larkfield.example/returns))."
    state: dict[str, Any] = {"transcript": {"turns": [{"role": "assistant", "content": answer}]}}
    extract_claims(state)
    assert [claim["text"] for claim in state["claims"]] == ["Refunds are paid within 5 days (900 Days For Members)."]


@given(st.text(alphabet="ab [1]9.,^【】†", max_size=40))
def test_nothing_but_marks_is_taken_out(text: str) -> None:
    kept = iter(text)
    assert all(letter in kept for letter in without_marks(text))


def test_a_claim_points_at_its_place_with_the_mark_and_is_checked_without() -> None:
    answer = "Shipping to Norway costs 9 euros [1]. Refunds are paid within 5 days.[2]"
    state: dict[str, Any] = {"transcript": {"turns": [{"role": "assistant", "content": answer}]}}
    extract_claims(state)
    assert [claim["text"] for claim in state["claims"]] == [
        "Shipping to Norway costs 9 euros.",
        "Refunds are paid within 5 days.",
    ]
    first = state["claims"][0]
    assert answer[first["start"] : first["end"]].endswith("[1].")


@pytest.mark.parametrize(
    "text", ["Article 5 provides a right to return.", "Passage 3 provides no fee.", "Document 900 days lists it."]
)
def test_what_is_no_source_of_the_answers_own_stays_with_what_it_tells(text: str) -> None:
    assert without_marks(text) == text


def test_what_a_chat_product_left_is_cited_and_belongs_to_the_sentence_before_it() -> None:
    answer = "It sails. \ue200cite\ue202turn0search1\ue201 It has seats[cite: 2, 3]. [cite_start]It is old[cite: 4]."
    state: dict[str, Any] = {"transcript": {"turns": [{"role": "assistant", "content": answer}]}}
    extract_claims(state)
    assert [(claim["text"], claim["cites"]) for claim in state["claims"]] == [
        ("It sails.", ["turn0search1"]),
        ("It has seats.", ["2", "3"]),
        ("It is old.", ["4"]),
    ]
    assert [source["title"] for claim in state["claims"] for source in claim["sources"]] == [""] * 4


def test_a_source_counted_in_words_is_cited_by_its_number() -> None:
    assert [mark.cites for mark in marks("The third passage lists two fees.")] == [("3",)]


def test_a_file_in_brackets_behind_a_sentence_is_cited_by_it() -> None:
    state: dict[str, Any] = {
        "transcript": {"turns": [{"role": "assistant", "content": "It leaks. It holds. (dam.md)"}]}
    }
    extract_claims(state)
    assert [(one["text"], [source["title"] for source in one["sources"]]) for one in state["claims"]] == [
        ("It leaks.", []),
        ("It holds.", ["dam.md"]),
    ]
