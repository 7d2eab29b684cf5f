"""Tells people that a run waits for them: tried again while it does, and where nobody can be told that is an entry."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import sleep

from gate import wiring
from gate.errors import EventsUnavailableError, GateError, SettingsError
from gate.services.reviews.review_queue import found, moment
from gate.services.trail.acts import reviewed
from gate.trail.review_items import ReviewItem
from gate.trail.review_notices import review_notice


def notify(run: str, send: Callable[[str, bytes], None], page: str, pauses_s: Sequence[float]) -> bool:
    """Send the notice of a run's review, and again after each pause (by chance a little less) where it was not taken.

    Args:
        send: see `NoticeChannel`.
        page: where it is decided, `{run}` in it stands for the run.

    Returns:
        false: nobody needs to come, or not any more.

    Raises:
        EventsUnavailableError, SettingsError: nobody was told; where there is a ledger it says so.
    """
    item = found(run)
    if item is None or not item.is_open(moment()):
        return False
    notice = review_notice(item, page, wiring.current().settings.review_webhook_format)
    for pause_s in (*pauses_s, 0.0):
        try:
            send(notice.id, notice.body)
        except SettingsError as error:
            _write_lost(item, error)
            raise
        except EventsUnavailableError as error:
            last = error
        else:
            return True
        sleep(pause_s * random.uniform(0.8, 1))
        if not _waits(run):  # nobody needs to come any more
            return False
    _write_lost(item, last)
    raise last


def _write_lost(item: ReviewItem, error: GateError) -> None:
    with suppress(GateError):
        reviewed(item, "unannounced", error=error.code)


def _waits(run: str) -> bool:
    """Whether a person may still decide; also where that cannot be looked up."""
    try:
        item = found(run)
    except GateError:
        return True
    return item is not None and item.is_open(moment())
