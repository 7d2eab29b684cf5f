"""What checks have cost, by their reports, and why: for `gate cost`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gate.decision.costs import PRICES_DATE, TOKENS_IN, TOKENS_OUT, Cost, service_costs
from gate.reports.model import Report

DEAREST = 5
"""Checks that are named."""
HIGH = 1.2
"""Times the usual, from which on a figure is said to be high."""


@dataclass(frozen=True, slots=True)
class Item:
    """What one check has cost on the model; `dollars`: None where no price is known."""

    name: str
    claims: int
    calls: int
    read: int
    written: int
    dollars: float | None


def explained(reports: Iterable[Report], price: tuple[float, float] | None) -> Iterator[str]:
    """Say what checks have cost, line by line.

    Args:
        price: dollars for a million tokens in and out; None: the list price of each report's model.
    """
    items: list[Item] = []
    days: set[str] = set()
    for report in reports:
        items.append(_item(report, price))
        days.add(report.created_at[:10])
    claims, calls = sum(one.claims for one in items), sum(one.calls for one in items)
    read, written = sum(one.read for one in items), sum(one.written for one in items)
    dollars, unpriced = sum(one.dollars or 0.0 for one in items), [one for one in items if one.dollars is None]
    asked = sum(min(one.calls, one.claims) for one in items)
    yield f"{len(items):,} checks of {claims:,} claims, {min(days)} to {max(days)}"
    lines = [
        Cost("model", f"{calls:,} calls, {read:,} tokens in, {written:,} out", dollars),
        *service_costs(claims, len(items), asked),
    ]
    yield from map(row, lines)
    yield row(Cost("in all", f"prices of {PRICES_DATE}, services by arithmetic", sum(line.dollars for line in lines)))
    if unpriced:
        count = sum(one.calls for one in unpriced)
        yield f"not in it: {count:,} calls of models without a known price (--price IN OUT)"
    why = "in the cache, looked up, without evidence, judged here"
    yield f"{claims - asked:,} of {claims:,} claims cost no call: {why}"
    if calls:
        yield from _unusual(calls / max(1, asked), read / calls, written / calls)
    for one in sorted(items, key=lambda each: -(each.dollars or 0.0))[:DEAREST]:
        if one.dollars:
            yield f"{one.dollars / dollars:>4.0%} of the model: {one.name}, {one.claims:,} claims, {one.calls:,} calls"


def row(cost: Cost) -> str:
    """One line of a bill."""
    return f"{cost.what:<16} ${cost.dollars:>9.4f}   {cost.how}"


def _item(report: Report, price: tuple[float, float] | None) -> Item:
    spent = report.spent
    read, written = (spent.input, spent.output) if spent else (0, 0)
    dollars = spent.dollars if spent else 0.0
    if price is not None:
        dollars = (read * price[0] + written * price[1]) / 1e6
    return Item(report.name or report.run_id, len(report.claims), spent.calls if spent else 0, read, written, dollars)


def _unusual(calls: float, read: float, written: float) -> Iterator[str]:
    """What is more than usual, and what that comes from."""
    if calls > HIGH:
        again = "answers are asked for again, or earlier turns too"
        yield f"{calls:.1f} calls for each claim that was asked about: {again}"
    if read > HIGH * TOKENS_IN:
        yield f"{read:,.0f} tokens in a call, where {TOKENS_IN:,} are usual: passages or claims are long"
    if written > HIGH * TOKENS_OUT:
        yield f"{written:,.0f} tokens in an answer, where {TOKENS_OUT} are usual: the model thinks, or says much"
