"""What an evaluation found: the figures of a data set as JSON, as a table and as one self-contained page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from gate.decision import metrics
from gate.decision.metrics import Interval, Prediction
from gate.model import LABELS
from gate.reports.overviews.page import page
from gate.text.visible import one_line, visible_values

NAMES = {
    "accuracy": "accuracy",
    "macro_f1": "macro-F1",
    "balanced_accuracy": "balanced accuracy",
    "auroc": "AUROC",
    "calibration_error": "calibration error",
}
"""Figures, as `metrics` calls them and as they are shown; the last two columns of labels are about `supported`."""
FEW = 100
"""Claims below which figures tell nothing: where all are judged rightly even their intervals are of no width."""
MEASURES = {name: getattr(metrics, name) for name in NAMES}


@dataclass(frozen=True)
class Evaluation:
    """One data set, judged.

    Attributes:
        name: of the data set.
        model: who judged.
        judged: gold and given labels with scores, in the order of the set.
        unchecked: claims for which no answer could be read; they stay in every figure, as unsupported.
        cpu_ms, wall_ms: per claim.
        tokens: input and output tokens of all claims together.
        flips: share of labels that changed, by what was changed; with how many claims it was tried.
    """

    name: str
    model: str
    judged: Sequence[Prediction]
    unchecked: int
    cpu_ms: float
    wall_ms: float
    tokens: dict[str, int]
    cost: float | None = None
    flips: dict[str, tuple[float, int]] = field(default_factory=dict)

    def figures(self) -> dict[str, Interval]:
        """Every figure with its 95 % interval."""
        return {name: metrics.interval(measure, self.judged) for name, measure in MEASURES.items()}

    def caveat(self) -> str:
        """That there are too few claims to tell anything, in one line; empty where there are enough."""
        count = len(self.judged)
        counted = "1 claim tells" if count == 1 else f"{count} claims tell"
        return f"{one_line(self.name)}: {counted} nothing yet, and intervals of so few mislead" if count < FEW else ""


def as_json(evaluations: Sequence[Evaluation]) -> str:
    """Return everything but the texts."""
    return json.dumps(visible_values({"evaluations": [_plain(one) for one in evaluations]}), indent=2) + "\n"


def _plain(one: Evaluation) -> dict[str, Any]:
    return {
        "dataset": one.name,
        "model": one.model,
        "claims": len(one.judged),
        "unchecked": one.unchecked,
        "figures": {name: asdict(figure) for name, figure in one.figures().items()},
        "confusion": metrics.confusion(one.judged),
        "reliability": metrics.reliability(one.judged),
        "cpu_ms_per_claim": one.cpu_ms,
        "wall_ms_per_claim": one.wall_ms,
        "tokens": one.tokens,
        "cost": one.cost,
        "flips": {name: {"share": share, "claims": count} for name, (share, count) in one.flips.items()},
    }


def as_table(evaluations: Sequence[Evaluation]) -> str:
    """Return the figures as a table for a terminal."""
    heads = ["data set", "claims", *NAMES.values(), "flips", "CPU", "wall", "unchecked"]
    rows = [
        [one_line(one.name), str(len(one.judged)), *map(with_interval, one.figures().values()), *_rest(one)]
        for one in evaluations
    ]
    widths = [max(len(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in [heads, *rows]
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    models = dict.fromkeys(one.model for one in evaluations)
    caveats = [caveat for one in evaluations if (caveat := one.caveat())]
    judged = f"judged by {one_line(', '.join(models))}; in brackets 95 % intervals"
    return "\n".join([*lines, "", judged, *caveats, ""])


def with_interval(figure: Interval) -> str:
    """Write a figure with its interval."""
    return f"{figure.value:.3f} ({figure.low:.3f}-{figure.high:.3f})"


def _rest(one: Evaluation) -> list[str]:
    flips = ", ".join(f"{name} {share:.1%}" for name, (share, _) in one.flips.items()) or "-"
    return [flips, f"{one.cpu_ms:.1f} ms", f"{one.wall_ms:.1f} ms", str(one.unchecked)]


def as_html(evaluations: Sequence[Evaluation]) -> str:
    """Return the page: figures, confusion, calibration and ROC as inline SVG; no script, no request."""
    sets = [_drawn(one) for one in evaluations]
    return page("evaluation.html.j2", labels=LABELS, names=NAMES, with_interval=with_interval, sets=sets)


def _drawn(one: Evaluation) -> dict[str, Any]:
    table = metrics.confusion(one.judged)
    return {
        "one": one,
        "figures": one.figures(),
        "rest": _rest(one),
        "confusion": table,
        "most": max(count for row in table.values() for count in row.values()) or 1,
        "roc": [(200 * x, 200 - 200 * y) for x, y in metrics.roc(one.judged)],
        "bins": [(200 * mean, 200 - 200 * right, count) for mean, right, count in metrics.reliability(one.judged)],
    }
