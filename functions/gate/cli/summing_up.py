"""What many records came to: outcomes and labels, counted as the reports come and kept in little memory."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gate.cli.printing import say
from gate.errors import GateError
from gate.model import CAUSES, Cause
from gate.reports import wording
from gate.text.visible import one_line

if TYPE_CHECKING:
    from gate.cli.inputs import Given
    from gate.cli.outputs import Delivery
    from gate.reports.model import Report, ReportClaim


OUTCOMES = ("pass", "review", "block", "error", "refused")


MOST_NAMES = 10_000
"""Names of one kind that are counted: memory stays small, however many records there are."""
LONGEST_NAME, SHOWN = 120, 10


class BatchCounts:
    """Counts over the records of files that hold several."""

    def __init__(self) -> None:
        self._outcomes: Counter[str] = Counter()
        self._claims: Counter[str] = Counter()
        self._causes: Counter[Cause] = Counter()
        self._by: dict[str, dict[str, Counter[Cause]]] = {"writer": {}, "question": {}, "source": {}}

    def add(self, record: Given, found: Report | GateError) -> None:
        """Count a record in, where it is one of several in its file."""
        if not record.number:
            return
        if isinstance(found, GateError):
            self._outcomes["refused"] += 1
            return
        self._outcomes[found.outcome] += 1
        self._claims.update(claim.status for claim in found.claims)
        for claim in found.claims:
            if claim.cause:
                self._causes[claim.cause] += 1
                for kind, name in (
                    ("writer", found.writer),
                    ("question", _question(found)),
                    ("source", _source(claim, found)),
                ):
                    self._count(kind, name, claim.cause)

    def _count(self, kind: str, name: str, cause: Cause) -> None:
        held = self._by[kind]
        shown = one_line(name)[:LONGEST_NAME]
        if shown and (shown in held or len(held) < MOST_NAMES):
            held.setdefault(shown, Counter())[cause] += 1

    def show(self, delivery: Delivery) -> None:
        """Print the counts; beside reports that are printed in another format, on the standard error."""
        records = self._outcomes.total()
        if not records:
            return
        outcomes = ", ".join(f"{self._outcomes[one]:,} {one}" for one in OUTCOMES if self._outcomes[one])
        claims = ", ".join(
            f"{self._claims[status]} {name}" for status, name in wording.NAMES.items() if self._claims[status]
        )
        total = self._claims.total()
        about = f"; {total:,} {wording.plural(total, 'claim')}: {claims}" if total else ""
        say(f"{records:,} {wording.plural(records, 'record')}: {outcomes}{about}", err=delivery.form != "table")
        if self._causes:
            say(f"of both contexts and corpus: {_causes(self._causes)}", err=delivery.form != "table")
        for kind, held in self._by.items():
            for name, counts in sorted(held.items(), key=lambda one: -one[1].total())[:SHOWN]:
                say(f"  {kind} {name}: {_causes(counts)}", err=delivery.form != "table")


def _causes(counts: Counter[Cause]) -> str:
    return ", ".join(f"{counts[cause]:,} {wording.CAUSES[cause]}" for cause in CAUSES if counts[cause])


def _question(report: Report) -> str:
    asked = [turn.content for turn in report.turns if turn.role == "user"]
    return asked[-1] if asked else ""


def _source(claim: ReportClaim, report: Report) -> str:
    """The document behind a failure: the one that was not retrieved, or the context that is wrong."""
    given = [key for key in claim.passages if key.startswith("context-")]
    keys = {"not_retrieved": claim.deciding, "wrong_context": tuple(given)}.get(claim.cause or "", ())
    passage = report.passages[keys[0]] if keys else None
    return (passage.title or passage.source or passage.url or "") if passage else ""
