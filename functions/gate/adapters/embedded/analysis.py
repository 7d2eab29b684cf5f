"""How text becomes terms: the same for passages and for queries, so that stop words cost nothing in either."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from gate.repository.names.corpus_names import VERSION as NAMES_VERSION
from gate.retrieval.query_terms import BY_SIGNS, counted, known_language

_LETTER = r"[\p{L}\p{M}\p{N}&&[^\p{Han}\p{Hiragana}]]"
_TOKEN = rf"\p{{N}}+(?:[.,]\p{{N}}+)*{_LETTER}*|{_LETTER}+(?:'[\p{{L}}\p{{M}}]+)*|[\p{{Han}}\p{{Hiragana}}]+"
"""Numbers stay whole (3.5, 1,000), words keep their apostrophe; Han and Hiragana come in pairs (`paired`)."""
UNSTOPPED = frozenset({"arabic", "greek", "romanian", "turkish"})
"""Languages that tantivy stems and has no stop words of."""


def version(language: str) -> str:
    """Name of the analysis, and of the rules for names: part of the manifest; raise the number when a rule here
    changes, or what is kept of a passage."""
    return f"{language}-3, names {NAMES_VERSION}"


@cache
def analyzer(language: str) -> Any:
    """Return the tantivy analyzer of a language (`english`, `german`, …).

    Raises:
        SettingsError: it has none; says which there are.
    """
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    builder = TextAnalyzerBuilder(Tokenizer.regex(_TOKEN)).filter(Filter.remove_long(64)).filter(Filter.lowercase())
    if known_language(language) in BY_SIGNS:
        return builder.filter(Filter.ascii_fold()).build()
    if language not in UNSTOPPED:
        builder = builder.filter(Filter.stopword(language))
    return builder.filter(Filter.ascii_fold()).filter(Filter.stemmer(language)).build()


def query_terms(query: str, language: str) -> Counter[str]:
    """Return how often each term stands in a query, in order of appearance; forms of one stem are one term."""
    return Counter(analyzer(language).analyze(" ".join(counted(query).elements())))
