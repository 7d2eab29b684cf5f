"""What many records came to: counted once each, the worst first, and no cell of a sheet is a formula."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate import cli
from gate.reports import render
from gate.reports.csv_report import HEADS
from gate.reports.model import Failed, Report
from gate.reports.overviews.record_summary import FORMS, RecordSummary, as_text
from tests.hostile_text import FORBIDDEN, NASTY
from tests.report_builders import a_report

PASSING = [("The sky is blue.", "supported")]
FAILING = [("Boats leave at four.", "unsupported"), ("Boats leave at nine.", "supported")]


def named(name: str, sentences: list[tuple[str, str]], **fields: Any) -> Report:
    return a_report(sentences).model_copy(update={"name": name, **fields})


def with_cause(report: Report, cause: str) -> Report:
    first, *rest = report.claims
    return report.model_copy(update={"claims": (first.model_copy(update={"cause": cause}), *rest)})


def summed(*reports: Report) -> RecordSummary:
    found = RecordSummary()
    for report in reports:
        found.add(report)
    return found


def test_records_are_counted_and_stand_worst_first() -> None:
    failed = named("down.md", [], outcome="error", failure=Failed(error="ModelUnavailableError"), decision=None)
    found = summed(named("fine.md", PASSING), named("wrong.md", FAILING), failed)
    found.refuse("bad.json", "bad.json: not UTF-8")
    value = json.loads(as_text("json", found))
    assert value["outcomes"] == {"pass": 1, "review": 0, "block": 1, "error": 1, "refused": 1}
    assert value["claims"] == {"unsupported": 1, "unchecked": 0, "weakly_supported": 0, "supported": 2}
    assert [one["name"] for one in value["records"]] == ["down.md", "bad.json", "wrong.md", "fine.md"]
    assert value["records"][2]["worst"] == "Boats leave at four."


def test_why_claims_fail_is_counted_by_writer_question_and_source() -> None:
    made_up = with_cause(named("a.md", FAILING, writer="model-a"), "made_up")
    missed = with_cause(named("b.md", FAILING, writer="model-b"), "not_retrieved")
    value = json.loads(as_text("json", summed(made_up, missed, missed)))
    assert value["causes"] == {"made_up": 1, "not_retrieved": 2, "wrong_context": 0}
    writers = [(one["name"], one["records"], one["causes"]) for one in value["by"]["writer"]]
    assert writers == [("model-b", 2, {"not_retrieved": 2}), ("model-a", 1, {"made_up": 1})]
    (source,) = value["by"]["source"]
    assert (source["name"], source["causes"]) == ("Harbour guide", {"not_retrieved": 2})
    page = as_text("html", summed(made_up, missed))
    assert "missed by retrieval" in page
    assert "model-b" in page


def test_a_page_says_nothing_of_causes_where_nobody_looked_for_them() -> None:
    assert "Why claims fail" not in as_text("html", summed(named("a.md", FAILING)))


@pytest.mark.parametrize("form", FORMS)
def test_no_text_steers_whoever_reads_a_summary(form: str) -> None:
    report = named(f"a {NASTY}", [(f"Boats {NASTY} <b>fly</b>.", "unsupported")], writer=NASTY)
    text = as_text(form, summed(report))
    assert not FORBIDDEN.search(text.replace("\n", " "))
    assert "<b>" not in (text if form == "html" else "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_no_cell_of_a_sheet_is_a_formula(start: str) -> None:
    text = f"{start}HYPERLINK(A1) boats fly."
    report = named(text, [(text, "unsupported")])
    for sheet in (render(report, "csv").data.decode(), as_text("csv", summed(report))):
        cells = [cell for row in csv.reader(io.StringIO(sheet)) for cell in row]
        assert f"'{text}" in cells
        assert not [cell for cell in cells if cell.startswith(start)]


@pytest.mark.parametrize("text", ["Boats fly;=HYPERLINK(A1)", 'Boats fly;"+1"', "＝HYPERLINK(A1)"])
def test_no_cell_is_a_formula_where_semicolons_part_cells(text: str) -> None:
    sheet = render(named(text, [(text, "unsupported")]), "csv").data.decode()
    cells = [cell.lstrip('"') for row in sheet.splitlines() for cell in row.split(";")]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "＝"))]


def test_a_sheet_has_a_row_for_each_claim_and_one_for_a_failed_run() -> None:
    rows = list(csv.DictReader(io.StringIO(render(named("a.md", FAILING), "csv").data.decode())))
    assert [(row["claim_id"], row["status"], row["objection"]) for row in rows] == [
        ("c0001", "unsupported", "block"),
        ("c0002", "supported", ""),
    ]
    failed = named("a.md", [], outcome="error", failure=Failed(error="ModelUnavailableError"), decision=None)
    (row,) = csv.DictReader(io.StringIO(render(failed, "csv").data.decode()))
    assert (row["status"], row["why"], len(row)) == ("error", "error: ModelUnavailableError", len(HEADS))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for folder, day, sentences in (("monday", 1, FAILING), ("tuesday", 2, PASSING)):
        Path(folder).mkdir()
        report = named("a.md", sentences, created_at=f"2026-11-0{day}T09:00:00+00:00")
        Path(folder, "a.json").write_text(report.model_dump_json())
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, list(arguments))


def test_of_several_runs_of_an_answer_the_last_counts_and_a_line_shows_the_others(place: Path) -> None:
    result = run("summary", "tuesday", "monday", "-o", "summary.html")
    assert result.output == "1 record: 1 pass; 1 claim: 1 supported\n"
    assert 'aria-label="run by run: 50 %, 100 %"' in Path("summary.html").read_text()


def test_answers_of_one_name_in_one_folder_are_all_counted(place: Path) -> None:
    for name, sentences in (("a-2.json", PASSING), ("a-3.json", FAILING)):
        Path("monday", name).write_text(named("a.md", sentences).model_dump_json())
    assert run("summary", "monday").output.startswith("3 records: 1 pass, 2 block")
    assert run("summary", *map(str, sorted(Path("monday").iterdir()))).output.startswith("3 records: 1 pass, 2 block")


def test_of_two_that_weigh_alike_the_one_with_more_failures_comes_first() -> None:
    one, two = (
        named("a", FAILING[:1], outcome="block", risk=None),
        named("b", FAILING[:1] * 2, outcome="block", risk=None),
    )
    assert [each.name for each in summed(one, two).results()] == ["b", "a"]


def test_of_two_runs_at_one_time_the_one_named_last_counts_and_not_the_better_one(place: Path) -> None:
    for folder, sentences in (("one", PASSING), ("two", FAILING)):
        Path(folder).mkdir()
        Path(folder, "a.json").write_text(named("a.md", sentences).model_dump_json())
    assert run("summary", "one", "two").output.startswith("1 record: 1 block")
    assert run("summary", "two", "one").output.startswith("1 record: 1 pass")


def test_a_summary_beside_the_reports_is_not_taken_for_one(place: Path) -> None:
    assert run("summary", "monday", "-o", "monday/summary.json", "-q").exit_code == 0
    assert run("summary", "monday").output == "1 record: 1 block; 2 claims: 1 supported, 1 unsupported\n"
    assert run("diff", "monday", "tuesday").exit_code == 0
    assert run("summary", "monday/summary.json").exit_code == 2


def test_what_is_no_report_is_one_line_and_nothing_is_written_over_a_report(place: Path) -> None:
    Path("monday/b.json").write_text("{}")
    assert "is no report" in run("summary", "monday").stderr
    assert run("summary", "tuesday", "-f", "json", "-o", "tuesday/a.json").exit_code == 2
    assert json.loads(Path("tuesday/a.json").read_text())["name"] == "a.md"


def test_a_check_keeps_a_summary_with_links_to_its_reports(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATE_MODEL", "local:lexical")
    Path("corpus.jsonl").write_text(json.dumps({"id": "p1", "text": "Boats leave the harbour at nine."}) + "\n")
    Path("a b.md").write_text("Boats leave the harbour at nine.\n")
    Path("bad.md").write_bytes(b"\xff\xfe\x00")
    arguments = ["check", "a b.md", "bad.md", "--corpus", "corpus.jsonl", "-o", "reports/", "--summary"]
    result = run(*arguments, "reports/index.html")
    assert result.exit_code == 2
    page = Path("reports/index.html").read_text()
    assert '<a href="a%20b.html">a b.md</a>' in page
    assert "not UTF-8" in page
    assert run(*arguments, "a b.md").exit_code == 2
    assert run(*arguments, "summary.pdf").exit_code == 2
