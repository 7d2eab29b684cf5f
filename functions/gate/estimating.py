"""What verifying a run's claims may cost on the model, before it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gate import wiring
from gate.adapters import budget
from gate.adapters.bedrock_models import Capabilities, capabilities
from gate.model import Claim, Document, Estimate
from gate.prompts import load
from gate.rules.costs import TOKENS_IN, estimate
from gate.rules.fencing import fence

SAMPLE = 8
"""Claims whose evidence is looked up for the estimate; the dearest stands for the others. Up to so many it is exact."""

LookUp = Callable[[Sequence[str]], Sequence[Sequence[Document] | None]]
"""Finds the evidence for each of several claims; None: it cannot be looked up now."""

_USUAL: Sequence[Document] = ({"content": " " * (3 * TOKENS_IN)},)


def estimate_of(claims: Sequence[Claim], look_up: LookUp) -> Estimate | None:
    """What the claims may cost, at most, if every answer can be read; None: the verifier costs nothing.

    An answer that has to be asked for once more is paid twice, and an answer in the verdict cache not at all.
    """
    kind, _, name = wiring.settings().model.partition(":")
    if kind != "bedrock":
        return None
    able = capabilities(name)
    sample = [claim["text"] for claim in claims[:: max(1, -(-len(claims) // SAMPLE))]]
    found = [_USUAL if documents is None else documents for documents in look_up(sample)]
    evidence = [call for text, some in zip(sample, found, strict=True) for call in _calls(able, text, some)]
    history = [call for claim in claims for call in _calls(able, claim["text"], claim.get("history") or [])]
    unasked = len(sample) - len(evidence)
    return estimate(
        [*evidence, *history],
        len(claims) - unasked + len(history),
        model=name,
        left=budget.left(wiring.ledger()),
        stop=wiring.settings().budget_stop,
    )


def _calls(able: Capabilities, claim: str, documents: Sequence[Document]) -> list[tuple[int, int]]:
    """Tokens in and out of the call that judges a claim; without documents there is none."""
    return [able.call_tokens(fence(claim, documents), load("verify_claims"))] if documents else []
