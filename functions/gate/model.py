"""The values that travel: typed dicts for what the state carries, pydantic models for what crosses a boundary.

The state itself is a plain JSON object. Keys named in the specifications keep their exact shapes; what the gate
adds stands in further keys and appears when the input carries a `claim_id`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict  # the standard one cannot be validated before Python 3.12

from gate.catalogue import MOST_REVIEW_HOURS, SOURCES

Label = Literal["supported", "weakly_supported", "unsupported"]
LABELS: tuple[Label, ...] = ("supported", "weakly_supported", "unsupported")

Reason = Literal[
    "entailed",
    "partial",
    "contradicted",
    "not_mentioned",
    "no_evidence",
    "no_corpus",
    "unreadable_answer",
    "language",
    "error",
]
UNCHECKED_REASONS: tuple[Reason, ...] = ("no_corpus", "unreadable_answer", "language", "error")
"""Reasons that mean "we could not tell": counted as unchecked, whatever the label."""

REASONS: Mapping[Label, tuple[Reason, ...]] = {
    "supported": ("entailed",),
    "weakly_supported": ("partial",),
    "unsupported": ("not_mentioned", "contradicted"),
}
"""Reasons that fit a label; the first is meant where none is given."""

Share = Annotated[float, Field(ge=0, le=1, strict=True)]

Known = Mapping[str, str]
"""Figures of a claim that need no evidence, as they are written, and how each is known: `{"£98": "£20 + £78"}`."""
NONE_KNOWN: Known = MappingProxyType({})

ClaimKind = Literal["statement", "instruction", "name"]
"""`name`: a command, option, path or symbol in code."""

NonClaimReason = Literal[
    "question",
    "greeting",
    "opinion",
    "abstention",
    "heading",
    "lead_in",
    "fragment",
    "code",
    "shown",
    "image",
    "struck",
    "unclear",
    "markup",
    "sources",
    "template",
    "too_long",
    "too_many",
]
UNREAD: frozenset[NonClaimReason] = frozenset({"code", "image", "struck", "unclear", "too_long", "too_many"})
"""Reasons that do not show that nothing is asserted: what is set aside for them counts as unread. `shown`: a line of
code that nobody can look up by a name, and that the evidence has as it is."""

Outcome = Literal["pass", "review", "block"]
OUTCOMES: tuple[Outcome, ...] = ("pass", "review", "block")
"""From the most to the least permissive."""

Integrity = Literal["SUCCESS", "FAILED"]
Role = Literal["system", "user", "assistant", "tool"]


class Frozen(BaseModel):
    """Base of the boundary models: immutable, and a key it does not know is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class CitedStretch(TypedDict):
    """A source that a chat API names for `content[start:end]` of a turn; title or address may be empty."""

    start: int
    end: int
    title: str
    url: str


class Turn(Frozen):
    """One message: who spoke, and the text exactly as it was; `cited`: the sources that a chat API names beside it."""

    role: Role
    content: str
    cited: tuple[CitedStretch, ...] = ()


class PartedTurn(Turn):
    """A message of several parts; `parts`: where in its text each but the first begins."""

    parts: tuple[int, ...] = ()


class NotRead(TypedDict):
    """What of a submission was not read, counted by kind.

    `place`: where the first of them stands; `shown`: a chat window would show it as part of the answer.
    """

    kind: str
    place: str
    count: int
    characters: int
    shown: bool


class NamedSource(TypedDict):
    """A source that a claim names. `mark`: as it names it; `title`, `url`: what the answer's list or the link says of
    it, both empty where nothing does. `missing`: the answer lists its sources, and not this one. `beyond`: it is one
    of more than are looked at in a run. `part`: what of the claim it is cited for, where that is certain: of a mark
    within the sentence, the clause before it."""

    mark: str
    title: str
    url: str
    part: NotRequired[str]
    missing: NotRequired[bool]
    beyond: NotRequired[bool]


class Claim(TypedDict):
    """One checkable statement.

    `start`, `end` are character offsets into turn `turn`: `source_response[start:end]` is the stretch it came from.
    `context`: what the claim needs to be understood; `lead`: the lead-in that it completes; `table`: of a row, the
    heads, itself and rows around it, cell by cell; `language`: its ISO 639 code, where something tells it; `cites`: the
    sources that it names, as it names them; `sources`: those that it cites, with what the answer says of them; `known`:
    its figures that need no evidence.
    """

    text: str
    source_prompt: str
    source_response: str
    claim_id: NotRequired[str]
    turn: NotRequired[int]
    start: NotRequired[int]
    end: NotRequired[int]
    kind: NotRequired[ClaimKind]
    context: NotRequired[str]
    lead: NotRequired[str]
    table: NotRequired[list[list[str]]]
    language: NotRequired[str]
    cites: NotRequired[list[str]]
    sources: NotRequired[list[NamedSource]]
    known: NotRequired[dict[str, str]]
    branch: NotRequired[int]
    history: NotRequired[list[Document]]


