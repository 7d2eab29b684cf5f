"""`gate check --estimate`: what checking answers may cost on the model, without asking it."""

from __future__ import annotations

from typing import Any

import click

from gate.model import Estimate
from gate.reports import wording


def estimated(submission: dict[str, Any], config: dict[str, Any]) -> tuple[int, Estimate | None]:
    """How many claims a submission makes, and what verifying them may cost at most; None where it costs nothing.

    A claim is taken to be a sentence: having a model read them would be the first thing to cost something.
    """
    from gate import services, wiring
    from gate.agents.extract_claims import extract_claims
    from gate.agents.load_transcript import load_transcript

    if wiring.settings().claims == "model":
        wiring.configure(wiring.settings().model_copy(update={"claims": "sentences"}))
    state: dict[str, Any] = {"submission": submission, "config": config}
    load_transcript(state)
    with services.using(state["config"]):
        extract_claims(state)
    return len(state["claims"]), state["estimate"]


def show_estimate(name: str, claims: int, estimate: Estimate | None) -> None:
    """Print one line: what it may cost, and whether the budget holds it."""
    line = f"{name}: {claims} {wording.plural(claims, 'claim')}, "
    if estimate is None:
        click.echo(line + "no call of a model service")
        return
    line += wording.cost(estimate["calls"], estimate["input"], estimate["output"], estimate["dollars"]) + " at most"
    if estimate["left"] is not None:
        fits = estimate["input"] + estimate["output"] <= estimate["left"]
        line += f"; {'within' if fits else 'over'} the budget of {estimate['left']:,} tokens"
    click.echo(line)
