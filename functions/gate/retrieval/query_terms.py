"""What is looked up of a query."""

from __future__ import annotations

import re
import unicodedata

from gate.text.scripts import HAN, HIRAGANA

BY_CHARACTER = frozenset({"chinese", "japanese"})
"""Languages of a corpus without stems and stop words: their signs are searched one by one."""

MAX_WORDS = 512
"""Different words of a query that are looked up: the first ones. OpenSearch refuses more than 1,024 clauses."""

_STRAIGHT = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'"})
_ALONE = f"{HAN}{HIRAGANA}"
_WORDS = re.compile(rf"[{_ALONE}]|\d+(?:[.,]\d+)*[^\W{_ALONE}]*|[^\W{_ALONE}]+(?:'[^\W{_ALONE}]+)*")
"""Numbers stay whole (3.5, 1,000), words keep their apostrophe, Han and Hiragana go character by character."""


def plain(text: str) -> str:
    """Make equal what reads equal: compatibility forms, and the apostrophes."""
    return unicodedata.normalize("NFKC", text).translate(_STRAIGHT)


def words(query: str) -> str:
    """Return the different words of a query in the order of their first appearance, and nothing but words."""
    seen = dict.fromkeys(match.group() for match in _WORDS.finditer(plain(query)))
    return " ".join(list(seen)[:MAX_WORDS])
