"""What many records cost, and how long they take: `python -m tests.load.scale [--simulate]`.

Arithmetic from named assumptions: prices and sizes are those of `gate cost`, the quotas are given. `--simulate` lets
records come to the leases and waits that the deployment has, in simulated time, and says what waiting adds.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from gate.decision import costs
from gate.settings import Settings
from tests.load.admission import CALL_S, Result, simulate

RECORDS = (1_000, 100_000, 10_000_000)
SIMULATED = 8_000
"""Records of a simulation."""


@dataclass(frozen=True)
class Assumptions:
    """What a plan rests on.

    Attributes:
        claims: of a record.
        model: of which the price is known.
        requests, tokens: of the model's quota, a minute.
        at_once: records that the batch machine checks at the same time.
        waiting: what waiting for the quota adds to its bound.
        tries: of a claim, the one that is answered among them; each is a state transition.
    """

    claims: int = 5
    model: str = "us.anthropic.claude-haiku-5-5"
    requests: int = 1_000
    tokens: int = 4_000_000
    at_once: int = 100
    waiting: float = 1.2
    tries: float = 1.4


@dataclass(frozen=True)
class Plan:
    """What `records` cost in dollars, by part, and the hours that each bound would let them take."""

    records: int
    files: int
    tokens: int
    dollars: dict[str, float]
    hours: dict[str, float]

    @property
    def bound(self) -> str:
        """What they wait for."""
        return max(self.hours, key=lambda name: self.hours[name])


def plan(records: int, given: Assumptions) -> Plan:
    """Plan for so many records."""
    price = costs.price_of(given.model)
    if price is None:
        raise SystemExit(f"no price is known for {given.model}")
    claims = records * given.claims
    files = -(-records // Settings.model_fields["max_transcripts"].default)
    dollars = {
        line.what: line.dollars for line in costs.costs(claims, given.claims, tokens_in=price[0], tokens_out=price[1])
    }
    dollars["Step Functions"] += claims * (given.tries - 1) * costs.TRANSITION
    tokens = claims * (costs.TOKENS_IN + costs.TOKENS_OUT)
    record_s = costs.SECONDS_A_RUN + costs.SECONDS_A_CLAIM
    hours = {
        "requests": given.waiting * claims / given.requests / 60,
        "tokens": given.waiting * tokens / given.tokens / 60,
        "machine": records * record_s / given.at_once / 3_600,
        "budget_day": 24 * (tokens // costs.DAY_TOKENS),
    }
    return Plan(records, files, tokens, dollars, hours)


def simulated(given: Assumptions, records: int = SIMULATED) -> Result:
    """So many records in the midst of a long batch, with the leases and waits of the deployment."""
    groups = [(f"record {number}", 0.0, given.claims, "", False) for number in range(records)]
    return simulate(given.requests, groups, given.at_once)


def assumed(given: Assumptions) -> Iterator[tuple[str, str, str]]:
    """Each assumption: what, how much, and where it is from."""
    yield "claims of a record", f"{given.claims}", "an answer of a RAG system; yours: `--claims`"
    yield "model", f"`{given.model}`", "the default"
    read, written = costs.price_of(given.model) or (0.0, 0.0)
    prices = f"${read:g} and ${written:g} a million tokens in and out"
    yield "price of the model", prices, f"list price in us-east-1, {costs.PRICES_DATE}"
    yield "tokens of a claim", f"{costs.TOKENS_IN:,} in, {costs.TOKENS_OUT} out", "`gate cost`: five passages of prose"
    yield "requests a minute", f"{given.requests:,}", "assumed; yours: `gate doctor`, `--requests`"
    yield "tokens a minute", f"{given.tokens:,}", "assumed; yours: `gate doctor`, `--tokens`"
    yield "records at once", f"{given.at_once}", "`batch_concurrency`, which is 10 unless it is set; `--at-once`"
    lasts = f"{costs.SECONDS_A_RUN + costs.SECONDS_A_CLAIM:g} s"
    yield "time of a record", lasts, "functions of a run, and one claim beside the others; cold starts left out"
    yield "records of a file", f"{Settings.model_fields['max_transcripts'].default:,}", "`GATE_MAX_TRANSCRIPTS`"
    yield "ceiling of a day", f"{costs.DAY_TOKENS:,} tokens", "`budget_day`; raise it for what you have planned"
    yield "waiting", f"{given.waiting:g} of the quota's bound", "the simulation below, rounded up"
    yield "tries of a claim", f"{given.tries:g}", "the same; each is a transition of the state machine"


def tables(given: Assumptions | None = None) -> str:
    """Assumptions and plans, in Markdown."""
    given = given or Assumptions()
    lines = ["| assumption | | from |", "| --- | --- | --- |"]
    lines += [f"| {what} | {value} | {source} |" for what, value, source in assumed(given)]
    plans = [plan(records, given) for records in RECORDS]
    lines += ["", "| | " + " | ".join(f"{each.records:,} records" for each in plans) + " |"]
    lines += ["| --- |" + " --- |" * len(plans)]

    def row(what: str, values: list[str]) -> None:
        lines.append(f"| {what} | " + " | ".join(values) + " |")

    row("files to upload", [f"{each.files:,}" for each in plans])
    row("claims", [f"{each.records * given.claims:,}" for each in plans])
    for part in plans[0].dollars:
        row(part, [f"${each.dollars[part]:,.2f}" for each in plans])
    row("**in all**", [f"**${sum(each.dollars.values()):,.2f}**" for each in plans])
    row("by the quota of requests", [_long(each.hours["requests"]) for each in plans])
    row("by the quota of tokens", [_long(each.hours["tokens"]) for each in plans])
    row("by records at once", [_long(each.hours["machine"]) for each in plans])
    row("**time**, the ceiling raised", [f"**{_long(_without_ceiling(each))}**" for each in plans])
    row("under the ceiling of a day", [_long(max(each.hours.values())) for each in plans])
    return "\n".join(lines) + "\n"


def _without_ceiling(one: Plan) -> float:
    return max(hours for name, hours in one.hours.items() if name != "budget_day")


def _long(hours: float) -> str:
    if hours < 1:
        return f"{hours * 60:.0f} min"
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:,.1f} days"


def main() -> None:
    """Print the plan, and what a simulation of its busiest part says."""
    parser = argparse.ArgumentParser(description=__doc__)
    given = Assumptions()
    for name in ("claims", "requests", "tokens", "at_once"):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=getattr(given, name))
    parser.add_argument("--model", default=given.model)
    parser.add_argument("--simulate", action="store_true")
    asked = vars(parser.parse_args())
    is_simulated = asked.pop("simulate")
    given = Assumptions(**asked)
    print(tables(given))
    if is_simulated:
        found, claims = simulated(given), SIMULATED * given.claims
        bound = max(60 * claims / given.requests, CALL_S)
        print(f"{SIMULATED:,} records, {given.at_once} at once, {given.requests:,} calls a minute:")
        print(f"{found.unchecked} unchecked, {found.seconds:.0f} s, {found.seconds / bound:.2f} of the quota's bound,")
        print(f"{found.tries / claims:.2f} tries a claim")


if __name__ == "__main__":
    main()
