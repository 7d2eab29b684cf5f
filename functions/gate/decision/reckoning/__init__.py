"""Figures of a claim that need no evidence: what the user named, and what is reckoned right from figures that have it.

"At 68 you pay half, so three years come to £108": the age is the user's, and the sum is right or wrong whoever wrote
it. What it is reckoned from must stand in the evidence or in the question, and where the reader sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, product

from gate.decision.amounts import same
from gate.decision.passages import Figures, Passage
from gate.decision.reckoning.arithmetic import SPANS, equals, signed_sum, step
from gate.decision.reckoning.days_and_times import date_from, days_between, time_from
from gate.decision.reckoning.equations import Equation, equations
from gate.decision.reckoning.list_totals import totals
from gate.decision.reckoning.rivals import has_rival
from gate.text.composed import composed
from gate.text.figures.dates import Date, find_dates
from gate.text.figures.quantities import BARE, Quantity, find_quantities

MOST = 12
"""Figures of a sort that are looked at: of the claim, of the question, of the text around it."""
NEAR = 1_200
"""Characters of the answer before and behind a claim."""
_COUNT = 100
"""A user's number below, without a unit, is how many or how old they are: "we are 4" says nothing of 4 euros."""
_SMALL = 10
"""A number below is the sum or product of two others in almost any text."""
ASKED = "as asked"


def known_figures(claim: str, asked: str, around: str, evidence: Sequence[str]) -> dict[str, str]:
    """Amounts and dates of a claim that its evidence does not have and that need none, each with how it is known.

    Args:
        asked: what the user asked.
        around: the answer about the claim; the sums that it shows, and the lists that it adds up.
    """
    claim = composed(claim)
    own = Figures(_amounts(claim), find_dates(claim)[:MOST])
    if not own.amounts and not own.dates:
        return {}
    passages = [Passage(composed(text)) for text in evidence]
    there = Figures.joined(passage.figures for passage in passages)
    missing = [one for one in own.amounts if not _among(one, there.amounts)]
    undated = [one for one in own.dates if not any(_is(one, other) for other in there.dates)]
    if not missing and not undated:
        return {}
    asked = composed(asked)
    ground = _Ground(there.amounts, asked)
    users: list[Quantity | Date] = [*filter(ground.asks, own.amounts), *filter(ground.asks_day, own.dates)]
    corrected = [one for one in ground.amounts if one.kind != BARE and has_rival(one, asked, own, passages)]
    disputed = [
        one
        for one in users
        if has_rival(one, claim, own, passages) or (isinstance(one, Quantity) and _among(one, corrected))
    ]
    elsewhere = {one.text for one in disputed}
    found = {one.text: ASKED for one in users if one in (*missing, *undated) and one.text not in elsewhere}
    missing = [one for one in missing if one not in users]
    undated = [one for one in undated if one not in users]
    ground.disputed = [one for one in disputed if isinstance(one, Quantity)]
    ground.told_otherwise = [one for one in missing if one.kind == BARE and has_rival(one, claim, own, passages)]
    if missing or undated:
        ground.read(composed(around))
    found |= {one.text: how for one in missing if (how := ground.reckoned(one, own))}
    spans = [one for one in (*own.amounts, *ground.amounts, *ground.spans) if ground.has(one)]
    told = [one for one in (*ground.dates, *own.dates) if one not in undated]
    return found | {one.text: how for one in undated if (how := date_from(one, told, spans))}


class _Ground:
    """What a figure may be reckoned from: the evidence, the question, and what the answer has reckoned of them."""

    def __init__(self, there: Sequence[Quantity], asked: str) -> None:
        self._there = there
        self.amounts, self.dates = _amounts(asked), find_dates(asked)[:MOST]
        self.disputed: Sequence[Quantity] = ()
        self.told_otherwise: Sequence[Quantity] = ()
        self.spans: list[Quantity] = []
        self._reckoned: list[tuple[Quantity, str]] = []
        self._around = ""

    def asks(self, figure: Quantity) -> bool:
        """Whether the user named it."""
        return any(
            same(figure, one) and (one.kind != BARE or figure.kind == BARE or min(one.written) >= _COUNT)
            for one in self.amounts
        )

    def asks_day(self, day: Date) -> bool:
        """Whether the user named it."""
        return any(_is(day, other) for other in self.dates)

    def has(self, figure: Quantity) -> bool:
        """Whether it has its evidence, or is the user's, or is reckoned from such."""
        known = _among(figure, self._there) or self.asks(figure) or _among(figure, [one for one, _ in self._reckoned])
        return known and not _among(figure, self.disputed)

    def read(self, around: str) -> None:
        """Take notice of the sums that the answer shows: what one comes to, the next may go on with."""
        self._around = around
        for one in islice(equations(around), MOST):
            self._note(one)
        for line in around.split("\n"):
            own = _amounts(line)
            self.spans += [one for one in own if one.kind in SPANS and len(self.spans) < MOST]
            for figure in own if len(self._reckoned) < MOST else ():
                if not self.has(figure) and (how := self._step(figure, own) or self._total(figure)):
                    self._reckoned.append((figure, how))

    def _note(self, one: Equation) -> None:
        if one.holds() and all(map(self.has, one.operands)):
            self._reckoned.append((one.result, str(one)))

    def reckoned(self, figure: Quantity, own: Figures) -> str:
        """How a figure of a claim follows from others that are known; empty where it does not."""
        shown = (how for one, how in self._reckoned if same(figure, one) and equals(figure, one))
        return (
            next(shown, "")
            or self._step(figure, own.amounts)
            or days_between(figure, [*self.dates, *own.dates])
            or self._sum(figure, own.amounts)
            or self._total(figure)
        )

    def _step(self, figure: Quantity, own: Sequence[Quantity]) -> str:
        """How it is one step from a figure beside it and another one that is known."""
        if self._must_be_shown(figure):
            return ""
        beside = [one for one in own if one is not figure and not same(one, figure) and self.has(one)]
        known = [*beside, *self.amounts, *(one for one, _ in self._reckoned)]
        pairs = ((one, other) for one, other in product(beside, known) if one is not other and not same(other, figure))
        return next(
            (how for one, other in pairs if (how := step(figure, one, other) or time_from(figure, one, other))), ""
        )

    def _sum(self, figure: Quantity, own: Sequence[Quantity]) -> str:
        beside = [one for one in own if one is not figure and one.kind == figure.kind and self.has(one)]
        return "" if self._must_be_shown(figure) else signed_sum(figure, beside)

    def _must_be_shown(self, figure: Quantity) -> bool:
        """Whether only a sum that is written out makes a number known: it is small, or the evidence has another one."""
        small = all(value < _SMALL and value % 1 == 0 for value in figure.written)
        return figure.kind == BARE and (small or _among(figure, self.told_otherwise))

    def _total(self, figure: Quantity) -> str:
        """How it is what the lines of a list come to."""
        found = (parts for parts in totals(self._around, figure) if all(map(self.has, parts)))
        return " + ".join(one.text for one in next(found, ()))


def _amounts(text: str) -> list[Quantity]:
    return [one for one in find_quantities(text) if not (one.vague or one.ordinal)][:MOST]


def _among(figure: Quantity, others: Iterable[Quantity]) -> bool:
    return any(same(figure, other) for other in others)


def _is(date: Date, other: Date) -> bool:
    """Whether another date says all that this one does; neither need name the year."""
    year = date.year is None or other.year in (None, date.year)
    return year and date.month in (None, other.month) and date.day in (None, other.day)
