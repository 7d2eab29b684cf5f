"""Text to comparable tokens, in any script: what `lexical` counts.

Words of Latin script are lower-cased and lightly stemmed; scripts without spaces (Han, Kana, Thai, …) become
overlapping pairs of characters; digits of every script become ASCII digits and number words become digits.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_ZEROS = (
    0x0660,
    0x06F0,
    0x0966,
    0x09E6,
    0x0A66,
    0x0AE6,
    0x0B66,
    0x0BE6,
    0x0C66,
    0x0CE6,
    0x0D66,
    0x0E50,
    0x0ED0,
    0x1040,
)
_DIGITS = {zero + value: str(value) for zero in _ZEROS for value in range(10)}
# `\w` leaves out combining marks, and with them the vowels of Indic, Arabic and Hebrew writing.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff\u0e80-\u0fff\u1000-\u109f"
)
_UNSPACED = "\u0e00-\u0e7f\u1780-\u17ff\u2e80-\u2fdf\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)*|[{_UNSPACED}]+|(?:(?![{_UNSPACED}])[^\W_]|[{_MARKS}])+(?:['’][^\W\d_]+)?")
_UNSPACED_START = re.compile(f"[{_UNSPACED}]")
_COUNTED = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty"""
_TENS = {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
_NUMBER_WORDS = {word: str(value) for value, word in enumerate(_COUNTED.split())} | _TENS
_DENYING = """not no never none neither nor without cannot nobody nothing nowhere hardly fail unable false
nicht kein keine keinen nie niemals ohne pas jamais aucun aucune sans nunca ningún ninguna sin sem não mai senza
не нет никогда без нельзя ni geen niet nooit zonder inte aldrig ikke"""
_NEGATIONS = frozenset(_DENYING.split())
_NEGATION_SIGNS = re.compile("[不没沒無无非未]|ない|않|없|아니")
_UNTELLING = """\
a about after all also although am an and any are as at be because been before being both but by can could did
do does doing each either else even every few for from had has have having he her here hers him his how
however i if in into is it its itself just less like many may me might mine more most much must my nor of off
on once one only onto or other our ours out over own per same shall she should since so some such than that
the their theirs them themselves then there these they this those though through thus to too under until up
upon us very via was we were what when where whether which while who whom whose why will with within would yet
you your yours"""
UNTELLING = frozenset(_UNTELLING.split())
"""Words that nobody misses."""
STOP_IDF = 2.5
"""Tokens rarer than this carry content; below it are function words."""


@dataclass(frozen=True, slots=True)
class Token:
    """One comparable token.

    Attributes:
        key: what is compared.
        text: what stood there.
        number: it is a number, in digits or in words.
        capital: it began with a capital letter.
    """

    key: str
    text: str
    number: bool = False
    capital: bool = False


def fold(text: str) -> str:
    """Return `text` with compatibility forms and the digits of other scripts made plain."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_DIGITS)


def tokens(text: str) -> list[Token]:
    """Split `text` into comparable tokens, in order."""
    found: list[Token] = []
    for match in _TOKEN.finditer(fold(text)):
        word = match.group()
        if word[0].isdecimal():
            found.append(Token(plain_number(word), word, number=True))
        elif _UNSPACED_START.match(word):
            pairs = [word[i : i + 2] for i in range(len(word) - 1)] or [word]
            found += [Token(pair, pair) for pair in pairs]
        else:
            found.append(_word(word))
    return found


def keys(text: str) -> list[str]:
    """Split `text` into the keys of its tokens; the fast way where nothing else is asked."""
    words = _TOKEN.findall(fold(text))
    if text.isascii():
        return [_key(word) for word in words]
    found: list[str] = []
    for word in words:
        if word[0] >= "\u0e00" and _UNSPACED_START.match(word):
            found += [word[i : i + 2] for i in range(len(word) - 1)] or [word]
        else:
            found.append(_key(word))
    return found


@lru_cache(maxsize=65536)
def _key(word: str) -> str:
    return plain_number(word) if word[0].isdecimal() else _word(word).key


def plain_number(digits: str) -> str:
    """Return a number without thousands separators and trailing zeros: `1,250.50` and `1250.5` are one."""
    whole, dot, rest = digits.replace(",", "").partition(".")
    if not dot:
        return whole
    if "." in rest:  # a version or a date: kept as written
        return digits
    rest = rest.rstrip("0")
    return f"{whole}.{rest}" if rest else whole


def is_negation(key: str) -> bool:
    """Say whether a token turns its sentence round."""
    return key in _NEGATIONS or key.endswith("n't") or _NEGATION_SIGNS.search(key) is not None


@lru_cache(maxsize=65536)
def _word(word: str) -> Token:
    low = word.casefold().replace("’", "'")
    capital = word[0].isupper()
    if low in _NUMBER_WORDS:
        return Token(_NUMBER_WORDS[low], word, number=low != "one", capital=False)
    return Token(stem(low.removesuffix("'s")), word, capital=capital)


def stem(word: str) -> str:
    """Cut common English endings; words of other scripts, and short ones, stay."""
    if len(word) < 4 or not word.isascii() or word.endswith("n't"):
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending, least in (("ing", 6), ("ed", 5), ("ly", 5)):
        if word.endswith(ending) and len(word) >= least:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 3 else word
