"""The REST API: checks in, decisions out. The one agent that speaks HTTP."""

from __future__ import annotations

import binascii
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from http import HTTPStatus
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.openapi.params import Header, Path, Query

from gate import __version__, wiring
from gate.catalogue import Grant
from gate.errors import (
    BudgetReachedError,
    BusyError,
    ConflictError,
    DependencyError,
    ExpiredError,
    GateError,
    InputError,
)
from gate.ports import RunStatus
from gate.privacy.origins import redacted_citation
from gate.services import callers, submissions, upload_forms
from gate.services.audit_log import record
from gate.services.budgets.ceilings import refuse_spent, seconds_left
from gate.services.reviews import deciding, review_queue
from gate.services.run import caps, using
from gate.services.trail.acts import deletion
from gate.services.trail.proofs import stored_report
from gate.submission.api_models import (
    AssignRequest,
    CheckRequest,
    CheckStatus,
    Citations,
    CitationsRequest,
    Deleted,
    Health,
    ReviewRequest,
    ReviewStatus,
    ReviewsWaiting,
    SearchOptions,
    UploadForm,
    UploadRequest,
)
from gate.submission.transcripts.table import ANSWER, checked_json
from gate.text.formats import strict_json
from gate.trail.review_items import ReviewItem
from gate.trail.trail_entries import DeletionReason

RunId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,80}$", description="The id that the check was given.")]
Wait = Annotated[int, Query(ge=0, le=25, description="Seconds to wait for the outcome.")]
IdempotencyKey = Annotated[str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200)]
Accept = Annotated[str, Header(alias="Accept")]
Reason = Annotated[DeletionReason | None, Query(description="Why it is deleted, for the ledger.")]

POLL_S = 1.0
BUSY_S = 10
"""Seconds after which what is taken by others is worth another try."""
INLINE_REPORT_BYTES = 5_000_000
"""A Lambda's answer holds 6 MB; a larger report is answered by a link."""

MOST_NOW_CHARS = 50_000
"""Of a check in the request: what is longer is not judged within the time that a request has."""


class TooLargeError(InputError):
    """It is more than a check in the request takes."""


app = APIGatewayRestResolver(enable_validation=True, json_body_deserializer=strict_json.load)
_one_at_a_time = threading.Lock()
"""The resolver keeps the event that it answers in a class: of two at once one would be answered for the other."""


def answer_request(event: dict[str, Any]) -> dict[str, Any]:
    """Answer an API Gateway proxy event; returns the proxy response."""
    if event.get("httpMethod") == "POST" and not _is_json(event):
        body = json.dumps({"code": InputError.__name__, "message": "the body is JSON: Content-Type: application/json"})
        headers = {"Content-Type": ["application/json"]}
        return _readable(
            event, {"statusCode": HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "body": body, "multiValueHeaders": headers}
        )
    with _one_at_a_time:
        return _readable(event, app.resolve(event, None))  # type: ignore[arg-type]


