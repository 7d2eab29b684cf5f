"""A report that somebody brings names only what it holds, or is refused: no command ends in a traceback on it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli
from gate.cli.explain import steps
from gate.cli.reading_back import read_back
from gate.reports import FORMATS, render
from gate.reports.corrected.correcting import correct
from tests.report_builders import a_report

GONE = object()
SENTENCES = [
    ("The sky is blue.", "supported"),
    ("Boats fly.", "unsupported"),
    ("Ask us.", "unchecked"),
    ("Hi!", "greeting"),
]


def whole() -> dict[str, Any]:
    """A report with something in what points elsewhere."""
    value: dict[str, Any] = json.loads(render(a_report(SENTENCES), "json").data)
    value["claims"][1] |= {
        "scores": {"supported": 0.1, "weakly_supported": 0.2, "unsupported": 0.7},
        "sources": [{"mark": "[1]", "title": "T", "url": "https://a.org", "outcome": "not_backed",
                     "passages": list(value["passages"]), "justification": "No."}],
        "checks": [{"name": "units", "passed": False, "detail": "it says 2"}],
    }  # fmt: skip
    value["turns"][0]["redactions"] = [{"start": 0, "end": 3, "kind": "email", "rule": "email/1"}]
    value["accounting"]["reading"] = {"characters": 9, "claims": 3, "marks": 0, "set_aside": {}, "unread": 6}
    value["corpus"]["languages"] = {"en": 3, "xx": 1}
    return value


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*at, key)
        yield from places(each, (*at, key))


def changed(place: tuple[Any, ...], new: Any) -> str:
    value = found = copy.deepcopy(whole())
    for key in place[:-1]:
        found = found[key]
    if new is GONE:
        del found[place[-1]]
    else:
        found[place[-1]] = new
    return json.dumps(value)


@pytest.mark.parametrize("decision", [{"outcome": "block", "reasons": [], "policy": {}}, None])
def test_an_outcome_that_the_decision_contradicts_is_no_report(decision: dict[str, Any] | None, tmp_path: Path) -> None:
    report = whole() | {"outcome": "pass", "decision": decision}
    (tmp_path / "report.json").write_text(json.dumps(report))
    result = CliRunner().invoke(cli.group, ["annotate", str(tmp_path / "report.json")])
    assert (result.exit_code, "report.json: is no report" in result.stderr) == (2, True)


OTHERS: dict[type, tuple[Any, ...]] = {
    int: (-1, 0, 10**12),
    float: (-1.0, 1e308),
    str: ("", "zz"),
    list: ([],),
    dict: ({},),
    type(None): ("x", 5),
}


def hostile() -> Iterator[str]:
    """The report with one part of it gone, or another one of its kind in its place."""
    value = whole()
    for place in places(value):
        found = value
        for key in place:
            found = found[key]
        for new in (GONE, *OTHERS.get(type(found), ())):
            yield changed(place, new)


def test_the_report_itself_is_read() -> None:
    assert read_back(json.dumps(whole())).claims[1].sources


def test_whatever_part_of_a_report_is_another_it_is_refused_or_shown() -> None:
    read = refused = 0
    for text in hostile():
        try:
            report = read_back(text)
        except ValueError:
            refused += 1
            continue
        read += 1
        for form in FORMATS:
            render(report, form)
        assert all(list(steps(claim, report)) for claim in report.claims)
        if len({claim.claim_id for claim in report.claims}) == len(report.claims):
            correct(report, only=(), unsupported="strike")
    assert (read > 100, refused > 100) == (True, True)


@pytest.mark.parametrize(
    ("place", "new"),
    [
        (("claims", 0, "turn"), 9),
        (("claims", 0, "end"), 10**12),
        (("claims", 0, "passages", 0), "zz"),
        (("claims", 0, "deciding"), []),
        (("claims", 0, "quoted", "end"), 10**12),
        (("claims", 1, "sources", 0, "passages", 0), "zz"),
        (("claims", 1, "scores", "supported"), 2.0),
        (("non_claims", 0, "turn"), -1),
        (("turns", 0, "redactions", 0, "end"), 10**12),
        (("risk",), 1e308),
        (("claims", 1, "claim_id"), "c9999"),
        (("decision", "reasons", 0, "claims", 0), "c9999"),
        (("corpus", "languages"), [1]),
        (("corpus", "languages", "xx"), "x"),
    ],
)
def test_a_command_says_in_a_line_that_it_is_no_report(tmp_path: Path, place: tuple[Any, ...], new: Any) -> None:
    path = tmp_path / "report.json"
    path.write_text(changed(place, new))
    for command in (["annotate", str(path), "--pages", str(tmp_path)], ["explain", "c0001", "--report", str(path)]):
        found = CliRunner().invoke(cli.group, command)
        assert (found.exit_code, "is no report" in found.stderr) == (2, True), found.output
