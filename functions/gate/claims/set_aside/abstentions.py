"""Abstentions: the speaker, or a source, cannot tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gate.claims.set_aside.referrals import is_unable, refers
from gate.claims.set_aside.sentence import NOTHING, NUMBERED_SOURCE, REASONS, Sentence, embeds, why
from gate.text.questions import begins_asking
from gate.text.words import formulae
from gate.text.words.function_words import RELATIVES
from gate.text.words.negation import DENYING
from gate.text.words.verbs import ASSERTING, WITH_SUBJECT

_WHOSE = re.compile(r"(?i)\b(?:any|some|no|every)\s?(?:one|body)\s(?:who|whose|that)\b(?P<rest>.*)")
_TURN = re.compile(
    rf"(?i)[;:–—]|\s-\s|\b(?:{REASONS}|but|however|so|yet|aber|jedoch|mais|cependant|pero|sin embargo|ma|però|mas|"
    r"porém|maar|echter|want)\b"
)
_STATED = "stated|mentioned|specified|discussed|explained|described"
_NOT_STATED = re.compile(
    rf"(?i)\b(?:is|are|was|were)(?:\snot|n['’]t)\s(?:\w+ly\s)?(?:{_STATED})\b|"
    rf"\bthere\s(?:is|are|was|were)\sno\s(?:[^\W\d_]+\s){{1,4}}(?:{_STATED})\b|"
    r"\b(?:it|they)\s(?:do|does|did)(?:\snot|n['’]t)\s(?:mention|specify)\b|"
    r"\bit\s(?:cannot|can['’]t|can\snot)\sbe\s(?:determined|told|inferred|confirmed)\s(?:what|whether|if|how|when|which|who)\b|"
    r"\banswer\b[^,;]{0,40}\b(?:can(?:not|\snot|['’]t)|could(?:\snot|n['’]t))\sbe\s(?:determined|inferred|given)\b|"
    r"\bit(?:['’]s|\sis|\swas)\s(?:difficult|hard|impossible|not\spossible)\sto\s(?:\w+ly\s)?(?:say|tell|determine|answer|"
    r"(?:give|provide)\s(?:an?|any)\s(?:\w+\s){0,2}(?:answer|explanation|estimate))\b"
)
_NONE_STATED = re.compile(
    r"(?i)^\W*(?:none|not|nothing)\s(?:(?:is|are|was|were)\s)?(?:\w+ly\s)?"
    rf"(?:{_STATED})\W*$"
)
"""What is left of "None mentioned in the passages" without its mark."""
_GIVES = re.compile(
    rf"(?i)\b(?P<source>{'|'.join(sorted(formulae.SOURCES))})\s(?:do|does|did)(?:n['’]t|\snot)\s"
    r"(?:give|provide|cover|include|leave|offer)\s(?P<rest>.+)"
)
_ASKED = re.compile(r"(?i)\b(?:what|whether|how|when|where|why|which|who|if|anything|enough)\b")
_COORDINATED = re.compile(r"(?i),\s(?:(?:and|und|et|y|e|en)\s)?|\s(?:and|und|et|y|e|en)\s")
_ABOUT = re.compile(
    r"(?i)^\W*(?:without|about|regarding|concerning|as (?:for|to|far)|with (?:regard|respect)|for|in|on|of|based|given|"
    r"zu[rm]?|über|sobre|su|over|bezüglich|quant|concernant|en cuanto)\b"
)
"""How the matter is named that nothing is said of."""


def is_abstention(one: Sentence, given: frozenset[str]) -> bool:
    """The speaker, or a source, cannot tell, and nothing is told beside that.

    Args:
        given: words that the user said and asks no yes or no of: beside an abstention the others answer.
    """
    beside = replace(one, prompt=given)
    if _NONE_STATED.match(one.text) or refers(one) or is_unable(one):
        return True
    whose = _WHOSE.search(one.text)
    if one.figures or embeds(one) or why(one) or (whose and len(one.new(whose["rest"])) > 1):
        return False
    if _tells_of_one(one.text) or _withholds(one):
        return False
    told = spoken = False
    for member in _members(one.text):
        words = formulae.words_of(member)
        denied = _cannot_tell(words, spoken=spoken) or bool(_NOT_STATED.search(member))
        spoken = spoken or denied or _about_sources(words)
        told = told or denied
        if denied and _tells_beside(one, member):
            return False
        if not denied and not _about_sources(words) and beside.new(member) and not (spoken and _elliptic(words)):
            return False
    return told


def _tells_of_one(text: str) -> bool:
    """Whether it speaks of one source by its number: people marked two of five such denials as wrong."""
    found = NUMBERED_SOURCE.search(text)
    return bool(found) and len(re.findall(r"\d+", found[0] if found else "")) == 1


def _withholds(one: Sentence) -> bool:
    """Whether a rule, and no text that a model was given, does not give what is no information: "The handbook does not
    give a discount."."""
    found = _GIVES.search(one.text)
    if not found or formulae.words_of(found["source"])[-1] in formulae.GIVEN:
        return False
    told = formulae.words_of(found["rest"])
    return bool(one.new(found["rest"])) and formulae.INFORMATION.isdisjoint(told) and not _ASKED.search(found["rest"])


