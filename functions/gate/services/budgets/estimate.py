"""What verifying a run's claims may cost on the model, said before it is asked, by the claims alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from gate import wiring
from gate.adapters.aws.bedrock import models as bedrock
from gate.adapters.openai import chat_models as openai
from gate.adapters.spending import budget
from gate.decision.costs import (
    CHARACTERS_A_CLAIM,
    EVIDENCE_TOKENS,
    SHORT_EVIDENCE_TOKENS,
    TOKENS_IN,
    TOKENS_OUT,
    dollars_of,
    estimated_cost,
)
from gate.errors import InputError
from gate.model import Claim, Estimate
from gate.ports import Question
from gate.prompts.fencing import fence
from gate.prompts.verdicts import verdict_question
from gate.settings import stages

_CAPABILITIES = {"bedrock": bedrock.capabilities, "openai": openai.capabilities, "minicheck": openai.capabilities}
_BLANK_TOKEN = " " * 3


def estimate_of(claims: Sequence[Claim]) -> Estimate | None:
    """What the claims may cost where their evidence is of the usual size; None: the verifier costs nothing.

    Every claim is counted, and the longest answer to each. An answer that has to be asked for once more is paid twice,
    one in the verdict cache not at all, and a claim that nothing is found for is not put to the model.
    """
    settings = wiring.current().settings
    models = stages(settings.model)
    kind, _, name = models[-1].partition(":")
    if kind not in _CAPABILITIES:
        return None
    able = _CAPABILITIES[kind](name).asked(settings.model_answers)
    asked = [claim for claim in claims if claim.get("kind") != "name"]  # names are looked up
    held = budget.left(wiring.current().ledger(), wiring.current().ceilings())
    usual, short = (
        [able.call_tokens(question) for claim in asked for question in _questions(claim, evidence_tokens)]
        for evidence_tokens in (EVIDENCE_TOKENS, SHORT_EVIDENCE_TOKENS)
    )
    return estimated_cost(
        usual,
        least=sum(map(sum, short)) if len(models) == 1 else 0,  # the first of two may be sure of every claim
        model=name,
        left=held[0] if held else None,
        stop=settings.budget_stop,
    )


def refuse_unaffordable(characters: int) -> None:
    """Refuse a batch that today's ceilings do not hold, before any of it is checked.

    Args:
        characters: of all its answers; a claim is some hundred of them (docs/bedrock.md).

    Raises:
        InputError: says what the batch may need, what that costs, and what is left.
    """
    settings = wiring.current().settings
    ceilings = replace(wiring.current().ceilings(), run=0)  # each line is a run of its own
    held = budget.left(wiring.current().ledger(), ceilings)
    claims = -(-characters // CHARACTERS_A_CLAIM)
    tokens_in, tokens_out = claims * TOKENS_IN, claims * TOKENS_OUT
    if held is None or tokens_in + tokens_out <= held[0]:
        return
    model = stages(settings.model)[-1].partition(":")[2]
    dollars = dollars_of(model, tokens_in, tokens_out)
    price = f", ${dollars:,.2f}" if dollars is not None else ""
    raise InputError(
        f"about {claims:,} claims need {tokens_in + tokens_out:,} tokens{price}; {held[1]} has {held[0]:,} left",
        hint="send less, or raise the ceiling (budget_tenant_day, budget_day)",
    )


@cache
def _usual(evidence_tokens: int) -> Question:
    """The question about a claim without a word; that about any other is longer by the claim."""
    return verdict_question(fence("", [{"content": _BLANK_TOKEN * evidence_tokens}]))


def _questions(claim: Claim, evidence_tokens: int) -> Iterator[Question]:
    """What the model may be asked about a claim: by evidence, and where that says nothing, by earlier turns."""
    usual = _usual(evidence_tokens)
    yield replace(usual, text=claim["text"] + usual.text)
    if history := claim.get("history"):
        yield verdict_question(fence(claim["text"], history))