def _readable(event: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """The answer, which the script of a page may read that is named for it."""
    headers = {name.lower(): str(value) for name, value in (event.get("headers") or {}).items()}
    origin, allowed = headers.get("origin", ""), wiring.current().settings.cors_origins
    if not allowed:
        return answer
    more = {"Vary": ["Origin"]}
    if origin in [one.strip() for one in allowed.split(",")]:
        more |= {"Access-Control-Allow-Origin": [origin], "Access-Control-Expose-Headers": ["Location, Retry-After"]}
    return {**answer, "multiValueHeaders": {**(answer.get("multiValueHeaders") or {}), **more}}


def _is_json(event: dict[str, Any]) -> bool:
    """Whether the request says that its body is JSON; other kinds would be parsed as forms."""
    headers = {name.lower(): str(value) for name, value in (event.get("headers") or {}).items()}
    kind = headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    return kind == "application/json"


@app.post("/v1/checks", summary="Check an answer", status_code=202, tags=["checks"])
def post_check(request: CheckRequest, idempotency_key: IdempotencyKey = None, wait: Wait = 0) -> Response[CheckStatus]:
    """Start a check. The same `Idempotency-Key` with the same body starts one run."""
    caller = _caller("submit")
    return _start(caller, caller.run_id(idempotency_key), *started_with(request, caller), wait)


@app.post("/v1/checks:now", summary="Check an answer in the request", tags=["checks"])
def post_check_now(
    request: CheckRequest, idempotency_key: IdempotencyKey = None, accept: Accept = "application/json"
) -> Response[str]:
    """The answer is the report, which is kept as that of any check. The same `Idempotency-Key` with the same body is
    checked once.

    What is not judged in time is unchecked, and does not pass. What is too large for a request goes to `/v1/checks`.
    """
    if "text/event-stream" in accept:
        raise InputError("sentences one by one are answered by `gate serve`", hint="Accept: application/json")
    caller, length = _caller("submit", "read"), len(request.document())
    if length > MOST_NOW_CHARS:
        text = f"{length} characters are more than a check in the request takes ({MOST_NOW_CHARS})"
        raise TooLargeError(text, hint="POST /v1/checks")
    run_id = caller.run_id(idempotency_key, "now")
    submission, config = _affordable(request, caller)
    callers.record_owner(run_id, caller)
    submissions.start(run_id, submission, config)
    return _report(run_id, "json", "application/json")


def _affordable(request: CheckRequest, caller: callers.Caller) -> tuple[dict[str, Any], dict[str, Any]]:
    """See `started_with`; the policy is read while the day is looked at."""
    with ThreadPoolExecutor(1) as beside:
        refused = beside.submit(copy_context().run, refuse_spent, caller.config(_given(request.search)))
        found = started_with(request, caller)
    refused.result()
    return found


def started_with(request: CheckRequest, caller: callers.Caller) -> tuple[dict[str, Any], dict[str, Any]]:
    """The submission and the config of a run that does what a caller asks for.

    Raises:
        InputError: it names what this caller may not name.
    """
    config = {**request.config(), **caller.config(_given(request.search)), "policy": _policy()}
    submission: dict[str, Any] = {"name": request.file_name(), "text": request.document()}
    if request.text is not None:
        submission["format"] = ANSWER  # whatever it looks like
    if request.segment is not None:
        submission["segment"] = checked_json(request.segment, caps())
    return submission, config


@app.post("/v1/checks/<run_id>/rerun", summary="Check an answer again", status_code=202, tags=["checks"])
def post_rerun(run_id: RunId, idempotency_key: IdempotencyKey = None, wait: Wait = 0) -> Response[CheckStatus]:
    """Start a new check of what an earlier one was started with, on model, corpus and policy as they are now.

    Verdicts that the earlier one reached are taken from the cache. The same `Idempotency-Key` starts one run.
    """
    caller = _caller("submit")
    caller.must_own(run_id)
    if _status(run_id).status == "RUNNING":
        raise ConflictError("the check is still running")
    submission, config = submissions.stored_input(run_id)
    index = (config.get("elasticsearch") or {}).get("index")
    asked = {**(config.get("search") or {}), **({"index": index} if index else {})}
    config = {**config, **caller.config(asked), "policy": _policy()}
    return _start(caller, caller.rerun_id(run_id, idempotency_key), submission, config, wait)


@app.post("/v1/uploads", summary="Upload a transcript that is too long for a request", status_code=201, tags=["checks"])
def post_upload(request: UploadRequest, idempotency_key: IdempotencyKey = None) -> Response[UploadForm]:
    """Answer a form for one upload, which starts a run of this caller's; the first upload is the one that is checked.

    The same `Idempotency-Key` gives a form for the same run.
    """
    caller = _caller("submit")
    run_id = caller.run_id(idempotency_key, upload_forms.KIND)
    config = {**request.config(), **caller.config(_given(request.search))}
    refuse_spent(config)
    form = upload_forms.issue(run_id, config)
    callers.record_owner(run_id, caller)
    check = f"/v1/checks/{run_id}"
    body = UploadForm(id=run_id, **form._asdict(), check=check, report=f"{check}/report")
    headers = {"Location": check}
    return Response(status_code=HTTPStatus.CREATED, content_type="application/json", body=body, headers=headers)


def _policy() -> dict[str, Any]:
    """What the deployment decides by; that the newest version cannot be read is told to those who watch."""
    found = submissions.team_policy()
    if found.problem:
        record("PolicyUnreadable", hint=found.problem)
    return found.document


@app.get("/v1/checks/<run_id>", summary="How a check stands", tags=["checks"])
def get_check(run_id: RunId, wait: Wait = 0) -> CheckStatus:
    """The outcome once it is there; a run that failed says so."""
    callers.caller_of(app.current_event.raw_event).must_own(run_id)
    return _wait(run_id, wait)


@app.get("/v1/outcomes/<run_id>", summary="How a check stands, for who sees no text", tags=["checks"])
def get_outcome(run_id: RunId, wait: Wait = 0) -> CheckStatus:
    """The same as `/v1/checks/{run_id}`, at a path of its own: an IAM policy that lets that one lets its report too."""
    return get_check(run_id, wait)


@app.delete("/v1/checks/<run_id>", summary="Forget a check", tags=["checks"])
def delete_check(run_id: RunId, reason: Reason = None) -> Deleted:
    """Remove what a run has stored, its report too. Where there is a ledger it says so, why, and who was refused."""
    caller = callers.caller_of(app.current_event.raw_event)
    try:
        caller.must("delete")
        caller.must_own(run_id)
    except (callers.MayNotError, callers.NotTheirsError):
        deletion(run_id, caller.identity, caller.tenant or "", allowed=False, reason=reason)
        raise
    if _stands(run_id).status == "RUNNING":
        raise ConflictError("the check is still running")
    store, folders = wiring.current().blob_store(), [f"{folder}/{run_id}" for folder in ("runs", "reports")]
    if any(store.keys(folder) for folder in folders):  # what is gone is not deleted again, and again written down
        deletion(run_id, caller.identity, caller.tenant or "", allowed=True, reason=reason)
    upload_forms.forget(run_id)
    wiring.current().reviews().forget(run_id)
    return Deleted(id=run_id, removed=sum(store.delete_prefix(folder) for folder in folders))


@app.get("/v1/checks/<run_id>/report", summary="The report", tags=["checks"])
def get_report(run_id: RunId, accept: Accept = "application/json") -> Response[str]:
    """The report: HTML where `Accept` asks for it, else JSON."""
    _caller("read").must_own(run_id)
    return (
        _report(run_id, "html", "text/html") if "text/html" in accept else _report(run_id, "json", "application/json")
    )


def _report(run_id: str, ending: str, media_type: str) -> Response[str]:
    data = stored_report(run_id, ending)
    if data is None:
        raise NotFoundError("there is no report of that id")
    if len(data) > INLINE_REPORT_BYTES:
        link = wiring.current().blob_store().link(f"reports/{run_id}/report.{ending}")
        return Response(status_code=HTTPStatus.SEE_OTHER, headers={"Location": link}, body="")
    where = {"Content-Location": f"/v1/checks/{run_id}/report"}
    kind = f"{media_type}; charset=utf-8"
    return Response(status_code=HTTPStatus.OK, content_type=kind, body=data.decode(), headers=where)


@app.get("/v1/reviews", summary="What waits for a person", tags=["reviews"])
def get_reviews() -> ReviewsWaiting:
    """The runs that wait for a person's decision, the one whose time is over first in front."""
    caller = _caller("review")
    return ReviewsWaiting(reviews=[_review_status(item) for item in review_queue.waiting(caller.tenant)])


@app.get("/v1/reviews/<run_id>", summary="One review", tags=["reviews"])
def get_review(run_id: RunId) -> ReviewStatus:
    """Why a person is asked, until when, and what has been decided; the report has the claims and their evidence."""
    item = review_queue.known(run_id, _caller("review").tenant)
    review_queue.end_overdue(item)
    return _review_status(item)


@app.post("/v1/reviews/<run_id>/decide", summary="Decide a review", tags=["reviews"])
def post_decision(run_id: RunId, request: ReviewRequest) -> ReviewStatus:
    """Pass or block what waits, and label its claims; the run goes on with that. Overruling takes a comment."""
    caller = callers.caller_of(app.current_event.raw_event)
    if "review" not in caller.grants:
        deciding.refuse(run_id, caller.tenant, caller.identity)
    caller.must("review")
    who = caller.as_reviewer(request.reviewer)
    done = deciding.decide(run_id, caller.tenant, who, request.outcome, request.comment, request.marks)
    return _review_status(done.item, goes_on=done.goes_on if done.item.state == "decided" else None)


@app.post("/v1/reviews/<run_id>/assign", summary="Name who is to look", tags=["reviews"])
def post_assignee(run_id: RunId, request: AssignRequest) -> ReviewStatus:
    """Name who is to look at a review; whoever else may review still may."""
    caller = _caller("review")
    who = caller.as_reviewer(request.reviewer)
    return _review_status(deciding.assign(run_id, caller.tenant, request.assignee, who))


def _caller(*grants: Grant) -> callers.Caller:
    """Who calls, and may do this."""
    caller = callers.caller_of(app.current_event.raw_event)
    caller.must(*grants)
    return caller


def _review_status(item: ReviewItem, *, goes_on: bool | None = None) -> ReviewStatus:
    """A review without its token."""
    return ReviewStatus(
        id=item.run,
        **item.model_dump(mode="json", exclude={"run", "tenant", "submitter", "token"}),
        report=f"/v1/checks/{item.run}/report",
        goes_on=goes_on,
    )


@app.post("/v1/citations", summary="Passages to ground an answer on", tags=["citations"])
def post_citations(request: CitationsRequest) -> Citations:
    """Search the corpus for a segment of a conversation; personal data is replaced in what comes back."""
    from gate.agents.retrieve_citations import retrieve_citations

    caller = _caller("submit")
    options = {"details": request.details, "max_chars": request.max_chars}
    config = {**caller.config(_given(request.search)), "citations": options}
    with using(config):
        found = retrieve_citations(request.segment, top_k=request.top_k)
    return Citations(citations=[redacted_citation(citation, wiring.current().redactor().redact) for citation in found])


@app.get("/v1/health", summary="Whether the service answers", tags=["service"])
def get_health() -> Health:
    """No dependency is asked: `gate doctor` does that."""
    return Health(status="ok", version=__version__)


@app.get("/openapi.json", include_in_schema=False)
def get_openapi() -> Response[str]:
    """This API as an OpenAPI 3.1 document."""
    return Response(status_code=HTTPStatus.OK, content_type="application/json", body=openapi())


def openapi() -> str:
    """The OpenAPI document as JSON."""
    return app.get_openapi_json_schema(title="LLM Reliability Gate", version=__version__)


@app.exception_handler(GateError)  # type: ignore[untyped-decorator]
def on_gate_error(error: GateError) -> Response[str]:
    """An expected error: its code, and the message that may leave."""
    if isinstance(error, (callers.NotTheirsError, review_queue.NoReviewError)):
        status = HTTPStatus.NOT_FOUND
    elif isinstance(error, callers.MayNotError):
        status = HTTPStatus.FORBIDDEN
    elif isinstance(error, ConflictError):
        status = HTTPStatus.CONFLICT
    elif isinstance(error, ExpiredError):
        status = HTTPStatus.GONE
    elif isinstance(error, InputError):
        is_large = isinstance(error, TooLargeError)
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE if is_large else HTTPStatus.BAD_REQUEST
    elif isinstance(error, (BusyError, BudgetReachedError)):
        if isinstance(error, BudgetReachedError):
            record("CeilingReached")
        after = BUSY_S if isinstance(error, BusyError) else seconds_left()
        return _refusal(HTTPStatus.TOO_MANY_REQUESTS, error, {"Retry-After": str(after)})
    else:
        unavailable = isinstance(error, DependencyError)
        status = HTTPStatus.SERVICE_UNAVAILABLE if unavailable else HTTPStatus.INTERNAL_SERVER_ERROR
    return _refusal(status, error)


def _refusal(status: HTTPStatus, error: GateError, headers: dict[str, str] | None = None) -> Response[str]:
    body = {"code": error.code, "message": error.safe_message, "hint": error.hint}
    return Response(status_code=status, content_type="application/json", body=json.dumps(body), headers=headers or {})


@app.exception_handler([RecursionError, UnicodeDecodeError, binascii.Error])  # type: ignore[untyped-decorator]
def on_unreadable_body(error: Exception) -> Response[str]:
    """A body nested too deep, or not in UTF-8."""
    return _refusal(HTTPStatus.BAD_REQUEST, InputError(f"the body cannot be read ({type(error).__name__})"))


def _start(
    caller: callers.Caller, run_id: str, submission: dict[str, Any], config: dict[str, Any], wait: int
) -> Response[CheckStatus]:
    refuse_spent(config)
    callers.record_owner(run_id, caller)
    started = submissions.start(run_id, submission, config)
    status = _wait(run_id, wait)
    if not started and status.status == "SUCCEEDED" and status.report is None:
        wiring.current().blob_store().delete_prefix(f"runs/{run_id}")  # what this request has just stored
        raise ExpiredError("the check of that key was deleted", hint="a new Idempotency-Key")
    code = HTTPStatus.ACCEPTED if status.status == "RUNNING" else HTTPStatus.OK
    where = {"Location": f"/v1/checks/{run_id}"}
    return Response(status_code=code, content_type="application/json", body=status, headers=where)


def _given(options: SearchOptions) -> dict[str, Any]:
    return options.model_dump(exclude_none=True, exclude_defaults=True, mode="json")


def _wait(run_id: str, seconds: int) -> CheckStatus:
    until = time.monotonic() + seconds
    while (status := _status(run_id)).status == "RUNNING" and not status.review and time.monotonic() < until:
        time.sleep(POLL_S)
    return status


def _stands(run_id: str) -> RunStatus:
    """How a run stands, whatever its report says."""
    found = wiring.current().runs().status(run_id) or wiring.current().batch_runs().status(run_id)
    if found is None and wiring.current().blob_store().exists(f"reports/{run_id}/report.json"):
        return RunStatus("SUCCEEDED")
    if found is None and (submissions.came_to_nothing(run_id) or upload_forms.came_to_nothing(run_id)):
        return RunStatus("TIMED_OUT", "TIMED_OUT")
    if found is None and callers.is_recorded(run_id):  # executions are described a moment after they start
        return RunStatus("RUNNING", cause=upload_forms.waits(run_id))
    if found is None:
        raise NotFoundError("there is no check of that id")
    return found


def _running(run_id: str, found: RunStatus) -> CheckStatus:
    """Under way, or to begin by an upload; where it waits for a person its report can be read, without an outcome."""
    item = review_queue.found(run_id)
    if item is None or not item.is_open(review_queue.moment()):
        if item is not None:
            review_queue.end_overdue(item)
        return CheckStatus(id=run_id, status="RUNNING", message=found.cause, queued=found.queued)
    return CheckStatus(
        id=run_id,
        status="RUNNING",
        message=f"it waits for a person until {item.until}",
        report=f"/v1/checks/{run_id}/report",
        review=f"/v1/reviews/{run_id}",
    )


def _status(run_id: str) -> CheckStatus:
    """What the execution says, and the report where there is one: a run that failed is never "running", and one that is
    redriven has no outcome yet, whatever report its failure left; nor has one that failed what it was to have while it
    waited for a person."""
    found = _stands(run_id)
    if found.status == "RUNNING":
        return _running(run_id, found)
    if data := stored_report(run_id):
        report = json.loads(data)
        failure = report.get("failure") or {}
        return CheckStatus(
            id=run_id,
            status=found.status,
            outcome=report["outcome"] if found.status == "SUCCEEDED" else "error",
            error=failure.get("error") or found.error,
            message=failure.get("message"),
            report=f"/v1/checks/{run_id}/report",
        )
    outcome = None if found.status == "SUCCEEDED" else "error"
    return CheckStatus(id=run_id, status=found.status, outcome=outcome, error=found.error)
