"""Vectors as a service gives them: finite numbers that have a direction."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from gate.errors import AnswerError


class Vector(BaseModel):
    """An object that holds a vector; read strictly: texts and truth values are no numbers."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False, defer_build=True)
    embedding: list[float] = Field(min_length=1)


def unit(row: Sequence[float], name: str) -> list[float]:
    """A vector made of length one; `name`: of its embedder.

    Raises:
        AnswerError: it has no direction.
    """
    length = math.hypot(*row)
    if not 0 < length < math.inf:
        raise AnswerError(f"{name} gave a vector without a direction")
    return [value / length for value in row]
