"""Reports as OpenTelemetry: a span for each check, an event for each claim, in the names of the GenAI conventions.

No text leaves by this: names, labels, scores and counts alone, as in the gate's own logs.
"""

from __future__ import annotations

from opentelemetry import trace
from opentelemetry.trace import Span, Status, StatusCode, Tracer

from gate import __version__
from gate.reports.model import Report

EVALUATION = "gen_ai.evaluation.result"
NAME = "llm_reliability_gate"
_SHARES = {"supported": 1.0, "weakly_supported": 0.5, "unsupported": 0.0}


def record(report: Report, tracer: Tracer | None = None) -> None:
    """Record a report as a span of its own, below the span that is current.

    Args:
        tracer: None: that of the provider that is set.
    """
    tracer = tracer or trace.get_tracer("gate", __version__)
    with tracer.start_as_current_span("gate.check") as span:
        note(report, span)


def note(report: Report, span: Span) -> None:
    """Note a report on a span, such as that of the call that wrote the answer."""
    about: dict[str, str | int | float] = {
        "gate.run_id": report.run_id,
        "gate.outcome": report.outcome,
        "gate.claims": len(report.claims),
        "gate.integrity": report.integrity,
        "gate.corpus": str(report.corpus.get("name") or ""),
        "gate.version": report.gate_version,
    }
    span.set_attributes(about if report.risk is None else {**about, "gate.risk": report.risk})
    if report.writer:
        span.set_attribute("gen_ai.response.model", report.writer)
    grounding = report.accounting["grounding"] if report.accounting else None
    whole = {"gen_ai.evaluation.name": NAME, "gen_ai.evaluation.score.label": report.outcome}
    score = {} if grounding is None else {"gen_ai.evaluation.score.value": grounding}
    span.add_event(EVALUATION, {**whole, **score})
    for claim in report.claims:
        value = _SHARES.get(claim.status)
        span.add_event(
            EVALUATION,
            {
                "gen_ai.evaluation.name": f"{NAME}.claim",
                "gen_ai.evaluation.score.label": claim.status,
                **({} if value is None else {"gen_ai.evaluation.score.value": value}),
                "gate.claim_id": claim.claim_id,
                "gate.reason": claim.reason or "",
            },
        )
    if report.failure:
        span.set_status(Status(StatusCode.ERROR, report.failure.error))
