"""The risk of an answer: the chance that at least one of its claims is unsupported.

Every verdict may carry a `doubt`, the calibrated chance that its claim is unsupported. The risk is what remains when
none of them may come true: an answer of many claims has more of it, and a further claim never lowers it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, islice

from gate.decision.accounting import is_unchecked
from gate.model import BLOCK_DOUBT, DOUBT_A_CLAIM, MOST_DOUBT, Verdict


def risk_of(verdicts: Sequence[Verdict]) -> float | None:
    """Return the risk of the claims that were checked; None where there are none, or one has no doubt to go by."""
    doubts = [verdict.get("doubt") for verdict in verdicts if not is_unchecked(verdict)]
    known = [doubt for doubt in doubts if doubt is not None]
    return _together(known) if known and len(known) == len(doubts) else None


def blocking_doubt(count: int) -> float:
    """How doubtful one claim at least is of an answer of so many claims that the default policy blocks by its risk."""
    return min(MOST_DOUBT, max(BLOCK_DOUBT, DOUBT_A_CLAIM * count))


def most_doubtful(verdicts: Sequence[Verdict]) -> tuple[float, int]:
    """The doubt of the most doubtful claim, and how many claims have been checked."""
    doubts = [verdict.get("doubt") or 0.0 for verdict in verdicts if not is_unchecked(verdict)]
    return max(doubts, default=0.0), len(doubts)


def worst(verdicts: Sequence[Verdict], below: float) -> list[str]:
    """Return the ids of the claims to look at, the most doubtful first: without them the risk lies below `below`."""
    checked = [verdict for verdict in verdicts if not is_unchecked(verdict)]
    ordered = sorted(checked, key=lambda verdict: verdict.get("doubt") or 0.0)
    sound = accumulate(ordered, lambda rest, verdict: rest * (1 - (verdict.get("doubt") or 0.0)), initial=1.0)
    fewest = sum(1 - rest < below for rest in islice(sound, 1, None))
    return [verdict["claim_id"] for verdict in reversed(ordered[fewest:])]


def _together(doubts: Sequence[float]) -> float:
    return 1 - math.prod(1 - doubt for doubt in doubts)
