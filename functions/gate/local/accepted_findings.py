"""A baseline: findings that somebody answers for until a day, so that only new ones fail.

A finding is a claim, or a piece of evidence, that the decision objects to. It is known again by the answer's name, what
was found, and the claim's text: an answer that is reworded, or a claim of which something worse is found, is new.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, ValidationError

from gate.decision.policy import NEVER_PASS
from gate.errors import InputError, first_misfit
from gate.model import OUTCOMES, Decision, DecisionReason, Frozen, Outcome
from gate.reports.model import Report
from gate.text.formats import strict_yaml

MOST_DAYS = 366
"""A finding is accepted for a year at most, whether the command or a person writes the day."""
Words = Annotated[str, Field(min_length=1, max_length=4_000, pattern=r"\S")]


class Objection(NamedTuple):
    """What the decision objects to: `about` is a claim's text, or what a piece of evidence is about."""

    answer: str
    found: str
    about: str


class Accepted(Frozen):
    """A finding that `owner` answers for, why, and the last day of it."""

    answer: Words
    found: Words
    about: Words
    reason: Words
    owner: Words
    expires: date

    @property
    def finding(self) -> Objection:
        """What is accepted."""
        return Objection(self.answer, self.found, self.about)


class Baseline(Frozen):
    """Every finding that is accepted."""

    version: Literal[1] = 1
    accepted: tuple[Accepted, ...] = ()


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a report comes to under a baseline.

    Attributes:
        outcome: the gravest that is left; never graver than the report's own, and never milder than what could not be
            told or concerns the answer as a whole.
        new: findings that nobody has accepted, or whose day is over.
        accepted: what was accepted of this report's findings.
        expired: what was accepted of them, until a day that is over.
    """

    outcome: Outcome | Literal["error"]
    new: tuple[Objection, ...]
    accepted: tuple[Accepted, ...]
    expired: tuple[Accepted, ...]


@dataclass(frozen=True, slots=True)
class Updated:
    """A baseline, and what has changed in it."""

    baseline: Baseline
    added: tuple[Accepted, ...]
    renewed: tuple[Accepted, ...]
    gone: tuple[Accepted, ...]


def load(text: str) -> Baseline:
    """Read a baseline (YAML).

    Raises:
        InputError: it is none, or accepts a finding for longer than a year; says where.
    """
    document = strict_yaml.load(text)
    try:
        baseline = Baseline.model_validate({} if document is None else document)
    except ValidationError as error:
        raise InputError(str(first_misfit(error))) from None
    last = today() + timedelta(days=MOST_DAYS)
    if (number := next((n for n, one in enumerate(baseline.accepted) if one.expires > last), None)) is not None:
        raise InputError(f"accepted.{number}.expires: later than {last}; a finding is accepted for a year at most")
    return baseline


def read(path: Path) -> Baseline:
    """Read the baseline of a file.

    Raises:
        InputError: it is not there, or is none; names it.
    """
    try:
        with path.open("rb") as opened:
            data = opened.read(4 * strict_yaml.MAX_CHARS + 1)
        return load(data.decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or type(error).__name__).lower()}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8") from None
    except InputError as error:
        raise InputError(f"{path}: {error.safe_message}", hint=error.hint) from None


def today() -> date:
    """The day in UTC, the same wherever a check runs."""
    return datetime.now(UTC).date()


def dump(baseline: Baseline) -> str:
    """Write a baseline so that a change of it reads well: sorted, one line a field."""
    lines = ["# Findings that somebody answers for; `gate baseline update` writes it, and people may.", "version: 1"]
    lines.append("accepted:" if baseline.accepted else "accepted: []")
    for each in sorted(baseline.accepted, key=lambda one: one.finding):
        fields = each.model_dump(mode="json")
        lines += [f"{'- ' if name == 'answer' else '  '}{name}: {json.dumps(fields[name])}" for name in fields]
    return "\n".join(lines) + "\n"


def findings(report: Report) -> tuple[Objection, ...]:
    """What the decision objects to and somebody may accept, each once, in the report's order."""
    return tuple(dict.fromkeys(each for reason in _reasons(report) for each in _found(reason, report)))


