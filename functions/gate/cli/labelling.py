"""Which claims of reports are worth a label most, and the file that keeps the labels that people give."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gate.cli.inputs import read_text
from gate.cli.labelled_rows import Row, read_rows
from gate.cli.outputs import write
from gate.decision.passages import words_of
from gate.model import LABELS, Label
from gate.reports.model import Report, ReportClaim
from gate.services.reviews.label_rows import rows

TOLD_APART = 0.5
"""Where a claim becomes as likely supported as not."""
Key = tuple[str, str]
"""Run and claim."""
ALIKE = 0.6
"""Share of their words that two claims have in common, from which on one teaches little that the other did not."""


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """A claim that a label is asked for, in its report."""

    report: Report
    claim: ReportClaim

    @property
    def key(self) -> Key:
        """Run and claim."""
        return self.report.run_id, self.claim.claim_id

    @property
    def own(self) -> Label | None:
        """The verdict's own label; None: the claim is unchecked."""
        return self.claim.label if self.claim.status in LABELS else None


def most_informative(reports: Sequence[Report], thresholds: Sequence[float]) -> list[OpenClaim]:
    """The claims of reports, those first whose label teaches most.

    First those that a check objects to, and those whose probability of being supported lies next to one of
    `thresholds`; then those without a probability; at last those without a passage, which a fit leaves out. Claims
    alike stand as in their answers.
    """
    asked = [OpenClaim(report, claim) for report in reports for claim in report.claims]
    return sorted(asked, key=lambda one: _distance(one.claim, thresholds))


def _distance(claim: ReportClaim, thresholds: Sequence[float]) -> float:
    if not claim.passages:
        return 2.0
    if any(not check["passed"] for check in claim.checks):
        return 0.0
    share = claim.scores.get("supported")
    return 1.0 if share is None else min(abs(share - threshold) for threshold in thresholds)


def chosen(ordered: Sequence[OpenClaim], known: Container[Key], count: int) -> list[OpenClaim]:
    """The claims to show next: in their order those that are unlike every claim that has a label or is chosen before;
    where there are too few, others."""
    seen = [words_of(one.claim.text) for one in ordered if one.key in known]
    fresh: list[OpenClaim] = []
    others: list[OpenClaim] = []
    for one in ordered:
        if one.key in known:
            continue
        words = words_of(one.claim.text)
        if len(fresh) < count and not any(_alike(words, other) for other in seen):
            fresh.append(one)
            seen.append(words)
        else:
            others.append(one)
    return [*fresh, *others[: max(0, count - len(fresh))]]


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    return len(words & others) >= ALIKE * max(1, len(words | others))


class LabelFile:
    """Labels as rows of JSONL, each with who gave it and when; whatever else stands in the file stays.

    Each reviewer has a label of a claim; labels without one count for everybody.

    The file is read anew and written whole at every label, so that nothing is lost when the command ends, nor what
    somebody else has added meanwhile.

    Raises:
        InputError: it holds something else than labelled claims, or cannot be read or written.
    """

    def __init__(self, path: Path, max_bytes: int, reviewer: str = "") -> None:
        self._path, self._max_bytes, self._reviewer = path, max_bytes, reviewer
        self._rows()

    def labels(self) -> dict[Key, str]:
        """The labels of claims of reports that this reviewer gave, or nobody in particular."""
        return {_key(row): row.label for row, _ in self._rows() if row.claim_id and self._is_own(row)}

    def bring(self, reports: Iterable[Report]) -> None:
        """Keep the labels that reports bring along, of claims that nobody has labelled here: whose they are is not
        known. Those of a review are known (`gate review labels`), and are left out."""
        known = {_key(row) for row, _ in self._rows() if row.claim_id}
        for report in reports:
            new = {id_: each for id_, each in report.marks.items() if (report.run_id, id_) not in known}
            if new and report.review is None:
                self._put(report, new, "")

    def put(self, report: Report, labels: Mapping[str, Label]) -> None:
        """Keep labels of a report's claims, in the place of this reviewer's earlier ones of the same claims."""
        self._put(report, labels, self._reviewer)

    def _put(self, report: Report, labels: Mapping[str, Label], reviewer: str) -> None:
        by = {"reviewer": reviewer, "at": datetime.now(UTC).isoformat(timespec="seconds")}
        new = {
            (report.run_id, row["claim_id"]): json.dumps({**row, **by}, ensure_ascii=False)
            for row in rows(report, labels)
        }
        kept = [new.pop(_key(row), line) if row.claim_id and self._is_own(row) else line for row, line in self._rows()]
        write("".join(f"{line}\n" for line in [*kept, *new.values()]).encode("utf-8"), self._path)

    def _is_own(self, row: Row) -> bool:
        return row.reviewer in ("", self._reviewer)

    def _rows(self) -> list[tuple[Row, str]]:
        """The rows of the file, each with the line that it stands in; somebody else may have written it meanwhile."""
        text = read_text(self._path, max_bytes=self._max_bytes) if self._path.exists() else ""
        lines = [line for line in text.split("\n") if line.strip()]
        return list(zip(read_rows(self._path, text, None, 0), lines, strict=True)) if lines else []


def _key(row: Row) -> Key:
    return row.run, row.claim_id
