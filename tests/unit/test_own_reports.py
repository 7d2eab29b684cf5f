"""A report of the gate that lies in a corpus is told by what it holds, whatever its name, and is no evidence."""

from __future__ import annotations

import pytest

from gate.adapters.readers import Problem
from gate.adapters.readers.folders import read
from gate.adapters.readers.own_reports import WHY
from gate.reports import FORMATS, render
from tests.report_builders import a_report

REPORTS = {
    "several": a_report([("The sky is blue.", "supported"), ("Boats fly.", "unsupported"), ("Hello!", "greeting")]),
    "pass": a_report([("The sky is blue.", "supported")]),
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("report", REPORTS)
def test_a_report_of_any_format_is_no_document_under_any_name(form: str, report: str) -> None:
    data = render(REPORTS[report], form).data
    for name in ("r.txt", "r.md", f"r{FORMATS[form].suffix}", "README"):
        for written in (data, b"\xef\xbb\xbf" + data, data.decode().encode("utf-16"), b"Notes.\n\n" + data):
            found = [*read(written, name)]
            assert all(isinstance(one, Problem) for one in found)
    assert [*read(data, "r.md")] == [Problem("r.md", WHY)]


def test_a_page_that_shows_a_report_as_code_is_a_document() -> None:
    for form in FORMATS:
        shown = (
            f"# Reports\n\nThis is one:\n\n```\n{render(REPORTS['several'], form).data.decode()}```\n\nThat was it.\n"
        )
        assert not any(isinstance(one, Problem) for one in read(shown.encode(), "docs/reports.md"))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("block", ["```\npip install gate\n```\n", "````md\n```\nx\n```\n````\n", "~~~\n```\n~~~\n"])
def test_a_report_behind_a_block_of_code_is_none_the_less_a_report(form: str, block: str) -> None:
    data = f"{block}\n{render(REPORTS['several'], form).data.decode()}"
    assert [*read(data.encode(), "r.md")] == [Problem("r.md", WHY)]


def test_documents_that_speak_of_claims_and_reports_are_read() -> None:
    for text in (
        "Of 3 claims in the report 2 are unchecked.",
        "report,claim_id\na,b\n",
        "# LLM Reliability Gate\n\nIt checks.",
    ):
        assert not any(isinstance(one, Problem) for one in read(text.encode(), "a.md"))
