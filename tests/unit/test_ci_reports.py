"""What other tools are told: JUnit, SARIF and Markdown say no more and no less than the decision."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gate import check, cli, wiring
from gate.agents.publish_failure import publish_failure
from gate.reports import render
from gate.reports.markdown_report import inert
from gate.reports.model import Report
from gate.text.visible import visible
from tests.report_builders import a_report

MIXED = [
    ("The sky is blue.", "supported"),
    ("Boats leave at nine and ten.", "weakly_supported"),
    ("Boats leave at four.", "unsupported"),
    ("Fish are silver.", "unchecked"),
]


def junit(report: Report) -> ElementTree.Element:
    suite = ElementTree.fromstring(render(report, "junit").data).find("testsuite")
    assert suite is not None
    return suite


def sarif(report: Report) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(render(report, "sarif").data)["runs"][0]
    return run


def a_failed_report() -> Report:
    publish_failure({"run_id": "r", "failure": {"error": "ModelUnavailableError", "cause": "asleep"}})
    return Report.model_validate_json(wiring.current().blob_store().get("reports/r/report.json"))


def test_a_claim_is_a_test_that_fails_when_the_decision_objects() -> None:
    suite = junit(a_report(MIXED))
    results = [[child.tag for child in case] for case in suite.findall("testcase")]
    assert results == [["failure"], [], ["failure"], ["failure"], ["error"]]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "3", "1")


def test_the_time_of_the_run_stands_at_the_decision_and_none_is_made_up() -> None:
    report = a_report(MIXED)
    assert not [case for case in junit(report).iter() if case.get("time")]
    suite = junit(report.model_copy(update={"seconds": 1.25}))
    assert suite.get("time") == "1.250"
    assert [case.get("time") for case in suite.findall("testcase")] == ["1.250", None, None, None, None]


def test_a_run_tells_how_long_it_took_and_its_stored_report_does_not() -> None:
    report = check("The pass costs 9 euros.", contexts=["The pass costs 9 euros."])
    assert report.seconds
    assert "seconds" not in json.loads(render(report, "json").data)


def test_a_pass_is_green() -> None:
    suite = junit(a_report([("The sky is blue.", "supported")]))
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "0", "0")


def test_no_claims_is_not_green() -> None:
    assert junit(a_report([("Hello!", "greeting")])).get("failures") == "1"


def test_a_failed_run_is_an_error_everywhere() -> None:
    report = a_failed_report()
    assert junit(report).get("errors") == "1"
    assert sarif(report)["results"][0]["ruleId"] == "run_failed"
    assert b"## ! Error" in render(report, "markdown").data


def test_a_result_stands_at_the_line_and_column_of_its_claim() -> None:
    text = "Line one.\nBoats fly. The sky is blue.\n"
    report = a_report([("Boats fly.", "unsupported")])
    turn = report.turns[0].model_copy(update={"content": text})
    claim = report.claims[0].model_copy(update={"start": 10, "end": 20})
    run = sarif(report.model_copy(update={"turns": (turn,), "claims": (claim,)}))
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "answer.md"
    assert place["region"] == {"startLine": 2, "endLine": 2, "startColumn": 1, "endColumn": 11}


def test_what_the_decision_accepts_is_no_result() -> None:
    results = sarif(a_report(MIXED))["results"]
    assert [(result["ruleId"], result["level"]) for result in results] == [
        ("weakly_supported", "warning"),
        ("unsupported", "error"),
        ("unchecked", "warning"),
    ]


def test_a_missing_path_is_a_result_where_it_is_cited() -> None:
    mention = {"document": "docs/a b.md", "line": 3, "column": 20}
    said = {"document": "turn 1", "line": 1}
    evidences = [
        {"evidence_id": "d1", "found": False, "location": "x.py", "rationale": "Missing.", "mention": mention},
        {"evidence_id": "d2", "found": False, "location": "y.py", "rationale": "Missing.", "mention": said},
    ]
    report = a_report([("The sky is blue.", "supported")], evidences={"docs": evidences})
    reason = {"rule": "missing_path", "outcome": "block", "message": "", "claims": [], "evidence": ["d1", "d2"]}
    run = sarif(report.model_copy(update={"decision": {**(report.decision or {}), "reasons": [reason]}}))
    first, second = run["results"]
    place = first["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "docs/a%20b.md"}, "region": {"startLine": 3, "startColumn": 20}}
    assert second["locations"] == [{"logicalLocations": [{"name": "turn 1", "kind": "member"}]}]


def test_a_missing_name_is_a_result_of_its_own_rule_that_says_the_name() -> None:
    found = {
        "evidence_id": "n1", "evidence_class": "NAME_CLAIM", "found": False, "location": "turn 0",
        "component": "tern migrat", "rationale": "Missing.", "mention": {"document": "turn 0", "line": 1},
    }  # fmt: skip
    reason = {"rule": "missing_name", "outcome": "block", "message": "", "claims": [], "evidence": ["n1"]}
    report = a_report(evidences={"docs": [found]})
    run = sarif(report.model_copy(update={"decision": {**(report.decision or {}), "reasons": [reason]}}))
    (result,) = run["results"]
    assert (result["ruleId"], result["level"]) == ("missing_name", "error")
    assert result["message"]["text"] == "tern migrat: Missing."


def test_what_another_detective_found_is_a_finding_and_no_missing_path() -> None:
    found = {
        "evidence_id": "l1", "evidence_class": "TERMS", "found": False, "location": ".", "rationale": "None."
    }  # fmt: skip
    reason = {"rule": "findings.license", "outcome": "review", "message": "", "claims": [], "evidence": ["l1"]}
    report = a_report(evidences={"license": [found]})
    run = sarif(report.model_copy(update={"decision": {**(report.decision or {}), "reasons": [reason]}}))
    (result,) = run["results"]
    assert (result["ruleId"], result["level"], result["message"]["text"]) == ("finding", "warning", ".: None.")


def test_every_rule_that_a_result_names_is_described() -> None:
    run = sarif(a_report(MIXED))
    known = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in run["results"]} <= known


@given(st.text(max_size=60))
@settings(max_examples=50, deadline=None)
def test_any_text_makes_well_formed_xml(text: str) -> None:
    assert junit(a_report([(f"x{text}x", "unsupported")])).get("failures") == "2"


@given(st.text(alphabet="ab1|`*_[]()<>&~@#!$^%-\\\n:/.w \t", max_size=60) | st.text(max_size=60))
def test_no_markup_comes_out_of_a_text(text: str) -> None:
    reader = MarkdownIt("commonmark").enable("table")
    cell = reader.parse(f"| a |\n| - |\n| x {inert(text)} x |\n")[11]
    line = reader.parse(f"x {inert(text)} x")[1]
    expected = f"x {visible(text)} x".replace("\u200b", "").split()
    for token in (cell, line):
        assert {inner.type for inner in token.children or ()} <= {"text", "text_special"}
        assert "".join(inner.content for inner in token.children or ()).replace("\u200b", "").split() == expected


def test_the_comment_lists_what_is_wanting_worst_first() -> None:
    rows = [line for line in render(a_report(MIXED), "markdown").data.decode().splitlines() if line.startswith("| ")]
    assert [row.split(" | ")[2] for row in rows[2:]] == ["unsupported", "unchecked", "weakly supported"]


def fingerprints(report: Report) -> list[str]:
    return [result["partialFingerprints"]["primaryLocationLineHash"] for result in sarif(report)["results"]]


def test_a_result_is_known_again_after_an_edit_elsewhere_and_two_of_the_same_words_are_told_apart() -> None:
    before = fingerprints(a_report([("Boats fly.", "unsupported"), ("Boats fly.", "unsupported")]))
    after = fingerprints(
        a_report([("The sky is blue.", "supported"), ("Boats fly.", "unsupported"), ("Boats  fly.", "unsupported")])
    )
    assert before == after
    assert len(set(before)) == 2
    assert fingerprints(a_report([("Boats sink.", "unsupported")])) != before[:1]


def test_a_result_leads_to_the_passage_that_decided_and_to_nothing_that_a_browser_would_run() -> None:
    report = a_report([("Boats fly.", "unsupported")])
    (related,) = sarif(report)["results"][0]["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "https://harbour.example/weather"
    assert related["message"]["text"].startswith("Harbour guide › Weather: “The sky over the harbour is blue")
    passage = report.passages["harbour"].model_copy(update={"url": "javascript:alert(1)"})
    (related,) = sarif(report.model_copy(update={"passages": {"harbour": passage}}))["results"][0]["relatedLocations"]
    assert "physicalLocation" not in related


def test_every_rule_says_what_to_do() -> None:
    rules = sarif(a_report(MIXED))["tool"]["driver"]["rules"]
    assert all(rule["help"]["text"] and rule["help"]["markdown"] for rule in rules)


def test_a_link_among_the_pages_is_replaced_and_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "outside.txt").write_text("mine")
    (tmp_path / "pages" / "answer.html").symlink_to(tmp_path / "outside.txt")
    (tmp_path / "answer.json").write_bytes(render(a_report(MIXED), "json").data)
    given = ["annotate", str(tmp_path / "answer.json"), "--pages", str(tmp_path / "pages")]
    assert CliRunner().invoke(cli.group, given).exit_code == 0
    assert (tmp_path / "outside.txt").read_text() == "mine"
    assert "<html" in (tmp_path / "pages" / "answer.html").read_text()


def test_nothing_of_a_passage_is_a_link_in_sarif() -> None:
    link, report = "[log in](https://evil.example)", a_report([("Boats fly.", "unsupported")])
    passage = report.passages["harbour"].model_copy(update={"title": link, "section": link})
    claim = report.claims[0].model_copy(update={"quote": link})
    log = sarif(report.model_copy(update={"passages": {"harbour": passage}, "claims": (claim,)}))
    (related,) = log["results"][0]["relatedLocations"]
    assert related["message"]["text"].count("[log in] (https://evil.example)") == 3
    assert "](" not in json.dumps(log["results"])


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("[]", "the document: "),
        ('{"runs": 5}', "runs: "),
        ('{"runs": [{"results": [{"ruleId": 5}]}]}', "runs.0.results.0.ruleId: "),
        ('{"runs": [{"results": [{"ruleId": "x", "message": {"text": "y"}}]}]}', "runs.0.results.0.level: "),
        ("[" * 100_000, "nested far too deep"),
        ('{"runs": [], "runs": []}', "twice"),
    ],
)
def test_a_log_of_findings_that_is_none_is_one_line(tmp_path: Path, log: str, said: str) -> None:
    audit = tmp_path / "audit.sarif"
    audit.write_text(log)
    result = CliRunner().invoke(cli.group, ["annotate", "--audit", str(audit)])
    assert result.exit_code == 2
    assert said in result.stderr.splitlines()[0]
    assert str(audit) in result.stderr.splitlines()[0]
