"""Two verifiers, or two calibrations of one, on the same claims: paired differences."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gate import wiring
from gate.cli.labelled_rows import Prices, Row, evaluate_rows
from gate.decision import metrics
from gate.decision.metrics import Interval
from gate.reports.overviews.evaluation import MEASURES, NAMES, Evaluation
from gate.services.run import using
from gate.text.visible import one_line

ROUNDS = 500
"""Resamples behind each interval."""
Figures = dict[str, tuple[Interval, Interval, Interval]]


def evaluated_by(
    name: str, sets: Mapping[str, Sequence[Row]], source_kind: str, prices: Prices, on_claims: Callable[[int], None]
) -> list[Evaluation]:
    """Judge every set by one of the two: a value of `GATE_MODEL`, or the file of a calibration (`*.json`).

    Raises:
        SettingsError: it names no verifier, or no calibration of the one that is set.
    """
    changed: dict[str, Any] = {"calibration": Path(name)} if name.endswith(".json") else {"model": name}
    with (
        wiring.entered(wiring.current().changed(verdict_cache=False, **{"calibration": None, **changed})),
        using({"verifier": {"source_kind": source_kind}}),
    ):
        wiring.current().verifier(source_kind)
        return [evaluate_rows(each, rows, 0, prices, on_claims) for each, rows in sets.items()]


def compared(one: Evaluation, other: Evaluation) -> Figures:
    """Each figure of the one and of the other, and how much the other's is more, on the same claims."""
    return {
        name: metrics.paired(measure, one.judged, other.judged, rounds=ROUNDS) for name, measure in MEASURES.items()
    }


def comparison_json(names: tuple[str, str], pairs: Sequence[tuple[Evaluation, Evaluation]]) -> str:
    """Everything but the texts, as JSON."""
    found = [
        {
            "dataset": one.name,
            "claims": len(one.judged),
            "verifiers": [{**_spent(each), "given": name} for name, each in zip(names, (one, other), strict=True)],
            "figures": {
                name: dict(zip(("first", "second", "difference"), map(asdict, figures), strict=True))
                for name, figures in compared(one, other).items()
            },
        }
        for one, other in pairs
    ]
    return json.dumps({"comparisons": found}, indent=2) + "\n"


def _spent(one: Evaluation) -> dict[str, Any]:
    return {
        "model": one.model,
        "unchecked": one.unchecked,
        "cpu_ms_per_claim": one.cpu_ms,
        "wall_ms_per_claim": one.wall_ms,
        "tokens": one.tokens,
        "cost": one.cost,
    }


def comparison_table(names: tuple[str, str], pairs: Sequence[tuple[Evaluation, Evaluation]]) -> str:
    """The figures in lines, with 95 % intervals; the difference is of pairs, the second less the first."""
    lines = []
    for one, other in pairs:
        lines += [f"{one_line(one.name)}: {len(one.judged)} claims, {one_line(names[0])} and {one_line(names[1])}"]
        for name, (first, second, difference) in compared(one, other).items():
            change = f"{difference.value:+.3f} ({difference.low:+.3f} to {difference.high:+.3f})"
            lines.append(f"  {NAMES[name]:<18} {first.value:.3f}   {second.value:.3f}   {change}")
        lines.append(f"  {'wall':<18} {one.wall_ms:.1f} ms   {other.wall_ms:.1f} ms   for each claim")
        tokens = [f"{sum(each.tokens.values()):,}" for each in (one, other)]
        lines.append(f"  {'tokens':<18} {tokens[0]}   {tokens[1]}")
        if one.cost is not None and other.cost is not None:
            lines.append(f"  {'cost':<18} {one.cost:.4f}   {other.cost:.4f}")
        lines.append(f"  {'unchecked':<18} {one.unchecked}   {other.unchecked}")
    return "\n".join(lines) + "\n"
