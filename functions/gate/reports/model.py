"""The report: one value that every format is made from. Its JSON Schema is `docs/schemas/report.schema.json`.

Texts in it are shown texts: personal data is replaced, and every offset points into the text as it stands here.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from gate.model import (
    Accounting,
    Basis,
    Cause,
    Check,
    Decision,
    Frozen,
    Integrity,
    Label,
    NonClaimReason,
    NotRead,
    Outcome,
    Reason,
    Role,
    SourceOutcome,
)
from gate.trail.review_items import PersonDecision, ReviewState

Status = Literal["supported", "weakly_supported", "unsupported", "unchecked"]
STATUSES: tuple[Status, ...] = ("unsupported", "unchecked", "weakly_supported", "supported")
"""From the worst to the best; `unchecked`: we could not tell."""

StageStatus = Literal["ran", "skipped", "failed"]


class Stretch(Frozen):
    """Characters `start` to `end` of a text of this report."""

    start: int
    end: int


class Replaced(Stretch):
    """A token that stands for personal data; `kind` says of which sort."""

    kind: str
    rule: str


class ReportTurn(Frozen):
    """One message of the transcript."""

    role: Role
    content: str
    redactions: tuple[Replaced, ...] = ()


class ReportSource(Frozen):
    """A source that a claim cites, and what is thought of it; `passages`: those of it that were looked at, as keys."""

    mark: str
    title: str
    url: str
    outcome: SourceOutcome
    passages: tuple[str, ...]
    justification: str


class ReportClaim(Frozen):
    """A claim in its place, and what was found about it.

    Attributes:
        turn, start, end: where it stands: `turns[turn].content[start:end]`.
        status: the label, or `unchecked` when we could not tell; then `label` is what a fallback wrote, or None.
        passages: every passage that was looked at, best first; keys of the report's `passages`.
        deciding: the passages that the verdict rests on.
        quote: words of the first deciding passage; `quoted` is where they stand in it.
        scores: a probability per label, where the model gives them.
        sources: what it cites; judged apart from the claim.
        doubt: chance that the claim is unsupported, calibrated on whole answers; None where it was not calibrated.
        known: figures that need no evidence, and how each is known: `as asked`, or the sum that it comes from.
        before: label that the first of two verifiers gave, where the second judged.
        cause: why it fails, where it was judged against contexts and corpus both.
        checked_by: model or rule, with version.
    """

    claim_id: str
    text: str
    turn: int
    start: int
    end: int
    status: Status
    label: Label | None
    reason: Reason | None
    justification: str
    passages: tuple[str, ...]
    deciding: tuple[str, ...]
    quote: str
    quoted: Stretch | None
    scores: dict[str, float]
    checks: tuple[Check, ...]
    sources: tuple[ReportSource, ...] = ()
    doubt: float | None = None
    known: dict[str, str] = {}
    before: Label | None = None
    cause: Cause | None = None
    checked_by: str


class ReportNonClaim(Stretch):
    """A sentence that states nothing to check: `turns[turn].content[start:end]`, and why."""

    turn: int
    reason: NonClaimReason


class Passage(Frozen):
    """A passage of the corpus that was looked at."""

    content: str
    title: str | None = None
    section: str | None = None
    url: str | None = None
    published_date: str | None = None
    source: str | None = None


class Stage(Frozen):
    """A part of the pipeline: whether it ran, was not asked for, or failed.

    `detail`: what failed and why; `errors`: the classes of what it failed with.
    """

    name: str
    status: StageStatus
    detail: str = ""
    errors: tuple[str, ...] = ()


class ModelCost(Frozen):
    """Calls of the model, and the tokens that it read and wrote.

    `dollars`: by list price; None where the model's price is not known.
    """

    calls: int
    input: int
    output: int
    dollars: float | None


class TwoVerifiers(Frozen):
    """How two verifiers in a row shared the claims.

    `first`: claims that the first one was sure of, so many calls saved; `second`: claims that the second one judged;
    `changed`: of those, the ones whose label it changed; `dollars`: saved, at what the second one's calls cost.
    """

    first: int
    second: int
    changed: tuple[str, ...]
    dollars: float | None


class Failed(Frozen):
    """Why a run has no decision: the class of the error, and its safe message."""

    error: str
    message: str = ""


class ReportReview(Frozen):
    """What a person was asked, and decided.

    Attributes:
        gate: outcome that the policy gave.
        since, until: times (UTC) between which it can be decided.
        outcome: what people, or the time, have made of it; None while it waits.
    """

    gate: Outcome
    state: ReviewState
    since: str
    until: str
    four_eyes: bool
    outcome: Outcome | None
    decisions: tuple[PersonDecision, ...]


class FileLeftOut(Frozen):
    """A file of the corpus's folder, or a line of one, that is not in the corpus, and why."""

    where: str
    why: str


