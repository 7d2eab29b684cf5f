"""Where a sentence parts into an abstention and what is told beside it: "I can't book it here, but you can."."""

from __future__ import annotations

import re
from itertools import islice

from gate.claims.set_aside.reasons import non_claim_reason
from gate.claims.set_aside.sentence import Sentence
from gate.claims.set_aside.user_prompt import UserPrompt
from gate.text.words.formulae import words_of
from gate.text.words.verbs import WITH_SUBJECT

_TURN = re.compile(r"(?i)[,;]\s(?=(?:but|so|though|although|since|because|as|and)\s)|;\s|\s[–—]\s")
"""What stands between two clauses, each of which may be read alone."""
_MOST_TURNS = 3
_LEAST_TOLD = 2
"""Telling words of the clause that is judged: "…, but yes." stays with what it answers."""


def parts_at(text: str, prompt: UserPrompt) -> tuple[int, int] | None:
    """Where the first clause ends and the second begins of a sentence of which one is an abstention by itself.

    Both are read again as any sentence is, so that nothing is hidden that two sentences would not hide. What is an
    abstention as a whole parts where the other clause has a verb: "but rather describe it" goes on of the sources.
    """
    for turn in islice(_TURN.finditer(text), _MOST_TURNS):
        first, second = text[: turn.start()], text[turn.end() :]
        told = second if _abstains(first, prompt) else first if _abstains(second, prompt) else ""
        if _tells(told):
            hidden = bool(non_claim_reason(text, prompt=prompt)) and WITH_SUBJECT.isdisjoint(words_of(told))
            return None if hidden else turn.span()
    return None


def _abstains(clause: str, prompt: UserPrompt) -> bool:
    return non_claim_reason(clause, prompt=prompt) == "abstention"


def _tells(clause: str) -> bool:
    return len(Sentence(clause, "paragraph", frozenset(), followed=True).new(clause)) >= _LEAST_TOLD
