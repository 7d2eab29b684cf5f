"""The report as CSV: a row for each claim, for a sheet; no cell of it is a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from gate.model import LABELS
from gate.reports import advice, wording
from gate.reports.findings import objections
from gate.reports.model import Report, ReportClaim
from gate.text.visible import one_line

HEADS = ("report", "claim_id", "turn", "start", "end", "text", "status", "objection", "why", "suggestion", "quote",
         "title", "url", *(f"p_{label}" for label in LABELS), "doubt", "cause", "checked_by")  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a sheet takes for the begin of a formula."""


def render(report: Report) -> str:
    """Return the rows under their heads, in the order of the answer; of a failed run one row without a claim."""
    if report.failure:
        return csv_text(HEADS, [(report.name, *[""] * 5, "error", "error", wording.headline(report), *[""] * 10)])
    objected = objections(report)
    return csv_text(HEADS, (_row(claim, report, objected.get(claim.claim_id, "")) for claim in report.claims))


def _row(claim: ReportClaim, report: Report, objection: str) -> Sequence[object]:
    passage = report.passages[claim.deciding[0]] if claim.deciding else None
    return (
        report.name, claim.claim_id, claim.turn, claim.start, claim.end, claim.text, claim.status, objection,
        wording.joined(wording.objection(claim)),
        "; ".join(f"{claim.text[one.start : one.end]} → {one.instead}" for one in advice.suggested(claim, report)),
        claim.quote, (passage.title or "") if passage else "", (passage.url or "") if passage else "",
        *(claim.scores.get(label, "") for label in LABELS), "" if claim.doubt is None else claim.doubt,
        claim.cause or "", claim.checked_by,
    )  # fmt: skip


def csv_text(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return the rows as CSV, each on one line; a text that a sheet would calculate begins with `'`."""
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return held.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = one_line(value)
    return f"'{text}" if text.startswith(FORMULA) else text
