"""Checks in the request: the answer to it is the report, or the sentences one by one. Nothing of them is kept."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from http import HTTPStatus
from itertools import chain
from typing import Annotated, Any

from pydantic import Field, ValidationError

from gate import wiring
from gate.agents.api import started_with
from gate.errors import GateError, InputError, first_misfit
from gate.local.gate import report_of
from gate.local.run import Limited
from gate.local.sentence_stream import Failing, SentenceCutter, SentenceInContext, StreamedAnswer, StreamedSentence
from gate.reports.model import Report
from gate.services import callers
from gate.services.budgets.ceilings import refuse_spent
from gate.serving.entry_guard import Refused
from gate.serving.local_runs import corpus_of
from gate.submission.api_models import CheckRequest
from gate.text.formats import strict_json

log = logging.getLogger(__name__)

PATH = "/v1/checks:now"
STREAM = "text/event-stream"
IN_LINE = 8
"""Requests that wait for one of those at work to end; any more are sent away at once."""
LARGE_BODY = 100_000
"""Bytes of a request beyond which it is read after those before it."""
START_WITHIN_S = 5.0
"""Seconds that they wait at most."""


class SentencesRequest(CheckRequest):
    """A check in the request, of which nothing is kept.

    Attributes:
        failing: what is shown of a sentence that does not pass, where sentences are asked for.
        checked_to: characters of `text` that were checked before, and are context alone. A report that is kept would
            not say so: the deployed gate takes none.
    """

    failing: Failing = "mark"
    checked_to: Annotated[int, Field(ge=0)] = 0

    def config(self) -> dict[str, Any]:
        """What of it belongs into the config of its run."""
        return {**super().config(), **({"checked_to": self.checked_to} if self.checked_to else {})}


class AnswerInPieces:
    """An answer whose sentences are checked as they come.

    Args:
        answer: checks them.
        room: claims of the whole, as where it is checked at once.

    Attributes:
        count: sentences so far.
    """

    def __init__(self, answer: StreamedAnswer, room: int) -> None:
        self._answer, self._cutter, self._room = answer, SentenceCutter(), room
        self.count, self._passed = 0, 0

    @property
    def passed(self) -> bool:
        """Whether there were sentences, and all of them passed."""
        return 0 < self.count == self._passed

    def feed(self, piece: str) -> Iterator[StreamedSentence]:
        """Check the sentences that end with a piece, each when it is asked for.

        Raises:
            InputError: there are more claims than there is room for.
        """
        return map(self._checked, self._cutter.feed(piece))

    def end(self) -> Iterator[StreamedSentence]:
        """The rest; see `feed`."""
        yield from map(self._checked, self._cutter.end())

    def _checked(self, sentence: SentenceInContext) -> StreamedSentence:
        found = self._answer.checked(sentence)
        self._room -= len(found.report.claims)
        if self._room < 0:
            raise InputError("the text has more claims than one check reads", hint="GATE_MAX_CLAIMS")
        self.count, self._passed = self.count + 1, self._passed + found.passed
        return found


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
        self._invoke, self._reading = Limited(), threading.Lock()

    def report(self, event: Mapping[str, Any], body: bytes) -> bytes:
        """Check what a request holds; its report as JSON.

        Raises:
            Refused: too many are checked already.
            GateError: it cannot be checked.
        """
        _, submission, config = self._asked(event, body)
        with self.turn():
            return report_of(submission, config, self._invoke, leave_report=False).model_dump_json().encode()

    def sentences(self, event: Mapping[str, Any], body: bytes) -> Generator[bytes]:
        """Check the sentences of the text that a request holds; each is an event as soon as its verdict is there.

        What goes wrong from then on is an event `error`; without an event `end` an answer was not checked.

        Raises:
            Refused, GateError: see `report`; before the first event.
        """
        request, answer = self.begun(event, body)
        events = self._events(request.text or "", answer)
        next(events)  # it has its turn, and gives it back however it ends
        return events

    def begun(self, event: Mapping[str, Any], body: bytes) -> tuple[SentencesRequest, AnswerInPieces]:
        """A request whose text is checked sentence by sentence, and what checks it.

        Raises:
            GateError: see `report`.
        """
        request, submission, config = self._asked(event, body)
        if request.text is None or request.checked_to:
            raise InputError("sentence by sentence a text is checked, from its beginning", hint='{"text": "…"}')

        def check(sentence: SentenceInContext) -> Report:
            said, read = {**submission, "text": sentence.text}, {**config, "checked_to": sentence.checked_to}
            with wiring.entered(self._entrance):
                return report_of(said, read, self._invoke, leave_report=False)

        return request, AnswerInPieces(StreamedAnswer(check, request.failing), self._entrance.settings.max_claims)

    def _events(self, text: str, answer: AnswerInPieces) -> Generator[bytes]:
        with self.turn():
            yield b""
            try:
                for found in chain(answer.feed(text), answer.end()):
                    yield _event("sentence", told(found))
                yield _event("end", {"sentences": answer.count, "passed": answer.passed})
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
            # of many large ones at once, each not yet refused, the memory would be full
            with self._reading if len(body) > LARGE_BODY else nullcontext():
                request = SentencesRequest.model_validate(strict_json.load(body.decode()))
        except ValidationError as error:
            raise InputError(str(first_misfit(error))) from None
        except (UnicodeDecodeError, RecursionError):
            raise InputError("the body cannot be read") from None
        caller = callers.caller_of(event)
        caller.must("submit", "read")
        submission, config = started_with(request, caller)
        refuse_spent(config)
        corpus_of(config)
        return request, submission, config

    @contextmanager
    def turn(self) -> Iterator[None]:
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


def told(found: StreamedSentence) -> dict[str, Any]:
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
