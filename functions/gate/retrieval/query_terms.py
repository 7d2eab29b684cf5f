"""What is looked up of a query."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from itertools import pairwise

from gate.errors import SettingsError
from gate.text.scripts import HAN, HIRAGANA

BY_SIGNS = frozenset({"chinese", "japanese", "korean"})
"""Languages of a corpus without stems and stop words."""
LANGUAGES = (
    *("arabic", "chinese", "danish", "dutch", "english", "finnish", "french", "german", "greek", "hungarian"),
    *("italian", "japanese", "korean", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish"),
    "turkish",
)
"""Languages of a corpus that every engine of ours can analyse."""

MAX_WORDS = 512
"""Different words of a query that are looked up: the first ones. OpenSearch refuses more than 1,024 clauses."""


def known_language(language: str) -> str:
    """Return the language of a corpus.

    Raises:
        SettingsError: nobody can analyse it; says which there are.
    """
    if language not in LANGUAGES:
        raise SettingsError(f"GATE_LANGUAGE: {language!r} is not known", hint=", ".join(LANGUAGES))
    return language


_STRAIGHT = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'"})
_ALONE = f"{HAN}{HIRAGANA}"
_WORDS = re.compile(rf"[{_ALONE}]+|\d+(?:[.,]\d+)*[^\W{_ALONE}]*|[^\W{_ALONE}]+(?:'[^\W{_ALONE}]+)*")
"""Numbers stay whole (3.5, 1,000), words keep their apostrophe."""
_RUN = re.compile(rf"[{_ALONE}]{{2,}}")


def plain(text: str) -> str:
    """Make equal what reads equal: compatibility forms, and the apostrophes."""
    return unicodedata.normalize("NFKC", text).translate(_STRAIGHT)


def paired(text: str) -> str:
    """Cut what is written in Han and Hiragana, without spaces, into signs two by two: 東京都 is 東京 and 京都.

    Their words are mostly as long. Katakana and Hangul stand between spaces or other signs, and stay whole.
    """
    return _RUN.sub(lambda run: " ".join(["", *map("".join, pairwise(run.group())), ""]), text)


def counted(query: str) -> Counter[str]:
    """Return how often each word of a query stands in it: of the first different ones, in the order of their first
    appearance."""
    seen = Counter(match.group() for match in _WORDS.finditer(paired(plain(query))))
    return Counter(dict(list(seen.items())[:MAX_WORDS]))


def weight(times: int) -> float:
    """Return what a word counts that stands in a query so often: a long query repeats what it is about, a short one
    its grammar. In full, repeats cost short queries what they give to long ones."""
    return math.sqrt(times)


def by_weight(query: str, most: int = MAX_WORDS) -> dict[float, str]:
    """Return the first `most` different words of a query, those of one weight together."""
    alike = defaultdict(list)
    for word, times in list(counted(query).items())[:most]:
        alike[weight(times)].append(word)
    return {each: " ".join(same) for each, same in alike.items()}


def words(query: str) -> str:
    """Return the different words of a query in the order of their first appearance, and nothing but words."""
    return " ".join(counted(query))
