"""Publishes what a run found."""

from __future__ import annotations

from typing import Any

from gate import wiring
from gate.reports.building import build_report
from gate.services.indexes import describe_corpus
from gate.services.publishing import announce, now, publish


def publish_report(state: dict[str, Any]) -> None:
    """Build the report, store it as `reports/<run_id>/report.*`, say where, and announce it.

    Reads:
        everything that the judge leaves.
    Writes:
        `report`: `outcome`, `keys` (format → blob key) and `counts`; no text.

    Raises:
        EventsUnavailableError: the report is there, and nobody was told.
    """
    report = build_report(
        state,
        run_id=state["run_id"],
        created_at=now(),
        corpus=describe_corpus(index) if (index := state["config"]["elasticsearch"]["index"]) else {},
        redact=wiring.current().redactor().redact,
    )
    state["report"] = publish(report)
    announce(report, state)
