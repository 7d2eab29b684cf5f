"""Which parts of the pipeline ran, read from the state that the judge leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gate.reports.model import Stage


def stages_of(state: Mapping[str, Any]) -> tuple[Stage, ...]:
    """Return the stages in the order of the diagram."""
    has = state.get("has") or {}
    return (
        Stage(name="claims", status="ran" if state.get("claims") else "skipped"),
        _verification(state.get("checked") or []),
        _optional("artifacts", asked=bool(has.get("artifacts")), error=state.get("artifacts_error")),
        _optional("citations", asked=bool(has.get("segment")), error=state.get("citations_error")),
    )


def _verification(checked: list[Mapping[str, Any]]) -> Stage:
    errors = Counter(branch["error"] for branch in checked if branch.get("error"))
    if errors:
        named = ", ".join(f"{error} × {count}" for error, count in errors.most_common())
        detail = f"{errors.total()} of {len(checked)} branches failed: {named}"
        why = next((branch["why"] for branch in checked if branch.get("why")), "")
        detail += f"; the first: {why}" if why else ""
        return Stage(name="verification", status="failed", detail=detail)
    return Stage(name="verification", status="ran" if checked else "skipped")


def _optional(name: str, *, asked: bool, error: str | None) -> Stage:
    if error:
        return Stage(name=name, status="failed", detail=error)
    return Stage(name=name, status="ran" if asked else "skipped")
