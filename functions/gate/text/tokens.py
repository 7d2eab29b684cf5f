"""Text to comparable tokens, in any script: what `lexical` counts.

Words of Latin script are lower-cased and lightly stemmed; scripts without spaces (Han, Kana, Thai, …) become
overlapping pairs of characters; digits of every script become ASCII digits and number words become digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from gate.text.composed import composed
from gate.text.figures.numbers import CARDINALS
from gate.text.scripts import DIGITS, MARKS, UNSPACED

_TOKEN = re.compile(
    rf"\d+(?:[.,]\d+)*|\bNos?\.(?=\s?\d)|[{UNSPACED}]+|(?:(?![{UNSPACED}])[^\W_]|[{MARKS}])+(?:['’][^\W\d_]+)?"
)
_ASCII_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|\bNos?\.(?=\s?\d)|[A-Za-z0-9]+(?:'[A-Za-z]+)?")
"""The same in ASCII, found in half the time."""
_SHORTENED = re.compile("'(?:s|d|ll|ve|re|m)$")
"""What is left of a verb behind a pronoun or a name: "you'd", "we're"."""
_UNSPACED_START = re.compile(f"[{UNSPACED}]")
_NUMBER_WORDS = {word: str(value) for word, value in CARDINALS.items()}
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
    return text if text.isascii() else composed(text).translate(DIGITS)


def words(text: str) -> list[str]:
    """Split `text` into its words as they are written, folded; stretches of a script without spaces stay whole."""
    return (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(fold(text))


def tokens(text: str) -> list[Token]:
    """Split `text` into comparable tokens, in order."""
    found: list[Token] = []
    for word in words(text):
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
    if text.isascii():
        return [_key(word) for word in words(text)]
    found: list[str] = []
    for word in words(text):
        if word[0] >= "\u0e00" and _UNSPACED_START.match(word):
            found += [word[i : i + 2] for i in range(len(word) - 1)] or [word]
        else:
            found.append(_key(word))
    return found


def placed_keys(folded: str) -> list[tuple[int, str]]:
    """The keys of a text that `fold` has returned, each with where its word begins."""
    return [(match.start(), key) for match in _TOKEN.finditer(folded) for key in keys(match.group())]


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


@lru_cache(maxsize=65536)
def _word(word: str) -> Token:
    low = word.casefold().replace("’", "'")
    capital = word[0].isupper()
    if low in _NUMBER_WORDS:
        return Token(_NUMBER_WORDS[low], word, number=low != "one", capital=False)
    if low.endswith("n't"):
        return Token("not", word, capital=capital)
    return Token(stem(_SHORTENED.sub("", low)), word, capital=capital)


def stem(word: str) -> str:
    """Cut common English endings; words of other scripts, and short ones, stay, and no other word becomes "not"."""
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
    word = word.removesuffix("e") if len(word) > 3 else word
    return "note" if word == "not" else word