class ReadingCounts(TypedDict):
    """Characters that a reader sees, blanks aside: all of them, those of claims, those that point at a source, and
    what was set aside, by reason. `unread`: what is neither claim nor shown to assert nothing."""

    characters: int
    claims: int
    marks: int
    set_aside: dict[NonClaimReason, int]
    unread: int


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


class Answer(Frozen):
    """What a verifier says of one claim, as a value.

    Attributes:
        label, justification: as in the specification; the justification is one line and not empty.
        reason: why, in one word; fits the label.
        quote: the stretch of a document that decides, as it stands there; may be empty.
        documents: places of the documents that decide, among those given, from 0.
        scores: probability of each label; empty, or all three.
    """

    label: Label
    justification: Annotated[str, Field(min_length=1)]
    reason: Reason
    quote: str = ""
    documents: tuple[Annotated[int, Field(ge=0)], ...] = ()
    scores: dict[Label, Share] = {}

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Answer:
        if self.reason not in REASONS[self.label]:
            raise ValueError("the reason does not fit the label")
        if self.scores and (set(self.scores) != set(LABELS) or abs(sum(self.scores.values()) - 1) > 0.02):
            raise ValueError("the scores are not one distribution over the labels")
        return self


SourceOutcome = Literal["backed", "not_backed", "unknown_source", "unresolved", "unchecked"]
"""What is thought of a source that a claim cites.

`backed`: that very document supports the claim; `not_backed`: it is known, and does not; `unknown_source`: nothing in
the corpus is that source; `unresolved`: nothing says which source is meant; `unchecked`: we could not tell.
"""


MOST_SOURCES = 20
"""Sources of one claim that are looked at; one more stands for the rest, which nobody checks."""
MOST_SOURCES_OF_A_RUN = 1_000
"""Sources of all claims that are looked at, each a search and a second question at most; the rest is unchecked."""


class CitedEvidence(TypedDict):
    """A source that a claim cites, and its passages in the corpus.

    `found`: what is known before anything is judged; `unchecked`: the claim cites more than are looked at.
    """

    source: NamedSource
    documents: list[Document]
    found: Literal["document", "unknown_source", "unresolved", "unchecked"]


class ClaimEvidence(TypedDict):
    """A claim and the passages found for it; `contexts`: where it is judged against both, those that the model was
    given; `cited`: those of the sources that it cites; of a name that stands nowhere in the corpus `other_value`, a
    setting as the corpus has it, `apart`, its words stand there or in the question, or `near`, a name of the corpus
    that may have been meant, or an empty text."""

    claim: Claim
    documents: list[Document]
    contexts: NotRequired[list[Document]]
    cited: NotRequired[list[CitedEvidence]]
    near: NotRequired[str]
    other_value: NotRequired[str]
    apart: NotRequired[bool]


class Check(TypedDict):
    """What a check that needs no model found: `name`, whether it held, and what differs."""

    name: str
    passed: bool
    detail: str


class SourceVerdict(TypedDict):
    """What is thought of one source that a claim cites, and why; `documents`: its passages that were looked at."""

    mark: str
    title: str
    url: str
    outcome: SourceOutcome
    documents: list[str]
    justification: str


Against = Literal["contexts", "corpus", "both"]
"""What an answer is to be judged against: the passages that the model was given, the corpus, or each apart."""
Basis = Literal["contexts", "corpus", "both", "repository"]
"""What it was judged against; where there is neither, its paths and names against the repository alone."""

Cause = Literal["made_up", "not_retrieved", "wrong_context"]
"""Why a claim fails where it is judged against both.

`made_up`: neither says so; `not_retrieved`: the corpus does, and the contexts do not; `wrong_context`: the contexts do,
and the corpus says otherwise.
"""
CAUSES: tuple[Cause, ...] = ("made_up", "not_retrieved", "wrong_context")


class Verdict(TypedDict):
    """What is thought of one claim; exactly one per `claim_id`.

    `doubt`: chance that the claim is unsupported, calibrated on whole answers; None where it was not calibrated.
    `known`: figures of the claim that need no evidence. `before`: label that the first of two verifiers gave, where the
    second judged. `request_id`: what the model's provider calls the request that it came from.
    """

    claim: str
    label: Label
    justification: str
    claim_id: NotRequired[str]
    reason: NotRequired[Reason]
    documents: NotRequired[list[str]]
    quote: NotRequired[str]
    scores: NotRequired[dict[str, float]]
    checks: NotRequired[list[Check]]
    known: NotRequired[dict[str, str]]
    sources: NotRequired[list[SourceVerdict]]
    cause: NotRequired[Cause]
    doubt: NotRequired[Share | None]
    before: NotRequired[Label]
    checked_by: NotRequired[str]
    request_id: NotRequired[str]
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
    reading: NotRequired[ReadingCounts]
    integrity: Integrity
    problems: list[dict[str, Any]]
    unchecked_claims: list[str]


