"""Letters that a reader takes for digits: "14O days", "l4 days"."""

from __future__ import annotations

import re

from gate.text.figures.units import CASED_UNITS, UNITS

_DIGITS = str.maketrans("OoIlSBZ", "0011582")
_FIGURE = re.compile(
    r"(?<![\w.,$€£¥₹-])(?P<money>[$€£¥₹]\s?)?"
    r"(?P<figure>(?=[OoIlSBZ.,]{0,8}+\d)(?:\d|[OoIl]|[SBZ](?=[\dOoIl])|[.,](?=[\dOoIl])){2,20}+)(?!\w)"
    r"(?=(?P<percent>\s?[%‰°€£])|[\s-](?P<unit>[^\W\d_]{1,30})(?!\w))?"
)


def as_digits(text: str) -> str:
    """The text, as long as before, with such letters as digits where an amount is plainly meant: a unit follows.

    A single letter behind digits may be a unit itself ("2l") and is none where another unit follows it.
    """
    return _FIGURE.sub(_read, text)


def _read(found: re.Match[str]) -> str:
    figure = found["figure"]
    unit = found["unit"] or ""
    known = unit in CASED_UNITS or unit.lower() in UNITS
    if figure.isdigit() or not (found["money"] or found["percent"] or known):
        return found[0]
    return (found["money"] or "") + figure.translate(_DIGITS)
