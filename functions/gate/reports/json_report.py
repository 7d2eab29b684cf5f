"""The report as JSON, for machines; `docs/schemas/report.schema.json` describes it."""

from __future__ import annotations

from gate.reports.model import Report


def render(report: Report) -> str:
    """Return the report as indented JSON that ends with a line break."""
    return report.model_dump_json(indent=2) + "\n"
