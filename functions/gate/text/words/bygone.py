"""Words that tell of what was so once: "used to", "formerly", "until 2019", "Old policy"."""

from __future__ import annotations

import re

from gate.text.words.formulae import words_of
from gate.text.words.untruth import REVOKED
from gate.text.words.verbs import AUXILIARIES, IRREGULAR

_WHEN = r"(?:formerly|previously|in the past|in former (?:times|years|days)|at one time|in those days)"
_DID = "|".join(sorted(word for word in IRREGULAR if not word.endswith("n")))
_FORMERLY = re.compile(
    rf"(?i)^\W*{_WHEN}\b|\b(?:was|were)\s{_WHEN}\b|(?<!than)\s{_WHEN}[.!]?$"
    rf"|^(?:the\s)?(?:[\w’']+\s){{1,3}}(?<!\ba\s)(?<!\ban\s)(?<!\bthe\s){_WHEN}\s(?:was|were|had|[a-z]{{2,20}}ed|{_DID})\b"
    r"|\buntil (?:the\s)?(?:early |late |mid-)?\d{4}\b"
)
"""Such words where they speak of the verb of the sentence; "previously unknown" and "(formerly Moor Ltd.)" do not."""
_USED_TO = re.compile(r"(?i)\bused to\s[a-z]{2,30}\b")
_JOINED = frozenset(["and", "or", "often", "commonly", "widely", "can"])
"""Words before the "used" of "a device that is sold and used to track", which is no past."""
_TITLE = re.compile(
    r"(?i)^\W*(?:the\s)?(?:old|older|former|previous|past|superseded|outdated|obsolete|earlier|legacy|historical|"
    r"discontinued|expired)\s(?:[\w-]+\s){0,2}(?:polic(?:y|ies)|rules?|terms|conditions|prices?|tariffs?|fees|versions?|"
    r"procedures?|requirements|limits|hours|plans?|offers?|behaviou?r|guidelines|regulations?)(?:\s\([^()]{1,40}\))?\W*$"
    rf"|^\W*(?:now\s)?(?:expired|obsolete|outdated|{REVOKED})\W*$"
    r"|^\W*(?:until|up to|before)\s(?:last\s[a-z]{3,9}|recently|\d{4})\W*$"
)
_OF_BEFORE = re.compile(r"(?i)\b(?:former\w*|previous\w*|past|once|ex-\w+|until|before|old|no longer|used to)\b")
_PAST = frozenset(["was", "were", "had", "did", "been", "came", "went", "ran", "held", "felt"]) | IRREGULAR
_PASSIVE = re.compile(r"(?i)\b(?:is|are|be)\s(?:not\s|[a-z]{2,20}ly\s)?[a-z]{2,30}(?:ed|en|ld|id|de)\b")
"""A participle behind a verb in the present: "dogs are allowed"."""
_LONGEST_TITLE = 80


def tells_of_the_past(text: str) -> bool:
    """Whether a sentence says that something was so once: "Refunds used to take 14 days.", "Old policy: …"."""
    if _FORMERLY.search(text) or names_the_past(text.partition(":")[0]):
        return True
    return any(_is_habit(text[: found.start()]) for found in _USED_TO.finditer(text))


def _is_habit(before: str) -> bool:
    """Whether "used to" behind it is a verb of its own: no verb stands before it, as in "is a device used to"."""
    words = words_of(before)
    if not words or before.rstrip().endswith(","):
        return False
    return words[-1] not in _JOINED and AUXILIARIES.isdisjoint(words) and "ve" not in words


def speaks_of_before(text: str) -> bool:
    """Whether a sentence has any word of what was so once, whatever it says of it: "an American former dealer"."""
    return bool(_OF_BEFORE.search(text))


def is_present(text: str) -> bool:
    """Whether a sentence has no verb in the past, as far as can be told from its form."""
    words = words_of(_PASSIVE.sub(" ", text))
    return not any(word in _PAST or (word.endswith("ed") and len(word) > 4) for word in words)


def names_the_past(title: str) -> bool:
    """Whether a heading says that what stands beneath it holds no more: "Old policy"; what is deprecated still does."""
    return len(title) <= _LONGEST_TITLE and bool(_TITLE.match(title))
