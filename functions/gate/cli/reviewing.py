"""What several people said of the same claims: how far they agree, the label that counts, and figures by week."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from gate.cli.inputs import read_text
from gate.cli.labelled_rows import Row, read_rows
from gate.decision.metrics import is_false_alarm, is_miss
from gate.decision.reviewed.agreement import Outlier, ReviewMark, agreed, alpha, outliers
from gate.decision.reviewed.drift import WeekFigures
from gate.errors import InputError
from gate.model import LABELS
from gate.text.visible import one_line
from gate.trail.review_items import person


@dataclass(frozen=True, slots=True)
class Reviews:
    """Reviews, read.

    Attributes:
        rows: one for each claim, with the label that most of its reviewers give it; outliers count for nothing.
        marks: how many there are of whom; of several marks of one claim by one reviewer the last.
        agreement: Krippendorff's alpha over all of them, and without the outliers; None: no claim has two marks.
        undecided: claims on which as many say one thing as another.
        alone: how many labels rest on the word of one reviewer, by his name: nobody can say how far he errs.
    """

    rows: list[Row]
    marks: dict[str, int]
    outliers: list[Outlier]
    agreement: tuple[float | None, float | None]
    undecided: int
    alone: dict[str, int]


def read_reviews(paths: Sequence[Path], max_bytes: int) -> list[Row]:
    """The rows of files of reviews, in their order.

    Raises:
        InputError: a file cannot be read, or a line cannot be used.
    """
    return [row for path in paths for row in read_rows(path, read_text(path, max_bytes=max_bytes), None, 0)]


def weighed(rows: Sequence[Row]) -> Reviews:
    """Who disagrees far more than the others is named first, and counts for nothing in the labels."""
    names: dict[str, str] = {}
    for row in rows:
        names.setdefault(person(row.reviewer), row.reviewer)
    last = {(_item(row), names[person(row.reviewer)]): row for row in _of_one_wording(rows)}
    marks = [ReviewMark(item, reviewer, row.label) for (item, reviewer), row in last.items()]
    far = outliers(marks)
    named = {one.reviewer for one in far}
    kept = [mark for mark in marks if mark.reviewer not in named]
    labels, of_item = agreed(kept), {item: row for (item, _), row in last.items()}
    found = [replace(of_item[item], label=label, reviewer="") for item, label in labels.items()]
    counts: dict[str, int] = defaultdict(int)
    for mark in marks:
        counts[mark.reviewer] += 1
    undecided = len({mark.item for mark in kept}) - len(found)
    said_by: dict[str, list[str]] = defaultdict(list)
    for mark in kept:
        said_by[mark.item].append(mark.reviewer)
    alone = Counter(names[0] for names in said_by.values() if len(names) == 1)
    return Reviews(found, dict(counts), far, (alpha(marks), alpha(kept)), undecided, dict(alone.most_common()))


def _of_one_wording(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows; whoever gives a claim other words, documents or a verdict would have the others' label put on his own.

    Raises:
        InputError: two rows name one claim and hold different ones.
    """
    told: dict[tuple[str, str], Row] = {}
    for row in rows:
        if row.run and row.claim_id:
            first = told.setdefault((row.run, row.claim_id), row)
            pairs = (first.given, row.given), (first.of, row.of)
            is_same = (first.claim, first.documents) == (row.claim, row.documents)
            if not is_same or any(one and other and one != other for one, other in pairs):
                who = " and ".join(one.reviewer or "a reviewer without a name" for one in (first, row))
                where = one_line(f"run {row.run}, claim {row.claim_id}")
                raise InputError(
                    f"{where}: {one_line(who)} have marked different words, documents or verdicts under one name"
                )
    return rows


def by_week(rows: Iterable[Row], since: str = "", until: str = "") -> list[WeekFigures]:
    """Figures of each ISO week and source, and of each reason of verdicts within: how far verdicts are right in the
    eyes of those who reviewed them. Rows without a day are left out, and so are those before `since` and after `until`.
    """
    weeks: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        day = row.at[:10]
        if _is_day(day) and day >= since and (not until or day <= until):
            year, week, _ = date.fromisoformat(day).isocalendar()
            for kind in ("", row.reason) if row.reason else ("",):
                weeks[f"{year}-W{week:02}", row.source, kind].append(row)
    return [_figures(week, source, kind, found) for (week, source, kind), found in sorted(weeks.items())]


def week_value(figures: WeekFigures) -> dict[str, Any]:
    """As a JSON value, with shares of the claims."""
    counts = {name: figures.share(getattr(figures, name)) for name in ("right", "false_alarms", "misses")}
    names = ("week", "source", "kind", "claims", "shared", "reviewers", "agreement")
    return {**{name: getattr(figures, name) for name in names}, **counts}


def _figures(week: str, source: str, kind: str, rows: Sequence[Row]) -> WeekFigures:
    found = weighed(rows)
    judged = [row for row in found.rows if row.given in LABELS]
    agreement = found.agreement[1]
    by_item: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        by_item[_item(row)].add(person(row.reviewer))
    return WeekFigures(
        week=week,
        source=source,
        kind=kind,
        claims=len(judged),
        shared=sum(len(reviewers) > 1 for reviewers in by_item.values()),
        reviewers=len(found.marks),
        agreement=None if agreement is None else round(agreement, 4),
        right=sum(row.given == row.label for row in judged),
        false_alarms=sum(is_false_alarm(row.label, row.given) for row in judged),
        misses=sum(is_miss(row.label, row.given) for row in judged),
    )


def _item(row: Row) -> str:
    """What names a claim in all that is reviewed."""
    if row.run and row.claim_id:
        return json.dumps([row.run, row.claim_id])
    return hashlib.sha256(json.dumps([row.claim, row.documents]).encode()).hexdigest()


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == 10
