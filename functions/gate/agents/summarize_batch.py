"""Accounts for a batch: transcripts in, reports out."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from gate import wiring
from gate.agents.publish_failure import store_failure
from gate.services.publishing import location, tell
from gate.services.run import together
from gate.services.trail.proofs import stored_report

UNPUBLISHED = "RunFailed"
"""Error of the report of a run that left none."""


def summarize_batch(state: dict[str, Any]) -> None:
    """Count the reports of a batch by outcome, publish a failure for each run that left none, and announce it all.

    What the Map returned is not looked at: only a report that is there counts.

    Reads:
        `batch`: as `split_batch` wrote it.
    Writes:
        `batch`: its `outcomes` (counts by outcome; `error` for runs that failed or were rejected), `unpublished`
        (runs that had left no report), and `report`, the key of the summary.

    Raises:
        EventsUnavailableError: the summary is there, and nobody was told.
    """
    batch = state["batch"]
    runs: list[str] = json.loads(wiring.current().blob_store().get(batch["runs"]))
    outcomes = dict(zip(runs, together(_outcome, runs), strict=True))
    unpublished = [run_id for run_id, outcome in outcomes.items() if outcome is None]
    for run_id in unpublished:
        failure = {"status": "FAILED", "error": UNPUBLISHED, "cause": "the run ended without a report"}
        store_failure({"run_id": run_id, "failure": failure})
        outcomes[run_id] = "error"
    counts = dict(sorted(Counter(str(outcome) for outcome in outcomes.values()).items()))
    key = f"reports/{state['run_id']}/batch.json"
    summary = {**batch, "outcomes": counts, "unpublished": len(unpublished)}
    document = {"run_id": state["run_id"], **summary, "reports": outcomes}
    wiring.current().blob_store().put(key, json.dumps(document, indent=1).encode())
    state["batch"] = {**summary, "report": key}
    figures = {name: summary[name] for name in ("transcripts", "rejected", "unpublished", "outcomes")}
    detail = {"run_id": state["run_id"], **figures, "report": location(key)}
    tell("BatchCompleted", detail)


def _outcome(run_id: str) -> str | None:
    """What a run's own report says; None: it left none, whatever an earlier summary put in its place."""
    data = stored_report(run_id)
    if data is None:
        return None
    report = json.loads(data)
    return None if (report.get("failure") or {}).get("error") == UNPUBLISHED else str(report["outcome"])
