"""Publishes what a run found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate import wiring
from gate.decision.policy import with_superseded
from gate.reports.building import build_report
from gate.retrieval.deduplication import document_id
from gate.services.audit_log import record
from gate.services.freshness import superseded
from gate.services.indexes import describe_corpus
from gate.services.publishing import announce, now, publish


def publish_report(state: dict[str, Any]) -> None:
    """Build the report, store it as `reports/<run_id>/report.*`, say where, and announce it.

    A claim whose evidence the corpus's bucket does not vouch for any more does not pass: the corpus lags, and the
    report says so.

    Reads:
        everything that the judge leaves.
    Writes:
        `report`: `outcome`, `keys` (format → blob key) and `counts`; no text.

    Raises:
        EventsUnavailableError: the report is there, and nobody was told.
    """
    index = state["config"]["elasticsearch"]["index"]
    corpus = describe_corpus(index) if index else {}
    if lagging := _superseded(state, index):
        corpus["superseded"] = len({passage for passages in lagging.values() for passage in passages})
        state["decision"] = with_superseded(state["decision"], list(lagging))
        record("SupersededClaims", len(lagging))
    report = build_report(
        state,
        run_id=state["run_id"],
        created_at=now(),
        corpus=corpus,
        redact=wiring.current().redactor().redact,
    )
    state["report"] = publish(report, state)
    announce(report, state)


def _superseded(state: Mapping[str, Any], index: str) -> dict[str, list[str]]:
    """The passages that the bucket does not vouch for, by the claim that they support."""
    if not index:
        return {}
    brought = {document_id(one) for entry in state.get("evidence") or [] for one in entry.get("contexts", ())}
    deciding = {
        verdict["claim_id"]: [key for key in verdict.get("documents") or [] if key not in brought]
        for verdict in state.get("verdicts") or []
        if verdict.get("label") in ("supported", "weakly_supported")
    }
    found = set(superseded(index, sorted({key for keys in deciding.values() for key in keys})))
    return {claim: hit for claim, keys in deciding.items() if (hit := [key for key in keys if key in found])}
