"""Referrals: the speaker cannot do or tell it here, and sends the reader to somebody who can."""

from __future__ import annotations

import re

from gate.claims.set_aside.sentence import DENIED, Sentence, embeds, names, why
from gate.text.words import formulae
from gate.text.words.quantifiers import UNIVERSAL
from gate.text.words.verbs import ASSERTING

_ADVISING = (
    r"please|(?:I|we)(?:['’]d| would)? (?:\w+ly )?(?:recommend|suggest|advise)(?: that you| you)?"
    r"|(?:it(?:['’]s| is| may be| might be| would be| could be)|(?:you|one)(?:['’]d| would) be) (?:\w+ ){0,2}"
    r"(?:best|better|idea|advisable|recommended|helpful|wise)(?: for you)? to"
    r"|(?:you|one) (?:may|might|should|can|could)(?: also| always)?(?: want to| need to)?"
)
_REFERRING = (
    r"contact(?:ing)?|consult(?:ing)?(?: with)?|(?:check|checking|verify|verifying)(?: directly)? with"
    r"|reach(?:ing)? out(?: directly)? to|(?:speak|speaking|talk|talking) (?:to|with)"
)
_PURPOSE = (
    r"to (?:confirm|verify|check|make sure|be sure|find out|clarify)(?: (?:this|that|it))?"
    r"|about (?:this|that|it|your [^\W\d_]+)"
    r"|for (?:\w+ ){0,3}(?:information|details|guidance|advice|instructions|assistance|help)"
)
_REFERS = re.compile(
    r"(?i)^\W*(?:[^\W\d_]{1,20}, |(?P<own>I(?:['’]m| am) not an? [^\W\d_]{1,20},? (?:so|but) ))?"
    r"(?:(?:if|for|in case|when) (?P<when>[^,;:]{1,120}), )?"
    rf"(?:{_ADVISING}) (?:{_REFERRING}) (?P<whom>[^,;:.]{{1,80}}?)(?: directly| first)?(?: (?:{_PURPOSE}))?\W*$"
)
"""How the reader is sent to somebody who can tell: "I'd recommend contacting the shop directly to confirm."."""
_GOES_ON = re.compile(r"(?i)\b(?:to|for|who|which|that|because|so|since|then|get|before|after|until|within|about)\b")
"""With what more is said than whom to ask."""
_UNABLE = re.compile(
    r"(?i)^\W*(?:I(?:['’]m| am) (?:(?:afraid|sorry),?(?: but)?(?: that)?|(?:just |only )?an? (?:\w+ )?(?:AI|bot|"
    r"chatbot|assistant|"
    r"language model)(?: \w+)?,? (?:so|and)) )?I(?:['’]m| am)? "
    r"(?:can(?:['’]t|not| not)|(?:not able|unable) to|do(?:n['’]t| not) have access to) (?P<what>[^,;:.]{1,80}?)"
    r"(?:,? so (?:this|that|it) is (?:only |just )?general (?:information|advice|guidance)(?: only)?)?\W*$"
)
"""What the speaker cannot do here: "I can't see your account, so this is general information only."."""
_UNSURE = re.compile(r"(?i)you(?:['’]re| are) (?:unsure|not sure|uncertain)\b")
_SPEAKERS_OWN = re.compile(
    r"(?i)^(?:directly )?(?:see|view|access|look|check|know|tell)\b|\b(?:for you|personal|live|real-time|here)\b"
)
"""What tells an ability of the speaker from a refusal: "I can't refund your order"."""
_MOST_NEW = 3
"""New words that name what the speaker cannot do, or when the reader is sent to somebody."""
_MOST_OF_A_NAME = 2
"""New words that name whom he is sent to: "a professional locksmith"."""
_TELLING = UNIVERSAL | {"free"}
"""Words that no list of new ones has, and that tell something of whomever they stand before."""
_OR = re.compile(r"(?i)\s(?:or|and)\s")
_DEFINITE = re.compile(r"(?i)\W*(?:the|our|my|this|that|these|those)\b")


def refers(one: Sentence) -> bool:
    """Whether it only sends the reader to somebody who can tell, of whom nothing is told."""
    found = _REFERS.match(one.text)
    if (
        not found
        or _tells_more(one)
        or why(one)
        or DENIED.search(one.text, max(0, found.end("own")))
        or _GOES_ON.search(found["whom"])
    ):
        return False
    when = found["when"] or ""
    told = bool(ASSERTING.search(when)) and bool(one.new(when)) and not _UNSURE.match(when)
    return (
        not told
        and not ASSERTING.search(found["whom"])
        and all(_only_names(one, whom) for whom in _OR.split(found["whom"]))
        and len(one.new(when)) <= _MOST_NEW
    )


def _only_names(one: Sentence, whom: str) -> bool:
    """Whether somebody is named and not described: "a good locksmith" is sought, "our lifetime hotline" told of."""
    definite = _DEFINITE.match(whom)
    return _TELLING.isdisjoint(formulae.words_of(whom)) and len(one.new(whom)) <= (1 if definite else _MOST_OF_A_NAME)


def is_unable(one: Sentence) -> bool:
    """Whether it says, of the speaker alone, what he cannot do for the reader."""
    found = _UNABLE.match(one.text)
    if not found or _tells_more(one) or ASSERTING.search(found["what"]) or not _SPEAKERS_OWN.search(found["what"]):
        return False
    return len(one.new(found["what"])) <= _MOST_NEW


def _tells_more(one: Sentence) -> bool:
    """Whether it holds a figure, a name or a clause that the user has not said."""
    return one.figures or bool(names(one)) or embeds(one)
