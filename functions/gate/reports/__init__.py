"""Reports: one value (`model.Report`), one module per format, one table. A module is imported when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from gate.text.visible import visible_values

if TYPE_CHECKING:
    from gate.reports.model import Report


@dataclass(frozen=True, slots=True)
class Format:
    """A report format: the module whose `render(report) -> str` writes it, what the result is called, and its use."""

    module: str
    media_type: str
    suffix: str
    purpose: str


FORMATS: dict[str, Format] = {
    "table": Format("gate.reports.table_report", "text/plain; charset=utf-8", ".txt", "the terminal"),
    "json": Format("gate.reports.json_report", "application/json", ".json", "machines"),
    "html": Format(
        "gate.reports.html_report", "text/html; charset=utf-8", ".html", "people: every claim beside its passage"
    ),
    "markdown": Format(
        "gate.reports.markdown_report", "text/markdown; charset=utf-8", ".md", "comments on pull requests"
    ),
    "junit": Format("gate.reports.junit_report", "application/xml", ".xml", "continuous integration: a test a claim"),
    "sarif": Format("gate.reports.sarif_report", "application/sarif+json", ".sarif", "code scanning: results at lines"),
    "csv": Format("gate.reports.csv_report", "text/csv; charset=utf-8", ".csv", "sheets: a row a claim"),
}
"""One line here, one module, and the format is there: on the command line and in `render`."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A report as bytes, UTF-8."""

    data: bytes
    media_type: str


def render(report: Report, name: str) -> Rendered:
    """Write `report` in the format `name` of the table; no text of it steers whoever shows it."""
    form = FORMATS[name]
    shown = type(report).model_validate({**visible_values(report.model_dump()), "seconds": report.seconds})
    text: str = import_module(form.module).render(shown)
    return Rendered(text.encode(), form.media_type)
