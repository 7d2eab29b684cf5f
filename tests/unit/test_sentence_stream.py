"""A text that comes in pieces is cut where its sentences end, however it comes, and nothing of it is lost."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gate.claims.reading import read_turn
from gate.local.sentence_stream import (
    CONTEXT,
    LONGEST_CONTEXT,
    MOST_UNSTATED,
    UNKNOWN,
    SentenceCutter,
    SentenceInContext,
    StreamedAnswer,
)
from gate.model import UNREAD
from gate.reports.model import Report

ANSWER = """# Lamps

Sure! The lamp weighs 200 g. [1] It costs 5 EUR. See [the docs](http://docs.example/a. b) for more.

- **Oak.** It is made of oak.
  It is old.
- It is made of steel.

| what | weight |
|---|---|
| lamp | 200 g |
| table | 300 g |

Run this:

```python
print("a. b. c")

x = 1
```

1. It stands on the floor. It is white.

Let me know if you need more!
"""
STRETCHES = [
    "# Lamps\n\nSure! The lamp weighs 200 g. [1] ",
    "It costs 5 EUR. ",
    "See [the docs](http://docs.example/a. b) for more.\n\n",
    "- **Oak.** It is made of oak.\n",
    "  It is old.\n",
    "- It is made of steel.\n\n",
    "| what | weight |\n|---|---|\n| lamp | 200 g |\n",
    "| table | 300 g |\n\n",
    'Run this:\n\n```python\nprint("a. b. c")\n\nx = 1\n```\n\n',
    "1. It stands on the floor. ",
    "It is white.\n\n",
    "Let me know if you need more!\n",
]


def cut(text: str, size: int) -> list[SentenceInContext]:
    cutter = SentenceCutter()
    found = [one for at in range(0, len(text), size) for one in cutter.feed(text[at : at + size])]
    return [*found, *cutter.end()]


def stretches(found: list[SentenceInContext]) -> list[str]:
    return [one.text[one.checked_to :] for one in found]


@pytest.mark.parametrize("size", [1, 4, 7, len(ANSWER)])
def test_sentences_are_the_same_however_the_answer_comes(size: int) -> None:
    assert stretches(cut(ANSWER, size)) == STRETCHES


@pytest.mark.parametrize(
    "text", ["", " \n", "\n\nOne is two.\r\n\r\nTwo is\r\nthree. ", "一は二。二は三。三は四。", "<b>It is. It</b> is. "]
)
def test_nothing_is_lost_but_blanks_alone(text: str) -> None:
    for size in (1, 3, 100):
        found = stretches(cut(text, size))
        assert "".join(found) == (text if text.strip() else "")
        assert all(found)


def test_a_sentence_is_had_as_soon_as_a_word_of_the_next_is_there() -> None:
    cutter = SentenceCutter()
    assert not cutter.feed("The lamp weighs a lot.")
    assert not cutter.feed(" [1]  [2")
    assert stretches(cutter.feed("0]  It is made")) == ["The lamp weighs a lot. [1]  [20]  "]


def test_a_sentence_has_whole_paragraphs_before_it_as_context() -> None:
    paragraph = "The lamp weighs 200 g. " * 20
    found = cut("\n\n".join([paragraph.strip()] * 10), 50)
    assert "".join(stretches(found)) == "\n\n".join([paragraph.strip()] * 10)
    assert max(one.checked_to for one in found) <= CONTEXT + len(paragraph)
    assert max(one.checked_to for one in found) > CONTEXT / 2
    assert all(one.text.startswith("The lamp") for one in found)


def test_each_sentence_of_a_paragraph_longer_than_any_context_is_stated_by_its_own_stretch() -> None:
    more = "and its shade is made of oak, " * 8
    sentences = [f"The lamp {number} weighs {number} g, {more}as they say. " for number in range(50)]
    assert sum(map(len, sentences)) > LONGEST_CONTEXT + CONTEXT
    found = cut("".join(sentences), 120)
    assert stretches(found) == sentences
    assert max(len(one.text) for one in found) <= 2 * LONGEST_CONTEXT
    for one, sentence in list(zip(found, sentences, strict=True))[::10]:
        (statement,) = read_turn(one.text).beyond(one.checked_to).statements
        assert (statement.text, statement.reason) == (sentence.strip(), None)


def test_what_states_nothing_is_not_held_for_ever() -> None:
    text = "Really? " * 5_000
    found = stretches(cut(text, 100))
    assert "".join(found) == text
    assert max(map(len, found)) <= 2 * MOST_UNSTATED


def stated(found: list[SentenceInContext]) -> set[int]:
    """Places in the whole of what is a claim of some stretch, or a sentence that does not pass."""
    at = 0
    places: set[int] = set()
    for one in found:
        read = read_turn(one.text).beyond(one.checked_to).statements
        claims = [each for each in read if not each.reason]
        for claim in claims:
            places.update(range(at - one.checked_to + claim.start, at - one.checked_to + claim.end))
        size = len(one.text) - one.checked_to
        is_short = sum(not each.reason or each.reason in UNREAD for each in read) < one.states
        places.update(range(at, at + size) if is_short else ())
        at += size
    return places


def unstated(text: str, size: int) -> list[str]:
    """Words of the whole's claims that are in no claim of a stretch."""
    places = stated(cut(text, size))
    claims = [one for one in read_turn(text).statements if not one.reason]
    return [
        "".join(text[at] for at in range(one.start, one.end) if at not in places and text[at].isalnum())
        for one in claims
    ]


@pytest.mark.parametrize(
    "text",
    [
        "- It is a lamp. # It costs 5 EUR.\n",
        "> It is a lamp. # It costs 5 EUR.\n",
        "1. **Lamp.** It is a lamp. [1]: http://x.example is its site.\n2. It is old.\n",
        "- It is a lamp. ```It costs 5 EUR.```\n",
        "It is a lamp. " * 180 + "# It costs 5 EUR.\n\nIt is old.\n",
    ],
)
def test_a_sentence_within_a_paragraph_is_never_taken_for_a_mark_of_a_line(text: str) -> None:
    assert not any(unstated(text, len(text)))
    assert not any(unstated(text, max(16, len(text) // 20)))


SAID = (
    "The lamp is red.",
    "It costs 5 EUR!",
    "Is it old?",
    "# Oak",
    "Note: it is tall.",
    "Sure!",
    "一は二である。",
    "[1]",
    "<b>It is</b> dry.",
)
BEFORE = (
    "",
    "- ",
    "  - ",
    "1. ",
    "> ",
    "## ",
    "| a | b |\n|---|---|\n| ",
    "[^1]: ",
    "Sources:\n",
    "~~~\n",
    "<!-- x -->\n",
)


@pytest.mark.parametrize("seed", range(12))
def test_what_the_whole_states_some_stretch_states(seed: int) -> None:
    draw = random.Random(seed)
    lines = [draw.choice(BEFORE) + " ".join(draw.choices(SAID, k=draw.randint(1, 4))) for _ in range(6)]
    text = "".join(line + draw.choice(("\n", "\n\n", "\r\n\r\n")) for line in lines)
    for size in (len(text), 15):
        found = cut(text, size)
        assert "".join(stretches(found)) == text
        assert [words for words in unstated(text, size) if words] == []


@pytest.mark.parametrize(("states", "passed"), [(0, True), (1, False)])
def test_what_stated_something_passes_by_no_report_without_claims(states: int, passed: bool) -> None:
    told: dict[str, Any] = {"outcome": "review", "claims": [], "non_claims": (), "accounting": None, "failure": None}
    empty = Report.model_construct(**{**told, "decision": {"reasons": [{"rule": "no_claims"}]}})
    full = Report.model_construct(**{**told, "outcome": "pass", "claims": ["a claim"], "decision": {"reasons": []}})
    reports = iter([full, empty])
    answer = StreamedAnswer(lambda _: next(reports), "mark")
    answer.checked(SentenceInContext("It is. ", 0, 1))
    assert answer.checked(SentenceInContext("It was.", 0, states)).passed is passed


@pytest.mark.parametrize(("states", "passed"), [(1, True), (2, False)])
def test_a_stretch_of_which_a_statement_was_not_found_again_does_not_pass(states: int, passed: bool) -> None:
    decision: dict[str, Any] = {"reasons": []}
    told: dict[str, Any] = {"outcome": "pass", "claims": ["a claim"], "non_claims": (), "decision": decision}
    answer = StreamedAnswer(lambda _: Report.model_construct(**told, accounting=None, failure=None), "mark")
    found = answer.checked(SentenceInContext("It is so. And so.", 0, states))
    assert (found.passed, found.shown) == (passed, "It is so. And so." + " [not read]" * (not passed))


FAR = "".join(
    f"- Parcels of class {n} to Norway take 4 to 7 days by the ordinary post of the country.\n" for n in range(30)
)


def told(statements: list[Any]) -> list[tuple[str, str]]:
    return [(one.lead, one.text) for one in statements if not one.reason]


@pytest.mark.parametrize(
    "answer",
    [
        "- Returns are free for 30 days. ❌\n- Parcels take 4 to 7 days.\n",
        "Returns are free for 30 days. 👎\n\nParcels take 4 to 7 days.\n",
        "Returns are free for 30 days. ❌\n| Lamp | Price |\n|---|---|\n| Oak | 5 EUR |\n",
        f"The warranty does not cover:\n\n{FAR}- Lamps that broke by themselves\n",
        f"## Myths\n\n{FAR}- Returns are free for 30 days.\n",
        f"Not true:\n\n{FAR}- Returns are free for 30 days.\n",
        f"# Old policy\n\n{FAR}- Returns are free for 30 days.\n",
        f"# Returns\n\n- Not covered:\n{FAR.replace('- ', '  - ')}  - Lamps that broke by themselves\n",
    ],
)
def test_a_sign_or_a_title_that_calls_a_sentence_untrue_is_read_with_it_however_far_it_stands(answer: str) -> None:
    read = [read_turn(one.text).beyond(one.checked_to).statements for one in cut(answer, 7)]
    assert [one for stretch in read for one in told(stretch)] == told(read_turn(answer).statements)


@pytest.mark.parametrize(
    "title",
    [
        "## Myths\n\n" + ("A lamp is " + "red and " * 120 + "old. ") * 14,
        "## Myths\n\n" + "### " + "A lamp is red and " * 600 + "\n\n",
    ],
)
def test_what_stands_under_a_title_that_cannot_be_kept_does_not_pass(title: str) -> None:
    found = cut(f"{title}{FAR}Returns are free for 30 days.\n", 1_000)
    assert found[-1].states == UNKNOWN
