"""Many reports on one page, as JSON and as CSV: what they came to, the worst first, and why claims fail."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from gate.model import CAUSES, Cause
from gate.reports import advice, wording
from gate.reports.csv_report import csv_text
from gate.reports.model import STATUSES, Report, Status
from gate.reports.overviews.page import page
from gate.reports.overviews.totals import KINDS, OUTCOMES, Totals, causes, question
from gate.text.visible import visible_values

VERSION = "1"
SHOWN_NAMES, SHOWN_RECORDS = 20, 1_000
"""How many a page lists of each kind, and of records; JSON and CSV have all of them."""
LONGEST = 300
"""Characters of a claim, a question or a name in a list."""
GRAVITY = ("error", "refused", "block", "review", "pass")
"""Of outcomes, the worst first."""


@dataclass(frozen=True, slots=True)
class RecordResult:
    """What one record came to.

    Attributes:
        place: of its own report, as an address from the summary; empty where there is none.
        supported: share of its claims, of this run and those before it, the earliest first.
        worst, why: the claim that somebody looks at first, and what is wrong with it; of a record that was refused, or
            whose run failed, why.
    """

    name: str
    outcome: str
    place: str = ""
    run_id: str = ""
    created_at: str = ""
    risk: float | None = None
    writer: str = ""
    question: str = ""
    claims: Mapping[Status, int] = field(default_factory=dict)
    causes: Mapping[Cause, int] = field(default_factory=dict)
    worst: str = ""
    why: str = ""
    supported: tuple[float, ...] = ()

    @property
    def failures(self) -> int:
        """Claims that are not supported."""
        return sum(self.claims.values()) - self.claims.get("supported", 0)


class RecordSummary:
    """The results of records, as they come."""

    def __init__(self) -> None:
        self.totals = Totals()
        self._results: list[RecordResult] = []

    def add(self, report: Report, place: str = "", earlier: Sequence[float] = ()) -> None:
        """Count a report in.

        Args:
            place: where its page lies, from where the summary will.
            earlier: what share of the claims was supported in each run before, the earliest first.
        """
        self.totals.add(report)
        worst = advice.lead(report)
        objection = wording.joined(wording.objection(worst)) if worst else ""
        why = wording.headline(report).removeprefix("error: ") if report.failure else objection
        found = [claim.cause for claim in report.claims if claim.cause]
        self._results.append(
            RecordResult(
                name=report.name or report.run_id,
                outcome=report.outcome,
                place=place,
                run_id=report.run_id,
                created_at=report.created_at,
                risk=report.risk,
                writer=report.writer,
                question=_short(question(report)),
                claims=wording.counts(report.claims),
                causes={cause: found.count(cause) for cause in CAUSES if cause in found},
                worst=_short(worst.text if worst else ""),
                why=_short(why),
                supported=(*earlier, supported(report)),
            )
        )

    def refuse(self, name: str, why: str) -> None:
        """Count a record in that could not be read."""
        self.totals.refuse()
        self._results.append(RecordResult(name=name, outcome="refused", why=_short(why)))

    def results(self) -> list[RecordResult]:
        """Return the results, the worst first."""
        return sorted(
            self._results, key=lambda one: (GRAVITY.index(one.outcome), -(one.risk or 0.0), -one.failures, one.name)
        )


def supported(report: Report) -> float:
    """Return what share of the claims is supported; none of none."""
    return wording.counts(report.claims)["supported"] / max(1, len(report.claims))


def as_json(summary: RecordSummary) -> str:
    """Return everything as one JSON object; no text of the answers but the worst claim of each."""
    totals = summary.totals
    whole = {
        "summary_version": VERSION,
        "outcomes": {name: totals.outcomes[name] for name in OUTCOMES},
        "claims": {status: totals.all.claims[status] for status in STATUSES},
        "causes": {cause: totals.all.causes[cause] for cause in CAUSES},
        "by": {
            kind: [
                {"name": name, "records": one.records, "claims": dict(one.claims), "causes": dict(one.causes)}
                for name, one in sorted(totals.by[kind].items(), key=lambda each: -each[1].failures)
            ]
            for kind in KINDS
        },
        "records": [asdict(result) for result in summary.results()],
    }
    return json.dumps(visible_values(whole), indent=2, ensure_ascii=False) + "\n"


def as_csv(summary: RecordSummary) -> str:
    """Return a row for each record, the worst first."""
    heads = ("record", "outcome", "risk", *STATUSES, *CAUSES, "writer", "question", "worst_claim", "why", "run_id",
             "created_at", "report")  # fmt: skip
    rows = [
        (one.name, one.outcome, "" if one.risk is None else one.risk, *(one.claims.get(each, 0) for each in STATUSES),
         *(one.causes.get(each, 0) for each in CAUSES), one.writer, one.question, one.worst, one.why, one.run_id,
         one.created_at, one.place)
        for one in summary.results()
    ]  # fmt: skip
    return csv_text(heads, rows)


def as_table(summary: RecordSummary) -> str:
    """Return lines for a terminal."""
    return "".join(f"{line}\n" for line in lines(summary.totals))


def lines(totals: Totals) -> list[str]:
    """Return the counts in lines: outcomes, labels, causes, and of which names most claims fail."""
    records, claims = totals.outcomes.total(), totals.all.claims
    outcomes = ", ".join(f"{totals.outcomes[one]:,} {one}" for one in OUTCOMES if totals.outcomes[one])
    labels = ", ".join(f"{claims[status]} {name}" for status, name in wording.NAMES.items() if claims[status])
    about = f"; {claims.total():,} {wording.plural(claims.total(), 'claim')}: {labels}" if labels else ""
    found = [f"{records:,} {wording.plural(records, 'record')}: {outcomes}{about}"]
    if totals.all.causes:
        found.append(f"of both contexts and corpus: {causes(totals.all.causes)}")
    for kind in KINDS:
        for name, counts in totals.worst(kind, 10):
            if told := causes(counts.causes):
                found.append(f"  {kind} {name}: {told}")
    return found


def as_html(summary: RecordSummary) -> str:
    """Return the page."""
    totals, results = summary.totals, summary.results()
    return page(
        "summary.html.j2",
        totals=totals,
        outcomes=[(name, totals.outcomes[name]) for name in OUTCOMES if totals.outcomes[name]],
        results=results[:SHOWN_RECORDS],
        left=max(0, len(results) - SHOWN_RECORDS),
        groups=[(kind, found) for kind in KINDS if (found := totals.worst(kind, SHOWN_NAMES))],
        with_causes=bool(totals.all.causes),
        with_runs=any(len(result.supported) > 1 for result in results),
        statuses=STATUSES,
        causes=[(cause, wording.CAUSES[cause]) for cause in CAUSES],
        names=wording.NAMES,
        marks={**wording.MARKS, **wording.OUTCOME_MARKS, "refused": "!"},
        line=_line,
    )


def _line(shares: tuple[float, ...]) -> str:
    """The points of a sparkline, 100 wide and 20 high."""
    step = 100 / max(1, len(shares) - 1)
    return " ".join(f"{number * step:.1f},{20 - 20 * share:.1f}" for number, share in enumerate(shares))


def _short(text: str) -> str:
    return wording.shortened(" ".join(text.split()), LONGEST)


def as_text(form: str, summary: RecordSummary) -> str:
    """Return the summary in one of `FORMS`."""
    return {"table": as_table, "json": as_json, "csv": as_csv, "html": as_html}[form](summary)


FORMS: dict[str, str] = {"table": ".txt", "html": ".html", "json": ".json", "csv": ".csv"}
"""Formats of a summary, and the endings that name them."""
