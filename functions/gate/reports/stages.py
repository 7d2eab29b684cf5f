"""Which parts of the pipeline ran, read from the state that the judge leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gate.errors import reason_of
from gate.reports.model import Stage
from gate.repository.records import failed_detectives


def stages_of(state: Mapping[str, Any]) -> tuple[Stage, ...]:
    """Return the stages in the order of the diagram."""
    has = state.get("has") or {}
    return (
        Stage(name="claims", status="ran" if state.get("claims") else "skipped"),
        _verification(state.get("checked") or []),
        _artifacts(state, asked=bool(has.get("artifacts"))),
        _optional("citations", state, asked=bool(has.get("segment"))),
    )


def _verification(checked: list[Mapping[str, Any]]) -> Stage:
    errors = Counter(branch["error"] for branch in checked if branch.get("error"))
    if errors:
        named = ", ".join(f"{error} × {count}" for error, count in errors.most_common())
        detail = f"{errors.total()} of {len(checked)} branches failed: {named}"
        why = next((branch["why"] for branch in checked if branch.get("why")), "")
        detail += f"; the first: {why}" if why else ""
        return Stage(name="verification", status="failed", detail=detail, errors=tuple(errors))
    return Stage(name="verification", status="ran" if checked else "skipped")


def _artifacts(state: Mapping[str, Any], *, asked: bool) -> Stage:
    """The detectives and the aggregator: each detective that failed is named with why."""
    failed = failed_detectives(state)
    if failed and not state.get("artifacts_error"):
        detail = "; ".join(f"{one['source']}: {reason_of(one['error'], one.get('why'))}" for one in failed)
        errors = dict.fromkeys(one["error"] for one in failed)
        return Stage(name="artifacts", status="failed", detail=detail, errors=tuple(errors))
    return _optional("artifacts", state, asked=asked)


def _optional(name: str, state: Mapping[str, Any], *, asked: bool) -> Stage:
    if error := state.get(f"{name}_error"):
        detail = reason_of(error, state.get(f"{name}_why"))
        return Stage(name=name, status="failed", detail=detail, errors=(error,))
    return Stage(name=name, status="ran" if asked else "skipped")
