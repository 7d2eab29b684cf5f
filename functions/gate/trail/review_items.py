"""A run that waits for a person, and what people decide of it. Pure: the outcome follows from the decisions alone."""

from __future__ import annotations

import unicodedata
from typing import Literal

from gate.errors import ConflictError, InputError
from gate.model import Frozen, Label, Outcome

ReviewState = Literal["waiting", "decided", "timed_out"]
COMMENT_CHARS = 2_000
MOST_MARKS_BYTES = 350_000
"""Of all marks of a review: an item of DynamoDB has 400 KiB."""
NAME_CHARS = 1_000
"""Of who decides; ARNs of users have up to some 600."""


def person(name: str) -> str:
    """What tells people apart: a name, however it is typed: in capitals, wide letters, with unseen characters."""
    seen = (
        mark for mark in unicodedata.normalize("NFKC", name) if mark.isspace() or unicodedata.category(mark)[0] != "C"
    )
    return " ".join("".join(seen).casefold().split())


class ReviewReason(Frozen):
    """A rule of the policy that asked for the review, and what it said."""

    rule: str
    message: str


class PersonDecision(Frozen):
    """What one person decided.

    Attributes:
        reviewer: as the entrance verified them; on this machine the name that they gave.
        overrules: passes what a rule objected to, or gives a claim another label than the gate did.
        at: time (UTC).
    """

    reviewer: str
    outcome: Literal["pass", "block"]
    comment: str
    overrules: bool
    at: str


class ClaimMark(Frozen):
    """The label that a person who decides gives a claim, beside the gate's own (`given`: a label, or `unchecked`)."""

    run: str
    claim_id: str
    given: str
    label: Label
    reviewer: str
    at: str


class ReviewItem(Frozen):
    """A run that waits, or waited.

    Attributes:
        tenant: whose it is; empty: nobody's.
        submitter: who started the run, as the entrance verified them; empty: nobody knows.
        since, until: times (UTC) between which it can be decided.
        reasons: why the gate asks, gravest first.
        assignee: who is to look; empty: anybody.
        fallback: what it is where nobody has decided in time.
        four_eyes: two people must agree before it passes.
        state: `waiting`, `decided`, or `timed_out`.
        outcome: what people, or the time, have made of it; None while it waits.
        token: lets the run go on; told to nobody.
    """

    run: str
    tenant: str = ""
    submitter: str = ""
    since: str
    until: str
    reasons: tuple[ReviewReason, ...]
    assignee: str = ""
    fallback: Literal["review", "block"] = "review"
    four_eyes: bool = False
    state: ReviewState = "waiting"
    outcome: Outcome | None = None
    decisions: tuple[PersonDecision, ...] = ()
    marks: tuple[ClaimMark, ...] = ()
    token: str = ""

    @property
    def labels(self) -> dict[str, Label]:
        """By claim the label that the last person to mark it gave."""
        return {mark.claim_id: mark.label for mark in self.marks}

    @property
    def is_overruled(self) -> bool:
        """Whether somebody who decided overruled the gate."""
        return any(decision.overrules for decision in self.decisions)

    def is_open(self, now: str) -> bool:
        """Whether it can be decided."""
        return self.state == "waiting" and now < self.until

    def decided_by(self, decision: PersonDecision, marks: tuple[ClaimMark, ...]) -> ReviewItem:
        """The item once a person has decided: a `block` settles it, and so does the `pass` of as many as must agree.

        Raises:
            ConflictError: this person has decided already, or passes what they submitted where four eyes are asked.
            InputError: there are too many marks.
        """
        if person(decision.reviewer) in {person(earlier.reviewer) for earlier in self.decisions}:
            hint = "somebody else must agree before it passes"
            raise ConflictError(f"{decision.reviewer} has decided already", hint=hint)
        if self.four_eyes and decision.outcome == "pass" and person(decision.reviewer) == person(self.submitter):
            raise ConflictError("who submitted it cannot pass it: four eyes are asked", hint="somebody else must")
        decisions = (*self.decisions, decision)
        if sum(len(mark.model_dump_json().encode()) for mark in (*self.marks, *marks)) > MOST_MARKS_BYTES:
            raise InputError("those are more marks than a review holds", hint="leave out some of them")
        done: dict[str, object] = {"decisions": decisions, "marks": (*self.marks, *marks)}
        if decision.outcome == "block" or len(decisions) == (2 if self.four_eyes else 1):
            done |= {"state": "decided", "outcome": decision.outcome}
        return self.model_copy(update=done)

    def timed_out(self) -> ReviewItem:
        """The item once its time is over."""
        return self.model_copy(update={"state": "timed_out", "outcome": self.fallback})