class CorpusGaps(Frozen):
    """What of a folder is not in the corpus that was made of it.

    Attributes:
        files, of, bytes: files left out, of how many, and their bytes; hidden and empty ones count for nothing.
        sentence: says so, by reason; empty where none count.
        notable: more than a tenth of the files or bytes: to be said first.
        names: of them, hidden and empty ones too, 1,000 at most.
    """

    files: int
    of: int
    bytes: int
    sentence: str
    notable: bool
    names: tuple[FileLeftOut, ...]


class Report(Frozen):
    """Everything that a run found.

    Attributes:
        outcome: the decision's, or `error` for a run that failed; never `pass` for one that could not tell.
        writer: the model that wrote the answer, where the record says so. `against`: what it was judged against.
        risk: chance that a claim of those checked is unsupported; None where nothing was checked, or a verdict came
            without a calibrated probability: then the labels decide.
        integrity: claims in = verdicts out, of `accounting`; FAILED for a failed run.
        pipeline_integrity: the evidence aggregator's own; None where no artifacts were submitted.
        not_read: what of the submission was not read, by kind.
        corpus_gaps: what of the corpus's folder is not in the corpus; None where all of it is, or nobody knows.
        evidences: what the detectives found, by source.
        causes: why claims are unchecked: classes of errors, with how many claims or branches of claims met each.
        usage: what the model reported to have spent, summed over the verdicts.
        estimate: what verifying the claims was expected to cost before their evidence was looked for; None where the
            verifier costs nothing. `spent`: what it did cost, claims read by a model aside.
        verifiers: who judged what, where there are two.
        budget_left: tokens that the run's budget held then; None without a budget.
        redaction: the rules by which personal data was replaced.
        review: what a person was asked and decided, where the policy has one asked.
        marks: labels that people gave its claims, by claim id (`gate label --mark`, or in a review).
        seconds: that the run took, by the clock of whoever ran it; in no JSON, which is the same for the same run.
    """

    schema_version: Literal["1"] = "1"
    run_id: str
    created_at: str
    gate_version: str
    name: str
    writer: str = ""
    against: Basis = "corpus"
    outcome: Outcome | Literal["error"]
    decision: Decision | None
    risk: float | None = None
    failure: Failed | None = None
    accounting: Accounting | None
    integrity: Integrity
    pipeline_integrity: Integrity | None
    turns: tuple[ReportTurn, ...]
    claims: tuple[ReportClaim, ...]
    non_claims: tuple[ReportNonClaim, ...]
    not_read: tuple[NotRead, ...] = ()
    passages: dict[str, Passage]
    evidences: dict[str, list[dict[str, Any]]]
    citations: list[dict[str, Any]]
    corpus: dict[str, Any]
    corpus_gaps: CorpusGaps | None = None
    stages: tuple[Stage, ...]
    causes: dict[str, int] = {}
    usage: dict[str, int]
    estimate: ModelCost | None = None
    spent: ModelCost | None = None
    verifiers: TwoVerifiers | None = None
    budget_left: int | None = None
    redaction: str
    review: ReportReview | None = None
    marks: dict[str, Label] = {}
    seconds: SkipJsonSchema[float | None] = Field(default=None, exclude=True)

    @property
    def passed(self) -> bool:
        """Whether the policy lets the answer pass; False for `review`, `block` and a run that failed."""
        return self.outcome == "pass"

    def show(self) -> None:
        """Print the claims, what was found about each, and the decision."""
        from rich.console import Console

        from gate.reports import table_report

        width = None if Console().is_terminal else table_report.WIDTH
        table_report.show(self, Console(width=width, highlight=False))

    def to_html(self) -> str:
        """Return the report as one page: every claim in its place beside the passage that decided it."""
        from gate.reports import render

        return render(self, "html").data.decode()

    def __repr__(self) -> str:
        """One line, for a prompt or a failed assertion: never the whole answer."""
        from gate.reports import wording

        return f"<Report {wording.headline(self)}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """The page, in a frame of its own: a notebook's styles and the report's do not meet."""
        from html import escape

        page = escape(self.to_html())
        return f'<iframe sandbox srcdoc="{page}" title="report" style="width:100%;height:40rem;border:0"></iframe>'
