"""Whether verdicts have become worse in the eyes of those who review them: a week against those before it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gate.decision.reviewed.agreement import chance_of

LEAST = 20
"""Claims of the week, and of those before it, before anything is said of them."""
TIMES = 1.5
"""A share is at least so many times what it was before,"""
CHANCE = 0.01
"""and by chance one of so many shares that are looked at would be in so few cases."""
LEAST_ALPHA = 0.667
"""Agreement between reviewers below which Krippendorff would draw no conclusion."""
Share = Literal["false_alarms", "misses"]


@dataclass(frozen=True, slots=True)
class WeekFigures:
    """What was said of verdicts in one ISO week.

    Attributes:
        source: who wrote the answers; empty: nobody says.
        kind: reason of the verdicts; empty: of any.
        claims: that have a verdict and a label that counts.
        shared: claims that more than one has marked.
        agreement: Krippendorff's alpha; None: no claim has two marks.
        right, false_alarms, misses: how many of the claims; a false alarm was held back, though people say that it is
            supported, and a miss is the other way round.
    """

    week: str
    source: str
    kind: str
    claims: int
    shared: int
    reviewers: int
    agreement: float | None
    right: int
    false_alarms: int
    misses: int

    def share(self, count: int) -> float | None:
        """Of the claims; None: there are none."""
        return round(count / self.claims, 4) if self.claims else None


@dataclass(frozen=True, slots=True)
class Drift:
    """What has become worse; `before` and `now`: shares of claims, or for `agreement` what it should be and is."""

    week: str
    source: str
    kind: str
    what: Literal["false_alarms", "misses", "agreement"]
    before: float
    now: float


def drifts(weeks: Sequence[WeekFigures]) -> list[Drift]:
    """What the last week of each source and kind has more of than all weeks before it, and reviewers who do not agree.

    Shares of two weeks differ by chance; only what chance hardly explains is told (Fisher's exact test, over all that
    is looked at).
    """
    series: dict[tuple[str, str], list[WeekFigures]] = defaultdict(list)
    for one in sorted(weeks, key=lambda one: one.week):
        series[one.source, one.kind].append(one)
    newest = max((one.week for one in weeks), default="")
    looked = [(found[-1], found[:-1]) for found in series.values() if found[-1].week == newest]
    return [*_worse(looked), *_apart([now for now, _ in looked])]


def _worse(looked: Sequence[tuple[WeekFigures, Sequence[WeekFigures]]]) -> Iterator[Drift]:
    enough = [
        (now, claims, earlier)
        for now, earlier in looked
        if now.claims >= LEAST and (claims := sum(one.claims for one in earlier)) >= LEAST
    ]
    names: tuple[Share, ...] = ("false_alarms", "misses")
    for now, claims, earlier in enough:
        for name in names:
            count, before = getattr(now, name), sum(getattr(one, name) for one in earlier)
            is_more = count / now.claims >= TIMES * before / claims
            if count and is_more and chance_of(count, now.claims, before, claims) < CHANCE / (2 * len(enough)):
                shares = round(before / claims, 4), round(count / now.claims, 4)
                yield Drift(now.week, now.source, now.kind, name, *shares)


def _apart(looked: Sequence[WeekFigures]) -> Iterator[Drift]:
    for now in looked:
        if not now.kind and now.shared >= LEAST and now.agreement is not None and now.agreement < LEAST_ALPHA:
            yield Drift(now.week, now.source, now.kind, "agreement", LEAST_ALPHA, round(now.agreement, 4))
