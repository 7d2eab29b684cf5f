"""Publishes that a run failed: its report says so, and is never a pass."""

from __future__ import annotations

import json
from typing import Any

from gate import __version__, wiring
from gate.errors import SettingsError
from gate.reports.model import Failed, Report
from gate.services.audit_log import record
from gate.services.publishing import announce, now, publish

NAME_CHARS, MESSAGE_CHARS = 100, 500
UNTOLD = {"TIMED_OUT": "The run took longer than it may.", "ABORTED": "The run was stopped."}
NOT_FAILED = ("RUNNING", "SUCCEEDED")


def publish_failure(state: dict[str, Any]) -> None:
    """Publish the report of a run that ended without a decision, and announce it.

    Reads:
        `failure`: `{"status", "error", "cause"}` as the state machine tells them, each may be missing; `execution`
        where it can be asked; `config`.
    Writes:
        `report`, with outcome `error`; nothing where the run has been redriven since: its own report counts.

    Raises:
        StorageUnavailableError: the execution could not be asked; the event is worth another try.
        EventsUnavailableError: the report is there, and nobody was told.
    """
    failure = state.get("failure") or {}
    if failure.get("execution"):
        failure = _asked(state["run_id"], failure)
    if failure.get("status") not in NOT_FAILED:
        state["failure"] = failure
        report = store_failure(state)
        record("Outcomes", outcome="error")
        announce(report, state)


def store_failure(state: dict[str, Any]) -> Report:
    """The same without a word to anybody: a batch announces its lines' failures together."""
    failure = state.get("failure") or {}
    report = Report(
        run_id=state["run_id"],
        created_at=now(),
        gate_version=__version__,
        name=_name(state),
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
    state["report"] = publish(report, state)
    return report


def _name(state: dict[str, Any]) -> str:
    name = (state.get("config") or {}).get("name") or ""
    if name:
        from gate.privacy.patterns import hidden  # its patterns take a while to compile: a batch's runs have no name

        name = hidden(name)
    return str(name)


def _asked(run_id: str, failure: dict[str, Any]) -> dict[str, Any]:
    """The failure as the execution tells it now. The event of an encrypted state machine has neither error nor cause,
    and an event may come late."""
    try:
        found = wiring.current().runs().status(run_id) or wiring.current().batch_runs().status(run_id)
    except SettingsError:  # it may not be asked: what the event told is all there is
        return failure
    if found is None:
        return failure
    error, cause = found.error or failure.get("error"), found.cause or failure.get("cause")
    return {"status": found.status, "error": error, "cause": cause}


def _error(failure: dict[str, Any]) -> str:
    return str(failure.get("error") or failure.get("status") or "FAILED")[:NAME_CHARS]


def _message(failure: dict[str, Any]) -> str:
    """The safe message out of a cause; a Lambda's cause is JSON, whose stack is left out. Never empty."""
    cause = str(failure.get("cause") or "")
    if not cause:
        return UNTOLD.get(str(failure.get("status")), "No cause was told; the history of the execution has it.")
    try:
        message = json.loads(cause)["errorMessage"]
    except (ValueError, KeyError, TypeError):
        message = cause
    return str(message)[:MESSAGE_CHARS]
