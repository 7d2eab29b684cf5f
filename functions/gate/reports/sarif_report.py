"""The report as SARIF 2.1.0, for code scanning: a result for each claim or path that the decision objects to."""

from __future__ import annotations

from typing import Any

from gate.model import Outcome
from gate.reports import wording
from gate.reports.findings import message, objections, subject
from gate.reports.model import Report, ReportClaim
from gate.reports.sarif import Level, sarif_log, sarif_place, sarif_result

LEVELS: dict[Outcome, Level] = {"pass": "note", "review": "warning", "block": "error"}
RULES = {
    "unsupported": "A claim that the evidence does not support",
    "weakly_supported": "A claim of which only a part is supported",
    "unchecked": "A claim that could not be checked",
    "supported": "A supported claim that a rule of the policy objects to",
    "missing_path": "A cited path that does not exist in the repository",
    "missing_name": "A name in code that does not exist in the repository",
    "finding": "Something else that a detective found",
    "run_failed": "A run that ended without a decision",
}

OF_CLASS = {"DOCUMENT_CLAIM": "missing_path", "NAME_CLAIM": "missing_name"}
"""The rule that a class of evidence stands under."""


def render(report: Report) -> str:
    """Return the SARIF log."""
    return sarif_log(
        RULES,
        _results(report),
        automationDetails={"id": f"gate/{report.name or report.run_id}"},
        invocations=[{"executionSuccessful": report.outcome != "error", "endTimeUtc": _utc(report.created_at)}],
        properties={"outcome": report.outcome, "integrity": report.integrity, "notRead": list(report.not_read)},
    )


def _results(report: Report) -> list[dict[str, Any]]:
    if report.failure:
        return [sarif_result("run_failed", "error", wording.headline(report))]
    objected = objections(report)
    results = [
        _result(claim, report, objected.get(claim.claim_id, "pass"))
        for claim in report.claims
        if claim.claim_id in objected or claim.status == "unchecked"
    ]
    observed = [one for found in report.evidences.values() for one in found]
    return results + [
        _observed(one, objected[name]) for one in observed if (name := one.get("evidence_id")) in objected
    ]


def _observed(found: dict[str, Any], objection: Outcome) -> dict[str, Any]:
    text = f"{subject(found)}: {found.get('rationale', '')}"
    rule = OF_CLASS.get(str(found.get("evidence_class")), "finding")
    mention = found.get("mention") or {}
    document = mention.get("document") or ""
    locations = []
    if document.startswith("turn "):
        locations = [{"logicalLocations": [{"name": document, "kind": "member"}]}]
    elif document and mention.get("line"):
        region = {
            name: mention[key] for name, key in (("startLine", "line"), ("startColumn", "column")) if key in mention
        }
        locations = [sarif_place(document, region)]
    return sarif_result(rule, LEVELS[objection], text, locations=locations)


def _result(claim: ReportClaim, report: Report, objection: Outcome) -> dict[str, Any]:
    location: dict[str, Any] = {"logicalLocations": [{"name": claim.claim_id, "kind": "member"}]}
    if _is_the_file(report):
        location |= sarif_place(report.name, _region(claim, report))
    return sarif_result(
        claim.status,
        LEVELS[objection],
        f"{claim.text}\n{message(claim, report)}",
        locations=[location],
        fingerprints={"claim/v1": f"{claim.claim_id}:{claim.start}"},
    )


def _is_the_file(report: Report) -> bool:
    """Whether the one turn is the file itself, so that its lines are the file's."""
    return bool(report.name) and len(report.turns) == 1 and not report.name.lower().endswith(".json")


def _region(claim: ReportClaim, report: Report) -> dict[str, int]:
    """The lines of a claim; columns too, unless replaced personal data has moved them."""
    turn = report.turns[claim.turn]
    before, inside = turn.content[: claim.start], turn.content[claim.start : claim.end]
    first = before.count("\n") + 1
    region = {"startLine": first, "endLine": first + inside.count("\n")}
    if not turn.redactions:
        region["startColumn"] = claim.start - (before.rfind("\n") + 1) + 1
        region["endColumn"] = claim.end - (turn.content[: claim.end].rfind("\n") + 1) + 1
    return region


def _utc(moment: str) -> str:
    return moment.removesuffix("+00:00") + "Z" if moment.endswith("+00:00") else moment
