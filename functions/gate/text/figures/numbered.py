"""Names that end in a number: "Plan 7", "type 9"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gate.text.figures.quantities import BARE, Quantity
from gate.text.tokens import stem
from gate.text.words.function_words import FUNCTION_WORDS

_BEFORE = re.compile(r"(?<![\w.-])([^\W\d_]{2,40})[ \u00a0]$")
_LONGEST = 45
"""Characters before a number in which the word stands."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A word and the number right behind it, which has no unit.

    Attributes:
        text: as written.
        word: as it is compared.
    """

    text: str
    word: str
    number: Quantity


def find_numbered(text: str, amounts: Sequence[Quantity]) -> list[Numbered]:
    """What may be names that end in a number: whether "costs 9" is one shows in what other texts have behind the word.

    Args:
        amounts: of the text.
    """
    found = []
    for one in amounts:
        is_plain = one.kind == BARE and not one.ordinal and one.text[:1].isdigit()
        before = _BEFORE.search(text[max(0, one.start - _LONGEST) : one.start]) if is_plain else None
        if before and before[1].lower() not in FUNCTION_WORDS:
            found.append(Numbered(f"{before[1]} {one.text}", stem(before[1].lower()), one))
    return found
