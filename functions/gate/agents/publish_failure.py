"""Publishes that a run failed: its report says so, and is never a pass."""

from __future__ import annotations

import json
from typing import Any

from gate import __version__
from gate.agents.publish_report import announce, now, publish
from gate.reports.model import Failed, Report

NAME_CHARS, MESSAGE_CHARS = 100, 500


def publish_failure(state: dict[str, Any]) -> None:
    """Publish the report of a run that ended without a decision, and announce it.

    Reads:
        `failure`: `{"status", "error", "cause"}` as the state machine tells them, each may be missing; `config`.
    Writes:
        `report`, with outcome `error`.

    Raises:
        EventsUnavailableError: the report is there, and nobody was told.
    """
    announce(store_failure(state), state)


def store_failure(state: dict[str, Any]) -> Report:
    """The same without a word to anybody: a batch announces its lines' failures together."""
    failure = state.get("failure") or {}
    report = Report(
        run_id=state["run_id"],
        created_at=now(),
        gate_version=__version__,
        name=(state.get("config") or {}).get("name") or "",
        outcome="error",
        decision=None,
        failure=Failed(error=_error(failure), message=_message(failure)),
        accounting=None,
        integrity="FAILED",
        pipeline_integrity=None,
        turns=(),
        claims=(),
        non_claims=(),
        passages={},
        evidences={},
        citations=[],
        corpus={},
        stages=(),
        usage={},
        redaction="",
    )
    state["report"] = publish(report)
    return report


def _error(failure: dict[str, Any]) -> str:
    return str(failure.get("error") or failure.get("status") or "FAILED")[:NAME_CHARS]


def _message(failure: dict[str, Any]) -> str:
    """The safe message out of a cause; a Lambda's cause is JSON, whose stack is left out."""
    cause = str(failure.get("cause") or "")
    try:
        message = json.loads(cause)["errorMessage"]
    except (ValueError, KeyError, TypeError):
        message = cause
    return str(message)[:MESSAGE_CHARS]
