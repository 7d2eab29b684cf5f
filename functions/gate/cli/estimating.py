"""`gate check --estimate`: what checking answers may cost on the model, without asking it."""

from __future__ import annotations

from typing import Any

from gate.cli.printing import say
from gate.model import Estimate
from gate.reports import wording


def estimated(submission: dict[str, Any], config: dict[str, Any]) -> tuple[int, Estimate | None]:
    """How many claims a submission makes, and what verifying them may cost; None where it costs nothing.

    A claim is taken to be a sentence: having a model read them would be the first thing to cost something.
    """
    from gate import wiring
    from gate.agents.extract_claims import extract_claims
    from gate.agents.load_transcript import load_transcript
    from gate.services.run import using

    state: dict[str, Any] = {"submission": submission, "config": config}
    with wiring.entered(wiring.current().changed(claims="sentences")):
        load_transcript(state)
        with using(state["config"]):
            extract_claims(state)
    return len(state["claims"]), state["estimate"]


def show_estimate(name: str, claims: int, estimate: Estimate | None) -> None:
    """Print one line: what it may cost, and whether the budget holds it."""
    line = f"{name}: {claims} {wording.plural(claims, 'claim')}, "
    if estimate is None:
        say(line + "no call of a model service")
        return
    money = wording.cost(estimate["calls"], estimate["input"], estimate["output"], estimate["dollars"])
    line += f"about {money}"
    if estimate["left"] is not None:
        line += f"; {_fit(estimate, estimate['left'])} the budget of {estimate['left']:,} tokens"
    say(line)


def _fit(estimate: Estimate, left: int) -> str:
    if estimate["input"] + estimate["output"] <= left:
        return "within"
    return "probably over" if estimate["least"] <= left else "over"
