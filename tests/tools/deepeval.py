"""DeepEval: a test passes where the answer is grounded, and fails with the claim where it is not."""

from __future__ import annotations

from tests.tools.recipes import FALSE, TRUE, fails, run

answers = {"said": TRUE}
recipe = run("DeepEval", bot=lambda question: answers["said"])
recipe["test_boats"]()
answers["said"] = FALSE
assert "Grounded" in fails(recipe["test_boats"])
case = recipe["LLMTestCase"](input="When?", actual_output=FALSE, retrieval_context=[FALSE])
recipe["assert_test"](case, [recipe["Grounded"](recipe["gate"])])
