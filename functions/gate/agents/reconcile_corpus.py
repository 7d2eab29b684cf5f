"""Compares corpora with their bucket now and then: what differs is taken in, and people are told how far behind."""

from __future__ import annotations

from typing import Any

from gate import wiring
from gate.services.audit_log import record
from gate.services.freshness import bucket_of, changes, compare


def reconcile_corpus(event: dict[str, Any]) -> dict[str, Any]:
    """Compare each corpus of the deployment with its folder of the bucket, and queue what differs to be taken in.

    Returns:
        by index: `documents`, and how many of them are `behind` and for how many seconds (`lag_s`).
    """
    now = wiring.current().settings
    bucket, prefix = bucket_of(now.documents)
    found: dict[str, Any] = {}
    for index in dict.fromkeys(each.strip() for each in (now.index, *now.indexes.split(",")) if each.strip()):
        difference = compare(bucket, prefix, index)
        queue = wiring.current().document_queue()
        if queue is not None:
            queue.send(changes(bucket, prefix, index, difference.behind))
        found[index] = {
            "documents": difference.documents,
            "behind": len(difference.behind),
            "lag_s": round(difference.lag_s),
        }
    record("CorpusBehind", sum(each["behind"] for each in found.values()))
    record("CorpusLag", max((each["lag_s"] for each in found.values()), default=0))
    return found
