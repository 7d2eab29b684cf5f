"""Join the cross-encoder with the lexical stage: a calibrated layer over both, on rows the encoder did not see.

    GATE_DATA=… PYTHONPATH=functions:. python -m training.fit_joined

The layer has five inputs: the lexical stage's own log odds, fitted on every permitted row and taken here from folds
that did not see the claim, and the encoder's four margins. It is written out over the raw features, so that the
product needs one dot product. The step between weak and unsupported stays the lexical one in the kinds of source with
labels of their own: few of those rows are left for the joined layer. Reads the verifier's weights (int8, as they ship),
writes joined.json.gz beside them; about two minutes on one core; the same weights and sets give the same bytes.
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
from gate.adapters.local_verifier.lexical import FEATURES, read
from training import data
from training.fit_idf import fit_idf
from training.fit_lexical import lexical_tables
from training.layers import C_JOINED, OWN, Table, apply, figures, fit_kinds, fit_tied, held_out_margins, write

VERSION = "3"
WEIGHTS = Path("functions/gate/adapters/local_verifier/weights")
STEPS = ("supported", "weak")
UNCHANGED = {"bias": 0.0, "weights": [1.0, *[0.0] * len(ENCODED)]}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--weights", type=Path, default=WEIGHTS)
    options.add_argument("--cache", type=Path, help="keep the tables here, to try out other layers")
    given = options.parse_args()
    rows, _ = data.training()
    idf = fit_idf(rows)
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
    """The encoder's margins for the rows of each table."""
    unknown = idf[""]
    found = {}
    for name, part in held.items():
        readings = [read(c.row.claim, c.documents, lambda key: idf.get(key, unknown)) for c in part.cases]
        pairs = zip(part.cases, readings, strict=True)
        found[name] = np.array([encoded(encoder, case.row.claim, reading) for case, reading in pairs])
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
    return {
        "version": VERSION,
        "features": [*FEATURES, *ENCODED],
        "kinds": kinds,
        "held_out_auroc": quality,
        "fitted_on": {name: len(part.y) for name, part in held.items()},
    }


def _on_top(
    lexical: dict[str, Table], held: dict[str, Table], margins: dict[str, np.ndarray], step: str
) -> dict[str, Table]:
    """Tables of the five inputs."""
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
