"""How a request to a model service is sent: within its time, and a second time where the first is slow."""

from __future__ import annotations

import threading
from contextvars import copy_context
from http import HTTPStatus
from typing import Any, Protocol

from gate.adapters.call_deadlines import WATCH, Call, CallDeadlines
from gate.adapters.spending.allowance import may_ask_again
from gate.errors import TooSlowError

HEDGE_FACTOR, HEDGE_LEAST_S = 2, 1.0
"""A second try begins when the first has taken this often what 95 % take, and not before that."""
TRIES = "x-gate-tries"
"""Header that a response gets which took two tries."""


class Session(Protocol):
    """Sends one request, through connections that are `Watched`; the response has `status_code` and `headers`."""

    def send(self, request: Any) -> Any:
        """Return the response, whatever its status."""
        ...


class Transport:
    """Sends the requests of one session.

    What is asked of a model changes nothing, so a request may be sent twice: once its time is over, or, with `hedge`,
    when it is slow and nobody knows yet. Both are paid for; the second waits for the budget's consent.

    Args:
        name: of the service, in messages; `hint`: what to do where nobody answers.
    """

    def __init__(self, session: Session, name: str, *, timeout_s: float, hedge: bool, hint: str) -> None:
        self._session = session
        self._deadlines = CallDeadlines(name, timeout_s, hint=hint)
        self._hedge = hedge

    def send(self, request: Any) -> Any:
        """Return the response; its header `TRIES` says so where it took two."""
        usual_s = self._deadlines.usual_s() if self._hedge else None
        if usual_s is not None:
            return _Race(self, request).run(max(HEDGE_LEAST_S, HEDGE_FACTOR * usual_s))
        try:
            return self.once(request)
        except TooSlowError:
            if not may_ask_again():
                raise
        return twice(self.once(request, again=True))

    def once(self, request: Any, calls: list[Call] | None = None, *, again: bool = False) -> Any:
        """Send a request within its time; the call under way is put into `calls`."""
        with self._deadlines.call(again=again) as call:
            if calls is not None:
                calls.append(call)
            response = self._session.send(request)
            response.headers.pop(TRIES, None)  # the service has none to say
            call.is_success = response.status_code == 200
            return response


def twice(response: Any) -> Any:
    """Mark a response that took two tries."""
    response.headers[TRIES] = "2"
    return response


class _Race:
    """One request, sent a second time where it is slow; the first response counts and the other call is cut."""

    def __init__(self, transport: Transport, request: Any) -> None:
        self._transport, self._request = transport, request
        self._first: list[Call] = []
        self._second: list[Call] = []
        self._answer: Any = None
        self._begun = self._is_done = False
        self._ended = threading.Event()
        self._lock = threading.Lock()

    def run(self, delay_s: float) -> Any:
        """Return the response that came first, marked where there were two tries."""
        context = copy_context()
        late = WATCH.after(delay_s, lambda: self._start(context))
        try:
            response = self._transport.once(self._request, self._first)
        except Exception:
            if not self._begun or not self._came():
                raise
            return twice(self._answer)
        finally:
            WATCH.drop(late)
            with self._lock:
                self._is_done = True
            for call in self._second:
                call.cut()
        return twice(response) if self._begun else response

    def _came(self) -> bool:
        """Whether the second try, which is under way, has an answer in the end."""
        self._ended.wait()
        return self._answer is not None

    def _start(self, context: Any) -> None:
        threading.Thread(target=context.run, args=(self._again,), name="gate-hedge", daemon=True).start()

    def _again(self) -> None:
        with self._lock:
            if self._is_done or not may_ask_again():
                return
            self._begun = True
        try:
            answer = self._transport.once(self._request, self._second)
            with self._lock:
                if (
                    not self._is_done and answer.status_code == HTTPStatus.OK
                ):  # a throttled second try does not end the first
                    self._answer = answer
                    for call in self._first:
                        call.cut()
        except Exception:  # noqa: BLE001 - the first try tells what is wrong
            return
        finally:
            self._ended.set()
