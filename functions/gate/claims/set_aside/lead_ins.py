"""Lead-ins and labels that announce what follows."""

from __future__ import annotations

import re

from gate.claims.set_aside.sentence import (
    ANNOUNCING,
    DENIED,
    FIGURE,
    KNOWN,
    NUMBERED_NAME,
    PAST,
    QUOTED,
    REDUCED,
    VERB_S,
    Sentence,
    closes,
    embeds,
    takes_for_granted,
    why,
)
from gate.claims.set_aside.telling import orders
from gate.text.words import formulae
from gate.text.words.imperatives import IMPERATIVES, ordered, tells_to_do
from gate.text.words.predicates import tells_without_verb
from gate.text.words.untruth import says_yes
from gate.text.words.verbs import ASSERTING, FINITE, IRREGULAR, MODALS

_OPEN_END = re.compile(
    r"(?i)\b(?:to|by|of|are|is|was|were|be|as|for|with|include|includes|including|need|needs|requires?|sind|ist|zu|est|"
    r"sont|de|son|es|è|sono|são|é|zijn|om)\W*$"
)
_PRESENTS = re.compile(
    r"(?i)^\W*(?:(?:sure|certainly|okay|ok|great|well|so|now|therefore|thus|in short|overall|first|then|finally)\W+)*"
    r"(?:here(?:['’]s| is| are)|below (?:is|are)|the following|these are|this is|there are|there is|to \w+|follow|"
    r"what |how to|hier (?:ist|sind|die|der|das|einige)|folgende|es gibt|um |voici|voilà|il y a|pour |aquí|estos son|"
    r"hay|para |ecco|per |aqui|há|hier (?:is|zijn)|er zijn|om )"
)
_SHOWS = re.compile(
    r"(?i)^(?P<what>[^,;:()]{1,80})\s(?:is|are|looks?|reads?|(?:should|would|will|might|may|could|can)\s(?:be|look|read))"
    r"\s(?:something\s)?(?:as follows|like (?:this|so|the following)|the following)\W*$"
)
"""What is said to be what follows: "The order of severity is as follows:"."""
HERE = re.compile(r"(?i)^\W*here(?:['’]s| is| are) (?:what|how|an? (?:overview|summary)|some|the)\b")
_POINTS_ON = re.compile(
    r"(?i)\b(?:follow\w*|below|above|here|hier|folg\w*|voici|voilà|suivant\w*|aquí|siguiente\w*|ecco|seguent\w*|aqui|"
    r"seguinte\w*|volg\w*)\b"
)
"""Words that point at what stands below them."""
_IT_IS = re.compile(r"(?i)\b(?:it|that|this|there)['’]s\b")
_YOU_CAN = re.compile(rf"(?i)\byou\s(?:{'|'.join(sorted(MODALS))})\b")
_MOST_UNTOLD = 1
"""Words of a lead-in that neither the user nor a claim of the answer has."""
_EARLY = 4
"""Words among which "here" stands in "Sure, here are five ways:"."""
_COUNT = re.compile(r"\s\d{1,2}\W*$")
_ASKED_OR_ANSWERED = re.compile(r"\W*[QAF]\d{0,2}\W*")
"""The letter before a question, or before its answer: "Q1:"."""
_LONGEST_LABEL = 300
_LEAST_ANNOUNCED = 3
"""Words behind a label that are a sentence."""


def announces(label: str) -> bool:
    return closes(formulae.words_of(label), KNOWN, ANNOUNCING) and not _label_tells(label)


def _label_tells(label: str) -> bool:
    """Whether it orders, denies, or is a clause that does not end at its verb: "The answer is no:"."""
    words, verb = formulae.words_of(label), ordered(label)
    clause = not FINITE.isdisjoint(words[:-1]) and not _POINTS_ON.search(label)
    says = says_yes(words[-1]) if words else None
    return clause or says is not None or bool(DENIED.search(label)) or (verb not in _ANY_LEADING and orders(label))


def ends_open(lead: str) -> bool:
    """Whether a lead-in ends before the name of something, and does not present it: "The founder is:"."""
    bare = lead.rstrip("*_ ")
    return bare.endswith((":", "：")) and not _PRESENTS.search(lead) and bool(_OPEN_END.search(bare.rstrip("*_: ：")))


