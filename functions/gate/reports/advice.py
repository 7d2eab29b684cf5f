"""What a reader does about a report: which claim is the worst, what is wrong in each, and what to do now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from gate.decision.corrections import Correction, corrections, name_correction
from gate.decision.coverage import uncovered
from gate.model import OUTCOMES, UNREAD
from gate.reports import wording
from gate.reports.findings import objections
from gate.reports.model import STATUSES, Report, ReportClaim, ReportNonClaim
from gate.reports.wording import TO_DO, Action

MARKED = ("unsupported", "weakly_supported")
"""Labels with which the words that no passage has are marked."""
NAMED_CORRECTIONS = 3
"""How many corrections are told in words; each stands on its card."""

QUOTED_CHARS = 80
"""How much is quoted of what was not read."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do: the action, in words, and the claims that it is about."""

    action: Action
    sentence: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimPart:
    """A stretch of a claim: `kind` is empty, `gap` where no passage has the words, or `wrong`, and then `instead`."""

    text: str
    kind: str = ""
    instead: str = ""


def problems(report: Report) -> list[ReportClaim]:
    """Return the claims that somebody has to look at, the worst first.

    What the evidence has otherwise comes before what it only lacks: two such doubts lie close together, and which
    is the greater can depend on the processor.
    """
    objected = objections(report)

    def gravity(claim: ReportClaim) -> tuple[int, int, bool, float]:
        objection = OUTCOMES.index(objected.get(claim.claim_id, "pass"))
        return -objection, STATUSES.index(claim.status), not wording.differences(claim), -(claim.doubt or 0.0)

    found = (claim for claim in report.claims if is_problem(claim) or claim.claim_id in objected)
    return sorted(found, key=gravity)


def is_problem(claim: ReportClaim) -> bool:
    """Whether something is wrong with the claim, whatever the policy thinks of it."""
    return claim.status != "supported" or bool(wording.differences(claim) or wording.misnamed(claim))


def figures(claim: ReportClaim, report: Report) -> list[Correction]:
    """Return what the evidence has instead of the claim's figures, where a check says that one differs."""
    if claim.status == "unchecked" or not wording.differences(claim):
        return []
    return list(_corrections(claim.text, tuple(_evidence(claim, report))))


def suggested(claim: ReportClaim, report: Report) -> list[Correction]:
    """Return what the evidence has instead of the claim's figures, and of a name, in the order of the claim."""
    found = figures(claim, report)
    if claim.status in MARKED:
        name = _name(claim.text, tuple(_evidence(claim, report)))
        found += [name] if name and not any(name.start < one.end and one.start < name.end for one in found) else []
    return sorted(found, key=lambda one: one.start)


@lru_cache(maxsize=4096)
def _corrections(text: str, evidence: tuple[str, ...]) -> tuple[Correction, ...]:
    return tuple(corrections(text, evidence))


@lru_cache(maxsize=4096)
def _name(text: str, evidence: tuple[str, ...]) -> Correction | None:
    return name_correction(text, evidence)


def parts(claim: ReportClaim, report: Report) -> list[ClaimPart]:
    """Return the claim cut where something is wrong in it; joined the texts are the claim."""
    wrong = suggested(claim, report)
    spans = [(one.start, one.end, "wrong", one.instead) for one in wrong]
    if claim.status in MARKED:
        for start, end in uncovered(claim.text, _evidence(claim, report)):
            if not any(start < one.end and one.start < end for one in wrong):
                spans.append((start, end, "gap", ""))
    found, at = [], 0
    for start, end, kind, instead in sorted(spans):
        found += [ClaimPart(claim.text[at:start]), ClaimPart(claim.text[start:end], kind, instead)]
        at = end
    return [part for part in (*found, ClaimPart(claim.text[at:])) if part.text]


