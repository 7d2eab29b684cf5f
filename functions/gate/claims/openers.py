"""What opens a sentence and tells nothing: "Therefore,", "Please note that", "It is important to mention that"."""

from __future__ import annotations

import re

from gate.text.words.formulae import words_of

HEED = r"(?:note|be aware|keep in mind|remember|bear in mind) that\s"
WORTH = (
    r"it(?:['’]s| is) (?:important|worth|also worth|interesting) (?:to (?:note|mention|remember)|noting|mentioning)"
    r" that\s"
)
"""What only draws attention to the rest of its sentence."""
_OPENER = re.compile(
    rf"(?i)^(?:(?:(?:please )?{HEED}|{WORTH}|(?:therefore|however|thus|hence|overall|additionally|furthermore"
    r"|moreover|unfortunately|in (?:addition|short|summary|conclusion|other words)),\s)(?:also\s)?){1,3}"
)
_LEAST = 3
"""Words behind it that are a sentence."""


def without_opener(text: str) -> str:
    """A statement without what opens it, where a sentence is left."""
    rest = _OPENER.sub("", text)
    return rest if len(words_of(rest)) >= _LEAST else text
