"""DeepEval: a test passes where the answer is grounded, and fails with the claim where it is not."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tests.tools.recipes import FACTS, FALSE, TRUE, fails, run

answers = {"said": TRUE}
recipe = run("DeepEval", bot=lambda question: answers["said"])
recipe["test_boats"]()
answers["said"] = FALSE
assert "Grounded" in fails(recipe["test_boats"])
case = recipe["LLMTestCase"](input="When?", actual_output=FALSE, retrieval_context=[FALSE])
recipe["assert_test"](case, [recipe["Grounded"](recipe["gate"])])


# What docs/comparison.md says of it: verdicts that a judge loses raise the score.
metrics, models = import_module("deepeval.metrics"), import_module("deepeval.models")
Model: Any = models.DeepEvalBaseLLM


class Judge(Model):  # type: ignore[misc]
    """A judge that loses the first verdicts."""

    def __init__(self, lost: int) -> None:
        self._lost = lost
        super().__init__()

    def load_model(self) -> Judge:
        return self

    def get_model_name(self) -> str:
        return "scripted"

    def generate(self, prompt: str, schema: Any) -> Any:
        verdicts = [{"verdict": "no" if number < 5 else "yes", "reason": "So."} for number in range(len(FACTS))]
        answers = {"truths": ["So."], "claims": FACTS, "verdicts": verdicts[self._lost :]}
        return schema(**{name: answers[name] for name in schema.model_fields})

    async def a_generate(self, prompt: str, schema: Any) -> Any:
        return self.generate(prompt, schema)


def score(lost: int) -> float:
    """The score of the 25 facts where a judge loses so many verdicts."""
    metric = metrics.FaithfulnessMetric(model=Judge(lost), async_mode=False, include_reason=False)
    metric.measure(recipe["LLMTestCase"](input="What?", actual_output=" ".join(FACTS), retrieval_context=["So."]))
    return float(metric.score)


assert (score(lost=0), score(lost=10)) == (0.8, 1.0)
