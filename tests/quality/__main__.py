"""`make quality`: prints the figures that docs/verification.md and docs/model-cards/method.md record."""

from __future__ import annotations

import sys

from gate.adapters.local_verifier.cross_encoder import missing
from gate.decision import metrics
from gate.reports.overviews.evaluation import as_table, with_interval
from tests.quality.measure import SETS, data, encoder_alone, measured
from training import answers, fit_risk

MODELS = ("local:lexical", "local")


def main() -> None:
    if data() is None:
        sys.exit("GATE_DATA names no folder with the labelled sets")
    for model in MODELS:
        found = [measured(one, model, flips=50) for one in SETS]
        print(f"GATE_MODEL={model}, kinds {', '.join(one.kind for one in SETS)}\n")
        print(as_table(found))
        mean = sum(one.figures()["auroc"].value for one in found) / len(found)
        print(f"mean AUROC {mean:.3f}\n")
    if not missing():
        print("stage two alone, AUROC and balanced accuracy at nought\n")
        for one in SETS:
            judged = encoder_alone(one)
            figures = (metrics.interval(measure, judged) for measure in (metrics.auroc, metrics.balanced_accuracy))
            print(f"| {one.name} | {' | '.join(map(with_interval, figures))} |")
        table = fit_risk.Table.of(*answers.judged())
        print("\nwhole answers, the default policy, folds by question\n")
        print(fit_risk.as_lines(table, fit_risk.held_out(table), fit_risk.held_out(table, fit_risk.alarms)))


if __name__ == "__main__":
    main()