def weigh(report: Report, baseline: Baseline, today: date) -> Weighed:
    """Leave out of a decision the reasons that rest on accepted findings alone."""
    known = {each.finding: each for each in baseline.accepted}
    holds = {finding for finding, each in known.items() if each.expires >= today}
    found = findings(report)
    left = [reason for reason in _reasons(report) if not _is_accepted(reason, report, holds)]
    return Weighed(
        _gravest(report, left),
        tuple(each for each in found if each not in holds),
        tuple(known[each] for each in found if each in holds),
        tuple(known[each] for each in found if each in known and each not in holds),
    )


def reduced(report: Report, found: Weighed, baseline: Baseline, today: date) -> Report:
    """The report as it is without what is accepted: the outcome, and the reasons that are left."""
    if report.decision is None or found.outcome == "error":
        return report
    holds = {each.finding for each in baseline.accepted if each.expires >= today}
    left = [reason for reason in _reasons(report) if not _is_accepted(reason, report, holds)]
    decision: Decision = {**report.decision, "outcome": found.outcome, "reasons": left}
    return report.model_copy(update={"outcome": found.outcome, "decision": decision})


def updated(
    baseline: Baseline, reports: Sequence[Report], *, reason: str, owner: str, days: int, today: date
) -> Updated:
    """Accept every finding of these reports; what is accepted of their answers and not found any more is left out.

    Raises:
        InputError: the reason or the owner is empty or too long.
    """
    known = {each.finding: each for each in baseline.accepted}
    expires = today + timedelta(days=days)
    kept: dict[Objection, Accepted] = {}
    for finding in (each for report in reports for each in findings(report)):
        before = known.get(finding)
        is_held = before is not None and before.expires >= today
        kept[finding] = before if before and is_held else _accepted(finding, reason, owner, expires)
    answers = {report.name for report in reports}
    others = {finding: each for finding, each in known.items() if finding.answer not in answers}
    return Updated(
        Baseline(accepted=(*others.values(), *kept.values())),
        tuple(each for finding, each in kept.items() if finding not in known),
        tuple(each for finding, each in kept.items() if finding in known and each is not known[finding]),
        tuple(each for finding, each in known.items() if finding not in kept and finding not in others),
    )


def _accepted(finding: Objection, reason: str, owner: str, expires: date) -> Accepted:
    try:
        return Accepted(**finding._asdict(), reason=reason, owner=owner, expires=expires)
    except ValidationError as error:
        raise InputError(str(first_misfit(error))) from None


def _reasons(report: Report) -> Sequence[DecisionReason]:
    return report.decision["reasons"] if report.decision else ()


def _found(reason: DecisionReason, report: Report) -> Iterator[Objection]:
    if reason["rule"] in NEVER_PASS:
        return
    claims = {claim.claim_id: claim for claim in report.claims}
    places = {one.get("evidence_id"): one for found in report.evidences.values() for one in found}
    for name in reason["claims"]:
        yield Objection(report.name, claims[name].status, " ".join(claims[name].text.split()))
    for name in reason["evidence"]:
        yield Objection(report.name, reason["rule"], _place(places.get(name, {}), name))


def _place(evidence: dict[str, Any], name: str) -> str:
    return str(evidence.get("location") or name)


def _is_accepted(reason: DecisionReason, report: Report, holds: set[Objection]) -> bool:
    """Whether everything that a reason rests on is accepted; one that names nothing is about the whole answer."""
    found = set(_found(reason, report))
    return bool(found) and found <= holds


def _gravest(report: Report, left: Iterable[DecisionReason]) -> Outcome | Literal["error"]:
    if report.outcome == "error":
        return "error"
    nothing: Outcome = "pass"
    gravest = max((reason["outcome"] for reason in left), key=OUTCOMES.index, default=nothing)
    return min(gravest, report.outcome, key=OUTCOMES.index)
