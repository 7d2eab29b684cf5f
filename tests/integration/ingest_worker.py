"""A writer that is killed in the middle: adds numbered batches to an index and says each one that is stored.

`python ingest_worker.py ROOT FIRST`: batch n holds the passages n*50 to n*50+49, each with a vector of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from gate.adapters.embedded import EmbeddedSearch

INDEX, BATCH, DIMENSION = "birds", 50, 32


def passages(batch: int) -> list[dict[str, str]]:
    """The passages of a batch."""
    numbers = range(batch * BATCH, (batch + 1) * BATCH)
    return [
        {"id": f"p{n}", "content": f"The bird named bird{n} of flock{batch} flies.", "document": f"d{n}"}
        for n in numbers
    ]


def vectors(batch: int) -> np.ndarray:
    """Their vectors."""
    return np.random.default_rng(batch).normal(size=(BATCH, DIMENSION)).astype(np.float32)


def main() -> None:
    """Write until killed."""
    store, batch = EmbeddedSearch(Path(sys.argv[1])), int(sys.argv[2])
    while True:
        store.index_documents(passages(batch), INDEX, vectors=vectors(batch), embedder="e")
        print(batch, flush=True)
        batch += 1


if __name__ == "__main__":
    main()
