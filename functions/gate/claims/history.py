"""Earlier turns as evidence of a weak kind: what the user said and tools returned, never what an assistant wrote."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from gate.claims.spans import spans
from gate.model import Document
from gate.text.scripts import HIRAGANA, UNSPACED
from gate.text.words.function_words import BY_LANGUAGE

PASSAGE_SENTENCES = 3
MOST = 3
"""Passages that one claim gets at most."""
_WORD = re.compile(r"[^\W\d_]+|\d+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_HIRAGANA = re.compile(f"[{HIRAGANA}]")
_STEM = 6
"""Letters by which words of any language are compared."""
_FUNCTION_WORDS = frozenset[str]().union(*BY_LANGUAGE.values())


def history_documents(claim: str, turns: Sequence[dict[str, Any]]) -> list[Document]:
    """Find passages of the turns before a claim that share at least half of its words.

    Args:
        turns: all turns before the claim's own, oldest first; assistant turns are passed over.

    Returns:
        Documents with the id `turn-<number>`, the best first.
    """
    words = _content_words(claim)
    scored = []
    for number, turn in enumerate(turns):
        if turn["role"] not in ("user", "tool"):
            continue
        for passage in _passages(turn["content"]):
            shared = len(words & _content_words(passage)) / max(1, len(words))
            if shared >= 0.5:
                scored.append((shared, number, passage))
    scored.sort(key=lambda one: (-one[0], -one[1]))
    return [{"id": f"turn-{number}", "content": passage} for _, number, passage in scored[:MOST]]


def _passages(text: str) -> list[str]:
    cut = spans(text)
    groups = [cut[start : start + PASSAGE_SENTENCES] for start in range(0, len(cut), PASSAGE_SENTENCES)]
    return [text[group[0].start : group[-1].end] for group in groups]


def _content_words(text: str) -> frozenset[str]:
    """The words that carry a text's meaning, cut to their beginnings; of scripts without spaces the characters."""
    words = [
        word for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()) if word not in _FUNCTION_WORDS
    ]
    # Hiragana are endings and particles.
    signs = {sign for word in words if _UNSPACED.search(word) for sign in word if not _HIRAGANA.match(sign)}
    return frozenset(signs | {word if word.isdigit() else word[:_STEM] for word in words if not _UNSPACED.search(word)})
