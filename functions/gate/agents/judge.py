"""Weighs verdicts, evidence and integrity, and decides."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from gate.decision.accounting import account, unaffordable
from gate.decision.lookups.names import with_repository
from gate.decision.lookups.shown_code import with_shown
from gate.decision.policy import Facts, decide
from gate.errors import OF_SETTINGS, SettingsError, TooSlowError, UnreachableError, reason_of
from gate.model import Policy, ReadingCounts, ReviewWanted, Verdict
from gate.repository.records import failed_detectives
from gate.services.audit_log import record

HOPELESS = (*OF_SETTINGS, UnreachableError.__name__, TooSlowError.__name__)


def judge(state: dict[str, Any]) -> None:
    """Account for every claim, then let the policy decide.

    Reads:
        `claims`, `non_claims` (its count is enough), `reading`, `checked`: what the Map's branches returned,
        `estimate`, `policy`, `evidences`, `metadata`, `has`, and the errors of the other branches.
    Writes:
        `verdicts`: exactly one a claim; `non_claims`, those that the evidence shows no longer unread; `evidence` and
        `ranking`, flat; `accounting`; `decision`; `review`: whether the policy has a person asked, where the run can
        wait for one.

    Raises:
        SettingsError, UnreachableError: nothing was checked, because of the settings or because a service did not
            answer; there is nothing for a person to review.
    """
    checked = state.get("checked") or []
    errors = {entry["branch"]: reason_of(entry["error"], entry.get("why")) for entry in checked if entry.get("error")}
    found = [verdict for entry in checked for verdict in entry["verdicts"]]
    if (state.get("has") or {}).get("own_repository"):
        found = with_repository(state["claims"], found, state.get("evidences") or {})
    found += unaffordable(state["claims"], state.get("estimate"))
    state["verdicts"], state["accounting"] = account(
        state["claims"], found, errors=errors, non_claims=_length(state.get("non_claims"))
    )
    state["evidence"] = [entry for branch in checked for entry in branch["evidence"]]
    if state.get("reading"):
        state["accounting"]["reading"] = _read(state)
    _refuse_hopeless(checked, state["verdicts"])
    state["ranking"] = [ids for branch in checked for ids in branch["ranking"]]
    facts = Facts(
        verdicts=state["verdicts"],
        accounting=state["accounting"],
        evidences=state.get("evidences") or {},
        metadata=state.get("metadata") or {},
        failures=_failures(state),
        parts_missed=bool((state.get("has") or {}).get("unread")),
    )
    policy = Policy.model_validate(state.get("policy") or {})
    state["decision"] = decide(facts, policy)
    state["review"] = _review(state, policy)
    record("Claims", state["accounting"]["claims"])
    record("UncheckedClaims", state["accounting"]["unchecked"])


def _read(state: dict[str, Any]) -> ReadingCounts:
    """What became of the answer's characters, now that there is evidence that may show its lines of code."""
    non_claims, reading = state.get("non_claims"), state["reading"]
    if not isinstance(non_claims, list) or not reading["set_aside"].get("code"):
        return cast(ReadingCounts, reading)
    found = (document for entry in state["evidence"] for document in (*entry["documents"], *entry.get("contexts", ())))
    texts = dict.fromkeys(document["content"] for document in found if isinstance(document.get("content"), str))
    asked = {claim["turn"]: claim["source_prompt"] for claim in state["claims"]}
    state["non_claims"], counted = with_shown(non_claims, reading, texts, asked)
    return counted


def _review(state: Mapping[str, Any], policy: Policy) -> ReviewWanted:
    waits = (state.get("config") or {}).get("waits", True)
    wanted = bool(waits and policy.review_hours and state["decision"]["outcome"] == "review")
    return ReviewWanted(wanted=wanted, limit_s=max(1, math.ceil(policy.review_hours * 3_600)))


def _refuse_hopeless(checked: Sequence[Mapping[str, Any]], verdicts: Sequence[Verdict]) -> None:
    """End the run where every claim that was to be judged met an error of the settings, or a service that did not
    answer."""
    failed = [branch for branch in checked if branch.get("error")]
    is_judged = any(verdict["reason"] not in ("no_evidence", "error") for verdict in verdicts)
    if failed and not is_judged and all(branch["error"] in HOPELESS for branch in failed):
        kind = SettingsError if failed[0]["error"] in OF_SETTINGS else UnreachableError
        raise kind(f"no claim could be checked: {failed[0].get('why') or failed[0]['error']}")


def _failures(state: dict[str, Any]) -> dict[str, str]:
    stages = {"aggregate_evidence": "artifacts", "retrieve_citations": "citations"}
    failed = {
        stage: reason_of(error, state.get(f"{part}_why"))
        for stage, part in stages.items()
        if (error := state.get(f"{part}_error"))
    }
    failed |= {one["source"]: reason_of(one["error"], one.get("why")) for one in failed_detectives(state)}
    if (state.get("has") or {}).get("artifacts") and not (state.get("metadata") or {}).get("pipeline_integrity"):
        failed.setdefault("aggregate_evidence", "it left nothing")
    return failed


def _length(value: Any) -> int:
    """How many items a list has, given as itself or by reference."""
    return int(value["items"]) if isinstance(value, dict) else len(value or [])
