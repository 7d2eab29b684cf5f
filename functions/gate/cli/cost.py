"""`gate cost`: what claims cost on AWS, with the arithmetic; and what checks have cost, by their reports."""

from __future__ import annotations

from pathlib import Path

import click

from gate.cli.options import A_FILE
from gate.cli.printing import say


@click.command(short_help="Say what claims cost on AWS, or explain what checks have cost.")
@click.argument("reports", nargs=-1, type=A_FILE, metavar="[REPORT]...")
@click.option("--claims", type=click.IntRange(1), default=1_000, show_default=True, help="Claims to be checked.")
@click.option("--per-run", type=click.IntRange(1), default=20, show_default=True, help="Claims in one answer.")
@click.option("--model", default="us.anthropic.claude-haiku-5-5", show_default=True, help="Bedrock model id.")
@click.option("--price", type=(float, float), help="Dollars for a million tokens in and out; default: by the model.")
@click.option(
    "--asked",
    type=click.FloatRange(0, 100),
    default=100,
    show_default=True,
    help="Percentage of claims that reach the model: the others are in the cache, or judged by a first verifier.",
)
def cost(
    reports: tuple[Path, ...], claims: int, per_run: int, model: str, price: tuple[float, float] | None, asked: float
) -> None:
    """Add up what a number of claims costs; with REPORTs as JSON, or folders of them, explain what those checks have
    cost: what the model was asked, what came without a call, the services by the same arithmetic, and the dearest.

    What stands still costs beside it: the search (nothing while idle on OpenSearch Serverless of the
    next generation; a domain by the hour) and one key, $1 a month. Prices are list prices of us-east-1;
    look them up before you decide by them.

    \b
    gate cost --claims 100000
    gate cost --claims 100000 --model us.amazon.nova-micro-v1:0 --asked 20
    gate cost reports/
    """
    if reports:
        from gate.cli.bill import explained
        from gate.cli.inputs import read_reports

        for text in explained((report for _, report in read_reports(reports)), price):
            say(text)
        return
    from gate.cli.bill import row
    from gate.decision.costs import (
        DAY_TOKENS,
        PRICES_DATE,
        TENANT_DAY_TOKENS,
        TOKENS_IN,
        TOKENS_OUT,
        Cost,
        costs,
        price_of,
    )
    from gate.errors import InputError

    def at_most(tokens: int) -> str:
        """What the model costs where so many tokens are spent, as a claim has them in and out."""
        assert known is not None
        dollars = tokens * (TOKENS_IN * known[0] + TOKENS_OUT * known[1]) / (TOKENS_IN + TOKENS_OUT) / 1e6
        return f"{tokens // (TOKENS_IN + TOKENS_OUT):,} claims, ${dollars:,.2f}"

    known = price or price_of(model)
    if known is None:
        raise InputError(f"no price is known for {model}", hint="--price IN OUT, dollars for a million tokens")
    lines = costs(claims, per_run, tokens_in=known[0], tokens_out=known[1], asked_share=asked / 100)
    for line in lines:
        say(row(line))
    say(row(Cost("in all", f"{claims:,} claims, prices of {PRICES_DATE}", sum(line.dollars for line in lines))))
    say(f"A deployment's ceilings of a day hold about {at_most(TENANT_DAY_TOKENS)} of the model for one tenant")
    say(f"(budget_tenant_day), and {at_most(DAY_TOKENS)} for everybody (budget_day).")
