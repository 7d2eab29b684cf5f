"""Who does what to whom, and how much of what: told from the order of words, without a grammar.

Written for English word order; where it recognises nothing it says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gate.rules.units import CURRENCIES, SCALES, UNITS
from gate.rules.words import UNTELLING, Token, stem, tokens

_CLAUSE = re.compile(r"[;:()]|,(?!\d)|\s[–—-]\s")
_MEMBER = re.compile(r"[;:()]|,(?!\s?\d)|\s[–—-]\s|\s(?:and|but|while|whereas|und|et|y)\s", re.IGNORECASE)
_BE_FORMS = "is are was were be been being am got gets get"
_HELPING = "has have had having do does did will would can could may might must shall should to also not never"
_JOINING = """in on at for with from by which who whom whose when where while because if as into onto over under after
before than and or but nor about against between through during without within until since then so yet"""
_ARTICLES = "the a an this that these those its his her their our your my each every some any no"
_STRONG = """beat beats won wins sold bought gave sent wrote built made led lost paid hit told taught saw took sued owns
owes held kept left caught found brought struck drew drove ate fed shot threw shook chose stole hid hurt cut put set let
read lent began became knew grew flew broke spoke overtook understood outsold withdrew beaten given taken written driven
eaten chosen stolen hidden drawn thrown shaken seen known"""
_RECIPROCAL = """marry married met meet wed border borders face faced play played fight fought date dated equal equals
resemble resembles resembled join joined merge merged differ tied match matched collaborate partner overlap accompany
accompanied adjoin adjoins complement intersect touch touches kissed hugged"""
_BE, _DETERMINERS, _IRREGULAR = (frozenset(words.split()) for words in (_BE_FORMS, _ARTICLES, _STRONG))
_AUXILIARIES = _BE.union(_HELPING.split())
_ENDS = _AUXILIARIES.union(_JOINING.split())
_MUTUAL = frozenset(map(stem, _RECIPROCAL.split()))
"""Verbs that say the same whoever comes first."""
_MEASURES = frozenset(map(stem, (*UNITS, *CURRENCIES)))


@dataclass(frozen=True, slots=True)
class Deed:
    """A verb, as compared and as written, and the words on its two sides: whose deed it is, and whom it befalls."""

    key: str
    text: str
    doer: frozenset[str]
    other: frozenset[str]


def swapped(claim: str, sentence: str) -> str:
    """The verb round which claim and sentence have the same two things the other way round; empty where none."""
    theirs = [deed for deed in _deeds(sentence) if deed.doer and deed.other]
    for ours in _deeds(claim) if theirs else ():
        same = [deed for deed in theirs if deed.key == ours.key]
        if same and all(_cross(ours, deed) for deed in same):
            return ours.text
    return ""


def _cross(ours: Deed, theirs: Deed) -> bool:
    doer, other = ours.doer - ours.other, ours.other - ours.doer
    did, suffered = theirs.doer - theirs.other, theirs.other - theirs.doer
    return bool(doer & suffered and other & did) and not (doer & did or other & suffered)


def _deeds(text: str) -> Iterator[Deed]:
    for clause in _CLAUSE.split(text):
        words = tokens(clause)
        low = [word.text.lower() for word in words]
        for at in range(1, len(words) - 1):
            if _may_be_verb(low, at) and words[at].key not in _MUTUAL:
                yield _deed(words, low, at)
        if "than" in low[1:]:
            yield _comparison(words, low, low.index("than", 1))
        if "from" in low and "to" in low:
            start, end = (_stretch(words[low.index(way) + 1 :], numbers=True) for way in ("from", "to"))
            yield Deed("from to", "from … to", start, end)


def _may_be_verb(low: Sequence[str], at: int) -> bool:
    word, before = low[at], low[at - 1]
    if word in _ENDS or before in _DETERMINERS or before.endswith("'s"):
        return False
    return word.endswith(("ed", "s", "en", "ing")) or word in _IRREGULAR or before in _AUXILIARIES - _BE


def _deed(words: Sequence[Token], low: Sequence[str], at: int) -> Deed:
    start, passive = at, False
    while start and (low[start - 1] in _AUXILIARIES or low[start - 1].endswith("ly")):
        start -= 1
        passive = passive or low[start] in _BE
    before, verb = _stretch(reversed(words[:start])), words[at]
    if not passive or low[at].endswith("ing"):
        return Deed(verb.key, verb.text, before, _stretch(words[at + 1 :]))
    by = low.index("by", at) if "by" in low[at:] else len(low)
    return Deed(verb.key, verb.text, _stretch(words[by + 1 :]), before)


def _comparison(words: Sequence[Token], low: Sequence[str], at: int) -> Deed:
    """ "A is heavier than B": what comes before its verb, and after "than"."""
    verb = next((place for place in range(1, at) if low[place] in _AUXILIARIES or _may_be_verb(low, place)), at)
    compared = words[at - 1]
    return Deed(
        f"{compared.key} than", f"{compared.text} than", _stretch(reversed(words[:verb])), _stretch(words[at + 1 :])
    )


def _stretch(words: Iterable[Token], *, numbers: bool = False) -> frozenset[str]:
    """Words that carry content, up to the first that ends a phrase."""
    found: list[str] = []
    for word in words:
        low = word.text.lower()
        if low in _ENDS:
            break
        if low in _DETERMINERS:
            if found:
                break
        elif low != "of" and (numbers or not word.number):
            found.append(word.key)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Share:
    """A member of a list: its amounts, and the words that say whose they are."""

    amounts: frozenset[str]
    words: frozenset[str]


def exchanged(claim: str, sentence: str) -> str:
    """An amount that the claim gives to one member of the sentence's list and the sentence to another; else empty."""
    members = _shares(sentence)
    if len(members) < 2:
        return ""
    for ours in _shares(claim):
        for amount in ours.amounts:
            holders = [member for member in members if amount in member.amounts]
            others = [member for member in members if not ours.amounts & member.amounts]
            if holders and any(_takes(other, ours, amount, holders) for other in others):
                return amount
    return ""


def _takes(other: Share, ours: Share, amount: str, holders: Sequence[Share]) -> bool:
    """Whether the claim speaks of this member and gives it an amount that belongs to the holders alone.

    The first member of a list may hold a word that goes for all ("adults pay 5, children 3"), so a holder counts as
    another thing where the claim lacks one of its words.
    """
    alike = any(_year(amount) == _year(own) for own in other.amounts)
    apart = all(holder.words - ours.words and other.words - holder.words for holder in holders)
    return alike and apart and other.words <= ours.words


def _year(amount: str) -> bool:
    return len(amount) == 4 and amount[:2] in {"17", "18", "19", "20"}


def _shares(text: str) -> list[Share]:
    found = []
    for part in _MEMBER.split(text):
        words = tokens(part)
        amounts = frozenset(word.key for word in words if word.number)
        if amounts:
            found.append(Share(amounts, frozenset(word.key for word in words if _names(word))))
    return found


def _names(word: Token) -> bool:
    low = word.text.lower()
    return not (word.number or low in UNTELLING or low in SCALES or word.key in _MEASURES or low in CURRENCIES)
