"""Weighs verdicts, evidence and integrity, and decides."""

from __future__ import annotations

from typing import Any

from gate.model import Policy
from gate.recording import record
from gate.rules.accounting import account, unaffordable
from gate.rules.policy import Facts, decide


def judge(state: dict[str, Any]) -> None:
    """Account for every claim, then let the policy decide.

    Reads:
        `claims`, `non_claims` (its count is enough), `checked`: what the Map's branches returned, `estimate`,
        `policy`, `evidences`, `metadata`, `has`, and the errors of the other branches.
    Writes:
        `verdicts`: exactly one a claim; `evidence` and `ranking`, flat; `accounting`; `decision`.
    """
    checked = state.get("checked") or []
    errors = {entry["branch"]: entry["error"] for entry in checked if entry.get("error")}
    found = [verdict for entry in checked for verdict in entry["verdicts"]]
    found += unaffordable(state["claims"], state.get("estimate"))
    state["verdicts"], state["accounting"] = account(
        state["claims"], found, errors=errors, non_claims=_length(state.get("non_claims"))
    )
    state["evidence"] = [entry for branch in checked for entry in branch["evidence"]]
    state["ranking"] = [ids for branch in checked for ids in branch["ranking"]]
    facts = Facts(
        verdicts=state["verdicts"],
        accounting=state["accounting"],
        evidences=state.get("evidences") or {},
        metadata=state.get("metadata") or {},
        failures=_failures(state),
    )
    state["decision"] = decide(facts, Policy.model_validate(state.get("policy") or {}))
    record("Claims", state["accounting"]["claims"])
    record("UncheckedClaims", state["accounting"]["unchecked"])


def _failures(state: dict[str, Any]) -> dict[str, str]:
    stages = {"aggregate_evidence": "artifacts_error", "retrieve_citations": "citations_error"}
    failed = {stage: state[key] for stage, key in stages.items() if state.get(key)}
    if (state.get("has") or {}).get("artifacts") and not (state.get("metadata") or {}).get("pipeline_integrity"):
        failed.setdefault("aggregate_evidence", "it left nothing")
    return failed


def _length(value: Any) -> int:
    """How many items a list has, given as itself or by reference."""
    return int(value["items"]) if isinstance(value, dict) else len(value or [])
