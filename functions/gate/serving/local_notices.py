"""Tells by a webhook that a run waits for a person, beside the run: neither does it wait for that, nor hear of it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from gate.cli.printing import say
from gate.errors import GateError
from gate.services.reviews.notifying import notify
from gate.text.visible import one_line

if TYPE_CHECKING:
    from gate.ports import Events, NoticeChannel

PAUSES_S = (1.0, 5.0, 30.0, 120.0)
"""Between the attempts at one notice, by chance a little less."""
AT_ONCE = 4
"""Notices under way to the webhook."""


class LocalNotices:
    """`Events` of a server on this machine.

    Args:
        webhook: hears of runs that wait.
        page: where they are decided; empty: where the server listens, once it does (`listen_at`).
        bus: hears of everything; None: there is none.
    """

    def __init__(self, webhook: NoticeChannel, page: str, bus: Events | None) -> None:
        self._webhook, self._page, self._bus = webhook, page, bus
        self._slots = threading.Semaphore(AT_ONCE)
        self._is_reachable = threading.Event()

    def listen_at(self, page: str) -> None:
        """Begin to send: the server listens, and has this page for reviews."""
        self._page = self._page or page
        self._is_reachable.set()

    def send(self, kind: str, detail: Mapping[str, Any]) -> None:
        """See `Events`; whether a notice could be sent is told on the standard error, and in the ledger."""
        if kind == "ReviewRequested":
            work = (self._deliver, dict(detail))
            threading.Thread(target=copy_context().run, args=work, name="gate-notices", daemon=True).start()
        if self._bus is not None:
            self._bus.send(kind, detail)

    def _deliver(self, detail: Mapping[str, Any]) -> None:
        self._is_reachable.wait()
        run_id = str(detail["run_id"])
        try:
            notify(run_id, self._send_in_turn, self._page, PAUSES_S)
        except GateError as error:
            why = f"{error.safe_message}; {error.hint}" if error.hint else error.safe_message
            say(one_line(f"gate: nobody was told that run {run_id} waits for a person: {why}"), err=True)

    def _send_in_turn(self, id: str, body: bytes) -> None:
        with self._slots:
            self._webhook.send(id, body)
