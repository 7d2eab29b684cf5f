"""Publishes what a run found."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from gate import services
from gate.reports import render, wording
from gate.reports.building import build_report
from gate.reports.model import Report

PUBLISHED = ("json", "html")
"""Formats that every run is published in."""


def publish_report(state: dict[str, Any]) -> None:
    """Build the report, store it as `reports/<run_id>/report.*`, and say where.

    Reads:
        everything that the judge leaves.
    Writes:
        `report`: `outcome`, `keys` (format → blob key) and `counts`; no text.
    """
    report = build_report(
        state,
        run_id=state["run_id"],
        created_at=now(),
        corpus=services.describe_corpus(state["config"]["elasticsearch"]["index"]),
        redact=services.redact,
    )
    state["report"] = publish(report)


def publish(report: Report) -> dict[str, Any]:
    """Store a report in the published formats and return what the state keeps of it."""
    keys = {name: f"reports/{report.run_id}/report.{name}" for name in PUBLISHED}
    for name, key in keys.items():
        rendered = render(report, name)
        services.store(key, rendered.data, content_type=rendered.media_type)
    counts = {str(status): count for status, count in wording.counts(report.claims).items()}
    counts |= {"claims": len(report.claims), "non_claims": len(report.non_claims)}
    return {"outcome": report.outcome, "keys": keys, "counts": counts}


def now() -> str:
    """This moment, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