def action(claim: ReportClaim, report: Report) -> Action | None:
    """Return what is to be done about a claim; None where nothing is wrong with it."""
    rules: tuple[tuple[Action, Callable[[], object]], ...] = (
        ("run_again", lambda: claim.status == "unchecked"),
        ("correct", lambda: suggested(claim, report)),
        ("rewrite", lambda: wording.refuted(claim)),
        ("remove", lambda: claim.status == "unsupported"),
        ("narrow", lambda: claim.status == "weakly_supported"),
        ("cite", lambda: wording.misnamed(claim)),
    )
    return next((name for name, applies in rules if applies()), None)


def lead(report: Report) -> ReportClaim | None:
    """Return the claim to show first: the worst one that could be checked, else the first that could not."""
    found = problems(report)
    return next((claim for claim in found if claim.status != "unchecked"), found[0] if found else None)


def heads(report: Report) -> tuple[str, str]:
    """Return the headings over the claim to show first and over what to do."""
    return wording.HEADS_OF_A_PASS if report.outcome == "pass" and lead(report) else wording.HEADS


def to_do(claim: ReportClaim, report: Report) -> str:
    """Return in words what is to be done about one claim; empty where nothing is."""
    name = action(claim, report)
    if name == "correct":
        return " ".join(_correction(one) for one in suggested(claim, report))
    if name == "run_again" and len(report.causes) == 1:
        return wording.remedy(report)
    return TO_DO[name].one if name else ""


def unread(report: Report) -> list[ReportNonClaim]:
    """Return what of the answer was set aside without having been read: it may assert something."""
    return [one for one in report.non_claims if one.reason in UNREAD]


def steps(report: Report) -> list[Advice]:
    """Return what to do now, the gravest first: for each action the claims that ask for it."""
    if report.failure:
        return [Advice("mend", wording.after_failure(report.failure.error))]
    by_action: dict[Action, list[str]] = {}
    claims = {claim.claim_id: claim for claim in report.claims}
    for claim in problems(report):
        by_action.setdefault(action(claim, report) or "look", []).append(claim.claim_id)
    found = []
    for name in TO_DO:
        if ids := by_action.get(name):
            words = TO_DO[name].several(len(ids))
            if name == "correct":
                shown = [suggested(claims[id_], report) for id_ in ids[:NAMED_CORRECTIONS]]
                words += " " + " ".join(_correction(one) for each in shown for one in each)
            if name == "run_again":
                words += " " + wording.remedy(report)
            found.append(Advice(name, words, tuple(ids)))
    found += _beyond_claims(report)
    if not found:
        found.append(Advice("use", TO_DO["use"].one if report.outcome == "pass" else TO_DO["look"].one))
    return found


def _beyond_claims(report: Report) -> list[Advice]:
    """What the decision's reasons ask for that no claim is behind."""
    rules = {reason["rule"] for reason in report.decision["reasons"]} if report.decision else set()
    found = [
        Advice(name, TO_DO[name].one + (_first_unread(report) if name == "read" else ""))
        for rule, name in wording.BY_RULE.items()
        if rule in rules
    ]
    if any(stage.status == "failed" for stage in report.stages) and not _has_unchecked(report):
        found.append(Advice("run_again", wording.after_parts_failed(report)))
    if any(reason["evidence"] for reason in (report.decision["reasons"] if report.decision else [])):
        found.append(Advice("repository", TO_DO["repository"].one))
    return found


def _has_unchecked(report: Report) -> bool:
    return any(claim.status == "unchecked" for claim in report.claims)


def _first_unread(report: Report) -> str:
    left = unread(report)
    if not left:
        return ""
    first = left[0]
    text = wording.shortened(" ".join(report.turns[first.turn].content[first.start : first.end].split()), QUOTED_CHARS)
    return f" The first of {len(left)}, {wording.ASIDE[first.reason]}: “{text}”."


def _correction(one: Correction) -> str:
    return f"Instead of “{one.said}” the evidence has “{one.instead}”."


def _evidence(claim: ReportClaim, report: Report) -> list[str]:
    return [report.passages[key].content for key in claim.passages if key in report.passages]
