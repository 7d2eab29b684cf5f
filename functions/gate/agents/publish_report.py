"""Publishes what a run found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate import wiring
from gate.decision.metrics import is_false_alarm, is_miss
from gate.decision.policy import with_review, with_superseded
from gate.model import LABELS, Policy
from gate.reports.building import build_report
from gate.reports.model import Report
from gate.retrieval.deduplication import document_id
from gate.services.audit_log import record
from gate.services.freshness import superseded
from gate.services.indexes import describe_corpus
from gate.services.publishing import announce, now, publish
from gate.services.reviews.review_queue import asked, concluded
from gate.trail.review_items import ClaimMark, ReviewItem


def publish_report(state: dict[str, Any]) -> None:
    """Build the report, store it as `reports/<run_id>/report.*`, say where, and announce it.

    Where a person was asked, their decision counts, or what the policy has for nobody's: the report says both.

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
    review = (concluded(state["run_id"]) or _undecided(state)) if (state.get("review") or {}).get("wanted") else None
    if review is not None:
        state["decision"] = with_review(state["decision"], review)
        record("ReviewsTimedOut", int(review.state == "timed_out"))
    if lagging := _superseded(state, index):
        corpus["superseded"] = len({passage for passages in lagging.values() for passage in passages})
        state["decision"] = with_superseded(state["decision"], list(lagging))
        record("SupersededClaims", len(lagging))
    report = built(state, corpus, review)
    if review is not None:
        _record_marks(report, review)
    state["report"] = publish(report, state)
    record("Outcomes", outcome=str(report.outcome))
    announce(report, state)


def built(state: Mapping[str, Any], corpus: Mapping[str, Any], review: ReviewItem | None) -> Report:
    """The report of a run as it stands: judged, waiting for a person, or decided by one."""
    redact = wiring.current().redactor().redact
    return build_report(state, run_id=state["run_id"], created_at=now(), corpus=corpus, redact=redact, review=review)


def _record_marks(report: Report, review: ReviewItem) -> None:
    """Count what people said of verdicts, for the figures of a week: of all, and of each reason of verdicts."""
    reasons = {claim.claim_id: str(claim.reason or "") for claim in report.claims}
    said: dict[str, list[str]] = {}
    for mark in review.marks:
        said.setdefault(mark.claim_id, []).append(mark.label)
    twice = [labels for labels in said.values() if len(labels) > 1]
    record("VerdictsMarkedTwice", len(twice))
    record("ReviewersDiffer", sum(len(set(labels)) > 1 for labels in twice))
    judged = {mark.claim_id: mark for mark in review.marks if mark.given in LABELS}  # of several marks the last
    by_reason: dict[str, list[ClaimMark]] = {"": [*judged.values()]}
    for claim_id, mark in judged.items():
        if reason := reasons.get(claim_id):
            by_reason.setdefault(reason, []).append(mark)
    for reason, marks in by_reason.items():
        labels = {"reason": reason} if reason else {}
        record("VerdictsMarked", len(marks), **labels)
        record("FalseAlarms", sum(is_false_alarm(mark.label, mark.given) for mark in marks), **labels)
        record("Misses", sum(is_miss(mark.label, mark.given) for mark in marks), **labels)


def _undecided(state: Mapping[str, Any]) -> ReviewItem:
    """The review of a run that waited, where it is not kept any more: nobody has decided it."""
    policy = Policy.model_validate(state.get("policy") or {})
    return asked(state["run_id"], "", state["decision"], policy, "", 0).timed_out()


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
