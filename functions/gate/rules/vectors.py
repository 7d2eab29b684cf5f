"""Checks on vectors that every engine makes alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gate.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


def check_vectors(vectors: Any, dimension: int | None, index: str) -> None:
    """Refuse vectors that do not fit the index.

    Raises:
        InputError: vectors where it holds none, none where it holds some, or of another dimension.
    """
    if (vectors is None) != (dimension is None):
        holds = f"vectors of {dimension} numbers" if dimension else "no vectors"
        raise InputError(f"index {index!r} holds {holds}: give {'them' if dimension else 'none'}")
    if vectors is not None and (len(vectors.shape) != 2 or vectors.shape[1] != dimension):
        raise InputError(f"index {index!r} holds vectors of {dimension} numbers, not {vectors.shape[-1]}")


def unit(vector: Sequence[float] | Floats, dimension: int | None, index: str) -> Floats:
    """Return a query's vector at length one.

    Raises:
        InputError: it has another dimension than the index, or no direction.
    """
    import numpy as np

    query = np.asarray(vector, dtype=np.float32).reshape(-1)
    if dimension is not None and len(query) != dimension:
        raise InputError(f"index {index!r} holds vectors of {dimension} numbers, not {len(query)}")
    length = float(np.linalg.norm(query))
    if not np.isfinite(length) or length == 0.0:
        raise InputError("a vector without direction (zero or not finite) cannot be searched for")
    return np.asarray(query / np.float32(length), dtype=np.float32)


def unit_rows(vectors: Any) -> Floats:
    """Return rows at length one; a row without direction becomes NaN."""
    import numpy as np

    floats = np.asarray(vectors, dtype=np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(floats, axis=1, keepdims=True)
    lengths[~np.isfinite(lengths) | (lengths == 0.0)] = np.nan
    return np.asarray(floats / lengths, dtype=np.float32)
