"""The report as SARIF 2.1.0, for code scanning: a result for each claim or path that the decision objects to."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from gate.model import Outcome
from gate.reports import wording
from gate.reports.findings import message, objections, safe_link, subject
from gate.reports.model import Report, ReportClaim
from gate.reports.sarif import Level, SarifRule, sarif_log, sarif_message, sarif_place, sarif_result

LEVELS: dict[Outcome, Level] = {"pass": "note", "review": "warning", "block": "error"}
NOT_THERE = "Correct what is said of the repository, or add what is missing. A close name may have been meant."
RULES = {
    "unsupported": SarifRule(
        "A claim that the evidence does not support",
        "Correct the figure, rewrite or remove the claim, or add a document that says so to the corpus.",
    ),
    "weakly_supported": SarifRule(
        "A claim of which only a part is supported", "Keep what the evidence says, and remove the rest."
    ),
    "unchecked": SarifRule(
        "A claim that could not be checked",
        "Run the check again; `gate doctor` tries each service and says what to do.",
    ),
    "supported": SarifRule(
        "A supported claim that a rule of the policy objects to",
        "The message names what differs: a figure, a name, or a cited source that does not say so.",
    ),
    "missing_path": SarifRule("A cited path that does not exist in the repository", NOT_THERE),
    "missing_name": SarifRule("A name in code that does not exist in the repository", NOT_THERE),
    "finding": SarifRule("Something else that a detective found", "Read what was found, and ask a person."),
    "run_failed": SarifRule(
        "A run that ended without a decision",
        "Nothing is known of the answer. Run the check again; `gate doctor` tries each service and says what to do.",
    ),
}
ADDRESS = "%:/?#[]@!$&'()*+,;=~"
"""What an address may hold as it is."""
RELATED = 3
"""Passages that a result leads to."""

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
        _observed(one, objected[name], report.name) for one in observed if (name := one.get("evidence_id")) in objected
    ]


def _observed(found: dict[str, Any], objection: Outcome, report_name: str) -> dict[str, Any]:
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
    known_by = (report_name, document, subject(found))
    return sarif_result(rule, LEVELS[objection], text, locations=locations, known_by=known_by)


def _result(claim: ReportClaim, report: Report, objection: Outcome) -> dict[str, Any]:
    location: dict[str, Any] = {"logicalLocations": [{"name": claim.claim_id, "kind": "member"}]}
    if _is_the_file(report):
        location |= sarif_place(report.name, _region(claim, report))
    return sarif_result(
        claim.status,
        LEVELS[objection],
        f"{claim.text}\n{message(claim, report)}",
        locations=[location],
        known_by=(report.name, " ".join(claim.text.split())),
        related=[_evidence(key, claim, report) for key in claim.deciding[:RELATED]],
    )


def _evidence(key: str, claim: ReportClaim, report: Report) -> dict[str, Any]:
    """The place of a passage that decided: its address where it has one, else its name."""
    passage = report.passages[key]
    title = " › ".join(part for part in (passage.title, passage.section) if part) or key
    said = f"{title}: “{claim.quote}”" if claim.quote and key == claim.deciding[0] else title
    place: dict[str, Any] = {"message": sarif_message(said), "logicalLocations": [{"name": key, "kind": "member"}]}
    if address := safe_link(passage.url):
        place["physicalLocation"] = {"artifactLocation": {"uri": quote(address, safe=ADDRESS)}}
    return place


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
