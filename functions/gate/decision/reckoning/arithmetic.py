"""Whether an amount follows from two others in one step, or from several by adding and taking away."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import product
from math import isfinite

from gate.text.figures.quantities import BARE, CLOCK, Quantity
from gate.text.figures.units import Unit

_PERCENT = "percent"
SPANS = ("time", "month")
"""What stretches of time are measured in; an amount may be by one without saying so: "18 euros, for 3 days 54"."""
_LEAST_TERMS, _MOST_TERMS = 2, 5
_NOTHING = 1e-9
"""What a sum in binary may be off, as a share of it."""


def step(result: Quantity, one: Quantity, other: Quantity) -> str:
    """How a result follows from an amount and another one, "£18 × 5"; empty where it does not."""
    if CLOCK in (result.kind, one.kind, other.kind):
        return ""
    if _PERCENT in (one.kind, other.kind):
        return _share(result, one, other) or _share(result, other, one)
    for sign, made in (
        ("+", _summed(result, one, other, 1)),
        ("−", _summed(result, one, other, -1)),
        ("×", _times(result, one, other)),
        ("÷", _divided(result, one, other)),
    ):
        if is_one(result, made):
            return f"{one.text} {sign} {other.text}"
    return ""


def signed_sum(result: Quantity, terms: Sequence[Quantity]) -> str:
    """How a result is the sum of all terms, some of them taken away, "£42 − £2 + £14"; empty where it is not."""
    if result.kind == CLOCK or not _LEAST_TERMS <= len(terms) <= _MOST_TERMS:
        return ""
    values = [_in(term, result.units[0])[:1] for term in terms]
    for signs in product((1, -1), repeat=len(terms) - 1):
        if all(values) and is_one(
            result, [values[0][0] + sum(s * v[0] for s, v in zip(signs, values[1:], strict=True))]
        ):
            rest = (f"{'+' if sign > 0 else '−'} {term.text}" for sign, term in zip(signs, terms[1:], strict=True))
            return " ".join((terms[0].text, *rest))
    return ""


def is_one(result: Quantity, values: Sequence[float]) -> bool:
    """Whether a value in the result's unit is the result, as far as it is rounded."""
    return any(
        abs(own - value) <= _room(result, own) + _NOTHING * abs(own) for own in result.written for value in values
    )


def _room(figure: Quantity, value: float) -> float:
    """How far a sum may lie off: for "about 83" it is 82.5 to 83.5, for "up to £45" it is £45."""
    room = max(figure.slack, figure.about * abs(value))
    if figure.bound or not room or not isfinite(value):
        return 0.0
    return min(room, 0.5 * 10.0 ** int(Decimal(repr(value)).normalize().as_tuple().exponent))


def equals(figure: Quantity, other: Quantity) -> bool:
    """Whether two amounts come to the same in the unit of the first, where it has one."""
    return is_one(figure, _in(other, figure.units[0]))


def _in(amount: Quantity, unit: Unit) -> list[float]:
    """The amount in a unit; as it is written where one of the two names none; nothing where they measure otherwise."""
    own = amount.units[0]
    if BARE in (own.dimension, unit.dimension):
        return list(amount.written)
    if own.dimension != unit.dimension:
        return []
    return [(own.zero + value * own.size - unit.zero) / unit.size for value in amount.written]


def _summed(result: Quantity, one: Quantity, other: Quantity, sign: int) -> list[float]:
    if one.kind != other.kind or result.kind not in (one.kind, BARE):
        return []
    unit = result.units[0] if result.kind == one.kind else one.units[0]
    return [first + sign * second for first, second in product(_in(one, unit), _in(other, unit))]


def _times(result: Quantity, one: Quantity, other: Quantity) -> list[float]:
    """A number of times an amount: the one that measures what the result does, and the other as it is written."""
    found = []
    for amount, factor in ((one, other), (other, one)):
        if result.kind in (amount.kind, BARE) and _counts(factor, amount):
            found += [v * f for v, f in product(_in(amount, result.units[0]), factor.written)]
    return found


def _counts(factor: Quantity, amount: Quantity) -> bool:
    """Whether an amount may be taken that often: a number of times, for so long, or by what it is a rate of."""
    rate = amount.per.dimension if amount.per else BARE
    return factor.kind in (rate, BARE) or (factor.kind in SPANS and factor.kind != amount.kind)


def _divided(result: Quantity, one: Quantity, other: Quantity) -> list[float]:
    is_part = result.kind == one.kind and _counts(other, result)
    is_ratio = result.kind == BARE and one.kind == other.kind and not result.counted
    if not (is_part or is_ratio):
        return []
    unit = one.units[0] if is_ratio else result.units[0]
    return [v / d for v, d in product(_in(one, unit), _in(other, unit) if is_ratio else other.written) if d]


def _share(result: Quantity, share: Quantity, whole: Quantity) -> str:
    """A share of something, or what is left of it, or what it comes to with it."""
    kinds = (result.kind, whole.kind)
    if share.kind != _PERCENT or not (kinds[0] == kinds[1] or BARE in kinds):
        return ""
    parts = [share.units[0].size * value / 100 for value in share.written]
    wholes = _in(whole, result.units[0])
    ways = [(f"{share.text} of {whole.text}", parts)]
    if not share.spelled:
        ways.append((f"{whole.text} − {share.text}", [1 - part for part in parts]))
        ways.append((f"{whole.text} + {share.text}", [1 + part for part in parts]))
    for how, factors in ways:
        if is_one(result, [value * factor for value, factor in product(wholes, factors)]):
            return how
    return ""
