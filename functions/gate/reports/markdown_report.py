"""The report as GitHub-flavoured Markdown, short enough for a comment: the decision, then what it objects to.

The texts in it are an attacker's: no markup, no link, no mention of anybody comes out of them.
"""

from __future__ import annotations

import re

from gate.reports import wording
from gate.reports.findings import message
from gate.reports.model import STATUSES, Report, ReportClaim
from gate.text.visible import one_line

COMMENT_CHARS = 60_000
"""Characters at most; a comment may hold 65,536."""
CELL_CHARS = 400
ACTIVE = re.compile(r"[\\`*{}\[\]()<>&|~@#!$:^%]|(?<![^\W_])_|_(?![^\W_])|(?<=[wW]{3})\.")
"""What could begin markup, a table cell, a link, a mention or a reference; an underscore inside a word does not."""
TRIGGERS = "@#!$:&~^%."
REFERENCES = re.compile(r"(?<=[A-Za-z])-(?=\d)|(?i:(?<=ghsa)-)|[0-9a-f]{6}(?=[0-9a-f])")
"""`GH-1`, `JIRA-2`, advisories and the hashes of commits."""
BREAK = "&#8203;"
"""A space of no width: forges look for mentions in rendered text, where entities are characters again."""


def render(report: Report) -> str:
    """Return the Markdown text."""
    title = f"## {wording.OUTCOME_MARKS[report.outcome]} {report.outcome.capitalize()}"
    title += f": {inert(_short(report.name))}" if report.name else ""
    lines = [title, "", wording.OUTCOME_SENTENCES[report.outcome], ""]
    if report.failure:
        lines += [inert(_short(wording.headline(report))), ""]
    for reason in report.decision["reasons"] if report.decision else []:
        lines.append(f"- **{reason['outcome']}**: {inert(reason['message'])}")
    if report.accounting:
        lines += ["", f"{wording.balance(report)}. Integrity: {report.integrity}."]
    if told := wording.risk(report):
        lines += ["", f"{told.capitalize()}."]
    if counted := wording.set_aside(report):
        lines += ["", f"S{inert(counted)[1:]}."]
    if counted := wording.cited(report):
        lines += ["", f"C{inert(counted)[1:]}."]
    if report.not_read:
        lines += ["", f"N{inert(wording.not_read(report))[1:]}."]
    text = "\n".join(lines)
    return "\n".join([text, *_table(report, COMMENT_CHARS - len(text))]) + "\n"


def _table(report: Report, room: int) -> list[str]:
    wanting = [claim for claim in report.claims if claim.status != "supported" or wording.misnamed(claim)]
    if not wanting:
        return []
    lines = ["", "| | claim | label | why |", "| --- | --- | --- | --- |"]
    room -= len("\n".join(lines)) + len("\n\nand 1,000,000 more claims\n")
    for shown, claim in enumerate(sorted(wanting, key=lambda claim: STATUSES.index(claim.status))):
        row = _row(claim, report)
        room -= len(row) + 1
        if room < 0:
            left = len(wanting) - shown
            return [*lines, "", f"and {left} more {wording.plural(left, 'claim')}"]
        lines.append(row)
    return lines


def _row(claim: ReportClaim, report: Report) -> str:
    mark, name = wording.MARKS[claim.status], wording.NAMES[claim.status]
    why = message(claim, report).removeprefix(f"{name}: ")
    return f"| {mark} | {inert(_short(f'{claim.claim_id} {claim.text}'))} | {name} | {inert(_short(why))} |"


def inert(text: str) -> str:
    """Return the text on one line, with nothing in it that Markdown, GitHub or GitLab would act on."""
    parted = REFERENCES.sub(lambda found: found[0] + "\u200b", " ".join(one_line(text).split()))
    return ACTIVE.sub(_escaped, parted).replace("\u200b", BREAK)


def _escaped(found: re.Match[str]) -> str:
    starts = found[0] in TRIGGERS and not found.string[found.end() : found.end() + 1].isspace()
    return f"&#{ord(found[0])};" + (BREAK if starts else "")


def _short(text: str) -> str:
    return text if len(text) <= CELL_CHARS else text[: CELL_CHARS - 1].rstrip() + "…"
