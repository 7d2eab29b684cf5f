"""Fit the lexical stage: IDF table and the two logistic steps of each kind of source, from the permitted sets.

    GATE_DATA=… PYTHONPATH=functions:. python -m training.fit_lexical

Writes lexical.json.gz among the verifier's weights. Needs scikit-learn (dependency group `training`); half a minute
on one core; the same sets give the same bytes. Test claims are kept out by hash (`training.data`).
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np

from gate.adapters.local_verifier.lexical import FEATURES, read
from training import data
from training.crowding import Crowd
from training.fit_idf import fit_idf
from training.layers import OWN, SHARED, Case, Table, figures, fit_kinds, write

VERSION = "3"
TARGET = Path("functions/gate/adapters/local_verifier/weights/lexical.json.gz")
MOST = 3000
"""Rows of a set that are used; more change nothing."""


def main() -> None:
    rows, dropped = data.training((*data.TRAIN, data.WRITTEN))
    data.check_clean(rows)
    idf = fit_idf([row for row in rows if row.set in data.TRAIN])
    tables = lexical_tables(rows, idf)
    model = {
        "version": VERSION,
        "features": list(FEATURES),
        "kinds": fit_kinds(tables),
        "held_out_auroc": figures(tables, fit_kinds),
        "trained_on": {name: len(part.y) for name, part in tables.items()},
        "test_claims_dropped": {name: count for name, count in dropped.items() if count},
        "idf": idf,
    }
    write(model, TARGET)
    print(json.dumps({key: value for key, value in model.items() if key not in ("idf", "kinds")}, indent=1))


def lexical_tables(rows: list[data.Row], idf: dict[str, float]) -> dict[str, Table]:
    """Features of every set, and of the sets of their own kind once more without lookalikes."""
    crowd, unknown = Crowd(rows, idf), idf[""]
    found: dict[str, Table] = {}
    for table, documents in [(name, crowd.documents) for name in SHARED] + [(name, alone) for name in OWN.values()]:
        part = drawn([row for row in rows if row.set == table.removesuffix(", alone")])
        if not part:
            continue
        cases = [Case(row, documents(row)) for row in part]
        x = [read(case.row.claim, case.documents, lambda key: idf.get(key, unknown)).features for case in cases]
        found[table] = Table.of(np.array(x), cases)
    return found


def drawn(rows: list[data.Row]) -> list[data.Row]:
    """At most `MOST` rows: all that calibrate, the rest at random."""
    seen, held = data.split(rows)
    return held + random.Random(1).sample(seen, min(max(0, MOST - len(held)), len(seen)))


def alone(row: data.Row) -> list[str]:
    """The row's evidence as one document."""
    return ["\n".join(row.evidence)]


if __name__ == "__main__":
    main()
