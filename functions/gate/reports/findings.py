"""Which claims the decision objects to, and how gravely: what tools that know only failures are told."""

from __future__ import annotations

from typing import Any

from gate.model import OUTCOMES, Outcome
from gate.reports import wording
from gate.reports.model import Report, ReportClaim


def objections(report: Report) -> dict[str, Outcome]:
    """Return the gravest outcome of the reasons that name a claim or a piece of evidence, by its id."""
    found: dict[str, Outcome] = {}
    for reason in report.decision["reasons"] if report.decision else []:
        for name in (*reason["claims"], *reason["evidence"]):
            found[name] = max(found.get(name, "pass"), reason["outcome"], key=OUTCOMES.index)
    return found


def places(report: Report) -> dict[str, str]:
    """Return what each piece of evidence is about, by its id: a path, a document, a name."""
    return {one.get("evidence_id", ""): subject(one) for found in report.evidences.values() for one in found}


def subject(evidence: dict[str, Any]) -> str:
    """Return what a piece of evidence is about: a name in code, or else a path or a document."""
    named = evidence.get("evidence_class") in ("NAME_CLAIM", "NAME_MENTION")
    return str(evidence.get("component" if named else "location") or "")


def message(claim: ReportClaim, report: Report) -> str:
    """Return what was found about a claim in one paragraph: label, reason, and the words that decided."""
    said, *broken = wording.objection(claim)
    if claim.quote:
        passage = report.passages[claim.deciding[0]]
        place = " › ".join(part for part in (passage.title, passage.section) if part)
        broken.append(f'"{claim.quote}"' + (f" ({place})" if place else ""))
    return wording.joined([f"{wording.NAMES[claim.status]}: {said}", *broken])


def safe_link(address: str | None) -> str:
    """Return the address if a browser may follow it, else nothing: `javascript:` and its kind are no addresses."""
    return address if address and address.lower().startswith(("https://", "http://")) else ""
