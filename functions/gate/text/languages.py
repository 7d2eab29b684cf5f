"""In which language a sentence is, as far as its words and letters tell; nothing is guessed.

Measured on rows that nobody wrote for it (2026-11-22): of 44,579 English claims three are told to be something else;
of translated program messages in German, French, Spanish, Italian, Portuguese and Dutch 75 to 92 % are told to be no
English, in Swedish, Danish, Polish, Czech, Finnish and Turkish 35 to 73 %.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from gate.text.words.formulae import HOLDING, words_of
from gate.text.words.function_words import BY_LANGUAGE

ENGLISH = "en"
OTHER = "und"
"""The code of a language that has none here (ISO 639: undetermined)."""
NAMES = {
    "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch",
    "sv": "Swedish", "da": "Danish or Norwegian", OTHER: "a language other than English",
}  # fmt: skip
_KNOWN = {language: words | HOLDING.get(language, frozenset()) for language, words in BY_LANGUAGE.items()}
_ENGLISH = _KNOWN[ENGLISH]
_TELLING = {language: words - _ENGLISH for language, words in _KNOWN.items() if language != ENGLISH}
"""Function words that English does not have."""
_RUNS = re.compile(r"[^\W\d_]{2,}")
"""Letters beside letters: a single one may be a sign, as in `π = 3.14`."""
_AT_LEAST = 2


def language_of(text: str) -> str:
    """A language's ISO 639 code, `und` for one that is plainly not English, or nothing where nothing tells.

    It is another language where most letters are not Latin; where its function words are at least two, and more than
    twice as many as those that only English has; or where English has none and letters beyond ASCII stand in words.
    """
    letters = Counter(_is_latin(letter) for run in _RUNS.findall(text) for letter in run)
    if letters[False] > letters[True]:
        return OTHER
    words = words_of(text)
    found = {language: sum(word in known for word in words) for language, known in _TELLING.items()}
    language = max(found, key=found.__getitem__)
    english = sum(word in _ENGLISH and word not in _KNOWN[language] for word in words)
    if found[language] >= _AT_LEAST and found[language] > 2 * english:
        return language
    if not english and _looks_foreign(text, words, found[language]):
        return OTHER
    return ENGLISH if english else ""


def _looks_foreign(text: str, words: list[str], told: int) -> bool:
    """Letters beyond ASCII stand in a word; without any function word, in two that are no names."""
    if told:
        return not all(word.isascii() for word in words)
    return len({word for word in words if len(word) > 1 and not word.isascii() and word in text}) >= _AT_LEAST


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith(("LATIN", "FULLWIDTH LATIN"))
