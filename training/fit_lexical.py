"""Fit the lexical stage: IDF table and the two logistic steps of each kind of source, from the permitted sets.

    GATE_DATA=… PYTHONPATH=functions:. python -m training.fit_lexical

Writes functions/gate/adapters/lexical.json.gz. Needs scikit-learn (dependency group `training`); about a minute on
one core; the same sets give the same bytes. Test claims are kept out by hash (`training.data`).
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from gate.model import LABELS
from gate.rules.lexical import FEATURES, read
from training import data
from training.fit_idf import fit_idf

VERSION = "1"
TARGET = Path("functions/gate/adapters/lexical.json.gz")
OWN = {"article": "wice-claim-doc-dev", "snippet": "factcheckgpt-train"}
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
    "summedits-ectsum-all",
    "summedits-samsum-all",
    "summedits-sales_email-all",
)
"""What `passage`, the default, is fitted on: every set weighs as the root of its size, both sides of it the same."""
WEAK = ("wice-claim-doc-dev", "factcheckgpt-train")
C_OWN, C_SHARED = 0.1, 0.03
FOLDS = 5
MOST = 3000


@dataclass
class Table:
    """Features (n, k), labels (0 supported, 1 weak, 2 unsupported), weights and fold of n rows."""

    x: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    fold: np.ndarray


def main() -> None:
    rows, dropped = data.training()
    data.check_clean(rows)
    idf = fit_idf(rows)
    tables = {name: table([row for row in rows if row.set == name][:MOST], idf) for name in SHARED}
    kinds = {"passage": fit_shared(tables)} | {kind: fit_own(tables[name]) for kind, name in OWN.items()}
    model = {
        "version": VERSION,
        "features": list(FEATURES),
        "kinds": kinds,
        "held_out_auroc": {"passage": shared_figures(tables)} | {k: own_figure(tables[n]) for k, n in OWN.items()},
        "trained_on": {name: len(part.y) for name, part in tables.items()},
        "test_claims_dropped": {name: count for name, count in dropped.items() if count},
        "idf": idf,
    }
    write(model, TARGET)
    print(json.dumps({key: value for key, value in model.items() if key not in ("idf", "kinds")}, indent=1))


def table(rows: list[data.Row], idf: dict[str, float]) -> Table:
    """Compute the features of rows; evidence sentences become one text, as one document of the corpus is."""
    unknown = idf[""]
    x = np.array([read(r.claim, ["\n".join(r.evidence)], lambda key: idf.get(key, unknown)).features for r in rows])
    y = np.array([LABELS.index(row.label3) for row in rows])  # type: ignore[arg-type]
    share = (y == 0).mean()
    weight = np.where(y == 0, 0.5 / share, 0.5 / (1 - share)) / np.sqrt(len(y))
    fold = np.array([int(data.share(data.unit(row)) * FOLDS * 1000) % FOLDS for row in rows])
    return Table(x, y, weight, fold)


def fit_step(x: np.ndarray, y: np.ndarray, c: float, weight: np.ndarray | None = None) -> dict[str, Any]:
    """Fit one logistic step on standardised features and write it for raw ones."""
    scaler = StandardScaler().fit(x)
    fitted = LogisticRegression(C=c, max_iter=5000, tol=1e-8).fit(
        scaler.transform(x), y, None if weight is None else weight / weight.mean()
    )
    slopes = fitted.coef_[0] / scaler.scale_
    bias = float(fitted.intercept_[0] - slopes @ scaler.mean_)
    return {"bias": round(bias, 4), "weights": [round(float(slope), 4) for slope in slopes]}


def fit_own(part: Table) -> dict[str, Any]:
    rest = part.y != 0
    return {
        "supported": fit_step(part.x, part.y == 0, C_OWN),
        "weak": fit_step(part.x[rest], part.y[rest] == 1, C_OWN),
    }


def fit_shared(tables: dict[str, Table]) -> dict[str, Any]:
    every = stack(list(tables.values()))
    weak = stack([tables[name] for name in WEAK])
    rest = weak.y != 0
    return {
        "supported": fit_step(every.x, every.y == 0, C_SHARED, every.weight),
        "weak": fit_step(weak.x[rest], weak.y[rest] == 1, C_SHARED, balanced(weak, rest)),
    }


def balanced(part: Table, rest: np.ndarray) -> np.ndarray:
    """Weights that make weak and unsupported count the same."""
    weak = part.y[rest] == 1
    return np.where(weak, 0.5 / weak.mean(), 0.5 / (1 - weak.mean()))


def stack(parts: list[Table]) -> Table:
    return Table(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("x", "y", "weight", "fold")))


def apply(step: dict[str, Any], x: np.ndarray) -> np.ndarray:
    return step["bias"] + x @ np.array(step["weights"])


def own_figure(part: Table) -> float:
    """AUROC of supported against the rest over folds by claim."""
    margin = np.zeros(len(part.y))
    for fold in range(FOLDS):
        out = part.fold == fold
        margin[out] = apply(fit_step(part.x[~out], part.y[~out] == 0, C_OWN), part.x[out])
    return round(float(roc_auc_score(part.y == 0, margin)), 3)


def shared_figures(tables: dict[str, Table]) -> dict[str, float]:
    """The same per set, for the shared layer."""
    margins = {name: np.zeros(len(part.y)) for name, part in tables.items()}
    for fold in range(FOLDS):
        kept = stack(
            [Table(p.x[p.fold != fold], p.y[p.fold != fold], p.weight[p.fold != fold], p.fold) for p in tables.values()]
        )
        step = fit_step(kept.x, kept.y == 0, C_SHARED, kept.weight)
        for name, part in tables.items():
            out = part.fold == fold
            margins[name][out] = apply(step, part.x[out])
    return {name: round(float(roc_auc_score(part.y == 0, margins[name])), 3) for name, part in tables.items()}


def write(model: dict[str, Any], path: Path) -> None:
    """Write compressed JSON, the same bytes for the same content."""
    text = json.dumps(model, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
