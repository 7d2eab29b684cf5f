"""Which words of a claim stand in none of its passages: what a reader looks at first."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from gate.text.tokens import keys
from gate.text.words.function_words import FUNCTION_WORDS

_WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")


def uncovered(claim: str, evidence: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the words stand that carry meaning and occur in no text of the evidence, neighbours together.

    Returns:
        Start and end in the claim, in order; nothing for a text that is not in Unicode's composed form (NFKC).
    """
    if not unicodedata.is_normalized("NFKC", claim):
        return []
    there = {key for text in evidence for key in keys(text)}
    found: list[tuple[int, int]] = []
    for word in _WORD.finditer(claim):
        if word[0].lower() in FUNCTION_WORDS or all(key in there for key in keys(word[0])):
            continue
        if found and not claim[found[-1][1] : word.start()].strip():
            found[-1] = (found[-1][0], word.end())
        else:
            found.append((word.start(), word.end()))
    return found
