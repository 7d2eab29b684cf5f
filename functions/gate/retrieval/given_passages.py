"""The passages that a model was given, cut as a corpus is, and the ones of them that speak of a claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log
from typing import Any

from gate.model import Document
from gate.retrieval.chunking import chunks
from gate.text.tokens import tokens

NEAREST = 10
"""Passages for one claim: as many as a search by keywords and one by meaning find."""
SPEAKS_FROM = 0.6
"""Share of a claim's words, the rare ones weighed more, from which a passage speaks of the same."""


def passages_of(contexts: Sequence[Document]) -> list[Document]:
    """Cut contexts into passages, each with an id of its own: `context-3`, or `context-3.2` of a longer one."""
    found: list[Document] = []
    for number, context in enumerate(contexts, start=1):
        pieces = list(chunks(context["content"]))
        for part, piece in enumerate(pieces, start=1):
            name = f"context-{number}" + (f".{part}" if len(pieces) > 1 else "")
            found.append(
                {**context, "content": piece.text, "id": name, "title": context.get("title") or f"Context {number}"}
            )
    return found


def nearest(text: str, passages: Sequence[Document], most: int = NEAREST) -> list[dict[str, Any]]:
    """The passages that share the most words with a text, best first; all where there are no more than `most`."""
    ranked = sorted(_shares(text, passages), key=lambda one: -one[0])
    return [
        {**passage, "score": round(share, 4), "rank": rank} for rank, (share, passage) in enumerate(ranked[:most], 1)
    ]


def speaks_of(text: str, passages: Sequence[Document]) -> bool:
    """Whether a passage holds most of what a claim is about, whatever it says of it."""
    return any(share >= SPEAKS_FROM for share, _ in _shares(text, passages))


def _shares(text: str, passages: Sequence[Document]) -> Iterator[tuple[float, Document]]:
    """For each passage the share of the text's words in it; a word that few passages hold counts more."""
    held = [frozenset(token.key for token in tokens(passage["content"])) for passage in passages]
    counts = Counter(key for keys in held for key in keys)
    wanted = {token.key for token in tokens(text) if not token.number}
    weights = {key: log(1 + len(passages) / (counts[key] or 0.5)) for key in wanted}
    whole = sum(weights.values()) or 1.0
    for keys, passage in zip(held, passages, strict=True):
        yield sum(weight for key, weight in weights.items() if key in keys) / whole, passage
