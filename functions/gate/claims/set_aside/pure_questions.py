"""Questions that state nothing on the way."""

from __future__ import annotations

import re
from dataclasses import replace

from gate.claims.set_aside.sentence import (
    DENIED,
    FIGURE,
    PAST,
    PRESUPPOSING,
    Sentence,
    embeds,
    names,
    takes_for_granted,
)
from gate.text.questions import asks, before_asking, begins_asking
from gate.text.words import formulae
from gate.text.words.anaphora import SUBJECTS
from gate.text.words.verbs import ASSERTING, FINITE, FINITE_AUXILIARIES, IRREGULAR

_INSERTED = re.compile(r",\s(?P<inside>[^,]{3,200}),")
_KNOWING = re.compile(
    r"(?i)^\W*(?:saviez|savais|sabías|sabía|sabia|sapevi|sapeva|lo sai|wist|wusstest|wussten|wissen sie)\b"
    r".*\b(?:que|che|dat|dass)\b"
)
_POINTS_BACK = re.compile(r"(?i)^(?P<verb>\W*(?:does|do|did|is|was|will|would|can|could|has))\sthat(?=\s[^\W\d_])")
"""Where "that" stands for something said before and begins no clause: "Does that also apply to books?"."""
_BARE_KNOWING = re.compile(
    r"(?i)^\W*(?:(?:did|do) (?:you|i) (?:know|realise|realize|hear|notice|mention|say)"
    r"|(?:can|could|will|would) (?:you|anybody|anyone|we) (?:\w+ ){0,2}(?:believe|imagine|guess|guessed|thought|think))"
    r"\b\W*(?P<rest>.+)"
)

_PERSONS = SUBJECTS | {"i", "we", "you", "they", "it"}
_MOST_NAMED = 3
"""New words that name a topic: "Shipping to northern Norway: what does it cost?"."""


def pure_question(one: Sentence) -> bool:
    one = replace(one, text=_POINTS_BACK.sub("\\g<verb> it", one.text))
    if not asks(one.text) or _KNOWING.search(one.text):
        return False
    bare = _BARE_KNOWING.match(one.text)
    if (bare and _states(one, bare["rest"])) or embeds(one):
        return False
    if any(FIGURE.search(found["inside"]) and one.new(found["inside"]) for found in _INSERTED.finditer(one.text)):
        return False
    if takes_for_granted(one) or _tells(one, before_asking(one.text)):
        return False
    polar = not begins_asking(one.text) or one.words[0] in FINITE_AUXILIARIES
    return polar or not PRESUPPOSING.search(one.text) or not names(one)


def _states(one: Sentence, text: str) -> bool:
    """Whether a part of it tells something: two words, or one beside a verb."""
    verb = ASSERTING.search(text) or not IRREGULAR.isdisjoint(formulae.words_of(text))
    return len(one.new(text)) > (0 if verb else 1)


def _tells(one: Sentence, text: str) -> bool:
    """Whether what stands before the asking clause is a clause of its own: "They can be returned – why not?"."""
    words, new = formulae.words_of(text), one.new(text)
    verb = (
        not (FINITE | FINITE_AUXILIARIES | IRREGULAR).isdisjoint(words) or PAST.search(text) or ASSERTING.search(text)
    )
    states = bool(verb or DENIED.search(text) or not _PERSONS.isdisjoint(words[:1]))
    return len(new) > (0 if states else _MOST_NAMED)
