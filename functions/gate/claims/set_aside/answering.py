"""What asserts nothing by itself, and answers what is asked before it: "Absolutely!", "I think so.", "Every day."."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gate.claims.set_aside.lead_ins import announces, ends_open
from gate.claims.set_aside.sentence import TICKS, Sentence
from gate.claims.set_aside.user_prompt import UserPrompt
from gate.model import NonClaimReason
from gate.text.questions import QUESTION, asks_whether, asks_within, begins_asking
from gate.text.tokens import keys
from gate.text.words import formulae
from gate.text.words.function_words import ARTICLES, PREPOSITIONS
from gate.text.words.imperatives import COURTEOUS, ordered
from gate.text.words.negation import NEGATIONS
from gate.text.words.quantifiers import UNIVERSAL
from gate.text.words.verbs import FINITE_AUXILIARIES

_AFFIRMING_LISTED = """absolutely definitely certainly sure course yes no natürlich selbstverständlich sicher klar
gewiss ja nein absolument certainement sûr oui claro supuesto sí certo certamente sì com
certeza sim natuurlijk zeker
uiteraard nee"""
_AFFIRMING = frozenset(_AFFIRMING_LISTED.split())
_BEFORE_AFFIRMING = frozenset({"of", "bien", "por"})
"""What such a word may stand behind: "of course"."""
_SO = re.compile(r"(?i)^\W*(?:[^\W\d_]+\W+){1,4}(?:so|not(?:\sto)?|schon|would|wouldn['’]t|do|don['’]t|can|will)\W*$")
"""How a few words end where the matter would be said again: "I hope so.", "I would."."""
_ALLOWS = re.compile(r"(?i)^\W*(?:that|this|it)(?:['’]s| is) (?:ok|okay|alright|all right|fine|right|sure|certain)\W*$")
"""How a few words of courtesy grant what is asked right before them."""
_ALLOWING = re.compile(r"(?i)^\W*(?:(?:please )?(?P<free>feel free to)|enjoy|happy|have|good luck)\b(?P<what>.*)")
_EXCLAIMS = re.compile(r"(?i)^\W*(?:what|how)\b")
_FILLING = PREPOSITIONS.union(ARTICLES, UNIVERSAL, ("one", "two", "both"))
"""Words with which a few others begin that tell when, where, how many or which."""
_WISHES = re.compile(r"(?i)^\W*all the best (?:for|with) (?:you|your)\b")
_SAID = FINITE_AUXILIARIES.union(formulae.SPEAKER, _AFFIRMING, ("here", "question"))
"""Words of a clause, or of a courtesy, that may begin so too: "Of course.", "A great question!"."""
_TURN = re.compile(r"(?i)[,;–—]\s(?:but|so|yet|and)\s")
_MOST_ADDED = 3
_SHORT = 8
"""Words of an answer that names no matter."""
_GRANTING = frozenset({"anytime", "bet", "do", "gladly", "pleasure", "feel free"})
_WILLING = frozenset({"delighted", "glad", "happy", "love", "welcome"})
"""Words of courtesies that grant what was asked for; the others often open an answer to somebody else's question."""
_MOST_GRANTING = 2
_OFFERING = re.compile(
    r"(?i)^\W*(?:(?:and|so|now|or)\s)?(?:(?:would\syou\slike|did\syou\smean|are\syou\s(?:ready|looking\sfor)|shall)\b"
    r"|(?:shall|should|could|can|may)\s(?:i|we)\s(?:help|assist|do|explain|show|tell|give|go)\b"
    r"|(?:(?:did|are|have)\syou|do\syou\s(?:want|need|have|wish)|(?:is|was)\s(?:this|that|(?:there\s)?anything)"
    r"|any|need|want)\b(?=.*\b(?:me\sto|more|other|another|else|further|help\w*|questions?|examples?|details?)\b))"
)
"""A question that offers something: more, other, further, help; "Do you need a licence?" asks for a fact."""


def answers(one: Sentence, reason: NonClaimReason, prompt: UserPrompt, before: str) -> bool:
    """Whether what is set aside for a reason answers what the user asked, or is asked right before it."""
    if reason == "greeting" and (_affirms(one, prompt, before) or _permits(one, prompt, before)):
        return True
    if reason == "lead_in" and _announces_an_answer(one):
        return prompt.asks_whether or asks_whether(before)
    if reason in ("greeting", "abstention") and _adds_an_answer(one.text):
        return prompt.asks_whether or prompt.asks_indirectly or _asks_for_a_fact(before)
    if (reason == "opinion" or _leaves_out(one.text)) and _opines(one, prompt, before):
        return True
    return reason in ("greeting", "opinion", "lead_in") and _fills_in(one, prompt, before)


def stands_for_an_answer(one: Sentence, prompt: UserPrompt, before: str) -> bool:
    """Whether a heading or label is what was asked for, or completes what stands before it: "Paris", "**900**".

    That is where it comes first behind the prompt, behind a question, or behind "The founder is:"; words that the user
    has said, and those of another question, answer nothing.
    """
    if begins_asking(one.text) or not (one.new(one.text) or one.figures or says_yes_or_no(one.text)):
        return False
    if not before:
        return prompt.asks_of_a_matter and not _is_titled_as_asked(one, prompt)
    return (bool(QUESTION.search(before)) and not offers(before)) or ends_open(before)


