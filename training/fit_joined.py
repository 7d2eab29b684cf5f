"""Join the cross-encoder with the lexical stage: a calibrated layer over both, on rows the encoder did not see.

    GATE_DATA=… PYTHONPATH=functions:. python -m training.fit_joined

The layer has six inputs: the lexical stage's own log odds, fitted on every permitted row and taken here from folds
that did not see the claim, the encoder's four margins, and how much evidence there is. It is written out over the raw
features, so that the product needs one dot product. The step between weak and unsupported stays the lexical one in the
kinds of source with labels of their own: few of those rows are left for the joined layer. A third step says what is
refuted; it is moved until, over folds, `PRECISE` of what it calls so is called so by its source. Reads the verifier's
weights (int8, as they ship), writes joined.json.gz beside them; some minutes on one core; the same weights and sets
give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gate.adapters.local_verifier.cross_encoder import FEATURES as ENCODED
from gate.adapters.local_verifier.cross_encoder import CrossEncoder, encoded
from gate.adapters.local_verifier.lexical import EXTENT, FEATURES, read
from training import data
from training.fit_idf import fit_idf
from training.fit_lexical import lexical_tables
from training.layers import (
    C_JOINED,
    FOLDS,
    OWN,
    SHARED,
    Table,
    apply,
    figures,
    fit_kinds,
    fit_step,
    fit_tied,
    held_out_margins,
    write,
)

VERSION = "9"
WEIGHTS = Path("functions/gate/adapters/local_verifier/weights")
STEPS = ("supported", "weak")
PRECISE = 0.92
"""Share of what the layer calls refuted that its source calls so too: nine of ten, and a margin."""
REFUTED = {"refutes", "refute", "contradiction"}
ON_TOP = (*ENCODED, EXTENT)
UNCHANGED = {"bias": 0.0, "weights": [1.0, *[0.0] * len(ON_TOP)]}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--weights", type=Path, default=WEIGHTS)
    options.add_argument("--cache", type=Path, help="keep the tables here, to try out other layers")
    given = options.parse_args()
    rows, _ = data.training((*data.TRAIN, data.WRITTEN))
    rows += data.split(data.training((data.CHAT, data.PAGES))[0])[1]  # the others have taught the encoder, and are many
    idf = fit_idf([row for row in rows if row.set in data.TRAIN])
    lexical = lexical_tables(rows, idf)
    held = held_tables(lexical, rows)
    margins = encoder_margins(held, idf, CrossEncoder(given.weights))
    if given.cache:
        given.cache.write_bytes(pickle.dumps((lexical, held, margins)))
    model = join(lexical, held, margins)
    write(model, given.weights / "joined.json.gz")
    print(json.dumps({key: value for key, value in model.items() if key != "kinds"}, indent=1))


def held_tables(lexical: dict[str, Table], rows: list[data.Row]) -> dict[str, Table]:
    """The rows of each table that the encoder did not see."""
    _, held = data.split(rows)
    data.check_clean(held)
    known = set(held)
    places = {name: np.array([case.row in known for case in part.cases]) for name, part in lexical.items()}
    return {name: part.part(places[name]) for name, part in lexical.items() if places[name].any()}


def encoder_margins(held: dict[str, Table], idf: dict[str, float], encoder: CrossEncoder) -> dict[str, np.ndarray]:
    """The encoder's margins for the rows of each table, and the extent of their evidence."""
    unknown = idf[""]
    found = {}
    for name, part in held.items():
        readings = (read(c.row.claim, c.documents, lambda key: idf.get(key, unknown)) for c in part.cases)
        found[name] = np.array([(*encoded(encoder, reading), reading.extent) for reading in readings])
    return found


def join(lexical: dict[str, Table], held: dict[str, Table], margins: dict[str, np.ndarray]) -> dict[str, Any]:
    """Fit the layer of every kind and describe it."""
    kinds: dict[str, dict[str, Any]] = {}
    quality: dict[str, Any] = {}
    below = fit_kinds(lexical)
    for step in STEPS:
        top = _on_top(lexical, held, margins, step)
        fitted = fit_tied(top, C_JOINED)
        if step == "supported":
            quality = figures(top, partial(fit_tied, c=C_JOINED))
        for kind, steps in fitted.items():
            keeps = step == "weak" and kind in OWN
            kinds.setdefault(kind, {})[step] = _spread(UNCHANGED if keeps else steps[step], below[kind][step])
    last, told = refuted(_on_top(lexical, held, margins, "supported"))
    for kind, steps in kinds.items():
        steps["refuted"] = _spread(last, below[kind]["supported"])
    return {
        "version": VERSION,
        "features": [*FEATURES, *ON_TOP],
        "kinds": kinds,
        "held_out_auroc": quality,
        "refuted": told,
        "fitted_on": {name: len(part.y) for name, part in held.items()},
    }


def refuted(top: dict[str, Table]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fit the step that says what is refuted, over all sets that tell; and what it calls so over folds, by set.

    From the highest chance down, as many rows are called refuted as leave `PRECISE` of them right.
    """
    parts = {name: part for name, part in top.items() if name in SHARED and _are_refuted(part).any()}
    x = np.concatenate([part.x for part in parts.values()])
    y = np.concatenate([_are_refuted(part) for part in parts.values()])
    fold = np.concatenate([part.fold for part in parts.values()])
    weight = np.concatenate([np.full(len(part.y), len(part.y) ** -0.5) for part in parts.values()])
    odds = np.zeros(len(y))
    for out in range(FOLDS):
        seen = fold != out
        odds[~seen] = apply(fit_step(x[seen], y[seen], C_JOINED, weight[seen]), x[~seen])
    order = np.argsort(-odds)
    right = np.cumsum((weight * y)[order]) / np.cumsum(weight[order])
    limit = odds[order[np.flatnonzero(right >= PRECISE).max()]]
    step = fit_step(x, y, C_JOINED, weight)
    called, told, at = odds >= limit, {}, 0
    for name, part in parts.items():
        mine = slice(at, at := at + len(part.y))
        hits = int((called & y)[mine].sum())
        told[name] = {"called": int(called[mine].sum()), "right": hits, "of": int(y[mine].sum())}
    return {**step, "bias": round(step["bias"] - float(limit), 4)}, told


def _are_refuted(part: Table) -> np.ndarray:
    return np.array([case.row.label.lower() in REFUTED for case in part.cases])


def _on_top(
    lexical: dict[str, Table], held: dict[str, Table], margins: dict[str, np.ndarray], step: str
) -> dict[str, Table]:
    """Tables of the six inputs."""
    below = held_out_margins(lexical, step, fit_kinds)
    found = {}
    for name, part in held.items():
        known = {id(case) for case in part.cases}
        mine = np.array([id(case) in known for case in lexical[name].cases])
        found[name] = part.with_features(np.column_stack([below[name][mine], margins[name]]))
    return found


def _spread(top: dict[str, Any], below: dict[str, Any]) -> dict[str, Any]:
    """Write a step over (lexical log odds, margins) as one over (lexical features, margins)."""
    first, *rest = top["weights"]
    bias = float(apply(below, np.zeros(len(below["weights"]))))
    return {
        "bias": round(top["bias"] + first * bias, 4),
        "weights": [round(first * weight, 4) for weight in below["weights"]] + rest,
    }


if __name__ == "__main__":
    main()
