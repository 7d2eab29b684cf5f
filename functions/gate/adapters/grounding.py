"""A second opinion from a Bedrock guardrail with contextual grounding."""

from __future__ import annotations

from typing import Any

from gate.adapters.bedrock_client import BedrockOptions, guardrail_parts, runtime_client
from gate.adapters.bedrock_errors import translated
from gate.model import Check
from gate.ports import LanguageModel, Reply
from gate.rules.answer_formats import format_for
from gate.rules.fencing import Fenced, unfence
from gate.rules.verdict_parsing import parse_verdict

SOURCE_CHARS, CLAIM_CHARS = 100_000, 5_000
"""The service's limits; what is longer is not asked and does not pass."""
QUERY = "Is this statement grounded in the source?"


class GroundedModel:
    """A `LanguageModel` whose supporting verdicts are put to a guardrail as well.

    The guardrail's opinion becomes the check `grounding` on the reply: it can make a decision stricter and never
    touches the label. A verdict that is `unsupported` anyway is not put to it.
    """

    def __init__(self, model: LanguageModel, guardrail: str, options: BedrockOptions) -> None:
        self._model = model
        self._guardrail = guardrail_parts(guardrail, "GATE_GROUNDING_GUARDRAIL")
        self._client = runtime_client(options)
        self.name = f"{model.name}+grounding:{':'.join(self._guardrail)}"

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Answer, with the guardrail's check where the answer is a supporting verdict."""
        reply = self._model.complete(prompt, system)
        if format_for(system) is None or parse_verdict(reply)[0] == "unsupported":
            return reply
        return Reply(reply, model=reply.model, usage=reply.usage, checks=[*reply.checks, self._check(unfence(prompt))])

    def _check(self, fenced: Fenced) -> Check:
        source = "\n\n".join(text for _, text in fenced.documents)
        if len(source) > SOURCE_CHARS or len(fenced.claim) > CLAIM_CHARS:
            return {"name": "grounding", "passed": False, "detail": "too long for contextual grounding"}
        name, version = self._guardrail
        with translated("bedrock guardrail"):
            response = self._client.apply_guardrail(
                guardrailIdentifier=name,
                guardrailVersion=version,
                source="OUTPUT",
                content=[
                    _part(source, "grounding_source"),
                    _part(QUERY, "query"),
                    _part(fenced.claim, "guard_content"),
                ],
            )
        return _check_from(response)


def _part(text: str, qualifier: str) -> dict[str, Any]:
    return {"text": {"text": text, "qualifiers": [qualifier]}}


def _check_from(response: dict[str, Any]) -> Check:
    """Read the grounding score; a response without one is no consent."""
    found = [
        result
        for assessment in response.get("assessments", [])
        for result in assessment.get("contextualGroundingPolicy", {}).get("filters", [])
        if result.get("type") == "GROUNDING"
    ]
    if not found:
        return {"name": "grounding", "passed": False, "detail": "the guardrail gave no grounding score"}
    worst = min(found, key=lambda result: float(result["score"]))
    passed = all(result["action"] == "NONE" and result["score"] >= result["threshold"] for result in found)
    return {
        "name": "grounding",
        "passed": passed,
        "detail": f"score {worst['score']:.2f}, asked {worst['threshold']:.2f}",
    }