def _is_titled_as_asked(one: Sentence, prompt: UserPrompt) -> bool:
    """Whether the user has said most of it, and it has no figure: "Lamps at Larkfield" to "Are lamps sold?"."""
    bare = replace(one, prompt=frozenset())
    new = replace(one, prompt=prompt.words).new(one.text)
    return not (one.figures or says_yes_or_no(one.text)) and len(bare.new(one.text)) > 2 * len(new)


def _affirms(one: Sentence, prompt: UserPrompt, before: str) -> bool:
    """Whether a courtesy such as "Absolutely!" answers what is asked before it: it says yes or no, or grants it."""
    if _ALLOWS.match(one.text) and prompt.asks_whether and not before:
        return True
    if _grants(one.words, prompt, before) or (TICKS.search(one.text) and _asks_for_a_fact(before)):
        return True
    label, colon, rest = one.text.partition(":")
    if not says_yes_or_no(rest if colon and announces(label) else one.text):
        return False
    asked = bool(QUESTION.search(before)) and not begins_asking(before) and not offers(before)
    brief = len(one.words) <= _MOST_ADDED and (prompt.asks_indirectly or prompt.tells)
    return asked or brief or asks_whether(before) or prompt.asks_whether


def _permits(one: Sentence, prompt: UserPrompt, before: str) -> bool:
    """Whether a wish allows what the user asks to do: "Feel free to return it.", "Enjoy the alcohol!"."""
    found = _ALLOWING.match(one.text)
    asked = prompt.asks_whether or prompt.asks_indirectly or prompt.tells
    if not found or not (asked or _asks_for_a_fact(before)):
        return False
    told = replace(one, prompt=frozenset()).new(found["what"])
    if found["free"]:
        return bool(told)
    said = prompt.words.union(keys(before))
    return any(word in said or not said.isdisjoint(keys(word)) for word in told)


def _announces_an_answer(one: Sentence) -> bool:
    """Whether a yes or no ends it, or begins what nothing follows: "In short, yes.", "Yes, possible."."""
    ends = one.words[-1:] if one.announces else [*one.words[:1], *one.words[-1:]]
    return not (_AFFIRMING | NEGATIONS).isdisjoint(ends)


def _adds_an_answer(text: str) -> bool:
    """Whether a few words behind a "but" may say yes or no: "I don't know, but probably."."""
    _, *behind = _TURN.split(text)
    words = formulae.words_of(behind[-1]) if behind else []
    if not words or ordered(behind[-1]) in COURTEOUS:
        return False
    return len(words) <= _MOST_ADDED or words[-1] in _AFFIRMING or _leaves_out(behind[-1])


def _opines(one: Sentence, prompt: UserPrompt, before: str) -> bool:
    """Whether an opinion such as "Better not." stands for a yes or no: it is what first follows the question, or has a
    word of either."""
    if _EXCLAIMS.match(one.text):
        return False
    direct = not before or _leaves_out(one.text) or not (_AFFIRMING | NEGATIONS).isdisjoint(one.words)
    asked = prompt.asks_whether or prompt.asks_indirectly or prompt.tells
    within = asks_within(before) and not offers(before)
    return _asks_for_a_fact(before) or within or (asked and direct)


def _leaves_out(text: str) -> bool:
    """Whether it is a few words that end where the matter would be said again: "I hope so.", "I would."."""
    return bool(_SO.match(text))


def _fills_in(one: Sentence, prompt: UserPrompt, before: str) -> bool:
    """Whether it is a few words that a question, and no offer, asks for: "In the morning.", "Every day."."""
    brief = len(one.words) <= _SHORT and not one.announces and _SAID.isdisjoint(one.words)
    asked = prompt.asks if not before else bool(QUESTION.search(before)) and not offers(before)
    return asked and brief and not _FILLING.isdisjoint(one.words[:1]) and not _WISHES.match(one.text)


def _grants(words: Sequence[str], prompt: UserPrompt, before: str) -> bool:
    """Whether a word or two, such as "Anytime!", is all that answers a question that is no offer."""
    if not _GRANTING.isdisjoint(words) and len(words) <= _MOST_GRANTING and prompt.asks_whether:
        return True
    granted = not (_GRANTING | _WILLING).isdisjoint(words) and len(words) <= _SHORT
    return granted and _asks_for_a_fact(before)


def _asks_for_a_fact(question: str) -> bool:
    return asks_whether(question) and not offers(question)


def offers(question: str) -> bool:
    """Whether a question asks what else somebody would like: "Do you have other questions?"."""
    return bool(_OFFERING.match(question))


def says_yes_or_no(text: str) -> bool:
    """Whether it begins with a word that affirms or denies, or with the likes of "of course"."""
    words = formulae.words_of(text)
    return bool(frozenset(words[:1]) & (_AFFIRMING | NEGATIONS | _BEFORE_AFFIRMING)) and any(
        word in _AFFIRMING | NEGATIONS for word in words
    )
