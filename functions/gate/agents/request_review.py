"""Asks a person: the report is there to be read, and the run waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.agents.publish_report import built
from gate.errors import EventsUnavailableError, ReviewOverError
from gate.model import Policy
from gate.reports.model import Report
from gate.services.audit_log import record
from gate.services.callers import ANONYMOUS
from gate.services.indexes import describe_corpus
from gate.services.publishing import location, publish, tell
from gate.services.reviews.review_queue import asked, begin, found, moment
from gate.services.trail.acts import reviewed
from gate.services.trail.proofs import stored_report


def request_review(state: dict[str, Any]) -> None:
    """Publish the report as it stands, put the run among those that wait, and tell who subscribes.

    A run that asks again, after a redrive, goes on at once where its review is over, and else waits under its new
    token until when it was to wait; the report is there again where that of its failure had taken its place.

    Reads:
        everything that the judge leaves; `task_token`, under which the run waits.

    Raises:
        ReviewOverError: it has been decided, or its time is over.
    """
    run_id, config = state["run_id"], state.get("config") or {}
    tenant = str((config.get("search") or {}).get("tenant") or "")
    policy = Policy.model_validate(state.get("policy") or {})
    new = asked(
        run_id, tenant, state["decision"], policy, state["task_token"], state["review"]["limit_s"], _submitter(config)
    )
    keys = {"json": f"reports/{run_id}/report.json"}
    earlier = found(run_id)
    if earlier is None or (earlier.is_open(moment()) and _has_failed(run_id)):
        index = config["elasticsearch"]["index"]
        keys = publish(built(state, describe_corpus(index) if index else {}, earlier or new), state)["keys"]
    item = begin(new)
    if item.state != "waiting" or item.token != state["task_token"]:
        raise ReviewOverError("the review of this run is over")
    record("ReviewsRequested")
    detail = {
        "run_id": run_id,
        "tenant": tenant or None,
        "since": item.since,
        "until": item.until,
        "reasons": [reason.rule for reason in item.reasons],
        "four_eyes": item.four_eyes,
        "report": {name: location(key) for name, key in keys.items()},
    }
    try:
        tell("ReviewRequested", detail)
    except EventsUnavailableError as error:  # it stands in the queue, whoever was told
        record("ReviewUnannounced")
        reviewed(item, "unannounced", error=error.code)


def _submitter(config: Mapping[str, Any]) -> str:
    """Who started the run; nobody where nobody verifies callers."""
    caller = str(config.get("caller") or "")
    return "" if caller == ANONYMOUS else caller


def _has_failed(run_id: str) -> bool:
    """Whether the report that stands there is that of a failure, which has nothing to decide on."""
    data = stored_report(run_id)
    return data is None or Report.model_validate_json(data).failure is not None
