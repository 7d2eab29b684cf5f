"""The gate as a metric of evaluation tools. Each class has the shape that its tool asks for, and imports nothing of it.

A score is the share of claims that are supported; whether an answer passes is the policy's word. An answer that could
not be checked raises: a tool that counts it as 0, or leaves it out, would say what nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gate.errors import InternalError
from gate.integrations.chain_values import answer_of, as_said, contexts_of
from gate.local.gate import Gate
from gate.reports import wording
from gate.reports.model import Report

NAME = "grounded"


def judged(gate: Gate, answer: str, contexts: Sequence[str | dict[str, Any]] | None) -> tuple[float, Report]:
    """The share of supported claims of an answer, and its report.

    Raises:
        InternalError: the run failed, or left claims unchecked.
    """
    report = gate.check(as_said(answer), contexts=contexts or None)
    if report.outcome == "error" or any(claim.status == "unchecked" for claim in report.claims):
        raise InternalError(f"the answer could not be checked: {wording.headline(report)}")
    grounding = report.accounting["grounding"] if report.accounting else None
    return (1.0 if report.passed else 0.0) if grounding is None else grounding, report


def why(report: Report) -> str:
    """One line for each claim that does not hold."""
    wrong = [f"{claim.text} — {claim.justification}" for claim in report.claims if claim.status != "supported"]
    return "\n".join([wording.headline(report), *wrong])


class GroundedMetric:
    """A metric of DeepEval: `class Grounded(GroundedMetric, BaseMetric): pass`, then `evaluate(cases, [Grounded()])`.

    Reads `actual_output`, and `retrieval_context` where the case has one; else the gate's corpus.
    """

    async_mode = True
    evaluation_model = None
    strict_mode = False
    include_reason = True
    verbose_mode = False
    evaluation_cost: float | None = None
    error: str | None = None

    def __init__(self, gate: Gate | None = None, *, threshold: float = 1.0) -> None:
        self.gate, self.threshold = gate or Gate(), threshold  # copied by DeepEval, by the names of the arguments
        self.score: float | None = None
        self.reason = ""
        self.success = False

    def measure(self, test_case: Any, *_: Any, **__: Any) -> float:
        """Judge a test case; whether it is a success is the policy's word, and the threshold's."""
        contexts = [getattr(one, "context", one) for one in test_case.retrieval_context or ()]
        self.score, report = judged(self.gate, test_case.actual_output, contexts)
        self.reason = why(report)
        self.success = report.passed and self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case: Any, *_: Any, **__: Any) -> float:
        """The same in a thread."""
        import asyncio

        return await asyncio.to_thread(self.measure, test_case)

    def is_successful(self) -> bool:
        """Whether the last case was."""
        return self.success

    @property
    def __name__(self) -> str:
        return "Grounded"


class GroundedScorer:
    """A metric of ragas: give `ascore` to its `discrete_metric` or `numeric_metric`, or call it on samples."""

    name = NAME

    def __init__(self, gate: Gate | None = None) -> None:
        self._gate = gate or Gate()

    def score(self, response: str, retrieved_contexts: Sequence[str] | None = None) -> float:
        """The share of supported claims of a sample's response."""
        return judged(self._gate, response, retrieved_contexts)[0]

    async def single_turn_ascore(self, sample: Any, **_: Any) -> float:
        """The same of a `SingleTurnSample`, as ragas calls its metrics."""
        import asyncio

        return await asyncio.to_thread(self.score, sample.response, sample.retrieved_contexts)


class GroundedEvaluator:
    """An evaluator of LlamaIndex: takes what `BaseEvaluator` does, returns what an `EvaluationResult` is made of."""

    def __init__(self, gate: Gate | None = None) -> None:
        self._gate = gate or Gate()

    def evaluate(
        self, query: str | None = None, response: str | None = None, contexts: Sequence[str] | None = None, **_: Any
    ) -> dict[str, Any]:
        """What an `EvaluationResult` is made of."""
        score, report = judged(self._gate, response or "", contexts)
        about = {"query": query, "response": response, "contexts": list(contexts or ())}
        return {**about, "score": score, "passing": report.passed, "feedback": why(report)}


def grounded_feedback(gate: Gate | None = None) -> Callable[..., dict[str, Any]]:
    """Make an evaluator of LangSmith: `evaluate(target, data="questions", evaluators=[grounded_feedback(gate)])`.

    Reads `answer` (or `output`) and `contexts` of what the target returned; where that has no `contexts`, those of the
    example's inputs, else the gate's corpus. The feedback `grounded` has the score; its value is the policy's outcome.
    """
    gate = gate or Gate()

    # LangSmith knows the arguments by their names, and reads the key in this source where a check raises.
    def grounded(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, Any]:
        score, report = judged(gate, answer_of(outputs), contexts_of(outputs) or contexts_of(inputs))
        return {"key": "grounded", "score": score, "value": report.outcome, "comment": why(report)}

    return grounded


def get_assert(output: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """An assertion of promptfoo: `type: python`, `value: file://gate_assertion.py`, which imports this.

    `config` of the assertion may name a `corpus`; the variable `contexts` (a text, or a list) goes before it.
    """
    given = (context.get("vars") or {}).get("contexts")
    contexts = [given] if isinstance(given, str) else given
    corpus = (context.get("config") or {}).get("corpus")
    score, report = judged(Gate(corpus), output, contexts)
    parts = [
        {"pass": claim.status == "supported", "score": float(claim.status == "supported"), "reason": claim.text}
        for claim in report.claims
    ]
    return {"pass": report.passed, "score": score, "reason": why(report), "componentResults": parts}
