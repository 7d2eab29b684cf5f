"""What a reader sees of an answer: the text of its Markdown as rendered, and where each character stands."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gate.claims.markdown import Block, blocks
from gate.claims.spans import spans
from tests.growth import superlinear


def seen(answer: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text.strip()) for block in blocks(answer)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The **king** is _dead_.", [("paragraph", "The king is dead.")]),
        ("`__main__.py` has 2**10 bytes.", [("paragraph", "__main__.py has 2**10 bytes.")]),
        ("`` `x` `` and ` y ` end.", [("paragraph", "`x` and y end.")]),
        ("T&eacute;a \\*costs\\* 9&nbsp;EUR", [("paragraph", "Téa *costs* 9\xa0EUR")]),
        ("# Title #\n\nSet\n===", [("heading", "Title"), ("heading", "Set")]),
        ("- one\n  - two\n\n> three", [("item", "one"), ("item", "two"), ("paragraph", "three")]),
        ("[the ferry](https://x.example 'sank') left", [("paragraph", "the ferry left"), ("alternative", "sank")]),
        ("<https://x.example/a_b>", [("paragraph", "https://x.example/a_b")]),
        ("![The mayor](a.png)", [("alternative", "The mayor"), ("image", "a.png")]),
        ("King<br>and <b>queen</b>", [("paragraph", "King and queen")]),
        ("<table><tr><td>Heron</td><td>900 km</td></tr></table>", [("html", "Heron 900 km")]),
        ("<script>var x = 1</script> after", [("image", "script"), ("code", "var x = 1"), ("html", "after")]),
        ("```sh title=Fake\nuv cache\n```", [("unseen", "title=Fake"), ("code", "uv cache")]),
        ("```ts {1,3} no-run copy\nls\n```", [("unseen", "{1,3} no-run copy"), ("code", "ls")]),
        ("    indented --option", [("code", "indented --option")]),
        (
            "[^1]: Withdrawn\n\n[a]: https://x.example",
            [("footnote", "Withdrawn"), ("unseen", "[a]: https://x.example")],
        ),
        ("a ***b** c", [("paragraph", "a *b c")]),
        (
            '[![a](b "c d") e](f "g &amp; h")',
            [
                ("alternative", "a"),
                ("image", "b"),
                ("alternative", "c d"),
                ("paragraph", "e"),
                ("alternative", "g & h"),
            ],
        ),
        ("[a]: b (c d)\n\n[e][a]", [("unseen", "[a]: b ("), ("alternative", "c d"), ("paragraph", "e")]),
        ("<p>Tom &amp; &#65;nn &lt;b></p>", [("html", "Tom & Ann <b>")]),
        ('<img alt="Tom &amp; Ann">', [("image", "img"), ("alternative", "Tom & Ann")]),
        ("It weighs:\n\n42. A lot.", [("paragraph", "It weighs:"), ("item", "42. A lot.")]),
        ("42. A lot.\n43. Of it.", [("item", "42. A lot."), ("item", "43. Of it.")]),
        ("42. - A lot.\n43. - Of it.", [("item", "42. A lot."), ("item", "43. Of it.")]),
        ("1. A lot.\n2. Of it.\n3. Now.", [("item", "A lot."), ("item", "Of it."), ("item", "Now.")]),
        ("1. A lot.\n1. Of it.", [("item", "A lot."), ("item", "Of it.")]),
        ("1. A lot.\n42. Of it.", [("item", "A lot."), ("image", "42."), ("item", "Of it.")]),
        ("42. # A lot", [("item", "42."), ("heading", "A lot")]),
        ("42. ```\n    A lot\n    ```", [("item", "42."), ("code", "A lot")]),
        ("42. <div>A lot</div>", [("html", "42. A lot")]),
        ("42.\n    A lot", [("paragraph", "42."), ("item", "A lot")]),
        (
            "<style-note>The mayor</style-note>",
            [
                ("paragraph", "<style-note>The mayor</style-note>"),
                ("image", "<style-note>"),
                ("image", "</style-note>"),
            ],
        ),
        ("<div>\nA <b-c>x</div>", [("html", "A <b-c>x"), ("image", "<b-c>")]),
        ("<!--> The mayor <!-- x --!> was shot", [("html", "The mayor  was shot"), ("unseen", "<!-- x --!>")]),
        ("<!---> The mayor -->", [("html", "The mayor -->")]),
        ("It <!-- x --!> sank -->", [("paragraph", "It  sank -->"), ("unseen", "<!-- x --!>")]),
    ],
)
def test_the_text_of_a_block_is_what_is_rendered(answer: str, expected: list[tuple[str, str]]) -> None:
    assert seen(answer) == expected


def test_three_backticks_with_text_behind_them_are_a_code_span_and_hide_nothing() -> None:
    assert seen("```ls``` lists files. The mayor was shot.") == [("paragraph", "ls lists files. The mayor was shot.")]
    assert seen("``` a`b\nThe ferry sank.")[0][1].endswith("The ferry sank.")


def test_a_rule_under_a_paragraph_without_bars_hides_nothing() -> None:
    assert seen("The device runs on 400 volts.\n--|--")[0][1].startswith("The device runs")
    assert ("item", "400 volts") not in seen("a\n--|--")


def test_cells_beyond_the_head_are_read() -> None:
    head, row = blocks("| A | B |\n|---|---|\n| 1 | `x` | and the king fled |")
    assert (head.kind, head.text) == ("head", "A, B")
    assert [row.text[start:end] for start, end in row.cells] == ["1", "x", "and the king fled"]


def test_lines_nested_too_deep_are_read_as_they_are_written() -> None:
    (block,) = blocks(">" * 200 + " the king fled")
    assert block.text.endswith("the king fled")


def test_lines_that_begin_with_a_bullet_of_another_sort_are_items() -> None:
    found = spans("Facts:\n• Water is wet\n• Iron is hard\na) One\nb) Two")
    assert [span.text for span in found] == ["Facts:", "Water is wet", "Iron is hard", "One", "Two"]


WORDS = "a B 1 é 漢 # * ** _ ` `` ``` ~~ [ ] ( ) ! | > - + 1. & &amp; \\ < <b> </b> <br> : :--- --- === [^1]: [x]: 🚢"
MARKUP = st.sampled_from([*WORDS.split(), " ", "  ", "\n", "\n\n", "    ", "\t", "\r\n", "The king fled."])
ANSWERS = st.lists(MARKUP, max_size=40).map("".join) | st.text(max_size=80)


@settings(max_examples=150, deadline=None)
@given(ANSWERS)
def test_each_rendered_character_stands_where_it_is_said_to_stand(answer: str) -> None:
    for block in blocks(answer):
        assert len(block.text) == len(block.starts) == len(block.ends)
        assert block.starts == sorted(block.starts) or block.kind == "alternative"
        for character, start, end in zip(block.text, block.starts, block.ends, strict=True):
            assert 0 <= start <= end <= len(answer)
            if character.isalnum() and not answer[start:end].startswith("&"):
                assert answer[start:end].removeprefix("\\") == character


class _Text(HTMLParser):
    """The letters and digits of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.text += dict(attrs).get("alt") or ""

    handle_starttag = handle_startendtag


