"""A second opinion from a Bedrock guardrail with contextual grounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gate.adapters.aws.bedrock.bedrock_errors import translated
from gate.adapters.aws.bedrock.client import BedrockOptions, guardrail_parts, runtime_client
from gate.model import NONE_KNOWN, Answer, Check, Document, Known
from gate.ports import CheckingVerifier, Judged

SOURCE_CHARS, CLAIM_CHARS = 100_000, 5_000
"""The service's limits; what is longer is not asked and does not pass."""
QUERY = "Is this statement grounded in the source?"


class GroundedVerifier:
    """A `Verifier` whose supporting verdicts are put to a guardrail as well.

    The guardrail's opinion becomes the check `grounding`: it can make a decision stricter and never touches the label.
    A verdict that is `unsupported` anyway is not put to it.
    """

    def __init__(self, verifier: CheckingVerifier, guardrail: str, options: BedrockOptions) -> None:
        self._verifier = verifier
        self._guardrail = guardrail_parts(guardrail, "GATE_GROUNDING_GUARDRAIL")
        self._client = runtime_client(options)
        self.name = f"{verifier.name}+grounding:{':'.join(self._guardrail)}"

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        """Judge, with the guardrail's check where the verdict is a supporting one."""
        judged = self._verifier.judge(claim, context, documents, known)
        if judged.answer.label == "unsupported":
            return judged
        return replace(judged, checks=(*judged.checks, self._check(claim, documents)))

    def checks(
        self, claim: str, answer: Answer, documents: Sequence[Document], known: Known = NONE_KNOWN
    ) -> tuple[Check, ...]:
        """See `CheckingVerifier`: without the guardrail's, which takes a call."""
        return self._verifier.checks(claim, answer, documents, known)

    def _check(self, claim: str, documents: Sequence[Document]) -> Check:
        source = "\n\n".join(document["content"] for document in documents)
        if len(source) > SOURCE_CHARS or len(claim) > CLAIM_CHARS:
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
                    _part(claim, "guard_content"),
                ],
            )
        return _check_from(response)


def _part(text: str, qualifier: str) -> dict[str, Any]:
    return {"text": {"text": text, "qualifiers": [qualifier]}}


class _Score(BaseModel):
    """What the guardrail says of one of its measures."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False, defer_build=True)
    type: str
    action: str
    score: float
    threshold: float


class _Policy(BaseModel):
    filters: list[_Score] = []


class _Assessment(BaseModel):
    grounding: _Policy = Field(_Policy(), alias="contextualGroundingPolicy")


class _Opinion(BaseModel):
    assessments: list[_Assessment] = []


def _check_from(response: dict[str, Any]) -> Check:
    """Read the grounding score; a response without one is no consent."""
    try:
        assessments = _Opinion.model_validate(response).assessments
    except ValidationError:
        assessments = []
    found = [one for assessment in assessments for one in assessment.grounding.filters if one.type == "GROUNDING"]
    if not found:
        return {"name": "grounding", "passed": False, "detail": "the guardrail gave no grounding score"}
    worst = min(found, key=lambda one: one.score)
    return {
        "name": "grounding",
        "passed": all(one.action == "NONE" and one.score >= one.threshold for one in found),
        "detail": f"score {worst.score:.2f}, asked {worst.threshold:.2f}",
    }
