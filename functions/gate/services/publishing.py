"""Stores a report where it is published, and tells who subscribed.

Apart from the agent that builds reports: functions that publish a failure need nothing of what builds the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from gate import wiring
from gate.reports import render, wording
from gate.reports.model import Report
from gate.services.callers import keep_owner
from gate.services.run import together
from gate.services.trail.acts import decided


def publish(report: Report, state: Mapping[str, Any]) -> dict[str, Any]:
    """Store a report, as a page too where the settings say so, and return what the state keeps of it.

    Its decision is written down first, where there is a ledger: no report stands there without its entry.
    """
    names = ("json", "html") if wiring.current().settings.store_page else ("json",)
    keys = {name: f"reports/{report.run_id}/report.{name}" for name in names}
    rendered = {name: render(report, name) for name in names}
    decided(report, {name: one.data for name, one in rendered.items()}, state)
    put = wiring.current().blob_store().put
    stored = [partial(put, keys[name], one.data, content_type=one.media_type) for name, one in rendered.items()]
    if tenant := _tenant(state):
        stored.append(partial(keep_owner, report.run_id, tenant))
    together(lambda store: store(), stored)
    counts = {str(status): count for status, count in wording.counts(report.claims).items()}
    counts |= {"claims": len(report.claims), "non_claims": len(report.non_claims)}
    return {"outcome": report.outcome, "keys": keys, "counts": counts}


def announce(report: Report, state: Mapping[str, Any]) -> None:
    """Tell who subscribes that a check is done: ids, counts and where the report lies. `state`: as published.

    A run that is redriven, or whose task is tried again, is announced again under the same `run_id`.
    """
    published = state["report"]
    detail = {
        "run_id": report.run_id,
        "outcome": report.outcome,
        "error": report.failure.error if report.failure else None,
        "integrity": report.integrity,
        "counts": published["counts"],
        "review": _review(report),
        "policy": {key: report.decision["policy"][key] for key in ("name", "version")} if report.decision else None,
        "tenant": _tenant(state),
        "report": {name: location(key) for name, key in published["keys"].items()},
        "gate_version": report.gate_version,
    }
    tell("CheckCompleted", detail)


def _tenant(state: Mapping[str, Any]) -> str | None:
    tenant: str | None = ((state.get("config") or {}).get("search") or {}).get("tenant")
    return tenant


def _review(report: Report) -> dict[str, Any] | None:
    """What a person was asked, and what became of it; None where nobody was."""
    if report.review is None:
        return None
    who = [{"reviewer": one.reviewer, "outcome": one.outcome, "at": one.at} for one in report.review.decisions]
    return {"gate": report.review.gate, "state": report.review.state, "decisions": who}


def tell(kind: str, detail: Mapping[str, Any]) -> None:
    """Tell the event bus, where there is one, that something is done; `detail` holds ids and counts, never text.

    Raises:
        EventsUnavailableError: it did not take the event.
    """
    bus = wiring.current().event_bus()
    if bus is not None:
        bus.send(kind, detail)


def location(key: str) -> str:
    """Where what is stored under `key` lies: an `s3://` URL, or on this machine the key alone."""
    root = wiring.current().settings.blobs
    return f"{root.rstrip('/')}/{key}" if root else key


def now() -> str:
    """This moment, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
