"""The values that travel: typed dicts for what the state carries, pydantic models for what crosses a boundary.

The state itself is a plain JSON object. Keys named in the specifications keep their exact shapes; what the gate
adds stands in further keys and appears when the input carries a `claim_id`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict  # the standard one cannot be validated before Python 3.12

Label = Literal["supported", "weakly_supported", "unsupported"]
LABELS: tuple[Label, ...] = ("supported", "weakly_supported", "unsupported")

Reason = Literal["entailed", "partial", "contradicted", "not_mentioned", "no_evidence", "unreadable_answer", "error"]
UNCHECKED_REASONS: tuple[Reason, ...] = ("unreadable_answer", "error")
"""Reasons that mean "we could not tell": counted as unchecked, whatever the label."""

NonClaimReason = Literal["question", "greeting", "instruction", "opinion", "abstention", "heading", "fragment", "code"]

Outcome = Literal["pass", "review", "block"]
OUTCOMES: tuple[Outcome, ...] = ("pass", "review", "block")
"""From the most to the least permissive."""

Integrity = Literal["SUCCESS", "FAILED"]
Role = Literal["system", "user", "assistant", "tool"]


class Frozen(BaseModel):
    """Base of the boundary models: immutable, and a key it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Turn(Frozen):
    """One message: who spoke, and the text exactly as it was."""

    role: Role
    content: str


class Transcript(Frozen):
    """A conversation, oldest turn first."""

    id: str | None = None
    turns: tuple[Turn, ...]


class Claim(TypedDict):
    """One checkable statement.

    `start`, `end` are character offsets into turn `turn`: `source_response[start:end]` is the stretch it came from.
    """

    text: str
    source_prompt: str
    source_response: str
    claim_id: NotRequired[str]
    turn: NotRequired[int]
    start: NotRequired[int]
    end: NotRequired[int]
    branch: NotRequired[int]
    history: NotRequired[list[Document]]


class NonClaim(TypedDict):
    """A sentence that states nothing to check, and why."""

    text: str
    reason: NonClaimReason
    turn: int
    start: int
    end: int


class Document(TypedDict, total=False):
    """A passage as a search returns it."""

    content: str
    id: str
    title: str | None
    section: str | None
    url: str | None
    published_date: str | None
    source: str | None
    score: float
    rank: int
    retriever: Literal["keyword", "vector", "hybrid"]


class ClaimEvidence(TypedDict):
    """A claim and the passages found for it."""

    claim: Claim
    documents: list[Document]


class Check(TypedDict):
    """What a check that needs no model found: `name`, whether it held, and what differs."""

    name: str
    passed: bool
    detail: str


class Verdict(TypedDict):
    """What is thought of one claim; exactly one per `claim_id`."""

    claim: str
    label: Label
    justification: str
    claim_id: NotRequired[str]
    reason: NotRequired[Reason]
    documents: NotRequired[list[str]]
    quote: NotRequired[str]
    scores: NotRequired[dict[str, float]]
    checks: NotRequired[list[Check]]
    checked_by: NotRequired[str]
    usage: NotRequired[dict[str, int]]


class Evidence(TypedDict):
    """One observation of a detective."""

    evidence_id: str
    evidence_class: str
    found: bool
    location: str
    rationale: str
    source: NotRequired[str]
    confidence: NotRequired[float]
    excerpt: NotRequired[str]
    mention: NotRequired[dict[str, Any]]


class Citation(TypedDict):
    """A passage offered to ground an answer: `text` as stored, `redacted_text` to show and to pass on."""

    id: str | None
    title: str | None
    section: str | None
    text: str
    redacted_text: str
    url: str | None
    published_date: str | None
    source: str


class DecisionReason(TypedDict):
    """Why the gate decided: the rule, what it said, and the claims or evidence behind it."""

    rule: str
    outcome: Outcome
    message: str
    claims: list[str]
    evidence: list[str]


