"""How much a function gets, and a run may spend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gate.catalogue import BY_NAME, Event
from gate.decision.costs import MOST_TOKENS
from gate.settings import Settings
from gate.text.nearest import nearest

from .error import PropertyError

if TYPE_CHECKING:
    from .gate_props import GateProps

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


def check_sizes(props: GateProps) -> None:
    """Refuse what a function cannot get."""
    for name, size in props.functions.items():
        if name not in BY_NAME:
            raise PropertyError(f"functions: there is no function {name}; {nearest(name, tuple(BY_NAME))}")
        if size.memory_mb and not 128 <= size.memory_mb <= 10_240:
            raise PropertyError(f"functions.{name}.memory_mb: {size.memory_mb} is not within 128 and 10240")
        if not 0 <= size.reserved <= 1_000:
            raise PropertyError(f"functions.{name}.reserved: {size.reserved} is not within 0 and 1000")
        if not 0 <= size.provisioned <= 1_000:
            raise PropertyError(f"functions.{name}.provisioned: {size.provisioned} is not within 0 and 1000")
        if size.provisioned and not BY_NAME[name].on:
            entrances = ", ".join(one for one, agent in BY_NAME.items() if agent.on)
            raise PropertyError(f"functions.{name}.provisioned: state machines call it; of {entrances} it may be")
        if size.reserved and props.now_concurrency and BY_NAME[name].on == Event.REQUEST_NOW:
            raise PropertyError(f"functions.{name}.reserved: now_concurrency says it already")
