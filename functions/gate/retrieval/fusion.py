"""Joins ranked lists into one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

RANK_CONSTANT = 60
"""Cormack, Clarke, Büttcher (SIGIR 2009): dampens the first ranks; 60 is what every engine ships."""


def reciprocal_rank(lists: Iterable[Sequence[str]], *, constant: int = RANK_CONSTANT) -> list[tuple[str, float]]:
    """Fuse ranked lists of ids: each list gives an id 1 / (constant + rank), ranks from 1.

    An id twice in one list counts once, at its better rank. Equal sums keep the order in which ids were first seen.

    Returns:
        (id, score) pairs, best first.
    """
    scores: dict[str, float] = {}
    for ranked in lists:
        for rank, key in enumerate(dict.fromkeys(ranked), start=1):
            scores[key] = scores.get(key, 0.0) + 1.0 / (constant + rank)
    return sorted(scores.items(), key=lambda item: -item[1])
