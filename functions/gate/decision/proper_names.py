"""Whether the names in a claim stand in its evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gate.model import Check
from gate.text.tokens import Token, tokens
from gate.text.words.function_words import FUNCTION_WORDS

CHECK = "names"
_STEM = 4
"""Letters that a name shares with what is made of it: German, Germany."""
_MOST_CAPITALS = 0.5
"""Of the words of a claim: with more of them capitals tell no names."""
_ABBREVIATION = re.compile(r"(?<!\w)[A-Z](?:\.?\s?[A-Z])+(?!\w)")
_INITIAL = re.compile(r"\b[A-Z]")

Name = tuple[Token, ...]


def check_names(claim: str, evidence: Sequence[str]) -> list[Check]:
    """Compare the names in a claim, words with a capital letter, with the texts of its evidence.

    A name of several words may be shortened ("Kessler" for "Anna Kessler"), but no word of it may be exchanged, and it
    may be written as its initials. A language that writes every noun so has names in every claim; one that has no
    capitals has none.

    Returns:
        The check `names`; nothing where the claim holds none.
    """
    names = dict.fromkeys(_names(tokens(claim), begins_with_name=_begins_with_name(claim)))
    if not names:
        return []
    there = _Evidence.of(evidence)
    missing = [word.text for name in names for word in there.lacks(name)]
    detail = f"not in the evidence: {', '.join(dict.fromkeys(missing))}" if missing else ""
    return [{"name": CHECK, "passed": not missing, "detail": detail}]


def _names(words: Sequence[Token], *, begins_with_name: bool) -> Iterator[Name]:
    """Runs of words with a capital letter; the first word of the claim only where more than its place says so."""
    if sum(word.capital for word in words) > max(3, _MOST_CAPITALS * len(words)):
        return
    run: list[Token] = []
    for place, word in enumerate(words):
        if word.capital and _names_something(word) and (place or begins_with_name):
            run.append(word)
        elif run:
            yield tuple(run)
            run = []
    if run:
        yield tuple(run)


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
