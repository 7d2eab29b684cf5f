"""Which corrections of a report can be made in its answer, and what is left to do by hand.

Only a figure that the report offers is put in, only where it stands in the answer as it is read, and only where no
check then finds a difference. Each turn is read again with its edits: every other sentence must read as before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

from gate.decision.checks import run_checks
from gate.decision.coverage import uncovered
from gate.errors import InputError
from gate.reports import advice
from gate.reports.corrected.edits import Edit
from gate.reports.corrected.turns import EditedTurn, Planned, mended
from gate.reports.model import Report, ReportClaim

Unsupported = Literal["leave", "strike", "remove"]
"""What can become of sentences that no passage supports."""
FIGURES = frozenset({"dates", "multiples", "numbers", "percentages", "currencies", "times", "units"})
LOOK = "Look at it: the decision names it."
ELSEWHERE = "it is not a sentence of the answer as it is shown"
FORMATTED = "formatting, a mark or personal data stands within the figure"
OTHERWISE = "the answer would read otherwise in another place"
MEETING = "another edit meets it"
SHARED = "another claim stands in the same words"
STILL = "with it something would still differ: {}"
BARE = "nothing but formatting would be left of its line"


@dataclass(frozen=True, slots=True)
class Corrected:
    """What is edited, and what is not.

    Attributes:
        edits: in the order of the answer.
        left: the claims that a person has to look at, the worst first, each with what there is to do.
        beside: of claims with a corrected figure, the words that no passage has all the same.
    """

    edits: tuple[Edit, ...]
    left: tuple[tuple[ReportClaim, str], ...]
    beside: Mapping[str, tuple[str, ...]]


def correct(report: Report, *, only: Collection[str] = (), unsupported: Unsupported = "leave") -> Corrected:
    """Return the edits that a report's answer can be given.

    Args:
        only: ids of the claims to edit; empty: all of them.
        unsupported: what becomes of sentences that are unsupported and have no correction.

    Raises:
        InputError: the claims do not fit the text of the report, or it has no claim of an id.
    """
    _refuse_misfits(report, only)
    problems = advice.problems(report)
    work = _Corrections(report)
    work.plan([claim for claim in problems if not only or claim.claim_id in only], unsupported)
    edits = work.settled()
    edited = {claim_id for edit in edits for claim_id in edit.claims}
    left = [(claim, work.to_do(claim)) for claim in problems if claim.claim_id not in edited]
    corrected = {claim_id for edit in edits if edit.kind == "correct" for claim_id in edit.claims}
    beside = {claim.claim_id: work.beside(claim) for claim in problems if claim.claim_id in corrected}
    return Corrected(tuple(edits), tuple(left), beside)


def _refuse_misfits(report: Report, only: Collection[str]) -> None:
    known = {claim.claim_id for claim in report.claims}
    hint = "check the answer again"
    if unknown := [claim_id for claim_id in only if claim_id not in known]:
        raise InputError(f"{unknown[0]}: the report has no claim of that id")
    if len(known) < len(report.claims):
        raise InputError("two claims of the report have one id", hint=hint)


class _Corrections:
    """Plans edits, and keeps why one cannot be made."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._planned: list[Planned] = []
        self._why: dict[str, str] = {}
        self._turns: dict[int, EditedTurn] = {}
        asked = accumulate(report.turns, lambda last, turn: turn.content if turn.role == "user" else last, initial="")
        self._prompts = list(asked)

    def plan(self, claims: Sequence[ReportClaim], unsupported: Unsupported) -> None:
        """Plan what can be edited for some claims."""
        out: list[ReportClaim] = []
        for claim in sorted(claims, key=lambda claim: (claim.turn, claim.start)):
            offered = advice.figures(claim, self._report)
            to_go = claim.status == "unsupported" and unsupported != "leave"
            if not offered and not to_go:
                continue
            if not self._turn(claim.turn).reads(claim):
                self._why[claim.claim_id] = ELSEWHERE
            elif offered:
                self._plan_figures(claim)
            else:
                out.append(claim)
        self._plan_sentences(out, unsupported)

    def settled(self) -> list[Edit]:
        """The edits that leave everything else as it reads, in the order of the answer."""
        by_turn: dict[int, list[Planned]] = {}
        for one in self._apart():
            by_turn.setdefault(one.edit.turn, []).append(one)
        found = []
        for number, planned in by_turn.items():
            right = self._turn(number).right_ones(planned)
            made = {one.edit.claims for one in right}
            for one in planned:
                if one.edit.claims not in made:
                    self._refuse(one.edit.claims, OTHERWISE)
            found += [one.edit for one in right]
        return found

    def to_do(self, claim: ReportClaim) -> str:
        """What a person has to do about a claim that is not edited, and why it is not where it could be."""
        to_do, why = advice.to_do(claim, self._report) or LOOK, self._why.get(claim.claim_id)
        return f"{to_do} Not done here: {why}." if why else to_do

    def beside(self, claim: ReportClaim) -> tuple[str, ...]:
        """The words of a corrected claim that no passage has."""
        text = self._mended(claim)
        gaps = uncovered(text, self._evidence(claim)) if claim.status in advice.MARKED else []
        return tuple(text[start:end] for start, end in gaps)

    def _plan_figures(self, claim: ReportClaim) -> None:
        offered = advice.figures(claim, self._report)
        checks = run_checks(self._mended(claim), self._evidence(claim), claim.known)
        differ = [check["detail"] for check in checks if check["name"] in FIGURES and not check["passed"]]
        planned = self._turn(claim.turn).figures(claim, offered)
        if differ:
            self._why[claim.claim_id] = STILL.format("; ".join(differ))
        elif planned is None:
            self._why[claim.claim_id] = FORMATTED
        else:
            changes = tuple(
                replace(change, passage=self._passage_with(change.sentence, claim)) for change in planned.edit.changes
            )
            self._planned.append(replace(planned, edit=replace(planned.edit, changes=changes)))

    def _plan_sentences(self, claims: Sequence[ReportClaim], how: Unsupported) -> None:
        shared = _sharing(self._report.claims)
        alone = [claim for claim in claims if claim.claim_id not in shared]
        self._why |= {claim.claim_id: SHARED for claim in claims if claim.claim_id in shared}
        if how == "strike":
            self._planned += [self._turn(claim.turn).struck(claim) for claim in alone]
            return
        groups: list[list[ReportClaim]] = []
        for claim in alone:
            last = groups[-1][-1] if groups else None
            if last and last.turn == claim.turn and self._turn(claim.turn).follows(claim, last):
                groups[-1].append(claim)
            else:
                groups.append([claim])
        for group in groups:
            planned = self._turn(group[0].turn).without(group)
            if planned is None:
                self._refuse([claim.claim_id for claim in group], BARE)
            else:
                self._planned.append(planned)

    def _apart(self) -> list[Planned]:
        """The edits that do not meet, in order; those that are one and the same become one."""
        found: list[Planned] = []
        for one in sorted(self._planned, key=lambda one: (one.edit.turn, one.edit.start, one.edit.end)):
            last = found[-1] if found else None
            if last is None or last.edit.turn != one.edit.turn or last.edit.end <= one.edit.start:
                found.append(one)
            elif [change.start for change in last.edit.changes] == [change.start for change in one.edit.changes] and (
                last.reads == one.reads
            ):
                claims = (*last.edit.claims, *one.edit.claims)
                found[-1] = replace(last, edit=replace(last.edit, claims=claims))
            else:
                self._refuse(one.edit.claims, MEETING)
        return found

    def _refuse(self, claims: Sequence[str], why: str) -> None:
        self._why |= dict.fromkeys(claims, why)

    def _mended(self, claim: ReportClaim) -> str:
        return mended(claim.text, advice.figures(claim, self._report))

    def _evidence(self, claim: ReportClaim) -> list[str]:
        return [self._report.passages[key].content for key in claim.passages if key in self._report.passages]

    def _passage_with(self, sentence: str, claim: ReportClaim) -> str:
        passages = self._report.passages
        return next((key for key in claim.passages if key in passages and sentence in passages[key].content), "")

    def _turn(self, number: int) -> EditedTurn:
        if number not in self._turns:
            self._turns[number] = EditedTurn(self._report.turns[number], number, self._prompts[number])
        return self._turns[number]


def _sharing(claims: Sequence[ReportClaim]) -> set[str]:
    """Claims in whose words another one stands that is not unsupported, or that cannot go with them."""
    found: set[str] = set()
    ordered = sorted(claims, key=lambda claim: (claim.turn, claim.start, claim.end))
    group: list[ReportClaim] = []
    end = 0
    for claim in [*ordered, None]:
        if claim is not None and group and claim.turn == group[0].turn and claim.start < end:
            group.append(claim)
            end = max(end, claim.end)
            continue
        if len(group) > 1:
            found |= {one.claim_id for one in group}
        if claim is not None:
            group, end = [claim], claim.end
    return found
