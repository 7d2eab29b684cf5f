"""How far people who mark the same claims agree, and who of them disagrees far more than the others do. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LEAST = 20
"""Claims of a reviewer that others have marked too, before anything is said of them."""
TIMES = 2.0
"""They differ at least so many times as often as the others do,"""
CHANCE = 0.01
"""and by chance somebody of so many reviewers would in so few cases."""


@dataclass(frozen=True, slots=True)
class ReviewMark:
    """What a reviewer says of a claim; `item` names it in all that is reviewed."""

    item: str
    reviewer: str
    label: str


@dataclass(frozen=True, slots=True)
class Outlier:
    """A reviewer who differs from the others far more than they do.

    Attributes:
        differs, marks: on how many of the claims shared with others they differ from most of them.
        others: the share on which the others, without them, differ from one another.
    """

    reviewer: str
    differs: int
    marks: int
    others: float


def alpha(marks: Iterable[ReviewMark]) -> float | None:
    """Krippendorff's alpha for labels without an order: 1 is full agreement, 0 what chance gives.

    Any number of reviewers, each of whom has marked any part of the claims. None: no claim has two marks.
    """
    pairs, totals = 0.0, Counter[str]()
    for labels in _by_item(marks).values():
        if len(labels) < 2:
            continue
        counts = Counter(labels.values())
        totals.update(counts)
        pairs += sum(count * (len(labels) - count) for count in counts.values()) / (len(labels) - 1)
    number = sum(totals.values())
    if number < 2:
        return None
    by_chance = (number**2 - sum(count**2 for count in totals.values())) / (number - 1)
    return 1 - pairs / by_chance if by_chance else 1.0


def outliers(marks: Sequence[ReviewMark]) -> list[Outlier]:
    """Reviewers who differ from most of the others far more often than the others do, the worst first.

    The worst is taken out before the others are looked at again, so that two do not hide behind each other. Of two
    reviewers nobody can say which one errs: then there is none.
    """
    found: list[Outlier] = []
    while True:
        named = {one.reviewer for one in found}
        worst = _worst([mark for mark in marks if mark.reviewer not in named])
        if worst is None:
            return found
        found.append(worst)


def agreed(marks: Iterable[ReviewMark]) -> dict[str, str]:
    """The label that most reviewers of a claim give it; a claim without one is left out."""
    found = {}
    for item, labels in _by_item(marks).items():
        label = _most(Counter(labels.values()))
        if label:
            found[item] = label
    return found


def _by_item(marks: Iterable[ReviewMark]) -> dict[str, dict[str, str]]:
    """Label by reviewer, by claim; of several marks of one reviewer the last."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for mark in marks:
        found[mark.item][mark.reviewer] = mark.label
    return found


def _disagreements(marks: Sequence[ReviewMark]) -> dict[str, tuple[int, int]]:
    """On how many claims each reviewer differs from most of the others, and how many he shares with them."""
    found: dict[str, tuple[int, int]] = {}
    for labels in _by_item(marks).values():
        counts = Counter(labels.values())
        for reviewer, label in labels.items():
            if most := _most(_without(counts, label)):
                differs, shared = found.get(reviewer, (0, 0))
                found[reviewer] = differs + (label != most), shared + 1
    return found


def _apart(counts: Counter[str]) -> Counter[str]:
    """Of the marks of one claim: how many differ from most of the others, how many can be compared (`shared`), and
    whether any can (`claims`)."""
    compared = [(label, number, most) for label, number in counts.items() if (most := _most(_without(counts, label)))]
    shared = sum(number for _, number, _ in compared)
    differs = sum(number for label, number, most in compared if label != most)
    return Counter(differs=differs, shared=shared, claims=int(shared > 0))


def _without(counts: Counter[str], label: str) -> Counter[str]:
    """The marks of a claim without one of them."""
    return counts - Counter([label])


def _most(counts: Counter[str]) -> str:
    """The one label that is given most often; empty where there is none."""
    (first, count), *others = [*counts.most_common(2), ("", 0)][:2]
    return first if count > (others[0][1] if others else 0) else ""


def _worst(marks: Sequence[ReviewMark]) -> Outlier | None:
    """Who differs from most of the others most surely more often than they, without them, differ from one another."""
    far: list[tuple[float, Outlier]] = []
    found, items = _disagreements(marks), _by_item(marks)
    counts = {item: Counter(labels.values()) for item, labels in items.items()}
    of_all = Counter[str]()
    for each in counts.values():
        of_all.update(_apart(each))
    own: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for item, labels in items.items():
        for reviewer, label in labels.items():
            own[reviewer].append((item, label))
    for reviewer, (differs, shared) in found.items():
        if shared < LEAST:
            continue
        rest = of_all.copy()
        for item, label in own[reviewer]:
            rest.subtract(_apart(counts[item]))
            rest.update(_apart(_without(counts[item], label)))
        if not rest["shared"]:
            continue
        # each claim is one case, however many have marked it: on the same claims they are no more than one of them,
        # and many who mark one claim each make the others' marks no fewer
        others, of = rest["differs"] / rest["shared"], rest["claims"]
        chance = chance_of(differs, shared, round(others * of), of)
        if differs / shared >= TIMES * others and chance < CHANCE / len(found):
            far.append((chance, Outlier(reviewer, differs, shared, others)))
    return min(far, key=lambda one: one[0], default=(0.0, None))[1]


def chance_of(differs: int, shared: int, other: int, of: int) -> float:
    """How often `differs` or more of `differs + other` cases would fall among `shared` of `shared + of` by chance
    (Fisher's exact test)."""
    total, number = differs + other, shared + of
    ways = _log_choose(number, total)
    upper = min(shared, total)
    logs = (_log_choose(shared, k) + _log_choose(of, total - k) - ways for k in range(differs, upper + 1))
    return min(1.0, sum(map(math.exp, logs)))


def _log_choose(number: int, some: int) -> float:
    if not 0 <= some <= number:
        return -math.inf
    return math.lgamma(number + 1) - math.lgamma(some + 1) - math.lgamma(number - some + 1)
