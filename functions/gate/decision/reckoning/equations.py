"""Sums that a text writes out: "4 × 10 euros = 40 euros"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from gate.decision.reckoning.arithmetic import is_one
from gate.text.figures.quantities import Quantity, find_quantities

_WORDS = r"[^\d=\n]{0,40}?"
"""What may stand behind a figure: what it counts."""
_SIGN = re.compile(rf"{_WORDS}(?P<sign>[-+−–×x*·÷/])[\s(]*(?:[£$€]\s?)?")
_EQUALS = re.compile(rf"{_WORDS}[=≈]\W{{0,4}}")
_TIMES, _PARTS, _PLUS = frozenset("×x*·"), frozenset("÷/"), "+"
_MOST_OPERANDS = 12
_MOST_READINGS = 16


@dataclass(frozen=True)
class Equation:
    """A sum and what it is said to come to; `signs` stand between the operands."""

    operands: Sequence[Quantity]
    signs: Sequence[str]
    result: Quantity

    def holds(self) -> bool:
        """Whether it comes to that."""
        readings = islice(product(*(sorted(one.written, reverse=True) for one in self.operands)), _MOST_READINGS)
        made = [value for reading in readings if (value := _value(reading, self.signs)) is not None]
        return is_one(self.result, made)

    def __str__(self) -> str:
        rest = (f"{sign} {one.text}" for sign, one in zip(self.signs, self.operands[1:], strict=True))
        return " ".join((self.operands[0].text, *rest))


def equations(text: str) -> Iterator[Equation]:
    """Every sum of a text, in order."""
    operands, signs = list[Quantity](), list[str]()
    before: Quantity | None = None
    for found in find_quantities(text):
        between = text[before.end : found.start] if before else ""
        if before and signs and _EQUALS.fullmatch(between):
            yield Equation((*operands, before), tuple(signs), found)
        signed = _SIGN.fullmatch(between) if before and len(signs) < _MOST_OPERANDS else None
        if before and signed:
            operands.append(before)
            signs.append(signed["sign"])
        else:
            operands, signs = [], []
        before = found


def _value(numbers: Sequence[float], signs: Sequence[str]) -> float | None:
    """Products before sums; None where something is divided by nothing."""
    terms, own = [numbers[0]], [1]
    for sign, number in zip(signs, numbers[1:], strict=True):
        if sign in _TIMES:
            terms[-1] *= number
        elif sign in _PARTS:
            if not number:
                return None
            terms[-1] /= number
        else:
            terms.append(number)
            own.append(1 if sign == _PLUS else -1)
    return sum(one * term for one, term in zip(own, terms, strict=True))