def _tells_beside(one: Sentence, member: str) -> bool:
    """Whether another part of a coordination states something: "X never pays, and the handbook does not say why"."""
    parts = _COORDINATED.split(member)
    denies = [bool(_cannot_tell(formulae.words_of(part), spoken=False) or _NOT_STATED.search(part)) for part in parts]
    if True not in denies:
        return False
    place = denies.index(True)
    return any(len(one.new(part)) > 1 and not _ABOUT.match(part) for part in parts[:place]) or any(
        one.new(part) and ASSERTING.search(part) and not begins_asking(part) for part in parts[place + 1 :]
    )


def _elliptic(words: Sequence[str]) -> bool:
    """Whether what is said goes on of the sources: ", but rather describe …"."""
    return bool(formulae.SAYING.intersection(words[:4])) and words[0] in ("only", "rather", "they", "it", "instead")


def _members(text: str) -> list[str]:
    return [member for member in _TURN.split(text) if member and member.strip(" ,.")]


def _about_sources(words: Sequence[str]) -> bool:
    return bool(formulae.SOURCES.intersection(words) and formulae.SAYING.intersection(words))


_DENIES = DENYING | {"t", "n"}
"""Apostrophes part words here: "don't", "n'est"."""
_TELLING = formulae.SAYING | formulae.KNOWING
_ABLE = {"able", "unable"}
_HANDING = {"provide", "give"}
_OPEN = RELATIVES.union(("if", "about"))
"""Words behind which it stays open what is so: "I do not know whether it is"."""


def _cannot_tell(words: Sequence[str], *, spoken: bool) -> bool:
    """A denial of saying, early in the member, of a source; of knowing, of the speaker; or that there is anything."""
    early = frozenset(words[:14])
    lacks = early & (formulae.UNCLEAR if early.isdisjoint(_TELLING) else formulae.LACKING)
    if not early & _DENIES and not (lacks and words[0] not in formulae.LACKING):
        return words[:1] == ["unable"] and _knows(early)
    sources = bool(formulae.SOURCES.intersection(words[:9]) or ({"them", "they"} & early and "none" in early))
    sources = sources or (spoken and bool({"do", "does", "did", "don", "doesn"}.intersection(words[:1])))
    if sources and (lacks or early & formulae.SAYING):
        return True
    if formulae.SPEAKER.intersection(words[:8]) or words[0] == "unable" or (words[0] == "no" and "dispongo" in early):
        return _knows(early) and not _vouches(words)
    if words[0] not in ("there", "es", "no", "hay", "ci", "há", "er", "il"):
        return False
    behind = [words[at + 1 : at + 2] for at, word in enumerate(words[:14]) if word in formulae.INFORMATION]
    return any(not following or following[0] in NOTHING for following in behind)


def _vouches(words: Sequence[str]) -> bool:
    """Whether an English speaker knows, and denies something else, or says what he is said not to: "I know that it is
    not so", "As far as I know, …", "I do not hesitate to say that it is so", "It is not so, I'm sorry to say"."""
    if "i" not in words:
        return False
    if (_DENIES | formulae.LACKING).isdisjoint(words[words.index("i") :]):
        return True
    known = [at for at, word in enumerate(words) if word in formulae.KNOWING - _ABLE]
    denied = next((at for at, word in enumerate(words) if word in _DENIES | formulae.LACKING), len(words))
    if known and known[0] < denied:
        behind = words[known[0] + 1 : known[0] + 4]
        return behind[:1] not in (["nothing"], ["none"]) and formulae.INFORMATION.isdisjoint(behind)
    rest = words[next((at for at in known if at > denied), len(words)) :]
    verb = next((at for at, word in enumerate(rest) if word in WITH_SUBJECT), 0)
    return bool(verb) and _OPEN.isdisjoint(rest[:verb])


def _knows(words: frozenset[str]) -> bool:
    """Whether knowing is spoken of; to provide or give is that of information alone, not of refunds."""
    known = words & formulae.KNOWING - _ABLE
    return bool(known - _HANDING or (known and words & formulae.INFORMATION))
