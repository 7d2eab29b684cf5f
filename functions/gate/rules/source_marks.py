"""Marks that point at a source (`[1]`, `[2, 3]`, `[^4]`, `【5†source】`): they are no part of what is said."""

from __future__ import annotations

import re

_NUMBER = r"\^?[1-9]\d{0,2}"
_MARK = rf"(?:\[{_NUMBER}(?:\s*[,;–-]\s*{_NUMBER})*\]|【\d{{1,3}}(?:[^】]{{0,80}}†[^】]{{0,80}})?】)"
_BEGINS = re.compile(rf"^(?:\s*{_MARK})+(?!\()\s*(?=(?P<next>[^\s\d]))")
_ENDS = re.compile(rf"(?<=\S)(?P<marks>(?:\s*{_MARK})+)(?=\s*(?:[.,;:!?。，；：！？)»”\"]|$))")
_ASKS_FOR_A_FIGURE = re.compile(
    r"(?i)(?:\b(?:is|are|was|were|be|been|of|to|at|by|in|on|for|from|with|about|than|least|most|over|under|only|a|an|"
    r"the|and|or|plus|until|till|after|before|within|every|exactly|around|nearly|costs?|takes?|has|have|had|holds?|"
    r"equals?|totals?|reach(?:es)?|number(?:s|ed)?|range|between|interval|set|section|chapter|page|version|ist|sind|war|kostet|beträgt|dauert|hat|est|sont|coûte|dure|a|es|son|"
    r"cuesta|dura|tiene|è|sono|costa|ha|é|são|custa|tem|составляет|стоит|равно|равна)|[=:,≈<>+*/-]|[为是約约达達需到有はがで])$"
)
"""What an amount may follow: in "The fee is [5]." the brackets hold what is said."""


def without_marks(text: str) -> str:
    """Return `text` without marks at its beginning and at the end of a clause.

    Anywhere else, and where an amount could stand, a number in brackets stays: what a reader may take for a figure
    is checked as one.
    """
    begins = _BEGINS.match(text)
    if begins and not begins["next"].islower():
        text = text[begins.end() :]
    return _ENDS.sub(lambda found: found[0] if _may_be_a_figure(text[: found.start()]) else "", text)


def _may_be_a_figure(before: str) -> bool:
    return bool(_ASKS_FOR_A_FIGURE.search(before)) or (before.count(" ") < 2 and before.isascii())
