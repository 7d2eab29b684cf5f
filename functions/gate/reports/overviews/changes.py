"""What changed between two reports of an answer, and why: the decision, its claims, what was found in a repository."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile, zip_longest
from typing import Literal

from gate.model import OUTCOMES, DecisionReason, Outcome
from gate.reports import wording
from gate.reports.findings import objections, subject
from gate.reports.model import STATUSES, Report, ReportClaim

Kind = Literal["changed", "reworded", "new", "gone"]
KINDS: tuple[Kind, ...] = ("changed", "reworded", "new", "gone")

ALIKE = 0.5
"""Share of the words of both, at least, that a claim and its rewording have in common."""
NEAR = 8
"""Claims that are gone, at one place of an answer, with which a new one there is compared."""
GRAVEST: tuple[str, ...] = (*OUTCOMES, "error")
SOUND = ("backed", "unresolved")


@dataclass(frozen=True, slots=True)
class ClaimChange:
    """A claim that is not as it was.

    Attributes:
        before, now: None where it is new, or gone.
        worse: it has a worse label, a check or a source that fails; or it is new and not supported.
        why: sentences, the most likely cause first.
    """

    kind: Kind
    before: ReportClaim | None
    now: ReportClaim | None
    worse: bool
    why: tuple[str, ...]

    @property
    def claim(self) -> ReportClaim:
        """As it is now, or as it was last."""
        found = self.now or self.before
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class FindingChange:
    """Something that the decision objects to in a repository or document, and did not before, or less, or no more."""

    about: str
    outcome: Outcome
    message: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed from one report to another; one of the two is None where there is none of that name.

    Attributes:
        claims: the worst first.
        found, settled: of what detectives found; `reasons`, `dropped`: of the policy, now and no more.
        causes: what else was another: answer, corpus, policy, verifier.
        same: claims that are as they were.
    """

    name: str
    before: Report | None
    now: Report | None
    claims: tuple[ClaimChange, ...]
    found: tuple[FindingChange, ...]
    settled: tuple[FindingChange, ...]
    reasons: tuple[DecisionReason, ...]
    dropped: tuple[DecisionReason, ...]
    causes: tuple[str, ...]
    same: int

    @property
    def outcomes(self) -> tuple[str, str]:
        """The decisions, before and now; empty where there is no report."""
        return (self.before.outcome if self.before else "", self.now.outcome if self.now else "")

    @property
    def graver(self) -> bool:
        """Whether the decision is a graver one; of a new answer, whether it is not to pass."""
        before, now = (GRAVEST.index(each) if each else 0 for each in self.outcomes)
        return now > before

    @property
    def worse(self) -> bool:
        """Whether anything is worse: the decision, a claim, a finding, something about the answer as a whole."""
        whole = any(one["outcome"] != "pass" and not (one["claims"] or one["evidence"]) for one in self.reasons)
        return self.graver or bool(self.found) or whole or any(each.worse for each in self.claims)

    @property
    def any(self) -> bool:
        """Whether anything that a reader acts on is another."""
        others = (self.claims, self.found, self.settled, self.reasons, self.dropped)
        return self.outcomes[0] != self.outcomes[1] or any(others)

    def of(self, kind: Kind) -> list[ClaimChange]:
        """The changes of a kind, the worst first."""
        return [each for each in self.claims if each.kind == kind]


def paired(before: Sequence[Report], now: Sequence[Report]) -> list[Changes]:
    """Set reports side by side by the names of their answers, those of one name in their order; one of each: as given.

    Where no name is on both sides, names count from the folder on that all answers of a side share: `before/a.md` is
    set beside `after/a.md`. Those that changed for the worse come first.
    """
    if len(before) == len(now) == 1:
        return [changes(before[0], now[0])]
    waiting: dict[str, tuple[list[Report], list[Report]]] = {}
    both = {report.name for report in before} & {report.name for report in now}
    for side, reports in enumerate((before, now)):
        shared = "" if both else _shared_folder(reports)
        for report in reports:
            waiting.setdefault(report.name.removeprefix(shared), ([], []))[side].append(report)
    found = [changes(*pair) for lists in waiting.values() for pair in zip_longest(*lists)]
    return sorted(found, key=lambda one: (not one.graver, not one.worse, not one.any))


def _shared_folder(reports: Sequence[Report]) -> str:
    folders = zip(*(report.name.split("/")[:-1] for report in reports), strict=False)
    return "".join(f"{parts[0]}/" for parts in takewhile(lambda parts: len(set(parts)) == 1, folders))


