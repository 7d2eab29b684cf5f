"""Two runs side by side: which claims changed, came or went."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

from gate.reports.model import STATUSES, Report, ReportClaim

WORSE_FIRST = {status: place for place, status in enumerate(STATUSES)}


def compared(first: Report, second: Report) -> dict[str, Any]:
    """Set the claims of two reports side by side, by their words; of those that say the same, in their order.

    Returns:
        `first` and `second`: what each came to; `changed`: claims with another status, `gone` and `new` ones,
        each the worst first; `same`: how many are as they were.
    """
    waiting: dict[str, deque[ReportClaim]] = defaultdict(deque)
    for claim in first.claims:
        waiting[_words(claim)].append(claim)
    changed, new, same = [], [], 0
    for claim in second.claims:
        before = waiting[_words(claim)].popleft() if waiting[_words(claim)] else None
        if before is None:
            new.append(_as_row(claim))
        elif before.status != claim.status:
            changed.append({**_as_row(claim), "before": before.status})
        else:
            same += 1
    gone = [_as_row(claim) for rest in waiting.values() for claim in rest]
    lists = {"changed": changed, "gone": gone, "new": new}
    ordered = {name: sorted(found, key=lambda one: WORSE_FIRST[one["status"]]) for name, found in lists.items()}
    return {"first": _came_to(first), "second": _came_to(second), **ordered, "same": same}


def _words(claim: ReportClaim) -> str:
    return " ".join(claim.text.split()).casefold()


def _as_row(claim: ReportClaim) -> dict[str, Any]:
    return {"claim_id": claim.claim_id, "text": claim.text, "status": claim.status}


def _came_to(report: Report) -> dict[str, Any]:
    counts = {status: sum(claim.status == status for claim in report.claims) for status in STATUSES}
    return {
        "id": report.run_id,
        "name": report.name,
        "outcome": report.outcome,
        "risk": report.risk,
        "corpus": report.corpus.get("name"),
        "version": report.corpus.get("version"),
        "counts": counts,
    }
