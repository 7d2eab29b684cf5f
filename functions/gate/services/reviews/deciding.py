"""A person's decision: whether it counts, what it overrules, and that the run goes on with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, NamedTuple, cast

from gate import wiring
from gate.decision.policy import NEVER_PASS
from gate.errors import ExpiredError, InputError
from gate.model import LABELS, Label
from gate.reports.model import Report
from gate.services.reviews.label_rows import checked_label, rows
from gate.services.reviews.review_queue import changed, known, moment
from gate.services.trail.acts import ReviewStep, reviewed
from gate.services.trail.proofs import stored_report
from gate.text.encodable import encodable
from gate.text.visible import one_line
from gate.trail.review_items import COMMENT_CHARS, NAME_CHARS, ClaimMark, PersonDecision, ReviewItem, person


class Decided(NamedTuple):
    """A review after somebody decided; `goes_on`: its run waited for that, and goes on."""

    item: ReviewItem
    goes_on: bool


def decide(
    run: str,
    tenant: str | None,
    reviewer: str,
    outcome: Literal["pass", "block"],
    comment: str = "",
    marks: Mapping[str, str] | None = None,
) -> Decided:
    """Let `reviewer` pass or block a run that waits, and give claims of it other labels.

    Args:
        tenant: of the caller; None: of any.
        comment: needed where the gate is overruled.
        marks: labels by claim; `right` is the gate's own.

    Raises:
        NoReviewError: there is none for this tenant.
        ExpiredError: it is over; nothing has changed.
        ConflictError: this person has decided already, or passes what they submitted where four eyes are asked.
        InputError: a comment is missing, a name or a comment cannot be read, or a mark does not fit.
    """
    _refuse_unreadable(comment)
    refuse_name(reviewer)
    item = known(run, tenant)
    _refuse_late(item, reviewer)
    report = _report(run)
    now = moment()
    if report.failure and outcome == "pass":
        raise InputError("its run has failed, and nobody can read what would pass", hint="redrive it")
    made = tuple(_marks(report, marks or {}, reviewer, now))
    objected = any(reason.rule not in NEVER_PASS for reason in item.reasons)
    overrules = (outcome == "pass" and objected) or any(mark.label != mark.given for mark in made)
    if overrules and not comment.strip():
        raise InputError("a comment is needed: this overrules what the gate found")
    decision = PersonDecision(reviewer=reviewer, outcome=outcome, comment=comment, overrules=overrules, at=now)
    if item.four_eyes and outcome == "pass" and person(reviewer) == person(item.submitter):
        reviewed(item, "refused", reviewer)
    item.decided_by(decision, made)
    step: ReviewStep = "overruled" if overrules else "approved" if outcome == "pass" else "blocked"
    reviewed(item, step, reviewer, outcome=outcome, marks=len(made))
    after = changed(run, lambda item: item.decided_by(decision, made) if item.is_open(moment()) else item)
    if decision not in after.decisions:
        _refuse_late(after, reviewer)
    kept = None
    while after.marks and after.marks != kept:  # who decides beside this one may have kept theirs before these are
        _keep_labels(report, after)
        kept, after = after.marks, known(run, tenant)
    is_settled = after.state == "decided"
    return Decided(after, is_settled and wiring.current().runs().answer(after.token))


def assign(run: str, tenant: str | None, assignee: str, by: str) -> ReviewItem:
    """Name who is to look at a review; empty: anybody. Who else may decide still may.

    Raises:
        NoReviewError: there is none for this tenant.
        ExpiredError: it is over.
        InputError: that is no name of a person.
    """
    if assignee:
        refuse_name(assignee)
    item = known(run, tenant)
    _refuse_late(item, by)
    reviewed(item, "assigned", by)
    return changed(run, lambda item: item.model_copy(update={"assignee": assignee}))


def refuse(run: str, tenant: str | None, reviewer: str) -> None:
    """Write down that somebody was refused who may not review.

    Raises:
        NoReviewError: there is none for this tenant.
    """
    reviewed(known(run, tenant), "refused", reviewer)


def labels_key(run: str) -> str:
    """Where the labels of a review lie: with the report, and they go with it."""
    return f"reports/{run}/labels.jsonl"


def refuse_name(reviewer: str) -> None:
    """Refuse what names nobody, or cannot be shown in a line.

    Raises:
        InputError: it is no name.
    """
    if not person(reviewer):
        raise InputError("who decides is not named")
    if len(reviewer) > NAME_CHARS or one_line(reviewer) != reviewer:
        raise InputError("that is no name of a person")


def _refuse_unreadable(comment: str) -> None:
    if len(comment) > COMMENT_CHARS:
        raise InputError(f"the comment has more than {COMMENT_CHARS} characters")
    if not encodable(comment):
        raise InputError("the comment is no text in UTF-8")


def _refuse_late(item: ReviewItem, reviewer: str) -> None:
    if item.is_open(moment()):
        return
    reviewed(item, "late", reviewer)
    wiring.current().runs().answer(item.token)  # who decided may have died before that, or the run was begun again late
    by = " and ".join(decision.reviewer for decision in item.decisions)
    how = f"it was decided ({item.outcome}) by {by}" if item.state == "decided" else f"its time was over {item.until}"
    raise ExpiredError(f"the review is over: {how}; nothing has changed")


def _report(run: str) -> Report:
    data = stored_report(run)
    if data is None:
        raise ExpiredError("the report of that run is not there any more")
    return Report.model_validate_json(data)


def _marks(report: Report, marks: Mapping[str, str], reviewer: str, now: str) -> list[ClaimMark]:
    given = {claim.claim_id: str(claim.status) for claim in report.claims}
    found = []
    for claim_id, said in marks.items():
        label = checked_label(report, claim_id, given.get(claim_id, "") if said == "right" else said)
        if not label:
            raise InputError(f"{claim_id}: that is no label", hint=", ".join(LABELS))
        found.append(
            ClaimMark(
                run=report.run_id,
                claim_id=claim_id,
                given=given[claim_id],
                label=cast("Label", label),
                reviewer=reviewer,
                at=now,
            )
        )
    return found


def _keep_labels(report: Report, item: ReviewItem) -> None:
    """The marks as labelled rows, as `gate label` writes them: one for each person and claim."""
    lines, comments = [], {decision.reviewer: decision.comment for decision in item.decisions}
    for mark in item.marks:
        by = {"reviewer": mark.reviewer, "comment": comments[mark.reviewer], "at": mark.at}
        found = rows(report, {mark.claim_id: mark.label})
        lines += [json.dumps({**row, **by}, ensure_ascii=False) for row in found]
    data = "".join(f"{line}\n" for line in lines).encode()
    wiring.current().blob_store().put(labels_key(item.run), data, content_type="application/jsonl")
