"""The judges: each rule of the policy looks at the facts and gives an opinion with its reasons. Pure functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gate.catalogue import SOURCES
from gate.decision.accounting import is_unchecked
from gate.decision.risk import blocking_doubt, most_doubtful, risk_of, worst
from gate.model import (
    BLOCK_RISK,
    NO_SUPPORT,
    ON_LABELS,
    OUTCOMES,
    REVIEW_RISK,
    Accounting,
    Decision,
    DecisionReason,
    Evidence,
    Label,
    Outcome,
    Policy,
    SourceOutcome,
    Verdict,
)
from gate.trail.review_items import ReviewItem


@dataclass(frozen=True)
class Facts:
    """Everything a judge may look at.

    Attributes:
        failures: name of the stage that failed → name of its error.
        parts_missed: a part of the answer came in a form that nobody can read as text.
    """

    verdicts: list[Verdict]
    accounting: Accounting
    evidences: dict[str, list[Evidence]] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    parts_missed: bool = False


NAMED_REASONS = 5
"""Reasons for which something was left out that are told with the decision; the report has all."""

RULED = ("UNREADABLE", "PATH_MENTION", "DOCUMENT_CLAIM", "NAME_MENTION", "NAME_CLAIM", "VISION_CONFLICT")
"""Classes of evidence that rules of their own are about."""

Judge = Callable[[Facts, Policy], "DecisionReason | None"]


def opinion(
    rule: str, outcome: Outcome, message: str, *, claims: list[str] | None = None, evidence: list[str] | None = None
) -> DecisionReason:
    """One judge's opinion; `claims` and `evidence` are the ids behind it."""
    return DecisionReason(rule=rule, outcome=outcome, message=message, claims=claims or [], evidence=evidence or [])


