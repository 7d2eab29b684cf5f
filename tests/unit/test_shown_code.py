"""A line of code in which nothing can be looked up is read where a document shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gate import Gate
from gate.decision.lookups.shown_code import ShownCode

DOCUMENT = """Add this section to the file:

    [watch_rail]
    sensor_pin: ^P1.24
    forward . 9.9.9.9 {
        policy random
    }

    <param key="keep" val="5"></param>
    $ tern about <remote>:

Refunds are never given. They end with `never mind` in the log.
| `pause | 10s` | a pause |
"""
ASKED = "My resolver is 10.0.0.1 and I keep 10 copies, policy sequential, with pin ^P1.30."


@pytest.mark.parametrize(
    "line",
    [
        "[watch_rail]",
        "  [watch_rail]  ",
        "sensor_pin: ^P1.24",
        "sensor_pin = '^P1.24'",
        "forward . 9.9.9.9",
        "- policy random,",
        "never mind",
        '<param key="keep" val="5"></param>',
    ],
)
def test_a_line_is_shown_where_a_document_has_its_words_and_signs(line: str) -> None:
    assert ShownCode([DOCUMENT]).has(line, "")


@pytest.mark.parametrize(
    "line",
    ["forward . 10.0.0.1 {", '<param key="keep" val="10"></param>', "sensor_pin: ^P1.30"],
)
def test_a_value_of_the_users_may_stand_in_the_place_of_the_documents(line: str) -> None:
    assert ShownCode([DOCUMENT]).has(line, ASKED)
    assert not ShownCode([DOCUMENT]).has(line, "")
    assert not ShownCode([DOCUMENT]).has(line, f"{ASKED} Which is the default?")


@pytest.mark.parametrize(
    "line",
    [
        "[watch_rails]",
        "sensor_pin: ^P1.25",
        "policy sequential",
        "forward . 10.0.0.2",
        "forward . 9.9.9.9 10.0.0.1",
        "Refunds are",
        "never given",
        "Refunds",
        "are never given",
        "10.0.0.1",
        "1 2 3",
        "",
        "x" * 600,
    ],
)
def test_a_line_that_no_document_has_as_it_is_is_shown_nowhere(line: str) -> None:
    assert not ShownCode([DOCUMENT]).has(line, ASKED)


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    monkeypatch.setenv("GATE_MODEL", "local:lexical")
    monkeypatch.chdir(tmp_path)
    return Gate()


def rules(gate: Gate, answer: str) -> tuple[set[str], dict[str, str], int]:
    report = gate.check(answer, contexts=[{"id": "doc", "content": DOCUMENT}], name="answer.md")
    told = json.loads(report.model_dump_json())
    aside = {answer[one["start"] : one["end"]]: one["reason"] for one in told["non_claims"]}
    return {one["rule"] for one in told["decision"]["reasons"]}, aside, told["accounting"]["reading"]["unread"]


def test_a_line_that_the_evidence_shows_does_not_ask_for_review(gate: Gate) -> None:
    found, aside, unread = rules(
        gate, "Add this section to the file:\n\n```ini\n[watch_rail]\n```\n\nRefunds are never given."
    )
    assert ("unread" in found, aside["[watch_rail]"], unread) == (False, "shown", 0)


def test_a_line_that_the_evidence_does_not_show_is_unread(gate: Gate) -> None:
    found, aside, unread = rules(gate, "Add this section:\n\n```ini\n[watch_mast]\n```\n\nRefunds are never given.")
    assert ("unread" in found, aside["[watch_mast]"], unread) == (True, "code", len("[watch_mast]"))
