"""Accounts for a batch, part by part: transcripts in, reports out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from gate import wiring
from gate.agents.publish_failure import store_failure
from gate.model import CAUSES
from gate.reports.model import STATUSES
from gate.services.audit_log import record
from gate.services.publishing import location, tell
from gate.services.run import together
from gate.services.trail.proofs import stored_report
from gate.submission.batch_keys import part_key, result_key, summary_key

UNPUBLISHED = "RunFailed"
"""Error of the report of a run that left none."""
FIGURES: dict[str, Any] = {
    "transcripts": 0,
    "rejected": 0,
    "unpublished": 0,
    "outcomes": {},
    "claims": dict.fromkeys(STATUSES, 0),
    "causes": dict.fromkeys(CAUSES, 0),
}
"""Of a batch of which nothing is counted yet."""

WHOLE = {"part": 1, "parts": 1, "before": 0}
"""Of a batch that an earlier version has split: it may be under way while a new one is deployed."""


def summarize_batch(state: dict[str, Any]) -> None:
    """Write down what became of each record of a part, publish a failure for each run that left no report; behind the
    last part, sum it all up and announce it.

    What the Map returned is not looked at: only a report that is there counts. Results hold no text, so that none is
    left there of a check that is deleted.

    Reads:
        `batch`: as `split_batch` wrote it.
    Writes:
        `batch`: `more`, whether there is a part left. Behind the last one the figures of the whole batch:
        `transcripts`, `rejected`, `unpublished` (runs that had left no report), `outcomes` (`error` for runs that
        failed or were rejected), `claims` by status, `causes` of those that fail; and `report`, the key of the summary.

    Raises:
        EventsUnavailableError: the summary is there, and nobody was told.
    """
    batch, run_id, store = {**WHOLE, **state["batch"]}, state["run_id"], wiring.current().blob_store()
    part, parts = batch["part"], batch["parts"]
    runs: list[str] = json.loads(store.get(batch["runs"]))
    rows = together(lambda numbered: _row(*numbered), list(enumerate(runs, start=batch["before"] + 1)))
    unpublished = [row["run_id"] for row in rows if row["error"] == UNPUBLISHED]
    for run in unpublished:
        failure = {"status": "FAILED", "error": UNPUBLISHED, "cause": "the run ended without a report"}
        store_failure({"run_id": run, "failure": failure})
        record("Outcomes", outcome="error")
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    store.put(result_key(run_id, part), lines.encode(), content_type="application/x-ndjson")
    of_part = {**batch, "unpublished": len(unpublished)} | _counts(rows)
    store.put(part_key(run_id, part, "figures.json"), json.dumps({name: of_part[name] for name in FIGURES}).encode())
    state["batch"] = {**batch, "more": part < parts}
    if part == parts:
        state["batch"] |= _summed_up(run_id, parts)


def _summed_up(run_id: str, parts: int) -> dict[str, Any]:
    store, numbers = wiring.current().blob_store(), range(1, parts + 1)
    each = together(lambda part: json.loads(store.get(part_key(run_id, part, "figures.json"))), numbers)
    figures = {name: _sum([one[name] for one in (FIGURES, *each)]) for name in FIGURES}
    key, results = summary_key(run_id), [result_key(run_id, part) for part in numbers]
    store.put(key, json.dumps({"run_id": run_id, **figures, "results": results}, indent=1).encode())
    tell("BatchCompleted", {"run_id": run_id, **figures, "report": location(key)})
    return {**figures, "report": key}


def _published(run_id: str) -> dict[str, Any] | None:
    """A run's own report; None: it left none, whatever an earlier summary put in its place."""
    data = stored_report(run_id)
    report: dict[str, Any] = json.loads(data) if data else {}
    return report if report and (report.get("failure") or {}).get("error") != UNPUBLISHED else None


def _row(record: int, run_id: str) -> dict[str, Any]:
    """What became of a record, as one flat row; its report, which may be large, is not held any longer."""
    report: Mapping[str, Any] = _published(run_id) or {"outcome": "error", "failure": {"error": UNPUBLISHED}}
    claims = report.get("claims") or ()
    labels, why = Counter(claim["status"] for claim in claims), Counter(claim.get("cause") for claim in claims)
    return {
        "record": record,
        "run_id": run_id,
        "outcome": report["outcome"],
        "risk": report.get("risk"),
        **{status: labels[status] for status in STATUSES},
        **{cause: why[cause] for cause in CAUSES},
        "error": (report.get("failure") or {}).get("error"),
        "created_at": report.get("created_at"),
        "report": f"reports/{run_id}/report.json",
    }


def _counts(rows: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    return {
        "outcomes": dict(sorted(Counter(row["outcome"] for row in rows).items())),
        "claims": {status: sum(row[status] for row in rows) for status in STATUSES},
        "causes": {cause: sum(row[cause] for row in rows) for cause in CAUSES},
    }


def _sum(values: list[Any]) -> Any:
    """Of numbers, or of counts by name."""
    if isinstance(values[0], int):
        return sum(values)
    names = dict.fromkeys(name for counts in values for name in counts)
    return {name: sum(counts.get(name, 0) for counts in values) for name in names}
