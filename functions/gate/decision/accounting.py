"""Claims in = verdicts out. Whatever breaks that is named, and never helps an answer to pass.

A verdict is found by its `claim_id`, never by its position.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from gate.model import LABELS, REASONS, UNCHECKED_REASONS, Accounting, Claim, Estimate, Verdict

Problem = dict[str, Any]

NEEDED = ("reason", "checks", "doubt")
"""Keys of a verdict beside the specification's without which it could look better than it is."""
_UNSUPPORTED = (*REASONS["unsupported"], "no_evidence", *UNCHECKED_REASONS)


def account(
    claims: Sequence[Claim], verdicts: Iterable[Any], *, errors: Mapping[int, str], non_claims: int
) -> tuple[list[Verdict], Accounting]:
    """Give every claim exactly one verdict, or an unchecked entry in its place.

    Args:
        claims: with `claim_id` and `branch`.
        verdicts: whatever the verifier returned.
        errors: error name by branch, for the branches that ended in one.
        non_claims: how many sentences were set aside.

    Returns:
        One verdict a claim, in the claims' order; and the counts. `integrity` is `FAILED` when a verdict is missing
        without an error to explain it, doubled, foreign, damaged or about another text.
    """
    by_id, problems = _by_id(claims, verdicts)
    counted = Counter(claim["claim_id"] for claim in claims)
    problems += [{"kind": "claim_id_repeated", "claim_id": id_} for id_, count in counted.items() if count > 1]
    final = []
    for claim in claims:
        found = by_id.get(claim["claim_id"], [])
        if counted[claim["claim_id"]] > 1:
            found = []  # one verdict cannot stand for two claims
        verdict, problem = _settle(claim, found, errors.get(claim["branch"]))
        problems += [problem] if problem else []
        final.append(verdict)
    places = {(claim.get("turn"), claim.get("start"), claim.get("end")) for claim in claims}
    return final, _counts(final, problems, non_claims, len(places))


def _by_id(claims: Sequence[Claim], verdicts: Iterable[Any]) -> tuple[dict[str, list[Any]], list[Problem]]:
    known = {claim["claim_id"] for claim in claims}
    found: dict[str, list[Any]] = defaultdict(list)
    problems: list[Problem] = []
    for verdict in verdicts:
        claim_id = verdict.get("claim_id") if isinstance(verdict, dict) else None
        if isinstance(claim_id, str) and claim_id in known:
            found[claim_id].append(verdict)
        else:
            problems.append({"kind": "foreign_verdict"})
    return found, problems


def _settle(claim: Claim, found: list[Any], error: str | None) -> tuple[Verdict, Problem | None]:
    claim_id = claim["claim_id"]
    if not found and error:
        return unchecked(claim, error), None
    kind = "missing_verdict" if not found else "doubled_verdict" if len(found) > 1 else _damage(claim, found[0])
    if kind:
        return unchecked(claim, kind), {"kind": kind, "claim_id": claim_id}
    return cast(Verdict, found[0]), None


def _damage(claim: Claim, verdict: Mapping[str, Any]) -> str | None:
    try:
        _verdict_shape().validate_python(verdict, strict=True)
    except ValidationError:
        return "damaged_verdict"
    fitting = _UNSUPPORTED if verdict["label"] == "unsupported" else REASONS[verdict["label"]]
    if any(key not in verdict for key in NEEDED) or verdict["reason"] not in fitting:
        return "damaged_verdict"
    if verdict.get("claim") != claim["text"]:
        return "verdict_about_another_claim"
    return None


@cache
def _verdict_shape() -> TypeAdapter[Verdict]:
    return TypeAdapter(Verdict)


def unchecked(claim: Claim, why: str) -> Verdict:
    """The entry of a claim that nobody could check; `why` is an error's class name or a problem's kind."""
    return Verdict(
        claim=claim["text"],
        label="unsupported",
        justification=f"The claim could not be checked ({why}).",
        claim_id=claim["claim_id"],
        reason="error",
        documents=[],
        checked_by="accounting",
        doubt=None,
    )


def unaffordable(claims: Sequence[Claim], estimate: Estimate | None) -> list[Verdict]:
    """The entries of all claims of a run that was not begun because its budget does not hold what it may need."""
    if not estimate or not estimate["stopped"]:
        return []
    needs, left = estimate["least"], estimate["left"]
    why = f"Not checked: the run may need {needs:,} tokens at the least, and its budget, or the day's, holds {left:,}."
    return [{**unchecked(claim, "BudgetReachedError"), "justification": why, "checks": []} for claim in claims]


def is_unchecked(verdict: Verdict) -> bool:
    """Whether a verdict means "we could not tell"."""
    return verdict.get("reason") in UNCHECKED_REASONS


def _counts(verdicts: list[Verdict], problems: list[Problem], non_claims: int, places: int) -> Accounting:
    left_out = [verdict["claim_id"] for verdict in verdicts if is_unchecked(verdict)]
    labels = Counter(verdict["label"] for verdict in verdicts if not is_unchecked(verdict))
    total = len(verdicts)
    return Accounting(
        claims=total,
        verdicts=total - len(left_out),
        unchecked=len(left_out),
        non_claims=non_claims,
        sentences=places + non_claims,
        labels={label: labels[label] for label in LABELS},
        grounding=labels["supported"] / total if total else None,
        integrity="FAILED" if problems else "SUCCESS",
        problems=problems[:100],
        unchecked_claims=left_out,
    )
