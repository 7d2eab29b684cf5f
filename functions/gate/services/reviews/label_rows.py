"""What people say of verdicts, as the labelled sets that `gate evaluate` and `gate calibrate` read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gate.errors import InputError
from gate.model import LABELS
from gate.reports.model import Report


def checked_label(report: Report, claim_id: str, label: str) -> str:
    """A label that somebody gives a claim; empty to take it back.

    Raises:
        InputError: there is no such claim in the report, or it is no label.
    """
    if not any(claim.claim_id == claim_id for claim in report.claims):
        raise InputError("the run has no claim of that id")
    if label and label not in LABELS:
        raise InputError("that is no label", hint=", ".join(LABELS))
    return label


def rows(report: Report, labels: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """One row for each claim that was given a label: the claim, the passages that it was judged by, and the label.

    `given`, `reason`: the verdict's own, for whoever counts how often it was right. `claims`: how many the answer
    makes, so that whoever has labels of all of them knows whether the whole answer holds. `source`: who wrote the
    answer, where the report says so.
    """
    for claim in report.claims:
        if claim.claim_id in labels:
            yield {
                "claim": claim.text,
                "documents": [report.passages[key].content for key in claim.passages if key in report.passages],
                "label": labels[claim.claim_id],
                "given": claim.status,
                **({"reason": claim.reason} if claim.reason else {}),
                "run": report.run_id,
                "claim_id": claim.claim_id,
                "claims": len(report.claims),
                **({"source": report.writer} if report.writer else {}),
            }
