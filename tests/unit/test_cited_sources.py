"""Which sources a claim cites: marks and links are resolved against the answer's own list, whatever its style."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.claims.reading import Statement, read_turn

POLICY = ("Refund policy", "https://corvex.example/refunds")
GUIDE = ("Shipping guide", "https://corvex.example/shipping")
STYLES = {
    "footnotes": """Refunds take 30 days.[^1] Shipping to Norway costs 9 euros.[^ship]

[^1]: Refund policy, https://corvex.example/refunds
[^ship]: [Shipping guide](https://corvex.example/shipping)
""",
    "a numbered list": """Refunds take 30 days [1]. Shipping to Norway costs 9 euros [2].

## References

1. Refund policy. https://corvex.example/refunds
2. Shipping guide. https://corvex.example/shipping
""",
    "labelled lines": """[1] Refunds take 30 days. [2] Shipping to Norway costs 9 euros.

References:
[1] Refund policy, https://corvex.example/refunds
[2] Shipping guide, https://corvex.example/shipping
""",
    "bullets": """Refunds take 30 days [1]. Shipping to Norway costs 9 euros [2].

Sources:
- [Refund policy](https://corvex.example/refunds)
- Shipping guide (https://corvex.example/shipping)
""",
    "links in brackets": "Refunds take 30 days ([Refund policy](https://corvex.example/refunds)). Shipping to Norway "
    "costs 9 euros. [Shipping guide](https://corvex.example/shipping)",
    "targets of links": """Refunds take 30 days [1]. Shipping to Norway costs 9 euros [2].

[1]: https://corvex.example/refunds "Refund policy"
[2]: https://corvex.example/shipping "Shipping guide"
""",
    "brackets of an assistant": """Refunds take 30 days【1†source】. Shipping to Norway costs 9 euros【2†source】.

【1†source】 Refund policy https://corvex.example/refunds
【2†source】 Shipping guide https://corvex.example/shipping
""",
    "raised numbers": """Refunds take 30 days.¹ Shipping to Norway costs 9 euros.²

¹ Refund policy, https://corvex.example/refunds
² Shipping guide, https://corvex.example/shipping
""",
    "author and year": """Refunds take 30 days (Moor, 2021). Shipping to Norway costs 9 euros (Ek & Lund, 2020, p. 4).

References

Moor, A. (2021). Refund policy. https://corvex.example/refunds

Ek, B., & Lund, C. (2020). Shipping guide. https://corvex.example/shipping
""",
    "links into the list": """Refunds take 30 days [[1]](#ref-1). Shipping to Norway costs 9 euros [[2]](#ref-2).

## References

1. Refund policy, https://corvex.example/refunds
2. Shipping guide, https://corvex.example/shipping
""",
    "anchors in HTML": """Refunds take 30 days <a href="#fn1">[1]</a>. Shipping to Norway costs 9 euros<sup><a \
href="#fn2">2</a></sup>.

<ol><li id="fn1"><a href="https://corvex.example/refunds">Refund policy</a></li><li id="fn2">
<a href="https://corvex.example/shipping">Shipping guide</a></li></ol>
""",
}


def claims(answer: str) -> list[Statement]:
    return [one for one in read_turn(answer).statements if one.reason is None and one.kind != "name"]


def cited(answer: str) -> list[tuple[str, list[tuple[str, str]]]]:
    return [(claim.text, [(source["title"], source["url"]) for source in claim.sources]) for claim in claims(answer)]


@pytest.mark.parametrize("listed", ["[{}] {}", "{}. {}", "- [{}] `{}`", "[^{}]: {}"])
def test_a_list_of_file_names_is_no_claim_and_says_what_its_marks_name(listed: str) -> None:
    mark = "[^1]" if "^" in listed else "[1]"
    names = ["docs/refunds-and-returns.md", "shipping_prices.pdf"]
    lines = "\n".join(listed.format(number, name) for number, name in enumerate(names, 1))
    found = cited(f"Refunds take 30 days {mark}.\n\nSources:\n\n{lines}\n")
    assert found == [("Refunds take 30 days.", [(names[0].strip("`"), "")])]


def test_a_listed_title_of_a_given_passage_is_a_source_whatever_its_words() -> None:
    answer = "Refunds take 30 days [1]. Shipping is free [2].\n\nSources\n\n1. {}\n2. eSIM and SIM cards\n"
    titles = ["how to get a full refund", "esim and sim cards"]
    given = read_turn(answer.format("How to get a full refund"), titles=titles).statements
    assert [one.text for one in given if one.reason is None] == ["Refunds take 30 days.", "Shipping is free."]
    assert [source["title"] for source in given[0].sources] == ["How to get a full refund"]
    other = read_turn(answer.format("How to get a free refund"), titles=titles).statements
    assert [one.text for one in other if one.reason is None][2:] == ["How to get a free refund"]


def test_a_paragraph_of_labels_and_titles_of_given_passages_is_a_list_of_sources() -> None:
    answer = "Ill days are given back [1]. They end on 31 March [2].\n\n[1] {}\n[2] Annual leave\n"
    titles = ["sick leave", "annual leave"]
    given = read_turn(answer.format("Sick leave"), titles=titles).statements
    said = [one for one in given if one.reason is None]
    assert [one.text for one in said] == ["Ill days are given back.", "They end on 31 March."]
    assert [[source["title"] for source in one.sources] for one in said] == [["Sick leave"], ["Annual leave"]]
    for entry in ("Sick leave is unpaid", "No sick leave", "Sick leave, and no other", "Paid sick leave"):
        told = " ".join(one.text for one in read_turn(answer.format(entry), titles=titles).statements if not one.reason)
        assert entry in told


@pytest.mark.parametrize("style", STYLES)
def test_marks_of_every_style_lead_to_the_list_and_no_entry_of_it_is_a_claim(style: str) -> None:
    found = cited(STYLES[style])
    assert [text for text, _ in found] == ["Refunds take 30 days.", "Shipping to Norway costs 9 euros."]
    assert [[url for _, url in sources] for _, sources in found] == [[POLICY[1]], [GUIDE[1]]]
    for (_, [(title, _)]), (wanted, _) in zip(found, (POLICY, GUIDE), strict=True):
        assert wanted in title


def test_bare_addresses_are_what_they_name() -> None:
    found = cited(f"Refunds take 30 days ({POLICY[1]}).\n\nSources:\n{POLICY[1]}\n{GUIDE[1]}\n")
    assert found == [("Refunds take 30 days.", [("", POLICY[1])])]


@pytest.mark.parametrize(
    ("answer", "marks"),
    [
        ("Refunds take 30 days [1].", ["1"]),
        ("Refunds take 30 days [1–3].", ["1", "2", "3"]),
        ("Refunds take 30 days【4:1†guide.pdf】.", ["guide.pdf"]),
        ("The fee is 9 euros in all (Passage 2, points 2 and 3).", ["2"]),
        ("The fee is 9 euros [Kestrel Building Guide, p. 3].", ["Kestrel Building Guide"]),
        ("According to the staff handbook (section 7.2), overtime is paid.", ["staff handbook"]),
        ("It opens at nine, according to the handbook.", ["handbook"]),
        ("The keeper is 27 years old (Source: club website).", ["club website"]),
        ("The keeper is 27 years old. Source: Club website.", ["Club website"]),
        ("According to the [Refund policy](https://a.example), tea is free.", ["Refund policy"]),
        ("Tea is free for all: https://a.example/tea", ["https://a.example/tea"]),
    ],
)
def test_a_mark_without_a_list_is_kept_as_what_it_names(answer: str, marks: list[str]) -> None:
    [claim] = claims(answer)
    assert [source["mark"] for source in claim.sources] == marks


@pytest.mark.parametrize(
    "answer",
    [
        "Visit [our shop](https://shop.example) in Utrecht.",
        "Tea is free.[^1]\n\n[^1]: It was never free for adults before 1990.\n",
    ],
)
def test_a_link_in_running_text_and_a_note_that_states_something_are_no_citations(answer: str) -> None:
    assert claims(answer)[0].sources == ()


@pytest.mark.parametrize(
    "answer",
    [
        "Refunds take [30](https://a.example) days.",
        "The parcel now weighs [9](https://a.example).",
        "The parcel now weighs [9](https://a.example)[2](https://a.example) kilograms.",
        "Send 5,[3](https://a.example) or 7 of them.",
        "A dog is big. [14] days are enough.",
        "The camp (Berlin, 2020) was closed.",
        "Tea is free ([it was banned by Moor](https://a.example)).",
    ],
)
def test_what_may_be_a_figure_or_says_something_stays_in_the_claim(answer: str) -> None:
    words = re.sub(r"\]\([^)]*\)", "", answer).replace("[", "").replace("]", "")
    assert " ".join(claim.text for claim in claims(answer)).replace("[", "").replace("]", "") == words


@pytest.mark.parametrize("numbers", ["[1]({url})", "[[1]]({url})", "[1]({url})[2]({url})", "[1]({url}) [2]({url})"])
def test_a_number_that_is_a_link_right_behind_a_full_stop_ends_its_sentence(numbers: str) -> None:
    found = claims(f"Refunds took 30 days in 2021.{numbers.format(url=POLICY[1])} Lamps, which are red,[3](b.md) last.")
    assert [claim.text for claim in found] == ["Refunds took 30 days in 2021.", "Lamps, which are red, last."]
    assert [claim.sources[0]["url"] for claim in found] == [POLICY[1], "b.md"]


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        (
            "Coffee reduces it [1], so you should leave two hours between them [2].",
            ["Coffee reduces it", "so you should leave two hours between them"],
        ),
        ("Tax of 25 % is withheld [1] unless an exemption is on file.", ["Tax of 25 % is withheld"]),
        ("The museum opens at ten [1] and it closes at six [2].", ["The museum opens at ten", "and it closes at six"]),
        ("It comes in red [1], green [2] and blue [3].", ["It comes in red", "", ""]),
        ("The keeper of the tower [1][2] is 27 years old.", ["", ""]),
        ("If it is late [1], half of the price is charged.", [""]),
        ("It opens at ten [1], and it closes at six [1].", [""]),
        ("It opens at ten [1][2], and it closes at six.", ["It opens at ten", "It opens at ten"]),
        ("It opens at ten and closes at six [1].", [""]),
        ("It opens early [1]: the doors are open at ten.", [""]),
        ("This is stated in passage 1, which says that it opens at ten.", [""]),
    ],
)
def test_a_mark_within_a_sentence_stands_for_the_part_before_it_where_that_states_something(
    sentence: str, parts: list[str]
) -> None:
    listed = "\n".join(f"[{number}] Guide {number}" for number in (1, 2, 3))
    [claim] = claims(f"{sentence}\n\nSources:\n\n{listed}\n")
    assert [source.get("part", "") for source in claim.sources] == parts


def test_marks_that_follow_a_sentence_are_its_own() -> None:
    behind = claims("Refunds take 30 days.[1] Shipping costs 9 euros. [2][3]")
    ahead = claims("[1] Refunds take 30 days. [2][3] Shipping costs 9 euros.")
    assert [claim.cites for claim in behind] == [claim.cites for claim in ahead] == [("1",), ("2", "3")]
    assert [claim.text for claim in behind] == ["Refunds take 30 days.", "Shipping costs 9 euros."]


SENTENCES = st.sampled_from(
    """Refunds take 30 days.|The ferry sank [1].|The king fled.[^2]|**Boats** leave at _nine_.|Send it to Utrecht.
Hello!|Is it open?|It takes 3 days (Passage 2).|The dam holds.¹|It covers **5** `km`.|Dr Moor was convicted of fraud.
Thank you for asking.|According to the handbook, it opens at nine.|The [guide](https://a.example) is free.|
The keeper is 27 years old (Source: club website).|Tea costs 9 euros; coffee costs 14.|Der Fluss ist tief.""".replace(
        "\n", "|"
    )
    .strip("|")
    .split("|")
)
BETWEEN = st.sampled_from([" ", "\n", "\n\n", "\n- ", "\n1. ", "\n> "])
"""Headings and rows of tables are read whole, so that what is a claim in one of them may be several in prose."""


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(BETWEEN, SENTENCES), min_size=1, max_size=12))
def test_reading_is_idempotent(pieces: list[tuple[str, str]]) -> None:
    """What is claimed, written out plainly and read again, is claimed again, word for word, and nothing beside it."""
    texts = [claim.text for claim in claims("".join(before + text for before, text in pieces))]
    again = [claim.text for claim in claims("\n\n".join(texts))]
    assert again == texts


@pytest.mark.parametrize("before", ["Which leave is abolished?\n\n", "These are abolished:\n\n", ""])
def test_a_title_that_answers_or_completes_is_no_list_of_sources(before: str) -> None:
    statements = read_turn(f"{before}[1] Annual leave", titles={"annual leave"}).statements
    assert statements[-1].reason != "sources"