def changes(before: Report | None, now: Report | None) -> Changes:
    """Return what changed. Claims are known again by their words, of those that say the same by their order; one whose
    words changed is known by its place between others and half of its words."""
    matched, without, lost = _matched(before, now)
    reworded, new, gone = _reworded(without, lost)
    changed = [pair for pair in matched if _state(pair[0]) != _state(pair[1])]
    claims = [
        *(_change("changed", *pair, before, now) for pair in changed),
        *(_change("reworded", *pair, before, now) for pair in reworded),
        *(_change("new", None, each, before, now) for each in new),
        *(_change("gone", each, None, before, now) for each in gone),
    ]
    earlier, later = _findings(before), _findings(now)
    was, are = _reasons(before), _reasons(now)
    return Changes(
        name=next((each.name for each in (now, before) if each), ""),
        before=before,
        now=now,
        claims=tuple(sorted(claims, key=_gravity)),
        found=tuple(each for key, each in later.items() if key not in earlier or _is_graver(each, earlier[key])),
        settled=tuple(each for key, each in earlier.items() if key not in later),
        reasons=tuple(each for key, each in are.items() if key not in was),
        dropped=tuple(each for key, each in was.items() if key not in are),
        causes=tuple(_causes(before, now)) if before and now else (),
        same=len(matched) - len(changed),
    )


Pair = tuple[ReportClaim, ReportClaim]
Placed = tuple[tuple[int, int], ReportClaim]
"""A claim without a partner: its turn and the claim that it stands behind, by number of its pair; 0: at the start."""


def _matched(before: Report | None, now: Report | None) -> tuple[list[Pair], list[Placed], list[Placed]]:
    waiting: dict[str, deque[ReportClaim]] = defaultdict(deque)
    for claim in before.claims if before else ():
        waiting[_words(claim)].append(claim)
    matched: list[Pair] = []
    numbers: dict[str, int] = {}
    new: list[Placed] = []
    place = 0
    for claim in now.claims if now else ():
        same = waiting[_words(claim)]
        if not same:
            new.append(((claim.turn, place), claim))
            continue
        matched.append((same.popleft(), claim))
        place = numbers[matched[-1][0].claim_id] = len(matched)
    gone: list[Placed] = []
    place = 0
    for claim in before.claims if before else ():
        place = numbers.get(claim.claim_id, place)
        if claim.claim_id not in numbers:
            gone.append(((claim.turn, place), claim))
    return matched, new, gone


def _reworded(new: Sequence[Placed], gone: Sequence[Placed]) -> tuple[list[Pair], list[ReportClaim], list[ReportClaim]]:
    """Those that stand at one place and share enough words, with what is left of both."""
    there: dict[tuple[int, int], list[ReportClaim]] = defaultdict(list)
    for place, claim in gone:
        there[place].append(claim)
    pairs: list[Pair] = []
    left = []
    for place, claim in new:
        near = there[place][:NEAR]
        likest = max(near, key=lambda one: _likeness(one, claim), default=None)
        if likest is None or _likeness(likest, claim) < ALIKE:
            left.append(claim)
            continue
        there[place].remove(likest)
        pairs.append((likest, claim))
    return pairs, left, [claim for rest in there.values() for claim in rest]


def _likeness(one: ReportClaim, other: ReportClaim) -> float:
    first, second = (set(re.findall(r"\w+", _words(claim))) for claim in (one, other))
    return len(first & second) / max(1, len(first | second))


def _words(claim: ReportClaim) -> str:
    return " ".join(claim.text.split()).casefold()


def _change(
    kind: Kind, before: ReportClaim | None, now: ReportClaim | None, old: Report | None, new: Report | None
) -> ClaimChange:
    if before is None:
        assert now is not None
        return ClaimChange(kind, None, now, _is_worse(None, now), tuple(_found(now)))
    if now is None:
        return ClaimChange(kind, before, None, False, tuple(_found(before)))
    assert old is not None
    assert new is not None
    why = ("the claim has other words", *_found(now)) if kind == "reworded" else tuple(_why(before, now, old, new))
    return ClaimChange(kind, before, now, _is_worse(before, now), why)


def _state(claim: ReportClaim) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """What may change of a claim: how far its label is from supported, checks that fail, sources that do not hold."""
    failed = tuple(sorted(check["name"] for check in claim.checks if not check["passed"]))
    sources = tuple(sorted(source.mark for source in claim.sources if source.outcome not in SOUND))
    return STATUSES.index("supported") - STATUSES.index(claim.status), failed, sources


