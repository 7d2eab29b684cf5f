"""Reports: one value (`model.Report`), one module per format, one table. A module is imported when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gate.reports.model import Report


@dataclass(frozen=True, slots=True)
class Format:
    """A report format: the module whose `render(report) -> str` writes it, and what the result is called."""

    module: str
    media_type: str
    suffix: str


FORMATS: dict[str, Format] = {
    "table": Format("gate.reports.table_report", "text/plain; charset=utf-8", ".txt"),
    "json": Format("gate.reports.json_report", "application/json", ".json"),
    "html": Format("gate.reports.html_report", "text/html; charset=utf-8", ".html"),
    "markdown": Format("gate.reports.markdown_report", "text/markdown; charset=utf-8", ".md"),
    "junit": Format("gate.reports.junit_report", "application/xml", ".xml"),
    "sarif": Format("gate.reports.sarif_report", "application/sarif+json", ".sarif"),
}
"""One line here, one module, and the format is there: on the command line and in `render`."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A report as bytes, UTF-8."""

    data: bytes
    media_type: str


def render(report: Report, name: str) -> Rendered:
    """Write `report` in the format `name` of the table."""
    form = FORMATS[name]
    text: str = import_module(form.module).render(report)
    return Rendered(text.encode(), form.media_type)
