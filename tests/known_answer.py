"""One answer of 25 claims, 5 of them without support, so that its honest grounding is 0.80, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gate.local.run import LocalRun

NAMES = [
    f"{first}{second}"
    for first in ("Al", "Bor", "Cel", "Dor", "El")
    for second in ("ba", "dine", "ford", "mont", "wick")
]
FACTS = [f"The station of {name} has {7 + 3 * number} platforms." for number, name in enumerate(NAMES)]
WRONG = frozenset({3, 8, 13, 18, 23})
CLAIMS = [fact.replace("platforms", "cinemas") if number in WRONG else fact for number, fact in enumerate(FACTS)]
ANSWER = " ".join(CLAIMS)
HONEST = 0.80
Invoke = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    run: LocalRun
    decision: str = "error"
    accounting: Mapping[str, Any] = field(default_factory=dict)
    verdicts: tuple[Mapping[str, Any], ...] = ()

    @property
    def grounding(self) -> float:
        """Share of all claims that are supported."""
        return float(self.accounting["grounding"] or 0)

    @property
    def unchecked(self) -> list[str]:
        """Ids of the claims that could not be checked."""
        return list(self.accounting["unchecked_claims"])


Check = Callable[..., Outcome]


def never_better(outcome: Outcome, unchecked: int | None = None) -> None:
    """The invariants: every claim counted, nothing above the honest share, no pass, a reason."""
    assert outcome.run.status == "SUCCEEDED"
    assert outcome.accounting["claims"] == 25
    assert outcome.accounting["verdicts"] + outcome.accounting["unchecked"] == 25
    assert outcome.grounding <= HONEST
    assert outcome.decision != "pass"
    assert outcome.run.state["decision"]["reasons"]
    by_id = {verdict["claim_id"]: verdict for verdict in outcome.verdicts}
    assert len(by_id) == 25
    for number in WRONG:
        assert by_id[f"c{number + 1:04d}"]["label"] != "supported"
    if unchecked is not None:
        assert outcome.accounting["unchecked"] == unchecked
