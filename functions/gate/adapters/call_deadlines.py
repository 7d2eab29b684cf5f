"""How long a service is waited for: a call has a deadline, whatever its socket does; the deadline is learnt from what
was seen; and an address where nobody has ever answered is given up for a while."""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from time import monotonic, sleep
from typing import Any

from gate.errors import TooSlowError, UnreachableError

LEARNT_FROM = 20
"""Answers after which the deadline is learnt."""
REMEMBERED = 200
"""Answers that it is learnt from at most: the last ones."""
FACTOR, LEAST_S = 3, 10.0
"""The deadline is this often what 95 % of the answers took, and never less than this."""
GIVE_UP_AFTER_S, GIVE_UP_FOR_S = 5.0, 30.0
"""An address where nobody has answered in this time, nor ever, is not tried for that time."""
LOOK_S = 2.0
"""How often a call under way is given the deadline that has been learnt meanwhile."""
TICK_S, IDLE_TICKS = 0.1, 20
"""How often the thread that waits looks what is due, and after how many looks with nothing to wait for it ends."""


class Call:
    """One call under way, and the socket that it goes through.

    Attributes:
        allowed_s: seconds that it may take; less than at first where others turn out to be faster.
        is_over: its time was over.
        is_cut: its connection was ended, because its time was over or another answer came first.
        is_reached: it had a socket, so somebody is at the address.
        is_success: its answer counts for how long answers take.
        is_done: nobody waits for it any more.
        deadline: key of what cuts it, in `WATCH`.
    """

    def __init__(self, allowed_s: float) -> None:
        self.began = monotonic()
        self.allowed_s = allowed_s
        self.is_over = False
        self.is_cut = False
        self.is_reached = False
        self.is_success = True
        self.is_done = False
        self.deadline: object = None
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()

    def through(self, connection: socket.socket) -> None:
        """Note the socket; a call that was cut before it had one is cut now."""
        with self._lock:
            self.is_reached, self._socket = True, connection
            if self.is_cut:
                _shut(connection)

    def cut(self) -> None:
        """End the call: whoever reads from its socket or writes to it meets the end of the connection."""
        with self._lock:
            self.is_cut = True
            if self._socket is not None:
                _shut(self._socket)


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)  # below TLS, whose state another thread is using


_current: ContextVar[Call | None] = ContextVar("call", default=None)


class Watched:
    """Mixed into a connection class of urllib3: tells the call under way which socket it goes through."""

    sock: Any

    def _new_conn(self) -> Any:
        made = super()._new_conn()  # type: ignore[misc]
        if call := _current.get():
            call.through(made)
        return made

    def request(self, *arguments: Any, **named: Any) -> Any:
        """Send a request, through a connection that may have been there before."""
        if (call := _current.get()) and self.sock is not None:
            call.through(self.sock)
        return super().request(*arguments, **named)  # type: ignore[misc]


class Watch:
    """The thread that does things when their time has come; there is one while there is anything to wait for."""

    def __init__(self) -> None:
        self._waiting: dict[object, tuple[float, Callable[[], object]]] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def after(self, seconds: float, action: Callable[[], object]) -> object:
        """Do `action` in `seconds`, at the next tick, unless what is returned is dropped before."""
        key = object()
        with self._lock:
            self._waiting[key] = (monotonic() + seconds, action)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._serve, name="gate-waiting", daemon=True)
                self._thread.start()
        return key

    def drop(self, key: object) -> None:
        """Do not do what `after` returned this key for; nothing where it is done already."""
        with self._lock:
            self._waiting.pop(key, None)

    def _serve(self) -> None:
        idle = 0
        while idle < IDLE_TICKS:
            sleep(TICK_S)
            with self._lock:
                idle = 0 if self._waiting else idle + 1
                now = monotonic()
                due = [(key, action) for key, (at, action) in self._waiting.items() if at <= now]
                for key, _ in due:
                    del self._waiting[key]
                if idle == IDLE_TICKS:
                    self._thread = None
            for _, action in due:
                action()


