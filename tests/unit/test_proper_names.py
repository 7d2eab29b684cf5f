"""The names in a claim, looked for in its evidence: shortened ones are there, exchanged ones are not."""

from __future__ import annotations

import time

import pytest

from gate.decision.proper_names import check_names


def missing(claim: str, *evidence: str) -> str | None:
    """What is said to be missing; empty where all is there, None where the claim holds no name."""
    checks = check_names(claim, evidence)
    if not checks:
        return None
    [check] = checks
    assert check["passed"] == (not check["detail"])
    return check["detail"].removeprefix("not in the evidence: ")


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The bridge was built by Anna Kessler.", "Anna Kessler built the bridge."),
        ("The bridge was built by Anna Kessler.", "Kessler built the bridge in May."),
        ("Anna Kessler built the bridge.", "The bridge is the work of Kessler, who was young."),
        ("It is approved by the World Health Organization.", "The WHO approves of it."),
        ("It is approved by the WHO.", "The World Health Organization approves of it."),
        ("It was made in the United States.", "It was made in the U.S. and sold there."),
        ("The beer is from Germany.", "It is a German beer."),
        ("The shop opens at Marble Square.", "MARBLE SQUARE: the shop opens at nine."),
        ("Das Museum öffnet um neun in Basel.", "In Basel öffnet das Museum um neun."),
    ],
)
def test_a_name_may_be_shortened_abbreviated_or_bent(claim: str, evidence: str) -> None:
    assert missing(claim, evidence) == ""


@pytest.mark.parametrize(
    ("claim", "evidence", "name"),
    [
        ("The bridge was built by Anna Kessler.", "The bridge was built by Bertha Kessler.", "Anna"),
        ("The bridge was built by Anna Kessler.", "The bridge was built by Anna Moor.", "Kessler"),
        ("The bridge was built by Anna Kessler.", "The bridge was built in a hurry.", "Anna, Kessler"),
        ("The bridge is in Basel.", "The bridge is in Bern.", "Basel"),
        ("It is approved by the FDA.", "The World Health Organization approves of it.", "FDA"),
    ],
)
def test_a_name_that_is_not_there_is_named(claim: str, evidence: str, name: str) -> None:
    assert missing(claim, evidence) == name


@pytest.mark.parametrize(
    "claim",
    [
        "The library opens at nine.",
        "Libraries open at nine.",
        "Yes, it opens at nine.",
        "図書館は九時に開く。",
        "",
        "...",
    ],
)
def test_a_capital_at_the_beginning_is_no_name(claim: str) -> None:
    assert missing(claim, "Nothing of the kind.") is None


def test_a_claim_written_in_capitals_has_no_names_to_tell() -> None:
    assert missing("ALL GUESTS PAY AT THE MARBLE DESK ON DAY ONE", "Guests pay.") is None


def test_names_of_two_texts_of_evidence_count_together() -> None:
    assert missing("The train runs from Basel to Bern.", "It leaves Basel.", "It ends in Bern.") == ""


@pytest.mark.parametrize("claim", ["A " * 60_000, "a A " * 30_000, "Anna Kessler " * 10_000, "I" * 100_000])
def test_long_claims_are_compared_in_linear_time(claim: str) -> None:
    began = time.process_time()
    check_names(claim, ["Anna Kessler built it. " * 400])
    assert time.process_time() - began < 5
