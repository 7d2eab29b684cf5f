"""What words of courtesy and opinion tell together, though none of them tells by itself: orders, denials, places."""

from __future__ import annotations

import re

from gate.claims.set_aside.sentence import DENIED, Sentence
from gate.text.words import formulae
from gate.text.words.imperatives import COURTEOUS, ordered
from gate.text.words.verbs import FINITE

_CLAUSE_ENDS = re.compile(
    r"(?i)[,;:.!?–—]\s*|\s(?:and|but|or|so)\s|\b(?=you\s|I(?:['’]d|\swould)\s)"
    r"|\bit(?:['’]s|\sis|\swould\sbe)\s[^\W\d_]+\sto\s|\b(?:feel\sfree|hesitate)\sto\s"
)
_TOLD_TO = re.compile(
    r"(?is)^\W*(?:(?:then|so|now|yes|sure)\s)?"
    r"(?:I(?:['’]d|\swould)\s|you(?:['’]d\sbetter)?\s(?:(?:can|could|may|might|must|should|need\sto|have\sto)\s)?)?"
    r"(?:please\s)?(?:do(?:\s|(?=n['’]t)))?(?:(?P<not>n['’]t|not)\s)?(?P<rest>.*)"
)
_PLACES = re.compile(
    r"(?i)^\W*(?:the|this|that|my|our|your|his|her|their)\s(?:[^\W\d_]+\s){1,3}(?:is|are|was|were|will\sbe)\s"
    r"(?:[^\W\d_]+\s)?(?:in|at|on|from|by|within|after|before|until|near|under|over)\s"
)


def places(text: str) -> bool:
    """Whether it tells where or when something is: "Your trip is in the morning."."""
    return bool(_PLACES.match(text))


def orders(text: str) -> bool:
    """Whether the reader is told, or advised, to do something or not to do it: "Take one a day."."""
    return any(
        (verb := ordered(clause["rest"]))
        and (verb not in COURTEOUS or clause["not"])
        and " ".join(formulae.words_of(clause["rest"])) not in formulae.FORMULAE
        for clause in filter(None, map(_TOLD_TO.match, _CLAUSE_ENDS.split(text)))
    )


def denies(one: Sentence) -> bool:
    """Whether something is denied of others than the speaker: "The support team is not here."."""
    told = not FINITE.isdisjoint(one.words) and formulae.SPEAKER.isdisjoint(one.words)
    return told and bool(DENIED.search(one.text))