def _is_worse(before: ReportClaim | None, now: ReportClaim) -> bool:
    was, *earlier = _state(before) if before else (0, (), ())
    label, *later = _state(now)
    return label > was or any(Counter(new) - Counter(old) for old, new in zip(earlier, later, strict=True))


def _found(claim: ReportClaim) -> Iterator[str]:
    """What stands against a claim, or else what its label rests on."""
    yield from (one.rstrip(".") for one in wording.objection(claim))


def _why(before: ReportClaim, now: ReportClaim, old: Report, new: Report) -> Iterator[str]:
    if now.status == "unchecked":
        yield f"it could not be checked: {now.justification.rstrip('.')}"
        return
    if before.status == "unchecked":
        yield f"it could not be checked before: {before.justification.rstrip('.')}"
    evidence = list(_evidence(before, now, old, new))
    yield from evidence
    if before.checked_by != now.checked_by:
        yield f"judged by {now.checked_by}, before by {before.checked_by}"
    elif not evidence and before.status != "unchecked" and _state(before)[0] != _state(now)[0]:
        yield f"on the same evidence {now.checked_by} gave another label"
    yield from _found(now)
    if gone := [one for one in wording.differences(before) if one not in wording.differences(now)]:
        yield f"no longer: {wording.joined(gone)}"


def _evidence(before: ReportClaim, now: ReportClaim, old: Report, new: Report) -> Iterator[str]:
    """What became of the passages that decided."""
    for key in now.deciding:
        if key not in before.passages:
            yield f"{_titled(key, new)} was not found before"
        elif old.passages[key].content != new.passages[key].content:
            yield f"{_titled(key, new)} says something else than before"
        elif key not in before.deciding:
            yield f"{_titled(key, new)} decides, and did not before"
    for key in before.deciding:
        if key not in now.passages:
            yield f"{_titled(key, old)} is not found any more"


def _titled(key: str, report: Report) -> str:
    passage = report.passages[key]
    title = " › ".join(part for part in (passage.title, passage.section) if part)
    return f"the passage “{title or key}”"


def _causes(before: Report, now: Report) -> Iterator[str]:
    """What else is another, and may be why."""
    if [turn.content for turn in before.turns] != [turn.content for turn in now.turns]:
        yield "the answer has other words"
    for name, was, came in (
        ("corpus", _corpus(before), _corpus(now)),
        ("policy", _policy(before), _policy(now)),
        ("verifiers", _verifiers(before), _verifiers(now)),
        ("basis", before.against, now.against),
        ("gate", before.gate_version, now.gate_version),
    ):
        if was and came and was != came:
            yield f"{name}: {was} → {came}"


def _corpus(report: Report) -> str:
    return " ".join(str(report.corpus[key]) for key in ("name", "version", "retrieval") if report.corpus.get(key))


def _policy(report: Report) -> str:
    return " ".join(report.decision["policy"].values()) if report.decision else ""


def _verifiers(report: Report) -> str:
    named = {claim.checked_by for claim in report.claims if claim.status != "unchecked"}
    return ", ".join(sorted(named - {""}))


def _findings(report: Report | None) -> Mapping[tuple[str, str], FindingChange]:
    if report is None:
        return {}
    objected = objections(report)
    known = {one.get("evidence_id"): one for found in report.evidences.values() for one in found}
    found: dict[tuple[str, str], FindingChange] = {}
    for one, outcome in ((known[name], outcome) for name, outcome in objected.items() if name in known):
        key = (subject(one), str(one.get("evidence_class") or ""))
        finding = FindingChange(subject(one), outcome, str(one.get("rationale") or ""))
        if key not in found or _is_graver(finding, found[key]):
            found[key] = finding
    return found


def _is_graver(one: FindingChange, other: FindingChange) -> bool:
    return OUTCOMES.index(one.outcome) > OUTCOMES.index(other.outcome)


def _reasons(report: Report | None) -> dict[tuple[str, str], DecisionReason]:
    decision = report.decision if report else None
    return {(one["rule"], one["outcome"]): one for one in decision["reasons"]} if decision else {}


def _gravity(change: ClaimChange) -> tuple[bool, int, int]:
    return (not change.worse, KINDS.index(change.kind), STATUSES.index(change.claim.status))
