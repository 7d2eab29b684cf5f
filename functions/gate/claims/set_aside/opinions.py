"""Judgements of taste."""

from __future__ import annotations

import re

from gate.claims.set_aside.sentence import DENIED, PAST, Sentence, either, embeds, names
from gate.claims.set_aside.telling import orders
from gate.text.words import formulae
from gate.text.words.imperatives import tells_to_do
from gate.text.words.verbs import FINITE, FINITE_AUXILIARIES, IRREGULAR

_THIRD = re.compile(rf"(?i)\b(?:it|that|this|they|he|she)\s(?:{'|'.join(sorted(FINITE_AUXILIARIES | FINITE))})\b")
_THINGS = frozenset(("product", "present", "gift", "choice", "option", "read", "recipe", "dish", "piece", "plan"))
"""What is valued, where no matter is told: "It is a good contraceptive." tells one."""
_TASTE = either(formulae.HOLDING, formulae.OPINION, formulae.COURTESY, dict.fromkeys(formulae.LANGUAGES, _THINGS))
_EXCLAIMS = re.compile(r"(?i)^\W*(?:what an?|how|was für eine?|quelle?|qué|che)\s[^.!?]{1,60}!\W*$")


def is_opinion(one: Sentence) -> bool:
    """A judgement of taste about something named by a pronoun, or an exclamation: "What a beautiful dish!".

    "It is best taken in the morning." tells what to do, "There is no other way, I think." what there is.
    """
    if one.figures or embeds(one) or names(one) or tells_to_do(one.text) or orders(one.text):
        return False
    if _foretells(one):
        return False
    if "there" in one.words and DENIED.search(one.text):
        return False
    for language in formulae.LANGUAGES:
        known = _TASTE[language]
        core = formulae.VALUING[language] | (formulae.HEDGING[language] if known.issuperset(one.words) else frozenset())
        if not core.intersection(one.words):
            continue
        left = [at for at, word in enumerate(one.words) if word not in known]
        if not _EXCLAIMS.match(one.text) and one.untold(" ".join(one.words[at] for at in left)):
            return False
        if any(PAST.match(one.words[at]) or one.words[at] in IRREGULAR for at in left):
            return False
        valued = formulae.VALUING[language]
        if len(left) <= 1 and all(
            (at and one.words[at - 1] in valued) or (at > 1 and at + 1 < len(one.words) and one.words[at + 1] in valued)
            for at in left
        ):
            return True
    return False


def _foretells(one: Sentence) -> bool:
    """Whether it says of something what will or may be, and values nothing: "It will probably take a week."."""
    values = any(not formulae.VALUING[language].isdisjoint(one.words) for language in formulae.LANGUAGES)
    return not values and bool(_THIRD.search(one.text))
