"""The report as CSV: a row for each claim, for a sheet; no cell of it is a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from gate.model import LABELS
from gate.reports import advice, wording
from gate.reports.findings import objections
from gate.reports.model import Report, ReportClaim
from gate.text.visible import one_line

HEADS = ("report", "claim_id", "turn", "start", "end", "text", "status", "objection", "why", "suggestion", "quote",
         "title", "url", *(f"p_{label}" for label in LABELS), "doubt", "cause", "checked_by")  # fmt: skip
FORMULA = re.compile('(?:^|;)"*(?=[-=+@＝＋－＠])')
"""What stands before a formula; where decimals have a comma, a sheet ends cells at semicolons."""


def render(report: Report) -> str:
    """Return the rows under their heads, in the order of the answer; a row without a claim for what was not read or
    is not in the corpus, and alone for a failed run."""
    if report.failure:
        return csv_text(HEADS, [_without_claim(report, "error", wording.headline(report))])
    objected = objections(report)
    rows = [_row(claim, report, objected.get(claim.claim_id, "")) for claim in report.claims]
    told = {"not read": wording.not_read(report), "not in the corpus": wording.left_out(report)}
    return csv_text(HEADS, [*rows, *(_without_claim(report, status, why) for status, why in told.items() if why)])


def _without_claim(report: Report, status: str, why: str) -> Sequence[object]:
    return (report.name, *[""] * 5, status, status, why, *[""] * 10)


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
    """Return the rows as CSV, each on one line; before what a sheet would calculate stands `'`."""
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return held.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    return FORMULA.sub(r"\g<0>'", one_line(value))
