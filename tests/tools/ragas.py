"""ragas: a metric beside its own, for each row of a data set."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from typing import Any

from tests.tools.recipes import FACTS, FALSE, TRUE, run

ragas = import_module("ragas")
samples = [ragas.SingleTurnSample(response=answer, retrieved_contexts=[TRUE]) for answer in (TRUE, FALSE)]
found = run("ragas", dataset=ragas.EvaluationDataset(samples=samples))["found"]
assert found["grounded"] == [1.0, 0.0], found

# What docs/comparison.md says of it: verdicts that a judge loses raise the score.
metrics, outputs = import_module("ragas.metrics"), import_module("langchain_core.outputs")
Model: Any = import_module("ragas.llms").BaseRagasLLM


class Judge(Model):  # type: ignore[misc]
    """A judge that loses the first verdicts."""

    def __init__(self, lost: int) -> None:
        super().__init__()
        self._lost = lost

    def generate_text(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    def is_finished(self, response: Any) -> bool:
        return True

    async def agenerate_text(self, prompt: Any, **_: Any) -> Any:
        verdicts = [
            {"statement": fact, "reason": "So.", "verdict": int(number >= 5)} for number, fact in enumerate(FACTS)
        ]
        found = verdicts[self._lost :] if '"verdict"' in prompt.to_string() else FACTS
        return outputs.LLMResult(generations=[[outputs.Generation(text=json.dumps({"statements": found}))]])


def score(lost: int) -> float:
    """The score of the 25 facts where a judge loses so many verdicts."""
    sample = ragas.SingleTurnSample(user_input="What?", response=" ".join(FACTS), retrieved_contexts=["So."])
    return float(asyncio.run(metrics.Faithfulness(llm=Judge(lost)).single_turn_ascore(sample)))


assert (score(lost=0), score(lost=10)) == (0.8, 1.0)
