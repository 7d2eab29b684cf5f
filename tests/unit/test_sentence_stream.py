"""A text that comes in pieces is cut where its sentences end, however it comes, and nothing of it is lost."""

from __future__ import annotations

import pytest

from gate.local.sentence_stream import CONTEXT, MOST_UNSTATED, SentenceCutter, SentenceInContext

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
    "- **Oak.** ",
    "It is made of oak.\n",
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


def test_what_states_nothing_is_not_held_for_ever() -> None:
    text = "Really? " * 5_000
    found = stretches(cut(text, 100))
    assert "".join(found) == text
    assert max(map(len, found)) <= 2 * MOST_UNSTATED
