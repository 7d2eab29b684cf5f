"""Tells by a webhook that a run waits for a person, beside the run: neither does it wait for that, nor hear of it."""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping
from contextlib import suppress
from contextvars import copy_context
from time import sleep
from typing import TYPE_CHECKING, Any

from gate.cli.printing import say
from gate.errors import EventsUnavailableError, GateError, SettingsError
from gate.services.reviews.review_queue import found, moment
from gate.services.trail.acts import reviewed
from gate.text.visible import one_line
from gate.trail.review_notices import NoticeForm, review_notice

if TYPE_CHECKING:
    from gate.adapters.notices.webhook import Webhook
    from gate.ports import Events

PAUSES_S = (1.0, 5.0, 30.0, 120.0)
"""Between the attempts at one notice, by chance a little less."""
AT_ONCE = 4
"""Notices under way to the webhook."""


class LocalNotices:
    """`Events` of a server on this machine.

    Args:
        webhook: hears of runs that wait.
        form: of what it is sent.
        page: where they are decided; empty: where the server listens, once it does (`listen_at`).
        bus: hears of everything; None: there is none.
    """

    def __init__(self, webhook: Webhook, form: NoticeForm, page: str, bus: Events | None) -> None:
        self._webhook, self._form, self._page, self._bus = webhook, form, page, bus
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
        notice = review_notice(detail, self._page, self._form)
        for pause_s in (*PAUSES_S, 0.0):
            try:
                with self._slots:
                    self._webhook.send(notice.id, notice.body)
                return
            except SettingsError as error:
                self._tell_lost(run_id, error)
                return
            except EventsUnavailableError as error:
                last = error
            sleep(pause_s * random.uniform(0.8, 1))
            if not _waits(run_id):  # nobody needs to come any more
                return
        self._tell_lost(run_id, last)

    def _tell_lost(self, run_id: str, error: GateError) -> None:
        why = f"{error.safe_message}; {error.hint}" if error.hint else error.safe_message
        say(one_line(f"gate: nobody was told that run {run_id} waits for a person: {why}"), err=True)
        with suppress(GateError):
            item = found(run_id)
            if item is not None:
                reviewed(item, "unannounced", error=error.code)


def _waits(run_id: str) -> bool:
    """Whether a person may still decide; also where that cannot be looked up."""
    try:
        item = found(run_id)
    except GateError:
        return True
    return item is not None and item.is_open(moment())
