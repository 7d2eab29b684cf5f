"""Whether an amount of a claim is one that its evidence has."""

from __future__ import annotations

from gate.text.figures.quantities import BARE, Quantity
from gate.text.figures.units import Unit

_ROUNDED = 0.01
"""How far a converted amount may lie off, as a share of it; 1 % is less than any slip between whole numbers to 100."""
_COARSE = 0.05
"""The same where half of the last digit written is as much ("3 miles" for "5 km")."""
_DEGREE = 0.6
"""Kelvin that a converted temperature may lie off."""
_BOILING = 373
"""Kelvin above which a converted temperature is that of an oven, told in steps of five degrees: 175°C for 350°F."""
_STEP = 5
_PERIODS = 0.02
"""How far a rate over another period may lie off: a month has 28 to 31 days."""
_NOTHING = 1e-9
"""What a sum in binary may be off."""
_UNITLESS = (BARE, "BC", "AD", "times", "clock")
"""What a number of things named otherwise may be compared with."""


def same(stated: Quantity, there: Quantity) -> bool:
    """Whether two amounts are the same: of one unit, or of two that measure the same, converted.

    One without a unit and without a name behind it may have any unit; a number of things named otherwise is no amount
    of a unit ("5 rooms", "5 km"). "Over 50" is not "under 50", and a week is no month; where one of the two says
    nothing of a bound or of a period they do not differ in it.
    """
    if stated.bound * there.bound < 0:
        return False
    rate = _rate(stated.per, there.per)
    if rate is None:
        return False
    return any(
        _equal(stated, one, there, other, rate)
        for one in stated.units
        for other in there.units
        if one.dimension == other.dimension
    ) or (_untold(stated, there) and rate == 1 and _plainly(stated, there))


def alike(stated: Quantity, there: Quantity) -> bool:
    """Whether two amounts measure the same, so that one could stand for the other."""
    return any(one.dimension == other.dimension for one in stated.units for other in there.units)


def _rate(ours: Unit | None, theirs: Unit | None) -> float | None:
    """What an amount by their period makes by ours; None where the two cannot be compared."""
    if ours is None or theirs is None:
        return 1.0
    return ours.size / theirs.size if ours.dimension == theirs.dimension else None


def _equal(stated: Quantity, one: Unit, there: Quantity, other: Unit, rate: float) -> bool:
    """Whether a value of the one is a value of the other, as far as both are rounded."""
    return any(
        _close(stated, one, there, other, rate, ours, theirs) for ours in stated.written for theirs in there.written
    )


def _plainly(stated: Quantity, there: Quantity) -> bool:
    room = max(stated.slack, there.slack if there.spelled else 0.0)
    return any(
        abs(ours - theirs) <= max(room, _about(stated, ours, theirs - ours, there.bound)) + _NOTHING * abs(ours)
        for ours in stated.bare
        for theirs in there.bare
    )


def _about(stated: Quantity, value: float, more: float, bound: int) -> float:
    """How far the evidence's value may lie from a value that is told as inexact, or as a bound.

    "At least 50" is met by 52, and is neither "at least 52" nor met by 48; "over five decades" is "over 55 years".

    Args:
        more: by how much the evidence's is larger.
        bound: of the evidence's in the same unit; 0 where it has none.
    """
    is_met = not stated.bound or (not bound and stated.bound * more >= 0)
    return stated.about * abs(value) if is_met else 0.0


def _close(stated: Quantity, one: Unit, there: Quantity, other: Unit, rate: float, ours: float, theirs: float) -> bool:
    written, ours, theirs = ours, one.zero + ours * one.size, rate * (other.zero + theirs * other.size)
    bound = there.bound if one == other else 0
    room = max(stated.slack, _about(stated, written, theirs - ours, bound)) * one.size
    if stated.spelled or there.spelled:
        room = max(room, there.slack * other.size)
    if one != other:
        room += _room(stated, one, there, other, abs(ours))
    if rate != 1:
        room += _PERIODS * abs(ours)
    if stated.bound and stated.spelled and stated.bound * (theirs - ours) > 0:
        return True
    return abs(ours - theirs) <= room + _NOTHING * abs(ours)


def _room(stated: Quantity, one: Unit, there: Quantity, other: Unit, size: float) -> float:
    """How far a converted amount may lie off."""
    if one.zero or other.zero:
        in_steps = size > _BOILING and all(value % _STEP == 0 for value in stated.written)
        return _STEP / 2 * one.size if in_steps else _DEGREE
    return max(_ROUNDED * size, min(_COARSE * size, _half(stated) * one.size, _half(there) * other.size))


def _half(found: Quantity) -> float:
    """Half of the last digit written, or how far an inexact amount may lie off."""
    return found.slack or found.about * min(map(abs, found.written)) or 0.5


def _untold(stated: Quantity, there: Quantity) -> bool:
    """Whether one of the two has a number and does not say of what."""
    return any(
        one.kind == BARE and (not one.counted or other.kind in _UNITLESS)
        for one, other in ((stated, there), (there, stated))
    )
