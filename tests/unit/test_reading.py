"""Every character that a reader sees is a claim, set aside, a mark of a source, or between them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.claims.markdown import blocks
from gate.claims.reading import Reading, added, read_turn

WORDS = """Hello! Refunds take 5 days. | The ferry sank [1]. Why? # * ** _ ` ``` ~~ [ ] ( ) ! > - + 1. & &amp; \\ <b>
</b> <br> : :--- --- === [^1]: [x]: [2] [1][3] 【4†a】 <del> </del> <s> </s> ![x](y) <img> <x>
🚢 漢字です。 `uv cache` Note: I cannot say. "quoted" Sure."""
MARKUP = st.sampled_from([*WORDS.split(), " ", "  ", "\n", "\n\n", "    ", "\t", "\r\n", "The king fled [3]."])
ANSWERS = (
    st.lists(MARKUP, max_size=40).map(" ".join) | st.lists(MARKUP, max_size=40).map("".join) | st.text(max_size=80)
)


def stretches(reading: Reading) -> list[tuple[str, str]]:
    return [(part.became, reading.blocks[part.block].text[part.first : part.last]) for part in reading.parts]


@settings(max_examples=300, deadline=None)
@given(ANSWERS)
def test_the_parts_of_a_reading_hold_every_rendered_character_once(answer: str) -> None:
    reading = read_turn(answer)
    rendered = blocks(answer)
    by_block = [
        "".join(reading.blocks[p.block].text[p.first : p.last] for p in reading.parts if p.block == number)
        for number in range(len(rendered))
    ]
    assert by_block == [block.text for block in rendered]
    assert all(a.last == b.first if a.block == b.block else a.block < b.block for a, b in pairwise(reading.parts))


@settings(max_examples=300, deadline=None)
@given(ANSWERS)
def test_what_lies_between_holds_no_letter_and_no_digit_but_the_marker_of_a_list(answer: str) -> None:
    for became, text in stretches(read_turn(answer)):
        if became == "between":
            assert len([letter for letter in text if letter.isalnum()]) <= 1, text


@settings(max_examples=300, deadline=None)
@given(ANSWERS)
def test_the_text_of_a_statement_is_its_rendered_text_without_marks(answer: str) -> None:
    reading = read_turn(answer)
    for place, statement in enumerate(reading.statements):
        own = [p for p in reading.parts if p.statement == place and p.became != "mark"]
        if not own or reading.blocks[own[0].block].kind == "code":
            continue
        rendered = "".join(reading.blocks[part.block].text[part.first : part.last] for part in own)
        assert statement.text == " ".join(rendered.split())
        assert 0 <= statement.start < statement.end <= len(answer)


@settings(max_examples=150, deadline=None)
@given(ANSWERS)
def test_the_counts_are_those_of_the_characters(answer: str) -> None:
    counts = read_turn(answer).counts()
    assert counts["characters"] == len("".join("".join(block.text.split()) for block in blocks(answer)))
    inside = counts["claims"] + counts["marks"] + sum(counts["set_aside"].values())
    assert inside <= counts["characters"]
    assert counts["unread"] <= sum(counts["set_aside"].values())


def test_what_a_statement_is_and_why_is_told_with_its_share() -> None:
    reading = read_turn("Hello! The ferry sank [1].\n\n```sh\n7 > 3\n```")
    assert [(became, text) for became, text in stretches(reading) if text.strip()] == [
        ("set_aside", "Hello!"),
        ("claim", "The ferry sank"),
        ("mark", " [1]"),
        ("claim", "."),
        ("set_aside", "7 > 3"),
    ]
    assert reading.counts() == {
        "characters": 25,
        "claims": 13,
        "marks": 3,
        "set_aside": {"code": 3, "greeting": 6},
        "unread": 3,
    }


@pytest.mark.parametrize(
    "line",
    ['open("a.txt") The mayor shot protesters yesterday', "x = Larkfield_Shop(1) customers lost millions overnight"],
)
def test_a_line_of_code_that_says_more_than_it_names_is_unread_as_well(line: str) -> None:
    reading = read_turn(f"```python\n{line}\n```")
    assert ("code", line) in [(statement.reason, statement.text) for statement in reading.statements]
    assert reading.counts()["unread"] == len("".join(line.split()))


@pytest.mark.parametrize("line", ["import numpy as np", "result = solve(first, second)", "SELECT name FROM users"])
def test_a_plain_line_of_code_is_carried_by_its_names(line: str) -> None:
    assert read_turn(f"```sql\n{line}\n```").counts()["unread"] == 0


def test_letters_in_circles_are_read() -> None:
    assert [one.text for one in read_turn("ⒻⓇⒺⒺ ⓈⒽⒾⓅ").statements if one.reason is None] == ["ⒻⓇⒺⒺ ⓈⒽⒾⓅ"]
    assert [one.text for one in read_turn("🇱🇦🇷🇰").statements if one.reason is None] == ["🇱🇦🇷🇰"]
    assert read_turn("🇳🇴").statements == []


def test_the_counts_of_several_turns_are_added() -> None:
    one = read_turn("Hello! The ferry sank.").counts()
    assert added([one, one]) == {
        "characters": 2 * one["characters"],
        "claims": 2 * one["claims"],
        "marks": 0,
        "set_aside": {"greeting": 12},
        "unread": 0,
    }
    assert added([])["characters"] == 0
