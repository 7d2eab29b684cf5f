"""Every sentence that a report can say of a claim or tell to do, with an example that makes it say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gate.reports import advice, wording
from gate.reports.model import Failed, Report, ReportClaim
from tests.report_builders import a_report

EVIDENCE = "The pass costs 9 euros. Boats leave at nine."
EVEN = {"supported": 0.79, "weakly_supported": 0.15, "unsupported": 0.06}
DIFFERS = {"name": "currencies", "passed": False, "detail": "not in the evidence: 12 euros"}


class Said(NamedTuple):
    """Where a sentence stands, the claim that it is said of, its report, and what reads the sentence from it."""

    where: str
    claim: str
    report: Report
    says: Callable[[Report], str]


def one(text: str, label: str, **changes: Any) -> Report:
    """The report of one claim, changed."""
    report = a_report([(text, label)], passage=EVIDENCE)
    return report.model_copy(update={"claims": (report.claims[0].model_copy(update=changes),)})


def _reason(report: Report) -> str:
    return wording.reason(report.claims[0])


def _likelihood(report: Report) -> str:
    return wording.likelihood(report.claims[0])


def _to_do(report: Report) -> str:
    return advice.to_do(report.claims[0], report)


def _caption(report: Report) -> str:
    return wording.quoted_as(report.claims[0])


def _first_step(report: Report) -> str:
    return advice.steps(report)[0].sentence


BOATS, FLY, WRONG = "Boats leave at nine.", "Boats fly at night.", "The pass costs 12 euros."
GERMAN = "Die Boote fahren um neun."
SOURCE = {"mark": "1", "title": "Guide", "url": "", "outcome": "not_backed", "passages": (), "justification": ""}


def cases() -> list[Said]:
    """Every sentence, once; `tests/unit/test_advice.py` asks that none is left out."""
    supported = one(BOATS, "supported", reason="entailed", scores=EVEN)
    weak = one(BOATS, "weakly_supported", reason="partial")
    absent = one(FLY, "unsupported", reason="not_mentioned")
    differs = one(WRONG, "unsupported", reason="not_mentioned", checks=(DIFFERS,))
    against = one(FLY, "unsupported", reason="contradicted")
    unchecked = one(BOATS, "unchecked")
    mixed = unchecked.model_copy(update={"causes": {}})
    cited = a_report([(BOATS, "supported")])
    sources = (ReportClaim.model_validate({**cited.claims[0].model_dump(), "sources": (SOURCE,)}),)
    cited = cited.model_copy(update={"claims": sources})
    decision = {"outcome": "block", "reasons": [], "policy": {}}
    unread = {"rule": "unread", "outcome": "review", "message": "", "claims": [], "evidence": []}
    missing = {"rule": "missing_path", "outcome": "block", "message": "", "claims": [], "evidence": ["d1"]}
    failed = a_report().model_copy(update={"outcome": "error"})
    errors = ("SettingsError", "States.Timeout", *wording.REMEDIES)
    mended = [failed.model_copy(update={"failure": Failed(error=error)}) for error in errors]
    reasons = "reason of a label"
    return [
        Said(reasons, BOATS, supported, _reason),
        Said(reasons, BOATS, weak, _reason),
        Said(reasons, FLY, against, _reason),
        Said(reasons, WRONG, differs, _reason),
        Said(reasons, FLY, absent, _reason),
        Said(reasons, FLY, one(FLY, "unsupported", reason="no_evidence"), _reason),
        Said(reasons, BOATS, one(BOATS, "unchecked", reason="unreadable_answer"), _reason),
        Said(reasons, GERMAN, one(GERMAN, "unchecked", reason="language"), _reason),
        Said(reasons, BOATS, one(BOATS, "unchecked", reason="no_corpus"), _reason),
        Said(reasons, BOATS, one(BOATS, "unchecked", reason="error"), _reason),
        Said("probability", BOATS, supported, _likelihood),
        Said("probability", BOATS, one(BOATS, "unsupported", scores=EVEN), _likelihood),
        Said("what a quote is", BOATS, supported, _caption),
        Said("what a quote is", FLY, absent, _caption),
        Said("what a quote is", WRONG, differs, _caption),
        Said("to do, one claim", WRONG, differs, _to_do),
        Said("to do, one claim", FLY, against, _to_do),
        Said("to do, one claim", FLY, absent, _to_do),
        Said("to do, one claim", BOATS, weak, _to_do),
        Said("to do, one claim", BOATS, cited, _to_do),
        Said("to do, one claim", BOATS, unchecked, _to_do),
        Said("to do, one claim", BOATS, mixed, _to_do),
        Said("to do, the run", WRONG, differs, _first_step),
        Said("to do, the run", FLY, against, _first_step),
        Said("to do, the run", FLY, absent, _first_step),
        Said("to do, the run", BOATS, weak, _first_step),
        Said("to do, the run", BOATS, cited, _first_step),
        Said("to do, the run", BOATS, unchecked, _first_step),
        Said("to do, the run", "", _reasoned(decision, missing), _first_step),
        Said("to do, the run", "", _reasoned(decision, unread), _first_step),
        Said("to do, the run", "", a_report([("Hello!", "greeting")]), _first_step),
        *(Said("to do, the run", "", one, _first_step) for one in mended),
        Said("to do, the run", BOATS, a_report([(BOATS, "supported")]), _first_step),
    ]


def _reasoned(decision: dict[str, Any], reason: dict[str, Any]) -> Report:
    return a_report().model_copy(update={"outcome": "block", "decision": {**decision, "reasons": [reason]}})


def sentences_table() -> str:
    """The sentences of reports, each with an example."""
    rows = ["| where | sentence | said of |", "| --- | --- | --- |"]
    for said in cases():
        outcome = said.report.failure.error if said.report.failure else f"an answer of outcome `{said.report.outcome}`"
        of = f"“{said.claim}”, {wording.NAMES[said.report.claims[0].status]}" if said.claim else outcome
        rows.append(f"| {said.where} | {said.says(said.report)} | {of} |")
    return "\n".join(rows) + "\n"
