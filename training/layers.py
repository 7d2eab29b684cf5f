"""The calibrated layer: two logistic steps per kind of source, fitted for `gate.adapters.local_verifier`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from gate.model import LABELS
from training import data

OWN = {"article": "wice-claim-doc-dev, alone", "snippet": "factcheckgpt-train, alone"}
"""Kinds of source with labels of their own."""
SHARED = (
    "wice-claim-doc-dev",
    "wice-claim-oracle-dev",
    "factcheckgpt-train",
    "fever-rte-dev",
    "fm2-dev",
    "scifact-rte-train",
    "begin-wow-dev",
    "begin-cmu-dev",
    *data.OURS,
)
"""What `passage`, the default, is fitted on; every set weighs as the root of its size. SummEdits, whose "claims" are
whole summaries, is left to the encoder."""
SUPPORTED_PRIOR = 0.3
"""What is held for likely before reading an answer's claim: the supported rows of our own sets weigh this much, those
of the others as they are, which the extent of their evidence tells apart. Chosen among 0.3, 1/3, 0.36, 0.4, 0.45 and
0.5 on rows held out and on whole answers (docs/model-cards/cross-encoder.md)."""
WEAK = ("wice-claim-doc-dev", "factcheckgpt-train")
C_OWN, C_SHARED, C_JOINED = 0.1, 0.03, 0.3
FOLDS = 5


@dataclass(frozen=True)
class Case:
    """A row and the documents it is judged by."""

    row: data.Row
    documents: list[str]


@dataclass
class Table:
    """Features (n, k), labels (0 supported, 1 weak, 2 unsupported), weights, folds and cases of n rows."""

    x: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    fold: np.ndarray
    cases: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, cases: list[Case]) -> Table:
        """Weigh rows by the prior and the size of their set, and place them in folds by what must stay whole."""
        y = np.array([LABELS.index(case.row.label3) for case in cases])
        share = (y == 0).mean()
        prior = SUPPORTED_PRIOR if cases[0].row.set in data.OURS else share
        weight = np.where(y == 0, prior / share, (1 - prior) / (1 - share)) / np.sqrt(len(y))
        fold = np.array([int(data.share("fold" + data.unit(case.row)) * FOLDS) for case in cases])
        return cls(x, y, weight, fold, np.array(cases, dtype=object))

    def part(self, rows: np.ndarray) -> Table:
        return Table(*(getattr(self, name)[rows] for name in COLUMNS))

    def with_features(self, x: np.ndarray) -> Table:
        return Table(x, self.y, self.weight, self.fold, self.cases)


Fit = Callable[[dict[str, Table]], dict[str, Any]]
"""Makes the steps of every kind from tables."""
COLUMNS = ("x", "y", "weight", "fold", "cases")


def fit_kinds(tables: dict[str, Table]) -> dict[str, Any]:
    """Fit every kind of source by itself."""
    shared = {name: tables[name] for name in SHARED if name in tables}
    kinds = {"passage": _fit_shared(shared, C_SHARED)}
    return kinds | {kind: _fit_own(tables[name], C_OWN) for kind, name in OWN.items()}


def fit_tied(tables: dict[str, Table], c: float) -> dict[str, Any]:
    """Fit `passage`, and every other kind of source on slopes of its sets: few rows of a kind tell how far to trust the
    reader and how often a claim is true, and not what to look at.

    The other kinds' slopes are those of real sources alone: with what was written among them, articles lost 0.035 of
    their area under the curve and snippets 0.013, over folds (2026-11-26).
    """
    shared = {name: tables[name] for name in SHARED if name in tables}
    real = _fit_shared({name: part for name, part in shared.items() if name not in data.OURS}, c)
    kinds = {"passage": _fit_shared(shared, c)}
    return kinds | {kind: _moved(real, tables[name], c) for kind, name in OWN.items()}


def _moved(steps: dict[str, Any], part: Table, c: float) -> dict[str, Any]:
    """Steps whose log odds are stretched and shifted to fit these rows."""
    rest = part.y != 0
    rows = {"supported": (part.x, part.y == 0), "weak": (part.x[rest], part.y[rest] == 1)}
    found = {}
    for name, (x, y) in rows.items():
        moved = fit_step(apply(steps[name], x)[:, None], y, c)
        stretch = moved["weights"][0]
        bias = round(moved["bias"] + stretch * steps[name]["bias"], 4)
        found[name] = {"bias": bias, "weights": [round(stretch * weight, 4) for weight in steps[name]["weights"]]}
    return found


def fit_step(x: np.ndarray, y: np.ndarray, c: float, weight: np.ndarray | None = None) -> dict[str, Any]:
    """Fit one logistic step on standardised features and write it for raw ones."""
    scaler = StandardScaler().fit(x)
    fitted = LogisticRegression(C=c, max_iter=5000, tol=1e-8).fit(
        scaler.transform(x), y, None if weight is None else weight / weight.mean()
    )
    slopes = fitted.coef_[0] / scaler.scale_
    bias = float(fitted.intercept_[0] - slopes @ scaler.mean_)
    return {"bias": round(bias, 4), "weights": [round(float(slope), 4) for slope in slopes]}


def _fit_own(part: Table, c: float) -> dict[str, Any]:
    rest = part.y != 0
    return {
        "supported": fit_step(part.x, part.y == 0, c),
        "weak": fit_step(part.x[rest], part.y[rest] == 1, c),
    }


def _fit_shared(tables: dict[str, Table], c: float) -> dict[str, Any]:
    every = _stack(list(tables.values()))
    weak = _stack([tables[name] for name in WEAK])
    rest = weak.part(weak.y != 0)
    part = rest.y == 1
    even = np.where(part, 0.5 / part.mean(), 0.5 / (1 - part.mean()))
    return {"supported": fit_step(every.x, every.y == 0, c, every.weight), "weak": fit_step(rest.x, part, c, even)}


def _stack(parts: list[Table]) -> Table:
    return Table(*(np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS))


def held_out_margins(tables: dict[str, Table], step: str, fit: Fit) -> dict[str, np.ndarray]:
    """Log odds of a step for every row, from layers that did not see the row's claim."""
    margins = {name: np.zeros(len(part.y)) for name, part in tables.items()}
    for fold in range(FOLDS):
        kinds = fit({name: part.part(part.fold != fold) for name, part in tables.items()})
        for name, part in tables.items():
            kind = next((kind for kind, own in OWN.items() if own == name), "passage")
            out = part.fold == fold
            margins[name][out] = apply(kinds[kind][step], part.x[out])
    return margins


def figures(tables: dict[str, Table], fit: Fit) -> dict[str, Any]:
    """AUROC of supported against the rest over folds by claim: per kind, and per set for `passage`."""
    margins = held_out_margins(tables, "supported", fit)
    found = {name: round(float(roc_auc_score(part.y == 0, margins[name])), 3) for name, part in tables.items()}
    own = {kind: found.pop(name) for kind, name in OWN.items()}
    return {"passage": found} | own


def apply(step: dict[str, Any], x: np.ndarray) -> np.ndarray:
    """Log odds of a step."""
    margins: np.ndarray = step["bias"] + x @ np.array(step["weights"])
    return margins


def write(model: dict[str, Any], path: Path) -> None:
    """Write compressed JSON, the same bytes for the same content."""
    text = json.dumps(model, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
