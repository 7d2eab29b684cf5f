"""Checks in the request: the answer to it is the report, or the sentences one by one. Nothing of them is kept."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from pydantic import ValidationError

from gate import wiring
from gate.agents.api import started_with
from gate.errors import GateError, InputError, first_misfit
from gate.local.gate import report_of
from gate.local.run import Limited
from gate.local.sentence_stream import Failing, SentenceCutter, SentenceInContext, StreamedAnswer, StreamedSentence
from gate.reports.model import Report
from gate.services import callers
from gate.services.ceilings import refuse_spent
from gate.serving.entry_guard import Refused
from gate.serving.local_runs import corpus_of
from gate.submission.api_models import CheckNowRequest
from gate.text.formats import strict_json

log = logging.getLogger(__name__)

PATH = "/v1/checks:now"
STREAM = "text/event-stream"
IN_LINE = 8
"""Requests that wait for one of those at work to end; any more are sent away at once."""
START_WITHIN_S = 5.0
"""Seconds that they wait at most."""


class SentencesRequest(CheckNowRequest):
    """A check in the request. `failing`: what is shown of a sentence that does not pass, where sentences are asked
    for."""

    failing: Failing = "mark"


class ChecksNow:
    """Checks while somebody waits; may be called by many threads.

    Args:
        entrance: what it works with.
        jobs: checks at the same time.
        wait_s: seconds that one waits for its turn.
    """

    def __init__(self, entrance: wiring.Wiring, jobs: int, wait_s: float = START_WITHIN_S) -> None:
        self._entrance, self._wait_s = entrance, wait_s
        self._line, self._slots = threading.Semaphore(jobs + IN_LINE), threading.Semaphore(jobs)
        self._invoke = Limited()

    def report(self, event: Mapping[str, Any], body: bytes) -> bytes:
        """Check what a request holds; its report as JSON.

        Raises:
            Refused: too many are checked already.
            GateError: it cannot be checked.
        """
        request, submission, config = self._asked(event, body)
        if request.checked_to:
            config["checked_to"] = request.checked_to
        with self._turn():
            return report_of(submission, config, self._invoke, leave_report=False).model_dump_json().encode()

    def sentences(self, event: Mapping[str, Any], body: bytes) -> Generator[bytes]:
        """Check the sentences of the text that a request holds; each is an event as soon as its verdict is there.

        What goes wrong from then on is an event `error`; without an event `end` an answer was not checked.

        Raises:
            Refused, GateError: see `report`; before the first event.
        """
        request, submission, config = self._asked(event, body)
        if request.text is None or request.checked_to:
            raise InputError("sentence by sentence a text is checked, from its beginning", hint='{"text": "…"}')
        events = self._events(request, submission, config)
        next(events)  # it has its turn, and gives it back however it ends
        return events

    def _events(
        self, request: SentencesRequest, submission: dict[str, Any], config: dict[str, Any]
    ) -> Generator[bytes]:
        def check(sentence: SentenceInContext) -> Report:
            said, read = {**submission, "text": sentence.text}, {**config, "checked_to": sentence.checked_to}
            with wiring.entered(self._entrance):
                return report_of(said, read, self._invoke, leave_report=False)

        with self._turn():
            yield b""
            answer, cutter, passed = StreamedAnswer(check, request.failing), SentenceCutter(), []
            room = self._entrance.settings.max_claims
            try:
                for sentence in [*cutter.feed(request.text or ""), *cutter.end()]:
                    found = answer.checked(sentence)
                    room -= len(found.report.claims)
                    if room < 0:  # of the whole answer, as where it is checked at once
                        raise InputError("the text has more claims than one check reads", hint="GATE_MAX_CLAIMS")
                    passed.append(found.passed)
                    yield _event("sentence", _told(found))
                yield _event("end", {"sentences": len(passed), "passed": all(passed) and bool(passed)})
            except GateError as error:
                yield _event("error", {"code": error.code, "message": error.safe_message})
            except Exception as error:  # noqa: BLE001 - whoever reads on must know that this is not the end
                log.error("a stream failed: %s", type(error).__name__)
                yield _event("error", {"code": "InternalError", "message": type(error).__name__})

    def _asked(self, event: Mapping[str, Any], body: bytes) -> tuple[SentencesRequest, dict[str, Any], dict[str, Any]]:
        """A request, and what its run is started with.

        Raises:
            InputError: it cannot be checked; says why.
            BudgetReachedError: the day holds no more.
        """
        try:
            request = SentencesRequest.model_validate(strict_json.load(body.decode()))
        except ValidationError as error:
            raise InputError(str(first_misfit(error))) from None
        except (UnicodeDecodeError, RecursionError):
            raise InputError("the body cannot be read") from None
        submission, config = started_with(request, callers.caller_of(event))
        refuse_spent(config)
        corpus_of(config)
        return request, submission, config

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Have a check's turn, after those before it.

        Raises:
            Refused: it cannot start in time.
        """
        if not self._line.acquire(blocking=False):
            raise _busy()
        try:
            if not self._slots.acquire(timeout=self._wait_s):
                raise _busy()
            try:
                yield
            finally:
                self._slots.release()
        finally:
            self._line.release()


def _busy() -> Refused:
    return Refused(HTTPStatus.TOO_MANY_REQUESTS, "too many are checked at this moment", retry_after=1)


def _told(found: StreamedSentence) -> dict[str, Any]:
    """What is told of a sentence."""
    report = found.report
    kept = {"text", "status", "reason", "justification", "quote"}
    return {
        "text": found.text,
        "shown": found.shown,
        "passed": found.passed,
        "outcome": report.outcome,
        "claims": [claim.model_dump(include=kept) for claim in report.claims],
    }


def _event(name: str, value: dict[str, Any]) -> bytes:
    """An event as a browser's EventSource reads it; JSON has no line break of its own."""
    return f"event: {name}\ndata: {json.dumps(value)}\n\n".encode()