def unchecked_claims(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A claim that nobody could check."""
    ids = facts.accounting["unchecked_claims"]
    if not ids:
        return None
    return opinion("unchecked", policy.unchecked, f"{_claims(len(ids))} could not be checked.", claims=ids)


def broken_accounting(facts: Facts, policy: Policy) -> DecisionReason | None:
    """Verdicts missing, doubled, foreign or damaged."""
    problems = facts.accounting["problems"]
    if facts.accounting["integrity"] == "SUCCESS":
        return None
    kinds = ", ".join(sorted({problem["kind"] for problem in problems}))
    ids = sorted({problem["claim_id"] for problem in problems if "claim_id" in problem})
    message = f"Claims and verdicts do not match one to one ({kinds})."
    return opinion("integrity", policy.integrity_failed, message, claims=ids)


def no_claims(facts: Facts, policy: Policy) -> DecisionReason | None:
    """An answer in which nothing could be checked."""
    if facts.accounting["claims"]:
        return None
    count = facts.accounting["sentences"]
    return opinion("no_claims", policy.no_claims, f"The answer states nothing that can be checked ({count} sentences).")


def unread_parts(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A part of the answer that a reader sees and the gate did not read: an image, or text that is neither claim nor
    shown to assert nothing."""
    if facts.parts_missed:
        return opinion("unread", policy.unread, "A part of the answer could not be read; the report names it.")
    reading = facts.accounting.get("reading")
    if not reading or not reading["unread"]:
        return None
    share = reading["unread"] / reading["characters"]
    message = f"{share:.1%} of the answer was not read as claims, and may assert something; the report lists it."
    return opinion("unread", policy.unread, message)


def contradicted_claims(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A claim that the evidence contradicts."""
    ids = [verdict["claim_id"] for verdict in facts.verdicts if verdict.get("reason") == "contradicted"]
    if not ids:
        return None
    return opinion("contradicted", policy.contradicted, f"The evidence contradicts {_claims(len(ids))}.", claims=ids)


def risky_answer(facts: Facts, policy: Policy) -> DecisionReason | None:
    """An answer that is likelier to hold an unsupported claim than the policy allows; names the claims to look at."""
    risk = risk_of(facts.verdicts)
    if risk is None or not _risk_decides(facts, policy):
        return None
    review = REVIEW_RISK if policy.review_risk is None else policy.review_risk
    block = BLOCK_RISK if policy.block_risk is None else policy.block_risk
    if risk < min(review, block):
        return None
    begins = f"review begins at {review:.0%}, block at {block:.0%}"
    message = f"The risk that the answer holds an unsupported claim is {risk:.0%}; {begins}."
    blocks = risk >= block
    doubt, claims = most_doubtful(facts.verdicts)
    if blocks and policy.block_risk is None and doubt < (wanted := blocking_doubt(claims)):
        blocks, message = False, f"{message} No claim alone has a doubt of {wanted:.0%}, so it is reviewed."
    ids = worst(facts.verdicts, min(review, block))
    return opinion("risk", "block" if blocks else "review", message, claims=ids)


def claims_without_support(facts: Facts, policy: Policy) -> DecisionReason | None:
    """Unsupported claims that are hardly likely to be supported, or of which the answer has no others: however low its
    risk is, it does not pass."""
    if not _risk_decides(facts, policy):
        return None
    ids = _labelled(facts, "unsupported")
    if len(ids) < facts.accounting["verdicts"]:
        hardly = {v["claim_id"] for v in facts.verdicts if v.get("scores", {}).get("supported", 1.0) < NO_SUPPORT}
        ids = [id_ for id_ in ids if id_ in hardly]
    if not ids:
        return None
    return opinion("no_support", "review", f"{_claims(len(ids))} found no support in the evidence.", claims=ids)


def _labels_decide(facts: Facts, policy: Policy) -> bool:
    return risk_of(facts.verdicts) is None or any(getattr(policy, key) is not None for key in ON_LABELS)


def _risk_decides(facts: Facts, policy: Policy) -> bool:
    asked = policy.review_risk is not None or policy.block_risk is not None
    return asked or not _labels_decide(facts, policy)


def unsupported_claims(facts: Facts, policy: Policy) -> DecisionReason | None:
    """More unsupported claims than the policy allows."""
    ids = _labelled(facts, "unsupported")
    if not _labels_decide(facts, policy) or len(ids) <= (policy.max_unsupported_share or 0) * len(facts.verdicts):
        return None
    message = f"{_claims(len(ids))} found no support in the evidence."
    return opinion("unsupported", policy.unsupported or "block", message, claims=ids)


def weak_claims(facts: Facts, policy: Policy) -> DecisionReason | None:
    """More weakly supported claims than the policy allows."""
    ids = _labelled(facts, "weakly_supported")
    if not _labels_decide(facts, policy) or len(ids) <= (policy.max_weak_share or 0) * len(facts.verdicts):
        return None
    message = f"{_claims(len(ids))} found support for a part only."
    return opinion("weakly_supported", policy.weakly_supported or "review", message, claims=ids)


def failed_checks(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A quote, number, date, unit or turn of a claim that differs from the evidence, whatever its label or the risk."""
    ids = [v["claim_id"] for v in facts.verdicts if not all(check["passed"] for check in v.get("checks", []))]
    if not ids:
        return None
    message = f"A figure, a quotation or what is said differs from the evidence in {_claims(len(ids))}."
    return opinion("failed_check", policy.failed_check, message, claims=ids)


def sources_not_backed(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A claim that cites a document of the corpus which does not support it, whatever others do."""
    ids = _citing(facts, "not_backed")
    if not ids:
        return None
    message = f"{_claims(len(ids), 'cites', 'cite')} a document that does not support it."
    return opinion("not_backed", policy.not_backed, message, claims=ids)


def unknown_sources(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A claim that cites something which is not in the corpus."""
    ids = _citing(facts, "unknown_source")
    if not ids:
        return None
    message = f"{_claims(len(ids), 'cites', 'cite')} a source that the corpus does not have."
    return opinion("unknown_source", policy.unknown_source, message, claims=ids)


def unresolved_sources(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A claim with a mark, such as a bare `[1]`, of which nothing says what it stands for."""
    ids = _citing(facts, "unresolved")
    if not ids or policy.unresolved_source == "pass":
        return None
    message = f"{_claims(len(ids), 'has', 'have')} a mark of which nothing says which source it is."
    return opinion("unresolved_source", policy.unresolved_source, message, claims=ids)


def unchecked_sources(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A cited document of which nobody could tell whether it supports its claim; claims that are unchecked aside."""
    ids = [id_ for id_ in _citing(facts, "unchecked") if id_ not in facts.accounting["unchecked_claims"]]
    if not ids:
        return None
    message = f"Whether the cited document supports it could not be checked of {_claims(len(ids))}."
    return opinion("unchecked_source", policy.unchecked, message, claims=ids)


def _citing(facts: Facts, outcome: SourceOutcome) -> list[str]:
    return [v["claim_id"] for v in facts.verdicts if any(one["outcome"] == outcome for one in v.get("sources", []))]


def low_grounding(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A smaller share of supported claims than the policy asks for; unchecked claims count as not supported."""
    grounding = facts.accounting["grounding"]
    if grounding is None or grounding >= policy.min_grounding:
        return None
    message = f"{grounding:.0%} of the claims are supported; the policy asks for {policy.min_grounding:.0%}."
    return opinion("grounding", policy.low_grounding, message)


def failed_stages(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A part of the pipeline that did not do its work."""
    broken = dict(facts.failures)
    if facts.metadata.get("pipeline_integrity") == "FAILED":
        broken.setdefault("aggregate_evidence", "pipeline_integrity FAILED")
    if not broken:
        return None
    stages = ", ".join(f"{stage} ({error})" for stage, error in sorted(broken.items()))
    message = f"Not every stage did its work: {stages}."
    if left_out := _left_out(facts):
        more = f"; and {len(left_out) - NAMED_REASONS} more reasons" if len(left_out) > NAMED_REASONS else ""
        message += f" Left out: {'; '.join(left_out[:NAMED_REASONS])}{more}."
    return opinion("failed_stage", policy.evidence_failed, message)


def _left_out(facts: Facts) -> list[str]:
    """Why something that was handed in was not read, each reason once."""
    found = (evidence for entries in facts.evidences.values() for evidence in entries)
    return list(dict.fromkeys(one.get("rationale", "") for one in found if one.get("evidence_class") == "UNREADABLE"))


def missing_paths(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A path that is said to be in the repository and is not."""
    return _lacking("missing_path", policy.missing_path, _missing_ids(facts, "DOCUMENT_CLAIM", doubtful=False), _paths)


def doubtful_paths(facts: Facts, policy: Policy) -> DecisionReason | None:
    """An absent path, cited in a way that does not always say that it exists."""
    ids = _missing_ids(facts, "DOCUMENT_CLAIM", doubtful=True)
    return _lacking("doubtful_path", policy.doubtful_path, ids, _paths, "probably ")


def missing_names(facts: Facts, policy: Policy) -> DecisionReason | None:
    """A command, option, variable, function or module that is said to be the repository's and is not."""
    return _lacking("missing_name", policy.missing_name, _missing_ids(facts, "NAME_CLAIM", doubtful=False), _names)


def doubtful_names(facts: Facts, policy: Policy) -> DecisionReason | None:
    """An absent name that may be another product's."""
    ids = _missing_ids(facts, "NAME_CLAIM", doubtful=True)
    return _lacking("doubtful_name", policy.doubtful_name, ids, _names, "probably ")


def _lacking(
    rule: str, outcome: Outcome, ids: list[str], counted: Callable[[int], str], likely: str = ""
) -> DecisionReason | None:
    """The opinion on what the repository does not have, if that is anything."""
    if not ids:
        return None
    return opinion(rule, outcome, f"{counted(len(ids))} {likely}not exist in the repository.", evidence=ids)


def _missing_ids(facts: Facts, kind: str, *, doubtful: bool) -> list[str]:
    return [
        evidence["evidence_id"]
        for evidence in facts.evidences.get("docs", [])
        if evidence.get("evidence_class") == kind
        and not evidence["found"]
        and ((evidence.get("mention") or {}).get("tier") == "warn") is doubtful
    ]


def vision_conflicts(facts: Facts, policy: Policy) -> DecisionReason | None:
    """Something that an image shows and neither the repository nor the documents have."""
    seen = facts.evidences.get("vision", [])
    ids = [evidence["evidence_id"] for evidence in seen if evidence.get("evidence_class") == "VISION_CONFLICT"]
    if not ids:
        return None
    count = "1 thing is" if len(ids) == 1 else f"{len(ids)} things are"
    message = f"{count} shown in an image and found nowhere else."
    return opinion("vision_conflict", policy.vision_conflict, message, evidence=ids)


def findings_of(source: str) -> Judge:
    """The judge of what one detective found missing or wrong (`found` is false), where no other rule is about it."""

    def detective_findings(facts: Facts, policy: Policy) -> DecisionReason | None:
        ids = [
            evidence["evidence_id"]
            for evidence in facts.evidences.get(source, [])
            if evidence.get("found") is False and evidence.get("evidence_class") not in RULED
        ]
        if not ids:
            return None
        count = "1 finding" if len(ids) == 1 else f"{len(ids)} findings"
        message = f"{count} of the detective `{source}`."
        return opinion(f"findings.{source}", policy.findings.get(source, "review"), message, evidence=ids)

    return detective_findings


def _paths(count: int) -> str:
    return "1 cited path does" if count == 1 else f"{count} cited paths do"


def _names(count: int) -> str:
    return "1 name in code does" if count == 1 else f"{count} names in code do"


JUDGES: tuple[Judge, ...] = (
    broken_accounting,
    unchecked_claims,
    no_claims,
    unread_parts,
    failed_stages,
    contradicted_claims,
    risky_answer,
    claims_without_support,
    unsupported_claims,
    weak_claims,
    failed_checks,
    sources_not_backed,
    unknown_sources,
    unresolved_sources,
    unchecked_sources,
    low_grounding,
    missing_paths,
    doubtful_paths,
    missing_names,
    doubtful_names,
    vision_conflicts,
    *map(findings_of, SOURCES),
)
"""Every rule of the policy, gravest first; a further rule is one function and one line."""

NEVER_PASS = ("integrity", "unchecked", "unchecked_source", "no_claims", "unread", "failed_stage")
"""Rules whose opinion stands whatever the others think: could not tell is not a pass."""


def decide(facts: Facts, policy: Policy) -> Decision:
    """Ask every judge, and combine what they say as the policy wants it."""
    opinions = [said for judge in JUDGES if (said := judge(facts, policy))]
    held = [said["outcome"] for said in opinions if said["rule"] in NEVER_PASS]
    outcome = max([_combine(policy, opinions), *held], key=OUTCOMES.index)
    return Decision(
        outcome=outcome,
        reasons=sorted(opinions, key=lambda said: -OUTCOMES.index(said["outcome"])),
        policy={"name": policy.name, "version": policy.version, "combine": policy.combine},
    )


def with_superseded(decision: Decision, ids: list[str]) -> Decision:
    """A decision, once it is known that the evidence of claims is no longer what the corpus's bucket says."""
    rests = _claims(len(ids), "rests", "rest")
    message = f"The corpus lags behind its bucket: {rests} on a document that has changed since; run the check again."
    said = opinion("superseded", "review", message, claims=ids)
    outcome = max(decision["outcome"], said["outcome"], key=OUTCOMES.index)
    reasons = sorted([*decision["reasons"], said], key=lambda one: -OUTCOMES.index(one["outcome"]))
    return Decision(outcome=outcome, reasons=reasons, policy=decision["policy"])


def with_review(decision: Decision, review: ReviewItem) -> Decision:
    """A decision, once people have made theirs of it, or the time for that is over: they decide, and say so first."""
    outcome = review.outcome or "review"
    if review.state == "timed_out":
        message = f"Nobody decided until {review.until}; the policy then says {outcome}."
    else:
        people = "1 reviewer" if len(review.decisions) == 1 else f"{len(review.decisions)} reviewers"
        what = "passed" if outcome == "pass" else "blocked"
        message = f"The gate asked for review, and {people} {what} it."
    said = opinion("reviewer", outcome, message)
    return Decision(outcome=outcome, reasons=[said, *decision["reasons"]], policy=decision["policy"])


def _combine(policy: Policy, opinions: list[DecisionReason]) -> Outcome:
    """`strict`: the gravest opinion. `majority`: what more than half of those who object hold at least.
    `soft`: block only when two judges would; one such opinion asks for review."""
    outcomes = sorted((said["outcome"] for said in opinions), key=OUTCOMES.index)
    if not outcomes:
        return "pass"
    if policy.combine == "strict":
        return outcomes[-1]
    if policy.combine == "majority":
        return outcomes[len(outcomes) // 2 if len(outcomes) % 2 else len(outcomes) // 2 - 1]
    if outcomes[-1] == "block" and outcomes.count("block") < 2:
        return "review"
    return outcomes[-1]


def _labelled(facts: Facts, label: Label) -> list[str]:
    return [
        verdict["claim_id"] for verdict in facts.verdicts if verdict["label"] == label and not is_unchecked(verdict)
    ]


def _claims(count: int, of_one: str = "", of_many: str = "") -> str:
    """So many claims, and what one of them does, or several do."""
    return f"1 claim {of_one}".rstrip() if count == 1 else f"{count} claims {of_many}".rstrip()
