"""IDF of the evidence sentences of the training sets; see fit_lexical for how it is shipped."""

from __future__ import annotations

import math
from collections import Counter

from gate.adapters.local_verifier.windows import split
from training.data import Row

LEAST = 3
"""Terms in fewer sentences than this are left out: they cost space, and no text can be put together again."""


def fit_idf(rows: list[Row]) -> dict[str, float]:
    """Return the IDF of every term in at least `LEAST` sentences; `""` holds that of an unknown one."""
    documents = {text for row in rows for text in row.evidence}
    counts: Counter[str] = Counter()
    total = 0
    for text in sorted(documents):
        for _, _, terms in split(text):
            counts.update(terms)
            total += 1
    table = {term: round(math.log(total / count), 1) for term, count in sorted(counts.items()) if count >= LEAST}
    return {"": round(math.log(total / 1.5), 1)} | table
