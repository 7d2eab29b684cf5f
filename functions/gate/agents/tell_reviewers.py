"""Tells people by a webhook that a run waits for them."""

from __future__ import annotations

from typing import Any

from gate import wiring
from gate.errors import GateError
from gate.services.audit_log import record
from gate.services.reviews.notifying import notify

PAUSES_S = (1.0, 5.0, 20.0)
"""Between the attempts at one notice: with the seconds of each they fit into the time that the function has."""


def tell_reviewers(event: dict[str, Any]) -> dict[str, Any]:
    """Answer an event `ReviewRequested`; of it the run's id alone is believed.

    Returns:
        `run_id`, and whether people were `told` (false: nobody needs to come any more).

    Raises:
        EventsUnavailableError, SettingsError: nobody was told.
    """
    run_id, channel = str(event["detail"]["run_id"]), wiring.current().webhook()
    if channel is None:
        return {"run_id": run_id, "told": False}
    try:
        return {"run_id": run_id, "told": notify(run_id, channel.send, wiring.current().settings.review_page, PAUSES_S)}
    except GateError:
        record("ReviewUnannounced")
        raise
