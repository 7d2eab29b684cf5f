"""`gate explain`: every step of one claim; and the command that somebody may have meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gate import cli
from gate.reports import render
from tests.report_builders import a_report


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A report in a file."""
    report = a_report([("The sky is blue.", "supported"), ("Boats fly at night.", "unsupported")])
    check = {"name": "terms", "passed": False, "detail": "it says leave"}
    changes = {
        "checks": (check,),
        "doubt": 0.4,
        "known": {"£98": "£20 + £78"},
        "scores": {"supported": 0.1, "weakly_supported": 0.2, "unsupported": 0.7},
    }
    claims = (report.claims[0], report.claims[1].model_copy(update=changes))
    (tmp_path / "report.json").write_bytes(render(report.model_copy(update={"claims": claims}), "json").data)
    return tmp_path / "report.json"


def gate(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, list(arguments))


@pytest.mark.parametrize("claim", ["c0002", "boats FLY"])
def test_every_step_of_a_claim_is_shown_in_the_order_of_the_pipeline(path: Path, claim: str) -> None:
    result = gate("explain", claim, "--report", str(path))
    assert result.exit_code == 0, result.output
    steps = [
        "c0002: Boats fly at night.",
        "turn 1 (assistant), characters 17 to 36",
        "1. harbour: Harbour guide › Weather (decides)",
        "“The sky over the harbour is blue”",
        "terms differ: it says leave",
        "£98 needs no evidence: £20 + £78",
        "supported 0.10, weakly supported 0.20, unsupported 0.70",
        "0.40: the chance that it is unsupported",
        "unsupported: the evidence has something else",
        "block by the rule unsupported:",
        "Rewrite or remove it",
    ]
    places = [result.output.find(step) for step in steps]
    assert -1 not in places, result.output
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("claim", "says"),
    [("c0009", "c0009: there is no such claim"), ("s", "s: 2 claims hold these words")],
)
def test_a_claim_that_is_not_meant_alone_is_refused_with_those_there_are(path: Path, claim: str, says: str) -> None:
    result = gate("explain", claim, "--report", str(path))
    assert result.exit_code == 2
    assert result.stderr == f"gate: {says}\nhint: among them c0001, c0002\n"


@pytest.mark.parametrize("text", ["", "{}", "<!doctype html>"])
def test_what_is_no_report_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    result = gate("explain", "c0001", "--report", str(tmp_path / "x.json"))
    assert result.exit_code == 2
    assert "x.json: is no report as JSON" in result.stderr


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("chek", "check?"), ("audit", "gate audit-docs?"), ("version", "gate --version?"), ("help", "gate --help?")],
)
def test_a_command_that_there_is_not_names_the_one_that_is_meant(typed: str, meant: str) -> None:
    result = gate(typed)
    assert result.exit_code == 2
    assert result.stderr == f"gate: {typed}: there is no such command\nhint: did you mean {meant}\n"