class Estimate(TypedDict):
    """What verifying a run's claims may cost on the model; made when the claims are known, and their evidence is not.

    `least` is for input and output together, where the evidence is short. `left` is what the run's budget still holds,
    None without one; `stopped`: not even the least fits, so no claim is checked.
    """

    calls: int
    input: int
    output: int
    dollars: float | None
    least: int
    left: int | None
    stopped: bool


class ReviewWanted(TypedDict):
    """Whether a run waits for a person, and for how many seconds at most."""

    wanted: bool
    limit_s: int


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
    """What agents hand on: every key that a line of the catalogue reads or writes, and no other."""

    submission: dict[str, Any]
    config: dict[str, Any]
    transcript: dict[str, Any]
    contexts: list[Document]
    segment: dict[str, Any] | None
    artifacts: dict[str, Any]
    policy: dict[str, Any]
    has: dict[str, bool]
    claims: list[Claim]
    non_claims: list[NonClaim]
    reading: ReadingCounts
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
    review: ReviewWanted
    report: dict[str, Any]
    batch: dict[str, Any]


REVIEW_RISK, BLOCK_RISK = 0.18, 0.25
"""Where `review_risk` and `block_risk` begin when a policy does not say; chosen by `training.fit_risk`."""
BLOCK_DOUBT, DOUBT_A_CLAIM, MOST_DOUBT = 0.15, 0.02, 0.4
"""The default policy blocks by risk where one claim at least is as doubtful as the first, and as the second for each
claim of the answer, up to the third: of many claims one is doubtful by chance, so such an answer is reviewed."""
NO_SUPPORT = 0.3
"""An unsupported claim whose probability of being supported lies below this is reviewed, whatever the risk."""
ON_LABELS = ("unsupported", "weakly_supported", "max_unsupported_share", "max_weak_share")
"""Keys of a policy that have the labels decide."""

PolicyName = Annotated[str, Field(max_length=200)]


class Policy(Frozen):
    """When an answer passes. A small YAML or JSON document; every key is optional.

    Shares are of all claims, unchecked ones included. Each field names the condition; its value is what it leads to
    or where it begins. `findings` says it for each detective that finds something no other field is about.
    By default the answer's risk decides. Where a key of `ON_LABELS` is set the labels do, as where there is no risk;
    the risk stays beside them where one of its own two keys is set.
    Above 0 `review_hours` has a `review` wait so long for a person; then it is `review_fallback`. With `four_eyes` two
    people must agree before it passes.
    """

    name: PolicyName = "default"
    version: PolicyName = "1"
    combine: Literal["strict", "majority", "soft"] = "strict"
    contradicted: Outcome = "block"
    review_risk: Share | None = None
    block_risk: Share | None = None
    unsupported: Outcome | None = None
    weakly_supported: Outcome | None = None
    failed_check: Outcome = "review"
    unchecked: Literal["review", "block"] = "review"
    no_claims: Literal["review", "block"] = "review"
    unread: Literal["review", "block"] = "review"
    integrity_failed: Literal["review", "block"] = "block"
    evidence_failed: Literal["review", "block"] = "review"
    missing_path: Outcome = "block"
    doubtful_path: Outcome = "review"
    missing_name: Outcome = "block"
    doubtful_name: Outcome = "review"
    vision_conflict: Outcome = "review"
    low_grounding: Outcome = "review"
    not_backed: Outcome = "review"
    unknown_source: Outcome = "review"
    unresolved_source: Outcome = "pass"
    findings: dict[str, Outcome] = {}
    min_grounding: Share = 0.0
    max_unsupported_share: Share | None = None
    max_weak_share: Share | None = None
    review_hours: Annotated[float, Field(ge=0, le=MOST_REVIEW_HOURS, strict=True)] = 0
    review_fallback: Literal["review", "block"] = "review"
    four_eyes: bool = False

    @field_validator("findings")
    @classmethod
    def _names_detectives(cls, findings: dict[str, Outcome]) -> dict[str, Outcome]:
        for source in findings:
            if source not in SOURCES:
                message = "{source} is no detective: " + ", ".join(SOURCES)
                raise PydanticCustomError("no_detective", message, {"source": source[:40]})
        return findings
