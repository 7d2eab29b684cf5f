"""Checks on vectors that every engine makes alike. Plain Python: on Lambda nothing else would need numpy."""

from __future__ import annotations

import math
from typing import Any

from gate.errors import InputError

NEARLY_ONE = 1e-6
"""A length that differs from one by less is left alone: most embedders give unit vectors."""


def dimension_of(vectors: Any) -> int | None:
    """How many numbers each of these rows holds; None: there are no vectors."""
    if vectors is None:
        return None
    return int(vectors.shape[1]) if hasattr(vectors, "shape") else len(vectors[0]) if vectors else 0


def check_vectors(vectors: Any, dimension: int | None, index: str) -> None:
    """Refuse vectors that do not fit the index.

    Raises:
        InputError: vectors where it holds none, none where it holds some, or of another dimension.
    """
    if (vectors is None) != (dimension is None):
        holds = f"vectors of {dimension} numbers" if dimension else "no vectors"
        raise InputError(f"index {index!r} holds {holds}: give {'them' if dimension else 'none'}")
    other = next((len(row) for row in vectors if len(row) != dimension), None) if vectors is not None else None
    if other is not None:
        raise InputError(f"index {index!r} holds vectors of {dimension} numbers, not {other}")


def unit(vector: Any, dimension: int | None, index: str) -> list[float]:
    """Return a query's vector at length one.

    Raises:
        InputError: it has another dimension than the index, or no direction.
    """
    if dimension is not None and len(vector) != dimension:
        raise InputError(f"index {index!r} holds vectors of {dimension} numbers, not {len(vector)}")
    row = unit_row(vector)
    if not row or math.isnan(row[0]):
        raise InputError("a vector without direction (zero or not finite) cannot be searched for")
    return row


def unit_row(vector: Any) -> list[float]:
    """Return a vector at length one; one without direction becomes NaN."""
    row = [float(value) for value in vector]
    length = math.hypot(*row)
    if length == 0.0 or not math.isfinite(length):
        return [math.nan] * len(row)
    return row if abs(length - 1.0) < NEARLY_ONE else [value / length for value in row]
