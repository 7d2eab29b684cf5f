"""Features to probabilities: logistic steps for supported or not, weak or not, and whether it is refuted.

The second step alone depends on what partial support looks like in a kind of source, so it is fitted per kind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from gate.model import LABELS, Label

Coefficient = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
"""Of a step that a file holds: of larger ones the sum could be no number."""


@dataclass(frozen=True, slots=True)
class Step:
    """One logistic step: `1 / (1 + exp(-(bias + weights · features)))`."""

    bias: float
    weights: tuple[float, ...]

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Step:
        """Read a step as the fitting scripts write it."""
        return cls(float(value["bias"]), tuple(map(float, value["weights"])))

    def margin(self, features: Sequence[float]) -> float:
        """Log odds."""
        return self.bias + sum(w * x for w, x in zip(self.weights, features, strict=True))

    def chance(self, features: Sequence[float]) -> float:
        """Probability."""
        return sigmoid(self.margin(features))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The steps of one kind of source.

    Attributes:
        supported: chance that the evidence supports all of the claim.
        weak: chance that, when it does not, it supports a part.
        refuted: positive where nine of ten such claims, of those it was fitted on, are refuted; None: it cannot tell.
    """

    supported: Step
    weak: Step
    refuted: Step | None = None

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Calibration:
        """Read a calibration as the fitting scripts write it."""
        return cls(Step.of(value["supported"]), Step.of(value["weak"]))

    def scores(self, features: Sequence[float]) -> dict[Label, float]:
        """Probability of each label; they add up to one."""
        full = self.supported.chance(features)
        part = self.weak.chance(features)
        return dict(zip(LABELS, (full, (1 - full) * part, (1 - full) * (1 - part)), strict=True))

    def refutes(self, features: Sequence[float]) -> bool:
        """Whether the evidence says otherwise; False also where this cannot be told."""
        return self.refuted is not None and self.refuted.margin(features) > 0


def sigmoid(value: float) -> float:
    """The logistic function, without overflow."""
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    rest = math.exp(value)
    return rest / (1 + rest)
