"""Search on this machine, at a million passages.

As `search`; the corpus and its index take 4 GB of disk and a quarter of an hour.
"""

from __future__ import annotations

from tests.benchmarks.search import MILLION, measured
from tests.benchmarks.table import Row

SLOW = True


def measure() -> list[Row]:
    """Measure a million."""
    return measured(MILLION)
