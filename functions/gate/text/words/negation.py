"""Negations: words that turn a statement round, as they are written, in the languages that are known here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from gate.text.lookalikes import folded
from gate.text.tokens import words
from gate.text.words.function_words import languages

_DENYING = """
not no none neither nor nothing without cannot
nicht nichts kein keine keinen keiner weder
pas aucun aucune rien non ne
nada ningún ninguno ninguna tampoco
nessun nessuno nessuna nulla
não nenhum nenhuma
niet niets geen
"""
_OTHERS = """
never nobody noone nowhere hardly scarcely barely unable false fail fails failed failing
nie niemals niemand niemandem niemanden nirgends nirgendwo keinem keines keinerlei ohne kaum
jamais ni sans guère
nunca jamás nadie ningunos ningunas sin
mai niente né neanche nemmeno neppure senza
ninguém nem sem
nooit niemand nergens zonder
inte aldrig ingen inget inga ingenting utan
ikke aldri intet uden uten
не нет ни никогда никто никого никому ничего ничто никакой никакая никакое никакие никаких без нельзя ні немає
δεν δε μην μη όχι ούτε χωρίς
لا ليس ليست ليسوا لم لن بدون دون ولا ولم ولن وليس
नहीं बिना
לא אין בלי אינו אינה
"""
DENYING = frozenset(_DENYING.split())
"""Those with which an answer says that its sources do not say, or that it cannot tell."""
NEGATIONS = DENYING.union(_OTHERS.casefold().split())
_PLAIN = frozenset(word for word in NEGATIONS if word.isascii() and (len(word) > 4 or word == "not"))
"""Those that are looked for under other letters: no word of another language looks like one."""
_WRITTEN = re.compile(r"[≠¬∄∉≢⊄]|!=|\\(?:neg|lnot|neq?|nexists|notin)(?![A-Za-z])")
"""Negations of formulae."""
_UNEQUAL = re.compile(r" ?(?:≠|!=) ?")
_PIECE = re.compile(r"(?<![^\W_])[^\W\d_](?:[ ._|\\/*-][^\W\d_]){2,}(?![^\W_])|[^\s.,;:!?()\"“”]+")
"""A word, or letters one by one."""
_SIGNS = re.compile(r"[不没沒無无非未别勿]|ない|なかっ|なく|なし|ません|않|없|아니|못|ไม่")
"""Negations of scripts whose words stand together, or whose verbs carry them."""
_ELSEWHERE = {
    "mai": {"da", "de", "en", "fr", "nl"},
    "ne": {"it"},
    "ni": {"en", "sv"},
    "no": {"pt"},
    "non": {"en"},
    "pas": {"en", "nl"},
    "sans": {"en"},
    "sem": {"de", "en"},
    "sin": {"da", "en", "sv"},
}
"""Negations, and the languages in which they are none: a sin, der dritte Mai, "no Brasil"."""
_PSEUDO = frozenset(
    {
        ("not", "only"),
        ("not", "merely"),
        ("not", "least"),
        ("no", "doubt"),
        ("no", "matter"),
        ("nothing", "but"),
        ("none", "other"),
        ("without", "doubt"),
        ("nicht", "nur"),
        ("nicht", "zuletzt"),
        ("niet", "alleen"),
        ("не", "только"),
    }
)
"""A negation and the word after it that together deny nothing."""
_PSEUDO_SIGNS = re.compile("非常|非洲|未来|未來|不仅|不僅|不但|差不多|特别|分别|个别")


@lru_cache(maxsize=4096)
def negated(text: str) -> bool:
    """Whether a text denies something: it holds a negation that means one."""
    low = [word.casefold().replace("’", "'") for word in words(text)]
    if _WRITTEN.search(text) or any(word in _PLAIN and word not in low for word in words(folded(text))):
        return True
    return any(_denies(word) and _means_one(low, at) for at, word in enumerate(low))


def plainly(text: str) -> str:
    """The text with a negation in letters that only look like it, and "≠", as words: what judges it has to read it."""
    if folded(text) == text and not _UNEQUAL.search(text):
        return text
    return _PIECE.sub(_plain, _UNEQUAL.sub(" is not ", text))


def _plain(found: re.Match[str]) -> str:
    words_seen = words(folded(found[0]).lower())
    if len(words_seen) == 1 and words_seen[0] in _PLAIN and words_seen[0] != found[0].lower():
        return words_seen[0]
    return found[0]


def _denies(word: str) -> bool:
    if word.isascii() and "'" not in word:
        return word in NEGATIONS
    before, _, after = word.rpartition("'")  # aren't; n'est; qu'aucun
    return after in NEGATIONS or (before[-1:] == "n" and after == "t") or before == "n" or bool(_SIGNS.search(word))


def _means_one(low: Sequence[str], at: int) -> bool:
    word = low[at]
    if tuple(low[at : at + 2]) in _PSEUDO:
        return False
    if word in _ELSEWHERE and languages(low) <= _ELSEWHERE[word]:
        return False
    return bool(word.isascii() or word in NEGATIONS or "'" in word or _SIGNS.search(_PSEUDO_SIGNS.sub("", word)))
