"""Many reports, counted as they come: outcomes, labels, causes; by writer, question, source. Memory stays small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gate.model import CAUSES, Cause
from gate.reports import wording
from gate.reports.model import Report, ReportClaim, Status
from gate.text.visible import one_line

OUTCOMES = ("pass", "review", "block", "error", "refused")
"""What becomes of a record: the decision, a failed run, or nothing where it could not be read."""
Kind = Literal["writer", "question", "source"]
KINDS: tuple[Kind, ...] = ("writer", "question", "source")
MOST_NAMES = 10_000
"""Names of one kind that are counted: memory stays small, however many records there are."""
LONGEST_NAME = 120


@dataclass(slots=True)
class Counts:
    """Of the claims that have something in common: how many records they stand in, their labels, why they fail.

    `failures`: those that are not supported, or in the wrong place: what retrieval missed is supported by the corpus.
    """

    records: int = 0
    failures: int = 0
    claims: Counter[Status] = field(default_factory=Counter)
    causes: Counter[Cause] = field(default_factory=Counter)

    def add(self, claim: ReportClaim) -> None:
        """Count a claim in."""
        self.claims[claim.status] += 1
        self.failures += claim.status != "supported" or claim.cause is not None
        if claim.cause:
            self.causes[claim.cause] += 1


class Totals:
    """Counts over records: `all` of them, and by name of a writer, a question or a source."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.all = Counts()
        self.by: dict[Kind, dict[str, Counts]] = {kind: {} for kind in KINDS}

    def refuse(self) -> None:
        """Count a record in that could not be read."""
        self.outcomes["refused"] += 1

    def add(self, report: Report) -> None:
        """Count a report in."""
        self.outcomes[report.outcome] += 1
        self.all.records += 1
        seen: set[tuple[Kind, str]] = set()
        for claim in report.claims:
            self.all.add(claim)
            names = {"writer": report.writer, "question": question(report), "source": source(claim, report)}
            for kind in KINDS:
                if (held := self._held(kind, names[kind])) is not None:
                    held[1].add(claim)
                    held[1].records += (kind, held[0]) not in seen
                    seen.add((kind, held[0]))

    def _held(self, kind: Kind, name: str) -> tuple[str, Counts] | None:
        held, shown = self.by[kind], one_line(name)[:LONGEST_NAME]
        if not shown or (shown not in held and len(held) >= MOST_NAMES):
            return None
        return shown, held.setdefault(shown, Counts())

    def worst(self, kind: Kind, most: int) -> list[tuple[str, Counts]]:
        """Return the names of a kind of which most claims fail, those first."""
        failing = [one for one in self.by[kind].items() if one[1].failures]
        return sorted(failing, key=lambda one: -one[1].failures)[:most]


def causes(counts: Mapping[Cause, int]) -> str:
    """Return in words why claims fail; empty where nobody could tell."""
    return ", ".join(f"{counts[cause]:,} {wording.CAUSES[cause]}" for cause in CAUSES if counts.get(cause))


def question(report: Report) -> str:
    """Return what was asked last; empty where nobody asked."""
    asked = [turn.content for turn in report.turns if turn.role == "user"]
    return asked[-1] if asked else ""


def source(claim: ReportClaim, report: Report) -> str:
    """Return the document behind a claim: the one that decides, that was not retrieved, or the context that is wrong;
    empty where none is."""
    given = [key for key in claim.passages if key.startswith("context-")]
    keys = {"made_up": (), "wrong_context": tuple(given)}.get(claim.cause or "", claim.deciding)
    passage = report.passages[keys[0]] if keys else None
    return (passage.title or passage.source or passage.url or "") if passage else ""
