"""How text becomes terms: the same for passages and for queries, so that stop words cost nothing in either."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

from gate.errors import SettingsError

MAX_TERMS = 512
"""Different terms of a query that are looked up: the first ones; more would be slower and find the same."""

_STRAIGHT = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'"})
_LETTER = r"[\p{L}\p{M}\p{N}&&[^\p{Han}\p{Hiragana}]]"
_TOKEN = rf"\p{{N}}+(?:[.,]\p{{N}}+)*{_LETTER}*|{_LETTER}+(?:'[\p{{L}}\p{{M}}]+)*|\p{{Han}}|\p{{Hiragana}}"
"""Numbers stay whole (3.5, 1,000), words keep their apostrophe, scripts without spaces go character by character."""


def version(language: str) -> str:
    """Name of the analysis: part of the manifest; raise the number when a rule here changes."""
    return f"{language}-1"


def plain(text: str) -> str:
    """Make equal what reads equal: compatibility forms, and the apostrophes."""
    return unicodedata.normalize("NFKC", text).translate(_STRAIGHT)


@cache
def analyzer(language: str) -> Any:
    """Return the tantivy analyzer of a language (`english`, `german`, …).

    Raises:
        SettingsError: there is no stemmer or stop list for it.
    """
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    try:
        stop, stem = Filter.stopword(language), Filter.stemmer(language)
    except ValueError:
        raise SettingsError(
            f"GATE_LANGUAGE: {language!r} is not known", hint="english, german, french, spanish, …"
        ) from None
    builder = TextAnalyzerBuilder(Tokenizer.regex(_TOKEN)).filter(Filter.remove_long(64)).filter(Filter.lowercase())
    return builder.filter(stop).filter(Filter.ascii_fold()).filter(stem).build()


def query_terms(text: str, language: str) -> dict[str, int]:
    """Return the terms of a query and how often each occurs, in order of appearance."""
    counts: dict[str, int] = {}
    for term in analyzer(language).analyze(plain(text)):
        if term in counts or len(counts) < MAX_TERMS:
            counts[term] = counts.get(term, 0) + 1
    return counts
