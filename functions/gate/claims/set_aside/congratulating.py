"""Congratulations on what the user says to have: "Congratulations on your plot!" to "I'm taking over a plot."."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.claims.set_aside.sentence import DENIED, HOLDING, PAST, Sentence
from gate.text.questions import QUESTION, SENTENCES, before_asking, begins_asking
from gate.text.tokens import keys
from gate.text.words.formulae import VALUING, words_of
from gate.text.words.function_words import CONJUNCTIONS, PREPOSITIONS, RELATIVES
from gate.text.words.verbs import MODALS, WITH_SUBJECT

_CONGRATULATES = re.compile(
    r"(?i)^\W*(?:many )?(?:congratulations|congrats)(?: again)?(?: to you(?: both)?)? on "
    r"(?P<what>[^,;:.!?–—]{2,80})\W*$"
)
_ATTAINED = re.compile(
    r"(?i)\b(?:I|we)(?:['’](?:m|re|ve)| am| are| have| had)?(?: just| finally| recently| already)? "
    r"(?P<what>(?:accepted|adopted|bought|completed|earned|finished|got|inherited|passed|received|won"
    r"|(?:taken|taking|took) over)"
    rf"(?: (?!(?:{'|'.join(sorted(PREPOSITIONS | CONJUNCTIONS | RELATIVES))})\b)[^\s,;:.!?()]{{1,40}}){{1,6}})"
)
"""What the user says to have now: who asked for a refund, or waits for one, is told by congratulations that it is his.

Behind a preposition stands something else, "I got a letter about the grant", and so does "I got the grant rejected"."""
_SUPPOSING = MODALS | {"if", "whether", "hope", "wish", "suppose", "imagine"}
_PLAIN = (HOLDING["en"] | VALUING["en"] | {"new"}) - WITH_SUBJECT
_CLAUSES = re.compile(r"[,;:]\s|\s(?:and|but|so)\s")
_MOST_ASKED = 2_000
"""Characters of what the user says: a prompt that holds documents tells of others."""


def congratulates(one: Sentence, asked: str) -> bool:
    """Whether it congratulates the user on what he says to have, and on nothing else."""
    found = _CONGRATULATES.match(one.text)
    if not found or len(asked) > _MOST_ASKED or DENIED.search(one.text) or not WITH_SUBJECT.isdisjoint(one.words):
        return False
    figures = re.findall(r"\d+", found["what"])
    words = [word for word in words_of(found["what"]) if word not in _PLAIN]
    return any(_holds(what, [*words, *figures]) for what in _attained(asked))


def _holds(what: str, words: list[str]) -> bool:
    told = {*words_of(what), *keys(what), *re.findall(r"\d+", what)}
    return all(word in told or not told.isdisjoint(keys(word)) for word in words)


def _attained(asked: str) -> Iterator[str]:
    """What the user tells that he has, in what he neither asks, supposes nor denies."""
    for sentence in SENTENCES.split(asked):
        asks = QUESTION.search(sentence) or begins_asking(sentence)
        for clause in _CLAUSES.split(before_asking(sentence) if asks else sentence):
            if _SUPPOSING.isdisjoint(words_of(clause)) and not DENIED.search(clause):
                found = (one["what"] for one in _ATTAINED.finditer(clause))
                yield from (what for what in found if not PAST.search(what.partition(" ")[2]))