WATCH = Watch()


class CallDeadlines:
    """What is known of one service: how long its answers take, and whether anybody is there.

    Args:
        name: of the service, in messages.
        most_s: the deadline of a call until it is learnt, and at most.
        least_s: the deadline at least, however fast the answers were; None: `LEAST_S`.
        hint: what to do about a service that nobody answers for.
    """

    def __init__(self, name: str, most_s: float, *, least_s: float | None = None, hint: str) -> None:
        self._name, self._most_s, self._hint = name, most_s, hint
        self._least_s = LEAST_S if least_s is None else least_s
        self._took: deque[float] = deque(maxlen=REMEMBERED)
        self._lock = threading.Lock()
        self._has_answered = False
        self._missed = 0
        self._missing_since = 0.0
        self._given_up_until = 0.0

    def allowed_s(self) -> float:
        """Seconds that a call may take now."""
        usual = self.usual_s()
        return self._most_s if usual is None else min(self._most_s, max(self._least_s, FACTOR * usual))

    def usual_s(self) -> float | None:
        """Seconds in which 95 % of the last answers came; None: too few to know."""
        with self._lock:
            took = sorted(self._took)
        return took[int(len(took) * 0.95)] if len(took) >= LEARNT_FROM else None

    @contextmanager
    def call(self, *, again: bool = False) -> Iterator[Call]:
        """Make one call inside, in this thread; `again`: of a service that has never answered no more is expected than
        the shortest time.

        Raises:
            TooSlowError: its time was over.
            UnreachableError: nobody has ever answered, and not for a while.
        """
        if monotonic() < self._given_up_until:
            raise self._unreachable()
        allowed_s = self.allowed_s()
        if again and not self._has_answered:
            allowed_s = min(allowed_s, self._least_s)
        call = Call(allowed_s)
        token = _current.set(call)
        self._look_after(call)
        try:
            yield call
            if call.is_cut:  # what came until then may look whole
                raise ConnectionAbortedError
        except Exception:
            if call.is_over:
                self._learn(call.allowed_s)
            if call.is_over or not call.is_reached:
                self._miss(call)
            else:
                self._has_answered = True
            if call.is_over:
                seconds = f"{call.allowed_s:.1f}".removesuffix(".0")
                raise TooSlowError(f"{self._name} gave no answer within {seconds} s", hint=self._hint) from None
            raise
        else:
            self._has_answered = True
            if call.is_success:
                self._learn(monotonic() - call.began)
        finally:
            call.is_done = True
            WATCH.drop(call.deadline)
            _current.reset(token)

    def _look_after(self, call: Call) -> None:
        """Cut a call when its time is over; what others take may be learnt meanwhile."""
        most_s = call.allowed_s

        def look() -> None:
            call.allowed_s = min(most_s, self.allowed_s())
            left = call.began + call.allowed_s - monotonic()
            if call.is_done:
                return
            if left > 0:
                call.deadline = WATCH.after(min(left, LOOK_S), look)
                return
            call.is_over = True
            call.cut()

        call.deadline = WATCH.after(min(most_s, LOOK_S), look)

    def _learn(self, seconds: float) -> None:
        """A call that was cut counts as well: where answers become slower, the deadline follows."""
        with self._lock:
            self._took.append(seconds)

    def _miss(self, call: Call) -> None:
        """Note that nobody answered; where nobody ever has, and not for a while, give up."""
        if self._has_answered:
            return
        with self._lock:
            now = monotonic()
            if not self._missed or now > self._given_up_until > 0:
                self._missed, self._missing_since, self._given_up_until = 0, call.began, 0.0
            self._missed += 1
            if self._missed < 2 or now - self._missing_since < GIVE_UP_AFTER_S:
                return
            self._given_up_until = now + GIVE_UP_FOR_S
        raise self._unreachable() from None

    def _unreachable(self) -> UnreachableError:
        return UnreachableError(f"nobody answers at {self._name}", hint=self._hint)
