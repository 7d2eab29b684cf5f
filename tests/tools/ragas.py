"""ragas: a metric beside its own, for each row of a data set."""

from __future__ import annotations

from importlib import import_module

from tests.tools.recipes import FALSE, TRUE, run

ragas = import_module("ragas")
samples = [ragas.SingleTurnSample(response=answer, retrieved_contexts=[TRUE]) for answer in (TRUE, FALSE)]
found = run("ragas", dataset=ragas.EvaluationDataset(samples=samples))["found"]
assert found["grounded"] == [1.0, 0.0], found
