"""What "Yes, you do." says: the question before it as a statement, "You get the days back."."""

from __future__ import annotations

import re

from gate.text.words.negation import NEGATIONS
from gate.text.words.verbs import FINITE_AUXILIARIES

_AUXILIARY = "|".join(sorted(FINITE_AUXILIARIES | {"am"}))
_SUBJECT = "i|we|you|it|they|he|she|there|this|that"
_ANSWER = re.compile(
    rf"(?i)\W*(?:(?P<yes>yes|yep|yeah)|(?P<no>no|nope))\b(?:[,!.–—\s]+(?P<whole>{_SUBJECT})\s(?:{_AUXILIARY}|ca|wo)"
    r"(?P<not>n['’]t|not|\snot)?)?(?:[,!.\s]+(?:absolutely|definitely|certainly|of course|indeed))?\W*"
)
_QUESTION = re.compile(
    rf"(?i)(?:^|[.!?,;:\n–—]|\b(?:and|but|so|hi|hello|hey)\b)\W{{0,5}}(?P<verb>{_AUXILIARY})\s+(?P<who>{_SUBJECT})\s+"
    r"(?P<what>[^?.!\n]{2,300})"
)
"""A question that is answered by yes or no and whose subject is a pronoun, so that it is known where that ends."""
_ANOTHER = re.compile(rf"(?i),?\s(?:and|but)\s(?:how|what|when|where|which|who|why|{_AUXILIARY})\b")
_ASKER = {"i": "you", "me": "you", "my": "your", "mine": "yours", "i'm": "you're", "i've": "you've", "i'd": "you'd"}
_ASKED = _ASKER | {"you": "we", "your": "our", "yours": "ours"}
_OPEN = frozenset({"or", "any", "anything", "anyone"})
"""What leaves it open of what is asked: "Are there any conditions?"."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LONGEST = 2_000
"""Characters of what was asked: a prompt that holds documents asks nobody knows where."""


def short_answer(text: str, asked: str) -> str:
    """What a yes or no states after what was asked; empty where it is more, or nobody can be certain of the question.

    That is where one question is asked to be answered so, with a pronoun for its subject.
    """
    said = _ANSWER.fullmatch(text)
    if not said or len(asked) > _LONGEST or (said["whole"] and bool(said["no"]) != bool(said["not"])):
        return ""
    questions = [*_QUESTION.finditer(asked)]
    if len(questions) != 1:
        return ""
    verb, who = questions[0]["verb"].lower(), questions[0]["who"].lower()
    what = _ANOTHER.split(questions[0]["what"], maxsplit=1)[0].strip(" ,;")
    words = questions[0]["what"].lower().split()
    if not _OPEN.isdisjoint(words) or not NEGATIONS.isdisjoint(words):
        return ""
    seen = _ASKED if who == "you" else _ASKER
    verb = {"am": "are", "was": "were"}.get(verb, verb) if who == "i" else verb
    denied = "cannot" if verb == "can" else f"{verb} not"
    affirmed = "" if verb == "do" else verb
    what = _WORD.sub(lambda one: _turned(one[0], seen), what)
    return " ".join(f"{_turned(who, seen).capitalize()} {denied if said['no'] else affirmed} {what}.".split())


def _turned(word: str, seen: dict[str, str]) -> str:
    return seen.get(word.lower().replace("’", "'"), word)
