"""Whether the day holds anything more, asked before a check is taken on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from gate import wiring
from gate.adapters.spending import budget
from gate.decision.costs import MOST_TOKENS
from gate.errors import BudgetReachedError
from gate.services.run import using


def refuse_spent(config: Mapping[str, Any]) -> None:
    """Refuse a check of a caller whose day, or everybody's, does not hold one claim more.

    Raises:
        BudgetReachedError: says which day it is, and what it held.
    """
    ceilings = replace(wiring.current().ceilings(), run=0)
    if not (ceilings.day or ceilings.tenant_day):
        return
    with using(config):
        held = budget.left(wiring.current().ledger(), ceilings)
    if held is not None and held[0] < MOST_TOKENS:
        raise BudgetReachedError(
            f"{held[1]} has spent its tokens", hint="try again after midnight UTC, or raise the ceiling"
        )


def seconds_left(now: datetime | None = None) -> int:
    """Until the next day begins (UTC)."""
    now = now or datetime.now(UTC)
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return max(1, round((tomorrow - now).total_seconds()))
