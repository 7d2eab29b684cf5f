"""Where the parts of a batch are kept while it lasts, and its results for good."""

from __future__ import annotations


def part_key(batch: str, part: int, name: str) -> str:
    """Where something of a part lies: its lines, its manifest, its figures; goes with what the batch has stored."""
    return f"runs/{batch}/parts/{part:06d}.{name}"


def result_key(batch: str, part: int) -> str:
    """Where the results of a part lie: JSON Lines, one line a record, in the order of the upload."""
    return f"reports/{batch}/results/{part:06d}.jsonl"


def summary_key(batch: str) -> str:
    """Where the summary of a whole batch lies."""
    return f"reports/{batch}/batch.json"