class Decision(TypedDict):
    """What the policy made of the verdicts."""

    outcome: Outcome
    reasons: list[DecisionReason]
    policy: dict[str, str]


class Accounting(TypedDict):
    """Claims in = verdicts out, counted."""

    claims: int
    verdicts: int
    unchecked: int
    non_claims: int
    sentences: int
    labels: dict[str, int]
    grounding: float | None
    integrity: Integrity
    problems: list[dict[str, Any]]
    unchecked_claims: list[str]


class Estimate(TypedDict):
    """What verifying a run's claims may cost on the model, at most; made when the claims are known.

    `left` is what the run's budget still holds, None without one; `stopped`: it does not fit, so no claim is checked.
    """

    calls: int
    input: int
    output: int
    dollars: float | None
    left: int | None
    stopped: bool


def merge_evidences(left: Mapping[str, Any] | None, right: Mapping[str, Any] | None) -> dict[str, list[dict[str, Any]]]:
    """Put two evidence dictionaries together, source by source; of records with one id the first stays.

    Order is kept, neither argument is changed, and the operation is associative and idempotent.
    """
    merged: dict[str, list[Any]] = {}
    for side in (left or {}, right or {}):
        for source, records in side.items():
            merged.setdefault(source, []).extend(records if isinstance(records, list) else [records])
    return {source: _first_of_each(records) for source, records in merged.items()}


def _first_of_each(records: list[Any]) -> list[Any]:
    firsts: dict[str, Any] = {}
    for record in records:
        firsts.setdefault(_identity(record), record)
    return list(firsts.values())


def _identity(record: Any) -> str:
    """What makes two records the same: the id, or the whole value of one that has none."""
    if isinstance(record, dict) and isinstance(record.get("evidence_id"), str):
        return f"id:{record['evidence_id']}"
    return "value:" + json.dumps(record, sort_keys=True, default=repr)


class GateState(TypedDict, total=False):
    """Everything a run may carry; each key is written by one agent (see `catalogue`)."""

    submission: dict[str, Any]
    config: dict[str, Any]
    transcript: dict[str, Any]
    segment: dict[str, Any] | None
    artifacts: dict[str, Any]
    policy: dict[str, Any]
    has: dict[str, bool]
    claims: list[Claim]
    non_claims: list[NonClaim]
    branches: list[Any]
    estimate: Estimate | None
    evidence: list[ClaimEvidence]
    ranking: list[Any]
    verdicts: list[Verdict]
    checked: list[dict[str, Any]]
    collected: list[dict[str, Any]]
    evidences: Annotated[dict[str, list[Evidence]], merge_evidences]
    metadata: dict[str, Any]
    citations: list[Citation]
    decision: Decision
    accounting: Accounting
    report: dict[str, Any]


class Policy(Frozen):
    """When an answer passes. A small YAML or JSON document; every key is optional.

    Shares are of all claims, unchecked ones included. Each field names the condition; its value is what it leads to
    or where it begins.
    """

    name: str = "default"
    version: str = "1"
    combine: Literal["strict", "majority", "soft"] = "strict"
    contradicted: Outcome = "block"
    unsupported: Outcome = "block"
    weakly_supported: Outcome = "review"
    failed_check: Outcome = "review"
    unchecked: Literal["review", "block"] = "review"
    no_claims: Literal["review", "block"] = "review"
    integrity_failed: Literal["review", "block"] = "block"
    evidence_failed: Literal["review", "block"] = "review"
    missing_path: Outcome = "block"
    doubtful_path: Outcome = "review"
    vision_conflict: Outcome = "review"
    low_grounding: Outcome = "review"
    min_grounding: Annotated[float, Field(ge=0, le=1)] = 0.0
    max_unsupported_share: Annotated[float, Field(ge=0, le=1)] = 0.0
    max_weak_share: Annotated[float, Field(ge=0, le=1)] = 0.0