def announced(text: str) -> int:
    """Where begins what a label announces, such as "Short answer:" or "Step 2:"; 0 where nothing does.

    The label tells nothing by itself, and what follows is a sentence; a value of a word or two stays with its label,
    unless the label has a number: "Step 2: Book early.". So does what words of courtesy alone may name: "Free: 5 GB on
    two devices", "Morning: open from nine to twelve".
    """
    label, colon, rest = text.partition(":")
    if not colon or len(label) > _LONGEST_LABEL or not rest.strip(" *_"):
        return 0
    counted = _COUNT.sub("", label)
    bare = QUOTED.sub(" ", counted)
    lettered = bool(_ASKED_OR_ANSWERED.fullmatch(label))
    brief = len(rest.split()) < _LEAST_ANNOUNCED and not lettered and counted == label
    if brief or (FIGURE.search(bare) and not lettered):
        return 0
    leads = closes(formulae.words_of(bare), KNOWN, formulae.LEADING)
    empty = lettered or (leads and not _label_tells(bare))
    return len(text) - len(rest.lstrip(" *_")) if empty else 0


def is_shown_by(order: str, code: str) -> bool:
    """Whether code shows all that an order with a colon says: "Turn on logging:" before `import logging`."""
    one = Sentence(order, "paragraph", frozenset(formulae.words_of(code)), followed=True)
    told = [word for word in one.new(order) if word not in IMPERATIVES]
    return one.announces and tells_to_do(order) and not told and not one.figures and not DENIED.search(order)


def is_lead_in(one: Sentence) -> bool:
    """It announces what follows. Whatever it says of the matter itself, the user has said or the rest completes."""
    if embeds(one) or (one.figures and FIGURE.search(NUMBERED_NAME.sub("", one.text))) or takes_for_granted(one):
        return False
    if _asserts(one):
        return False
    if closes(one.words, KNOWN, formulae.LEADING):
        return True
    if not one.announces and not HERE.match(one.text):
        return False
    new = one.new(one.text)
    if new and not HERE.match(one.text) and tells_without_verb(one.text):
        return False
    if not new or (len(new) == 1 and len(one.words) <= 3):
        return True
    if why(one) or DENIED.search(one.text):
        return False
    if _is_completed(one):
        return True
    if PAST.search(one.text):
        return False
    if _OPEN_END.search(one.text.rstrip("*_: ：")):
        return True
    if (shows := _SHOWS.match(one.text)) and not _tells_of(shows["what"]):
        return True
    if _PRESENTS.search(one.text):
        body = _PRESENTS.sub("", one.text, count=1)
        states = FINITE.intersection(formulae.words_of(body)) - {"have"} or re.search(
            r"(?i)\b(?:that|which|who)\b", body
        )
        return not states and not REDUCED.match(body)
    return len(new) <= 2 and bool(_ANY_LEADING.intersection(one.words)) and FINITE.isdisjoint(one.words)


def _asserts(one: Sentence) -> bool:
    """Whether it denies something, or is a clause and no label, and points at nothing below it: "It is possible."."""
    if HERE.match(one.text):
        return False
    denies, points = bool(DENIED.search(one.text)), bool(_POINTS_ON.search(one.text))
    if one.announces:
        return denies and not points
    clause = bool(_IT_IS.search(one.text) or _YOU_CAN.search(one.text)) or not FINITE.isdisjoint(one.words)
    return denies or (clause and not points)


def _is_completed(one: Sentence) -> bool:
    """Whether what it says of the matter is judged in the rest of the answer; an order and a count never are."""
    verb = ordered(one.text)
    if not one.told or (verb and verb not in _ANY_LEADING) or (one.figures and "here" not in one.words[:_EARLY]):
        return False
    if _PRESENTS.search(one.text):
        return len(one.untold(one.text)) <= _MOST_UNTOLD
    states = ASSERTING.search(one.text) or VERB_S.search(one.text) or not MODALS.isdisjoint(one.words)
    return not states and not one.untold(one.text)


def _tells_of(subject: str) -> bool:
    """Whether what is shown is told something of, by a verb or a clause of its own."""
    words = formulae.words_of(subject)
    return bool(VERB_S.search(subject) or not (FINITE | IRREGULAR).isdisjoint(words) or REDUCED.match(subject))


_ANY_LEADING = frozenset().union(*formulae.LEADING.values())