def letters(text: str) -> str:
    return "".join(sorted(character for character in text if character.isalnum()))


@settings(max_examples=150, deadline=None)
@given(ANSWERS.filter(lambda text: "<" not in text and "[" not in text and "~~~" not in text))
def test_together_the_blocks_hold_what_the_library_renders(answer: str) -> None:
    page = _Text()
    page.feed(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(answer))
    page.close()
    shown = "".join(block.text for block in blocks(answer) if block.kind != "unseen")
    missing = [one for one in set(letters(page.text)) if letters(page.text).count(one) > letters(shown).count(one)]
    assert not missing


@settings(max_examples=100, deadline=None)
@given(ANSWERS)
def test_no_letter_of_any_answer_is_in_no_block_but_for_markup(answer: str) -> None:
    found = blocks(answer)
    spans_of = [zip(block.starts, block.ends, strict=True) for block in found]
    covered = {place for pairs in spans_of for start, end in pairs for place in range(start, end)}
    plain = answer if not set(answer) & set("<[]()&`~#:") else ""
    for place, character in enumerate(plain):
        if character.isalpha():
            assert place in covered


HOSTILE = ["a", "*", "* ", "**a", "[", "[a](", "![", "`", "`a ", "<", "<a ", "|", "|a|\n", "> ", ">\n", "- ", "- a\n",
           "&amp;", "\\", "_a ", "~~a", "[^1]: a\n", "[a]: b\n", "<!-- ", "# a\n", "```\n", "1. ", "    a\n", "a\n=\n",
           "\t", "漢", "<b>x</b>\n", "a|b\n-|-\n", "> - ", "a b\n\n"]  # fmt: skip


@pytest.mark.hostile
@pytest.mark.parametrize("piece", HOSTILE)
def test_reading_takes_time_in_proportion_to_the_answer(piece: str) -> None:
    assert not superlinear(blocks, piece, 4_000)


def test_reading_what_was_rendered_changes_nothing_in_plain_text() -> None:
    answer = "The king fled in 1990.\n\nThe queen stayed, and 5 men too."
    once = "\n\n".join(block.text for block in blocks(answer))
    assert once == answer
    assert [block.text for block in blocks(once)] == [block.text for block in blocks(answer)]
    assert isinstance(blocks(once)[0], Block)
