"""Answers in Markdown: each character that a reader sees is claim, set aside, mark or between, exactly once."""

from __future__ import annotations

from gate.claims.reading import read_turn
from tests.fuzz.targets.transcripts import EVENTS

SEEDS = [
    (EVENTS / "demo" / "answer.md").read_bytes()[:2_000],
    b"# A head\n\n> quoted [1](u 'x') and ![an image](y)\n\n- one\n  1. two\n\n| a | b |\n|---|--:|\n| 1 | `2` |\n",
    b"A [note][^1] with **bold _both_** ~~gone~~ <b>html</b> &amp; &#65; $x^2$ \\* a@b.example https://x.example.\n"
    b"\n[^1]: The note.\n\n```py\nx = 1\n```\n\n<!-- hidden -->\n***\n"
    b"Dr. Moor said \xe2\x80\x9cno\xe2\x80\x9d. \xe6\xbc\xa2"
    b"\xe5\xad\x97\xe3\x80\x82\n",
]


def read(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    reading = read_turn(text)
    for number, block in enumerate(reading.blocks):
        parts = [part for part in reading.parts if part.block == number]
        assert "".join(block.text[part.first : part.last] for part in parts) == block.text
    for statement in reading.statements:
        assert 0 <= statement.start <= statement.end <= len(text)
