"""The sets that are measured on, how each is judged, and the floors that no change may break."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gate import wiring
from gate.adapters.local_verifier import lexicon
from gate.adapters.local_verifier.calibration import sigmoid
from gate.adapters.local_verifier.cross_encoder import encoded, shipped_encoder
from gate.cli.labelled_rows import Prices, evaluate_rows, read_rows
from gate.decision.metrics import Prediction
from gate.reports.overviews.evaluation import Evaluation
from gate.services.run import using
from gate.settings import Settings
from gate.wiring import Wiring


@dataclass(frozen=True, slots=True)
class Measured:
    """A set and the kind of source that its evidence is."""

    name: str
    kind: str


SETS = (
    Measured("wice-claim-doc-test-a", "article"),
    Measured("factcheckgpt-test-a", "snippet"),
    Measured("fever-sym-dev", "passage"),
    Measured("scifact-rte-dev", "passage"),
)


def data() -> Path | None:
    """Where the labelled sets are; None where GATE_DATA names no folder that holds them."""
    folder = Path(os.environ.get("GATE_DATA", ""))
    return folder if (folder / f"{SETS[0].name}.jsonl").is_file() else None


@cache
def measured(one: Measured, model: str, flips: int = 0) -> Evaluation:
    """Judge a set with a model, on the path that claims take."""
    folder = data()
    assert folder is not None
    rows = read_rows(folder, (folder / f"{one.name}.jsonl").read_text(encoding="utf-8"), None, 1)
    with wiring.entered(Wiring(Settings(model=model))), using({"verifier": {"source_kind": one.kind}}):
        return evaluate_rows(one.name, rows, flips, Prices(), lambda _: None)


def encoder_alone(one: Measured) -> list[Prediction]:
    """Stage two by itself: the margin of support over the window decides at nought; for comparison, never shipped."""
    folder = data()
    assert folder is not None
    rows = read_rows(folder, (folder / f"{one.name}.jsonl").read_text(encoding="utf-8"), None, 1)
    found = []
    for row in rows:
        margin = encoded(shipped_encoder(), lexicon().read(row.claim, list(row.documents)))[0]
        label = "supported" if margin >= 0 else "unsupported"
        found.append(Prediction(row.label, label, {"supported": sigmoid(margin)}))
    return found
