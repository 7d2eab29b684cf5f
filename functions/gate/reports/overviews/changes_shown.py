"""What changed between reports, as lines for a terminal, as Markdown, as one page and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from gate.reports import wording
from gate.reports.markdown_report import COMMENT_CHARS, inert
from gate.reports.model import Report
from gate.reports.overviews.changes import KINDS, Changes, ClaimChange, FindingChange, Kind
from gate.reports.overviews.page import page
from gate.text.visible import one_line, visible_values

TITLES: dict[Kind, str] = {"changed": "changed", "reworded": "reworded", "new": "new", "gone": "gone"}
NO_REPORT = "no report"


def as_json(found: Sequence[Changes]) -> str:
    """Return everything as one JSON object."""
    whole = {"worse": any(each.worse for each in found), "answers": [as_object(each) for each in found]}
    return json.dumps(visible_values(whole), indent=2, ensure_ascii=False) + "\n"


def as_object(found: Changes) -> dict[str, Any]:
    """Return the changes of one answer as a JSON object.

    `first` and `second`: what each report came to, null where there is none; `changed`, `reworded`, `new` and `gone`
    claims, each the worst first; findings and reasons; `same`: how many claims are as they were.
    """
    return {
        "name": found.name,
        "first": _came_to(found.before),
        "second": _came_to(found.now),
        "worse": found.worse,
        "causes": list(found.causes),
        **{kind: [_as_row(each) for each in found.claims if each.kind == kind] for kind in KINDS},
        "same": found.same,
        "found": [_plain(each) for each in found.found],
        "settled": [_plain(each) for each in found.settled],
        "reasons": {"new": list(found.reasons), "gone": list(found.dropped)},
    }


def as_table(found: Sequence[Changes]) -> str:
    """Return lines for a terminal: each answer that changed, then a count of those that did not."""
    lines = [line for each in found if each.any for line in _lines(each)]
    return "\n".join([*map(one_line, lines), one_line(summary(found))]) + "\n"


def as_markdown(found: Sequence[Changes]) -> str:
    """Return GitHub-flavoured Markdown, short enough for a comment; no text in it is markup."""
    lines = [f"**{inert(summary(found))}**"]
    room = COMMENT_CHARS - len(lines[0])
    for each in found:
        for line in _markdown(each) if each.any else ():
            room -= len(line) + 1
            if room < 0:
                return "\n".join([*lines, "", "More changed: the JSON has all of it.", ""])
            lines.append(line)
    return "\n".join(lines) + "\n"


def as_html(found: Sequence[Changes]) -> str:
    """Return the page."""
    return page(
        "changes.html.j2",
        found=[each for each in found if each.any],
        summary=summary(found),
        decisions=_decisions,
        label=_label,
        titles=TITLES,
        marks={**wording.MARKS, **wording.OUTCOME_MARKS},
        names=wording.NAMES,
    )


def summary(found: Sequence[Changes]) -> str:
    """Return in one line how many answers changed, and whether for the worse."""
    changed = [each for each in found if each.any]
    worse = sum(each.worse for each in changed)
    of = f"{len(changed)} of {len(found)} {wording.plural(len(found), 'answer')} changed"
    if not changed:
        return f"nothing changed in {len(found)} {wording.plural(len(found), 'answer')}"
    return f"{of}, {worse} for the worse" if worse else f"{of}, none for the worse"


def _lines(found: Changes) -> Iterator[str]:
    mark = "✗" if found.worse else "✓"
    yield f"{mark} {found.name or 'answer'}: {_decisions(found)}"
    yield from (f"    {cause}" for cause in found.causes)
    yield from (f"  + {one.outcome}: {one.about}: {one.message}" for one in found.found)
    yield from (f"  - {one.outcome}: {one.about}: {one.message}" for one in found.settled)
    for change in found.claims:
        yield f"  {'✗' if change.worse else '·'} {_label(change)} {change.claim.claim_id}: “{change.claim.text}”"
        if change.kind == "reworded" and change.before:
            yield f"      it said: “{change.before.text}”"
        yield from (f"      {why}" for why in change.why)
    yield from (f"  + {one['outcome']}: {one['message']}" for one in found.reasons)
    yield from (f"  - {one['outcome']}: {one['message']}" for one in found.dropped)
    yield f"    {_same(found)}"
    yield ""


def _markdown(found: Changes) -> Iterator[str]:
    yield from ("", f"## {'✗' if found.worse else '✓'} {inert(found.name or 'answer')}: {inert(_decisions(found))}", "")
    yield from (f"- {inert(cause)}" for cause in found.causes)
    yield from (f"- **{sign}** {inert(f'{one.about}: {one.message}')}" for sign, one in _findings(found))
    if found.claims:
        yield from ("", "| | label | claim | why |", "| --- | --- | --- | --- |")
    for change in found.claims:
        said = f"{change.claim.claim_id} {change.claim.text}"
        if change.kind == "reworded" and change.before:
            said += f" (it said: {change.before.text})"
        mark = "✗" if change.worse else "·"
        yield f"| {mark} | {inert(_label(change))} | {inert(said)} | {inert(wording.joined(change.why))} |"
    yield from ("", inert(_same(found)))


def _findings(found: Changes) -> list[tuple[str, FindingChange]]:
    return [*(("new", one) for one in found.found), *(("gone", one) for one in found.settled)]


def _decisions(found: Changes) -> str:
    before, now = (each or NO_REPORT for each in found.outcomes)
    return f"still {now}" if before == now else f"{before} → {now}"


def _label(change: ClaimChange) -> str:
    """What became of a claim's label, in words."""
    now = wording.NAMES[change.claim.status]
    if not (change.before and change.now):
        return f"{change.kind}, {now}"
    before = wording.NAMES[change.before.status]
    label = f"still {now}" if before == now else f"{before} → {now}"
    return label if change.kind == "changed" else f"reworded, {label}"


def _same(found: Changes) -> str:
    return f"{found.same} {wording.plural(found.same, 'claim')} as before"


def _as_row(change: ClaimChange) -> dict[str, Any]:
    claim = change.claim
    row: dict[str, Any] = {"claim_id": claim.claim_id, "text": claim.text, "status": claim.status}
    if change.before and change.now:
        row["before"] = change.before.status
    if change.kind == "reworded" and change.before:
        row["text_before"] = change.before.text
    return {**row, "worse": change.worse, "why": list(change.why)}


def _plain(found: FindingChange) -> dict[str, str]:
    return {"about": found.about, "outcome": found.outcome, "message": found.message}


def _came_to(report: Report | None) -> dict[str, Any] | None:
    if report is None:
        return None
    return {
        "id": report.run_id,
        "name": report.name,
        "outcome": report.outcome,
        "risk": report.risk,
        "corpus": report.corpus.get("name"),
        "version": report.corpus.get("version"),
        "counts": wording.counts(report.claims),
    }
