"""Who does what to whom, and how much of what: told from the order of words, without a grammar.

Written for English word order; where it recognises nothing it says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from gate.text.clauses import clauses, members
from gate.text.figures.numbers import SCALES
from gate.text.figures.units import CURRENCIES, UNITS
from gate.text.tokens import Token, stem, tokens
from gate.text.words.function_words import CONJUNCTIONS, DETERMINERS, FUNCTION_WORDS, PREPOSITIONS, RELATIVES
from gate.text.words.verbs import AUXILIARIES, BE, IRREGULAR, RECIPROCAL

_PASSIVE = BE | {"got", "get", "gets"}
_BEFORE_VERBS = AUXILIARIES | _PASSIVE | {"to", "also", "not", "never"}
_ENDS = _BEFORE_VERBS | CONJUNCTIONS | RELATIVES | PREPOSITIONS - {"of"}
"""Words that end a phrase."""
_RECIPROCAL = frozenset(map(stem, RECIPROCAL))
_MEASURES = frozenset(map(stem, (*UNITS, *CURRENCIES)))


_PHRASE, _MEMBERS = 40, 100
"""Words of a phrase, and members of a list, that are compared: each is compared with every other."""


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
    for clause in clauses(text):
        words = tokens(clause)
        low = [word.text.lower() for word in words]
        for at in range(1, len(words) - 1):
            if _may_be_verb(low, at) and words[at].key not in _RECIPROCAL:
                yield _deed(words, low, at)
        if "than" in low[1:]:
            yield _comparison(words, low, low.index("than", 1))
        if "from" in low and "to" in low:
            start, end = (_after(words, low.index(way), numbers=True) for way in ("from", "to"))
            yield Deed("from to", "from … to", start, end)


def _may_be_verb(low: Sequence[str], at: int) -> bool:
    word, before = low[at], low[at - 1]
    if word in _ENDS or before in DETERMINERS or before.endswith("'s"):
        return False
    return word.endswith(("ed", "s", "en", "ing")) or word in IRREGULAR or before in _BEFORE_VERBS - _PASSIVE


def _deed(words: Sequence[Token], low: Sequence[str], at: int) -> Deed:
    start, passive = at, False
    while start > max(0, at - _PHRASE) and (low[start - 1] in _BEFORE_VERBS or low[start - 1].endswith("ly")):
        start -= 1
        passive = passive or low[start] in _PASSIVE
    before, verb = _before(words, start), words[at]
    if not passive or low[at].endswith("ing"):
        return Deed(verb.key, verb.text, before, _after(words, at))
    by = next((place for place in range(at, min(at + _PHRASE, len(low))) if low[place] == "by"), len(low))
    return Deed(verb.key, verb.text, _after(words, by), before)


def _comparison(words: Sequence[Token], low: Sequence[str], at: int) -> Deed:
    """ "A is heavier than B": what comes before its verb, and after "than"."""
    verb = next((place for place in range(1, at) if low[place] in _BEFORE_VERBS or _may_be_verb(low, place)), at)
    compared = words[at - 1]
    return Deed(f"{compared.key} than", f"{compared.text} than", _before(words, verb), _after(words, at))


def _before(words: Sequence[Token], at: int) -> frozenset[str]:
    return _stretch(reversed(words[max(0, at - _PHRASE) : at]))


def _after(words: Sequence[Token], at: int, *, numbers: bool = False) -> frozenset[str]:
    return _stretch(words[at + 1 : at + 1 + _PHRASE], numbers=numbers)


def _stretch(words: Iterable[Token], *, numbers: bool = False) -> frozenset[str]:
    """Words that carry content, up to the first that ends a phrase."""
    found: list[str] = []
    for word in words:
        low = word.text.lower()
        if low in _ENDS:
            break
        if low in DETERMINERS:
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
    if not other.words <= ours.words or all(_year(amount) != _year(own) for own in other.amounts):
        return False
    return all(holder.words - ours.words and other.words - holder.words for holder in holders)


def _year(amount: str) -> bool:
    return len(amount) == 4 and amount[:2] in {"17", "18", "19", "20"}


def _shares(text: str) -> list[Share]:
    found = []
    for part in members(text)[:_MEMBERS]:
        words = tokens(part)
        amounts = frozenset(word.key for word in words if word.number)
        if amounts:
            found.append(Share(amounts, frozenset(word.key for word in words if _names(word))))
    return found


def _names(word: Token) -> bool:
    low = word.text.lower()
    return not (word.number or low in FUNCTION_WORDS or low in SCALES or word.key in _MEASURES or low in CURRENCIES)
