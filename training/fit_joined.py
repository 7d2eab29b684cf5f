"""Join the cross-encoder with the lexical stage: the calibrated layer over both, on rows the encoder did not see.

    GATE_DATA=… PYTHONPATH=functions:. python -m training.fit_joined

Reads functions/gate/adapters/weights (int8, as it ships), writes joined.json.gz there. About a minute and a half on
one core; the same weights and sets give the same bytes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from gate.adapters.cross_encoder import FEATURES as ENCODED
from gate.adapters.cross_encoder import CrossEncoder, encoded
from gate.rules.lexical import FEATURES, read
from training import data
from training.crowding import Crowd
from training.fit_idf import fit_idf
from training.fit_lexical import alone
from training.layers import OWN, SHARED, Table, figures, fit_kinds, label_numbers, write

VERSION = "1"
WEIGHTS = Path("functions/gate/adapters/weights")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--weights", type=Path, default=WEIGHTS)
    options.add_argument("--cache", type=Path, help="keep the features here (.npy) to try out other layers")
    given = options.parse_args()
    rows, _ = data.training()
    _, held = data.split(rows)
    data.check_clean(held)
    tables = joined_tables(held, rows, CrossEncoder(given.weights))
    if given.cache:
        np.save(given.cache, tables, allow_pickle=True)  # type: ignore[arg-type]
    model = {
        "version": VERSION,
        "features": [*FEATURES, *ENCODED],
        "kinds": fit_kinds(tables),
        "held_out_auroc": figures(tables),
        "fitted_on": {name: len(part.y) for name, part in tables.items()},
    }
    write(model, given.weights / "joined.json.gz")
    print(json.dumps({key: value for key, value in model.items() if key != "kinds"}, indent=1))


def joined_tables(held: list[data.Row], rows: list[data.Row], encoder: CrossEncoder) -> dict[str, Table]:
    """Lexical features and encoder margins of the rows that calibrate."""
    idf = fit_idf(rows)
    crowd, unknown = Crowd(rows, idf), idf[""]
    found: dict[str, Table] = {}
    wanted = [(name, crowd.documents) for name in SHARED] + [(name, alone) for name in OWN.values()]
    for table, documents in wanted:
        part = [row for row in held if row.set == table.removesuffix(", alone")]
        if not part:
            continue
        x = []
        for row in part:
            reading = read(row.claim, documents(row), lambda key: idf.get(key, unknown))
            x.append([*reading.features, *encoded(encoder, row.claim, reading)])
        found[table] = Table.of(np.array(x), label_numbers(part), [data.unit(row) for row in part])
    return found


if __name__ == "__main__":
    main()
