"""How much a function gets, and a run may spend."""

from __future__ import annotations

from dataclasses import dataclass

from gate.decision.costs import MOST_TOKENS
from gate.settings import Settings

RUN_TOKENS = int(Settings.model_fields["max_claims"].default) * MOST_TOKENS
"""Enough for every run that the caps let through: as many claims as one may have (`GATE_MAX_CLAIMS`), each asked about
once, at the most that it usually takes."""


@dataclass(frozen=True)
class FunctionSize:
    """What a function gets, beside what its line of the catalogue says.

    Attributes:
        memory_mb: 0: as the catalogue says.
        reserved: so many at once, reserved of the account's functions, and no more; 0: not reserved.
        provisioned: so many kept started, of a function that no state machine calls; paid for by the hour.
    """

    memory_mb: int = 0
    reserved: int = 0
    provisioned: int = 0
