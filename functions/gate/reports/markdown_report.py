"""The report as GitHub-flavoured Markdown, short enough for a comment: the decision, then what it objects to.

The texts in it are an attacker's: no markup, no link, no mention of anybody comes out of them.
"""

from __future__ import annotations

import re

from gate.reports import wording
from gate.reports.findings import message
from gate.reports.model import STATUSES, Report, ReportClaim

MOST_ROWS = 100
"""Rows of claims at most: a comment may be 65,536 characters long."""
CELL_CHARS = 400
ACTIVE = re.compile(r"[\\`*_{}\[\]()<>&|~@#!$:]|(?<=www)\.")
"""What could begin markup, a table cell, a link, a mention or an issue's number."""


def render(report: Report) -> str:
    """Return the Markdown text."""
    title = f"## {wording.OUTCOME_MARKS[report.outcome]} {report.outcome.capitalize()}"
    title += f": {inert(report.name)}" if report.name else ""
    lines = [title, "", wording.OUTCOME_SENTENCES[report.outcome], ""]
    if report.failure:
        lines += [inert(wording.headline(report)), ""]
    for reason in report.decision["reasons"] if report.decision else []:
        lines.append(f"- **{reason['outcome']}**: {inert(reason['message'])}")
    if report.accounting:
        lines += ["", f"{wording.balance(report)}. Integrity: {report.integrity}."]
    return "\n".join([*lines, *_table(report)]) + "\n"


def _table(report: Report) -> list[str]:
    wanting = [claim for claim in report.claims if claim.status != "supported"]
    if not wanting:
        return []
    rows = sorted(wanting, key=lambda claim: STATUSES.index(claim.status))[:MOST_ROWS]
    left = len(wanting) - len(rows)
    more = ["", f"and {left} more {wording.plural(left, 'claim')}"] if left else []
    return [
        "",
        "| | claim | label | why |",
        "| --- | --- | --- | --- |",
        *(_row(claim, report) for claim in rows),
        *more,
    ]


def _row(claim: ReportClaim, report: Report) -> str:
    mark, name = wording.MARKS[claim.status], wording.NAMES[claim.status]
    why = message(claim, report).removeprefix(f"{name}: ")
    return f"| {mark} | {claim.claim_id} {inert(_short(claim.text))} | {name} | {inert(_short(why))} |"


def inert(text: str) -> str:
    """Return the text on one line, without any character that Markdown or GitHub would act on."""
    return ACTIVE.sub(lambda found: f"&#{ord(found[0])};", " ".join(text.split()))


def _short(text: str) -> str:
    return text if len(text) <= CELL_CHARS else text[: CELL_CHARS - 1].rstrip() + "…"
