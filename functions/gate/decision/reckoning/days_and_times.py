"""Days and times of day that follow from another one and a stretch of time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import combinations, product

from gate.text.figures.dates import Date
from gate.text.figures.quantities import BARE, CLOCK, Quantity

_DAY_S, _MINUTE_S, _DAY_MINUTES, _YEAR_MONTHS = 86_400, 60, 1_440, 12
_SOME_YEAR = 2001
"""Of dates that name none."""
_WRITTEN = re.compile(r"(\d{1,2})[.:](\d\d)")
"""A time of day that may as well be a number."""


def date_from(figure: Date, dates: Sequence[Date], spans: Sequence[Quantity]) -> str:
    """How a date follows from another one and a stretch of days, weeks, months or years; empty where it does not.

    The last day of a stretch counts too: a year from 1 May ends on 30 April.
    """
    for one, span, (sign, way) in product(dates, spans, (("+", 1), ("−", -1))):
        first = _day(one)
        end = _moved(first, span, way) if first else None
        years = figure.year is None or one.year is not None
        last = _later(end, -way) if end else None
        if years and any(day and _fits(figure, day) for day in (end, last)):
            return f"{one.text} {sign} {span.text}"
    return ""


def days_between(figure: Quantity, dates: Sequence[Date]) -> str:
    """How a stretch of time is that between two dates, its last day counted or not; empty where it is not."""
    unit = figure.units[0]
    for one, other in combinations(dates, 2) if unit.dimension == "time" else ():
        first, last = _day(one, other.year), _day(other, one.year)
        if first and last:
            days = abs((last - first).days)
            if any(value * unit.size in (days * _DAY_S, (days + 1) * _DAY_S) for value in figure.written):
                return f"{one.text} to {other.text}"
    return ""


def time_from(figure: Quantity, one: Quantity, other: Quantity) -> str:
    """How a time of day follows from another one and a stretch of time, or a stretch from two times; empty if not."""
    for moment, span, (sign, way) in product((one, other), (one, other), (("+", 1), ("−", -1))):
        if span.kind == "time" and any(
            (start + way * minutes - end) % _DAY_MINUTES == 0
            for start, minutes, end in product(_minutes(moment), _stretch(span), _minutes(figure))
        ):
            return f"{moment.text} {sign} {span.text}"
    between = {abs(last - first) for first, last in product(_minutes(one), _minutes(other))}
    is_time = figure.kind == "time" and CLOCK in (one.kind, other.kind)
    return f"{one.text} to {other.text}" if is_time and between.intersection(_stretch(figure)) else ""


def _stretch(span: Quantity) -> list[float]:
    return [value * span.units[0].size / _MINUTE_S for value in span.written]


def _minutes(moment: Quantity) -> list[float]:
    """Of the day; a number such as 11.45 may be a time."""
    if moment.kind == CLOCK:
        return [round(value * 60) for value in moment.written]
    written = _WRITTEN.fullmatch(moment.text.strip()) if moment.kind == BARE else None
    return [int(written[1]) * 60 + int(written[2])] if written and int(written[1]) < 25 and int(written[2]) < 60 else []


def _day(one: Date, year: int | None = None) -> date | None:
    if one.month is None or one.day is None:
        return None
    return _made(one.year or year or _SOME_YEAR, one.month, one.day)


def _moved(start: date, span: Quantity, way: int) -> date | None:
    unit, value = span.units[0], min(span.written)
    if unit.dimension == "month" and (months := value * unit.size).is_integer():
        at = start.year * _YEAR_MONTHS + start.month - 1 + way * int(months)
        return _made(at // _YEAR_MONTHS, at % _YEAR_MONTHS + 1, start.day)
    if unit.dimension == "time" and (value * unit.size) % _DAY_S == 0:
        return _later(start, way * value * unit.size / _DAY_S)
    return None


def _later(day: date, days: float) -> date | None:
    """None where the calendar has no such day."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def _made(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def _fits(figure: Date, day: date) -> bool:
    return figure.year in (None, day.year) and figure.month == day.month and figure.day in (None, day.day)
