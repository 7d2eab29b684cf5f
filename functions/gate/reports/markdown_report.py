"""The report as GitHub-flavoured Markdown, short enough for a comment: the decision, then what it objects to.

The texts in it are an attacker's: no markup, no link, no mention of anybody comes out of them.
"""

from __future__ import annotations

import re

from gate.reports import advice, wording
from gate.reports.findings import message
from gate.reports.model import Report, ReportClaim
from gate.text.visible import one_line

COMMENT_CHARS = 60_000
"""Characters at most; a comment may hold 65,536."""
CELL_CHARS = 400
NAMED_CLAIMS = 8
"""How many claims a thing to do names; the rest is counted."""
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
    lines = [title, "", wording.sentence(report), ""]
    if told := wording.left_out(report, notable=True):
        lines += [f"**N{inert(_short(told))[1:]}.**", ""]
    if report.failure:
        lines += [inert(_short(wording.headline(report))), ""]
    because, to_do = advice.heads(report)
    if claim := advice.lead(report):
        lines += [f"**{because}** {_marked(claim, report)}", "", f"> {_found(claim, report)}", ""]
    lines += [f"**{to_do}**", ""]
    lines += [f"- {inert(step.sentence)}{_named(step.claims)}" for step in advice.steps(report)]
    if report.decision and report.decision["reasons"]:
        lines += ["", "**Reasons of the policy**", ""]
        lines += [f"- **{one['outcome']}**: {inert(one['message'])}" for one in report.decision["reasons"]]
    if asked := wording.reviewed(report):
        lines += ["", "**Review**", "", *(f"- {inert(_short(one))}" for one in asked)]
    if report.accounting:
        lines += ["", f"{wording.balance(report)}; {wording.integrity(report)}."]
    if told := wording.risk(report):
        lines += ["", f"{told.capitalize()}."]
    if counted := wording.set_aside(report):
        lines += ["", f"S{inert(counted)[1:]}."]
    if counted := wording.cited(report):
        lines += ["", f"C{inert(counted)[1:]}."]
    if report.not_read:
        lines += ["", f"N{inert(wording.not_read(report))[1:]}."]
    if told := wording.left_out(report, notable=False):
        lines += ["", f"N{inert(told)[1:]}."]
    text = "\n".join(lines)
    return "\n".join([text, *_table(report, COMMENT_CHARS - len(text))]) + "\n"


def _table(report: Report, room: int) -> list[str]:
    wanting = advice.problems(report)
    if not wanting:
        return []
    lines = ["", "| | claim | label | why |", "| --- | --- | --- | --- |"]
    room -= len("\n".join(lines)) + len("\n\nand 1,000,000 more claims\n")
    for shown, claim in enumerate(wanting):
        row = _row(claim, report)
        room -= len(row) + 1
        if room < 0:
            left = len(wanting) - shown
            return [*lines, "", f"and {left} more {wording.plural(left, 'claim')}"]
        lines.append(row)
    return lines


def _marked(claim: ReportClaim, report: Report) -> str:
    """The claim with what is wrong in it in bold, and what the evidence has instead."""
    said = "".join(
        f"**{inert(part.text)}**" + (f" (the evidence has {inert(part.instead)})" if part.instead else "")
        if part.kind
        else _spaced(part.text)
        for part in advice.parts(claim, report)
    )
    return f"{inert(claim.claim_id)}: “{said}”" if len(claim.text) <= CELL_CHARS else inert(_short(claim.text))


def _spaced(text: str) -> str:
    """A part of a sentence, made inert with the blanks around it."""
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and text.strip() else ""
    return before + inert(text) + after


def _found(claim: ReportClaim, report: Report) -> str:
    why = message(claim, report).removeprefix(f"{wording.NAMES[claim.status]}: ")
    return inert(_short(why))


def _named(ids: tuple[str, ...]) -> str:
    if not ids:
        return ""
    more = f" and {len(ids) - NAMED_CLAIMS} more" if len(ids) > NAMED_CLAIMS else ""
    return f" ({', '.join(map(inert, ids[:NAMED_CLAIMS]))}{more})"


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
    return wording.shortened(text, CELL_CHARS)
