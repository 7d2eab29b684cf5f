"""Earlier turns as evidence of a weak kind: what the user said and tools returned, never what an assistant wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gate.model import Document
from gate.rules.claim_reading import content_words
from gate.rules.sentences import sentences

PASSAGE_SENTENCES = 3
MOST = 3
"""Passages that one claim gets at most."""


def history_documents(claim: str, turns: Sequence[dict[str, Any]]) -> list[Document]:
    """Find passages of the turns before a claim that share at least half of its words.

    Args:
        turns: all turns before the claim's own, oldest first; assistant turns are passed over.

    Returns:
        Documents with the id `turn-<number>`, the best first.
    """
    words = content_words(claim)
    scored = []
    for number, turn in enumerate(turns):
        if turn["role"] not in ("user", "tool"):
            continue
        for passage in _passages(turn["content"]):
            shared = len(words & content_words(passage)) / max(1, len(words))
            if shared >= 0.5:
                scored.append((shared, number, passage))
    scored.sort(key=lambda one: (-one[0], -one[1]))
    return [{"id": f"turn-{number}", "content": passage} for _, number, passage in scored[:MOST]]


def _passages(text: str) -> list[str]:
    spans = sentences(text)
    groups = [spans[start : start + PASSAGE_SENTENCES] for start in range(0, len(spans), PASSAGE_SENTENCES)]
    return [text[group[0].start : group[-1].end] for group in groups]
