"""Whether the names in a claim stand in its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gate.model import Check
from gate.text.tokens import Token, fold, tokens
from gate.text.words.function_words import FUNCTION_WORDS

CHECK = "names"
_STEM = 4
"""Letters that a name shares with what is made of it: German, Germany."""
_MOST_CAPITALS = 0.5
"""Of the words of a claim: with more of them capitals tell no names."""
_BETWEEN = 3
"""Characters that stand between two words of a name at most."""
_ABBREVIATION = re.compile(r"(?<!\w)[A-Z](?:\.?\s?[A-Z])+(?!\w)")
_INITIAL = re.compile(r"\b[A-Z]")

Name = tuple[Token, ...]


class OtherName(NamedTuple):
    """Characters `start` to `end` of a claim, what stands there, and what a sentence of the evidence has instead."""

    start: int
    end: int
    said: str
    instead: str
    sentence: str


class _Placed(NamedTuple):
    """A name, `words[first:last]` of the words of a text."""

    words: Sequence[Token]
    first: int
    last: int

    @property
    def keys(self) -> frozenset[str]:
        """What is compared of it."""
        return frozenset(word.key for word in self.words[self.first : self.last])

    def beside(self, by: int) -> tuple[str, str]:
        """The words so many places before and after it; empty where the text has begun, or has ended."""
        first, last = self.first - by, self.last + by - 1
        before = self.words[first].key if first >= 0 else ""
        return before, self.words[last].key if last < len(self.words) else ""


def check_names(claim: str, evidence: Sequence[str]) -> list[Check]:
    """Compare the names in a claim, words with a capital letter, with the texts of its evidence.

    A name of several words may be shortened ("Kessler" for "Anna Kessler"), but no word of it may be exchanged, and it
    may be written as its initials. A language that writes every noun so has names in every claim; one that has no
    capitals has none.

    Returns:
        The check `names`; nothing where the claim holds none.
    """
    names = dict.fromkeys(tuple(words[first:last]) for words, first, last in _names(claim))
    if not names:
        return []
    there = _Evidence.of(evidence)
    missing = [word.text for name in names for word in there.lacks(name)]
    detail = f"not in the evidence: {', '.join(dict.fromkeys(missing))}" if missing else ""
    return [{"name": CHECK, "passed": not missing, "detail": detail}]


def name_instead(claim: str, evidence: Sequence[str], sentences: Sequence[str]) -> OtherName | None:
    """Return the name that some sentences have where the claim has the one name that no text of the evidence has.

    It shares a word with the missing one ("Anna Moor" for "Anna Kessler"), or stands between the same two words.

    Args:
        claim: in Unicode's composed form.
        sentences: of the evidence, those about the same thing.

    Returns:
        None where the claim misses another number of names than one, and where the sentences differ.
    """
    there = _Evidence.of(evidence)
    missing = [name for name in _names(claim) if there.lacks(tuple(name.words[name.first : name.last]))]
    if len(missing) != 1:
        return None
    [name] = missing
    offered: dict[str, str] = {}
    for sentence in sentences:
        for other in _names(sentence):
            if not other.keys <= {word.key for word in name.words} and _stands_for(other, name):
                span = _span(sentence, other)
                offered.setdefault(sentence[slice(*span)] if span else "", sentence)
    place = _span(claim, name)
    if len(offered) != 1 or not place:
        return None
    [(instead, sentence)] = offered.items()
    return OtherName(*place, claim[slice(*place)], instead, sentence) if instead else None


def _stands_for(other: _Placed, name: _Placed) -> bool:
    shared = len(other.keys & name.keys)
    if shared:
        return other.last - other.first == name.last - name.first and shared < len(name.keys)
    if other.beside(1) != name.beside(1):
        return False
    at_an_edge = not all(name.beside(1))  # "… is in Bern.": then one word more
    return not at_an_edge or (other.beside(2) == name.beside(2) and any(name.beside(2)))


def _span(text: str, name: _Placed) -> tuple[int, int] | None:
    """Where a name stands in its text; None where its words are not found next to each other."""
    folded, first, *rest = fold(text), *(word.text for word in name.words[name.first : name.last])
    start = folded.find(first)
    while start >= 0:
        end: int | None = start + len(first)
        for word in rest:
            places = range(end or 0, (end or 0) + _BETWEEN + 1) if end else ()
            end = next((at + len(word) for at in places if folded.startswith(word, at)), None)
        if end and not folded[max(0, start - 1) : start].isalnum():
            return start, end
        start = folded.find(first, start + 1)
    return None


def _names(text: str) -> Iterator[_Placed]:
    """Runs of words with a capital letter; the first word of a text only where more than its place says so."""
    words, begins_with_name = tokens(text), _begins_with_name(text)
    if sum(word.capital for word in words) > max(3, _MOST_CAPITALS * len(words)):
        return
    first = None
    for place, word in enumerate([*words, None]):
        if word and word.capital and _names_something(word) and (place or begins_with_name):
            first = place if first is None else first
        elif first is not None:
            yield _Placed(words, first, place)
            first = None


def _names_something(word: Token) -> bool:
    return word.text.lower() not in FUNCTION_WORDS or (len(word.text) > 1 and word.text.isupper())


def _begins_with_name(claim: str) -> bool:
    """Whether the first word has a capital inside it, or stands right before another one ("Anna Kessler")."""
    first = re.match(r"\W*(\w+)(?:\s+(\w))?", claim)
    return first is not None and (any(map(str.isupper, first[1][1:])) or (first[2] or "").isupper())


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What is asked of the texts.

    Attributes:
        beside: for each key whether, in each of its places, a capital stands right before and right after it.
        stems: how the keys begin.
        abbreviations: letters of what is written in capitals, with points or without.
        initials: the first letters of words with a capital, in order.
    """

    beside: Mapping[str, Sequence[tuple[bool, bool]]]
    stems: frozenset[str]
    abbreviations: frozenset[str]
    initials: str

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Evidence:
        beside: dict[str, list[tuple[bool, bool]]] = {}
        for text in texts:
            words = tokens(text)
            capitals = [False, *(word.capital for word in words), False]
            for at, word in enumerate(words):
                beside.setdefault(word.key, []).append((capitals[at], capitals[at + 2]))
        abbreviations = (re.sub(r"\W", "", found) for text in texts for found in _ABBREVIATION.findall(text))
        initials = " ".join("".join(_INITIAL.findall(text)) for text in texts)
        return cls(beside, frozenset(key[:_STEM] for key in beside), frozenset(abbreviations), initials)

    def lacks(self, name: Name) -> Sequence[Token]:
        """Words of a name that are missed."""
        absent = [word for word in name if not self._has(word)]
        if not absent or (len(name) > 1 and "".join(word.text[0] for word in name) in self.abbreviations):
            return ()
        if all(len(word.text) > 1 and word.text.isupper() and word.text in self.initials for word in absent):
            return ()
        shortened = len(absent) < len(name) and not any(self._exchanged(name, word) for word in name)
        return () if shortened else absent

    def _has(self, word: Token) -> bool:
        return word.key in self.beside or (len(word.key) > _STEM and word.key[:_STEM] in self.stems)

    def _exchanged(self, name: Name, word: Token) -> bool:
        """Whether a word of the name stands beside other names only, where the claim has one that is missing."""
        before, after = name[0] is not word, name[-1] is not word
        places = self.beside.get(word.key, ())
        return bool(places) and all((before and left) or (after and right) for left, right in places)
