"""What a deployment costs, as arithmetic: tokens, transitions and seconds times list prices in us-east-1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.model import Estimate

PRICES_DATE = "2026-11-20"
MODEL_PRICES: dict[str, tuple[float, float]] = {
    "anthropic.claude-haiku-5-5": (0.10, 0.50),
    "anthropic.claude-haiku-4-5": (1.00, 5.00),
    "anthropic.claude-sonnet-5-5": (2.00, 10.00),
    "amazon.nova-micro": (0.035, 0.14),
    "amazon.nova-lite": (0.06, 0.24),
    "amazon.nova-pro": (0.80, 3.20),
    "amazon.nova-2-lite": (0.30, 2.50),
}
"""US dollars for a million tokens in and out, by the beginning of the model's id without its geography."""

CHARACTERS_A_CLAIM = 96
"""Of an answer, markup included: 26 claims in 2,488 bytes of prose."""
TOKENS_IN, TOKENS_OUT = 2_500, 250
"""Of one verdict: claim, rules and five passages in; an answer out."""
DAY_TOKENS, TENANT_DAY_TOKENS = 500_000_000, 100_000_000
"""What a deployment lets everybody, and one tenant, spend in a day unless its team says otherwise."""
EVIDENCE_TOKENS = 1_500
"""Of one claim's evidence: five passages of prose, what keywords find; with vectors they are nine, of 2,800 tokens."""
MOST_TOKENS = 5_000
"""Of one claim at the most: its question with nine passages (evidence of 2,800 tokens), and the longest answer."""
SHORT_EVIDENCE_TOKENS = 400
"""Of one claim's evidence in a corpus of single sentences (docs/bedrock.md)."""
TRANSITIONS_A_CLAIM, TRANSITIONS_A_RUN = 4, 14
"""States entered: item, retrieve, verify, way out; and the rest of the machine once."""
TRANSITION = 0.025 / 1_000
GB_SECOND, REQUEST = 0.0000133334, 0.20 / 1_000_000
SECONDS_A_CLAIM, SECONDS_A_RUN, GB = 3.4, 15.0, 0.5
PUT, GET = 0.005 / 1_000, 0.0004 / 1_000
BLOBS_A_CLAIM, BLOBS_A_RUN = 4, 12
EMBED_TOKENS, EMBED_PRICE = 40, 0.02
COUNTS_A_CLAIM, COUNT = 2, 0.625 / 1_000_000
"""Writes to the table of budgets: one reserves, one settles."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One line: what, its arithmetic, and US dollars."""

    what: str
    how: str
    dollars: float


def price_of(model: str) -> tuple[float, float] | None:
    """Dollars for a million tokens in and out; None: not in the table."""
    for name, price in MODEL_PRICES.items():
        if name in model:
            return price
    return None


def dollars_of(model: str, tokens_in: int, tokens_out: int) -> float | None:
    """What tokens cost; None: the model's price is not known."""
    price = price_of(model)
    return None if price is None else round((tokens_in * price[0] + tokens_out * price[1]) / 1e6, 6)


def estimated_cost(
    calls: Sequence[tuple[int, int]], *, least: int, model: str, left: int | None, stop: bool
) -> Estimate:
    """What calls may cost.

    Args:
        calls: tokens in and out of each, as usual.
        least: tokens in and out of all of them, where there is little to read.
        left: what the budget still holds; None: there is none.
        stop: whether a run that does not fit its budget even then is stopped.
    """
    tokens_in, tokens_out = sum(call[0] for call in calls), sum(call[1] for call in calls)
    return Estimate(
        calls=len(calls),
        input=tokens_in,
        output=tokens_out,
        dollars=dollars_of(model, tokens_in, tokens_out),
        least=least,
        left=left,
        stopped=stop and left is not None and least > left,
    )


def costs(
    claims: int, claims_a_run: int, *, tokens_in: float, tokens_out: float, asked_share: float = 1.0
) -> list[Cost]:
    """What `claims` cost in runs of `claims_a_run`, at these prices for a million tokens.

    Args:
        asked_share: of the claims that reach the model; of the others the cache or another verifier is sure.
    """
    asked = round(claims * asked_share)
    model = asked * (TOKENS_IN * tokens_in + TOKENS_OUT * tokens_out) / 1e6
    how = f"{asked:,} x ({TOKENS_IN:,} in x ${tokens_in:g}/M + {TOKENS_OUT} out x ${tokens_out:g}/M)"
    return [Cost("model", how, model), *service_costs(claims, -(-claims // claims_a_run), asked)]


def service_costs(claims: int, runs: int, asked: int) -> list[Cost]:
    """What `claims` in so many runs cost beside the model, of which `asked` reach it."""
    transitions = claims * TRANSITIONS_A_CLAIM + runs * TRANSITIONS_A_RUN
    seconds = claims * SECONDS_A_CLAIM + runs * SECONDS_A_RUN
    calls = claims * 2 + runs * 6
    counts = asked * COUNTS_A_CLAIM + runs
    blobs = claims * BLOBS_A_CLAIM + runs * BLOBS_A_RUN
    return [
        Cost(
            "query vectors",
            f"{claims:,} x {EMBED_TOKENS} tokens x ${EMBED_PRICE}/M",
            claims * EMBED_TOKENS * EMBED_PRICE / 1e6,
        ),
        Cost("Step Functions", f"{transitions:,} transitions x $0.025/1,000", transitions * TRANSITION),
        Cost(
            "Lambda", f"{seconds:,.0f} s x {GB} GB + {calls:,} calls, arm64", seconds * GB * GB_SECOND + calls * REQUEST
        ),
        Cost("S3 requests", f"{blobs:,} writes and reads", blobs * (PUT + GET)),
        Cost("DynamoDB", f"{counts:,} writes x $0.625/M, for the budget", counts * COUNT),
    ]
