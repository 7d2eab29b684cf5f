"""What a sentence does with its statement beside making it: affirms, supposes or reports it."""

from __future__ import annotations

import re
from collections.abc import Collection

from gate.text.clauses import statements
from gate.text.tokens import keys, tokens
from gate.text.words.function_words import FUNCTION_WORDS

_SUPPOSED = re.compile(
    r"""(?ix)
    \b(?:allegedly|alleged|alleges?|reportedly|supposedly|supposed|purported(?:ly)?|rumou?r(?:s|ed)?|hearsay)\b
    | \b(?:is|are|was|were)\ (?:said|believed|thought|claimed)\ to\b
    | \b(?:would|could|might|should)\ (?:\w+ly\ |also\ |even\ )?have\b(?!\ to\b)
    | \bwould\b
    | \bmight\b(?!\ (?:not|have)\b)
    | \b(?-i:may)\b(?!\ not)
    | \b(?:propos|plann?|intend|consider|offer|threaten)(?:e?s|e?d|ing)?\ (?:to|that|for)\b
    | \b(?:plans?|proposals?)\ (?:to|for)\b
    """
)
_UNREAL = re.compile(r"(?i)\b(?:if|unless|were|propos\w+|plan|plans|planned|bill|draft)\b")
_GOVERNED = 3
"""How many words after such a one it speaks of."""
_OPEN = re.compile(
    r"(?i)\b(?:would|could|might|may|can|should|will|shall|if|whether|possibl[ey]|perhaps|likely|probably|potential\w*"
    r"|(?:want|hope|hoping|aim|tri|try|seek|striv)\w*)\b"
)
_AFFIRMED = re.compile(
    r"(?i)^\W*(?:yes|indeed|correct|right|true|certainly|of course|it (?:is|does|was|did|has|can)|"
    r"they (?:are|do|were|did|have|can)|you (?:can|may|do)|we (?:do|can)|ja|oui|sí|sì|да|はい)\b"
)


def affirms(text: str) -> bool:
    """Whether it begins by saying yes."""
    return bool(_AFFIRMED.search(text))


def supposes(text: str, stated: Collection[str]) -> str:
    """The words by which it only supposes, plans or reports one of the `stated` keys; empty where it makes it plain."""
    for found in _SUPPOSED.finditer(text):
        if found[0].lower() == "would" and not _UNREAL.search(text):  # "in 1966 it would win": a story told
            continue
        governed = tokens(text[found.end() :][:80])[:_GOVERNED]
        if any(word.key in stated and word.text.lower() not in FUNCTION_WORDS for word in governed):
            return found[0]
    return ""


def leaves_open(text: str) -> bool:
    """Whether it does not assert plainly: it supposes, or holds a modal verb."""
    return bool(_SUPPOSED.search(text) or _OPEN.search(text))


def clause_about(text: str, stated: Collection[str]) -> str:
    """The clause of a sentence that has most of the `stated` keys: one of "it is false that A, but B"."""
    return max(statements(text), key=lambda clause: len(set(stated).intersection(keys(clause))))
