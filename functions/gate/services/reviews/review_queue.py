"""The runs that wait for a person: which they are, and how one begins and ends to wait."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from gate import wiring
from gate.errors import BusyError, InputError
from gate.model import Decision, Policy
from gate.services.trail.acts import reviewed
from gate.trail.review_items import ReviewItem, ReviewReason

ATTEMPTS = 20
"""Times that another writer may be faster."""


class NoReviewError(InputError):
    """There is no such review for this caller; whether there is one for another is not told."""


def moment(after_s: float = 0) -> str:
    """This moment, or one so many seconds later, UTC, to the millisecond."""
    return (datetime.now(UTC) + timedelta(seconds=after_s)).isoformat(timespec="milliseconds")


def found(run: str) -> ReviewItem | None:
    """The review of a run; None: there is none."""
    kept = wiring.current().reviews().get(run)
    return ReviewItem.model_validate_json(kept.document) if kept else None


def known(run: str, tenant: str | None) -> ReviewItem:
    """The review of a run, for a caller of `tenant` (None: of any).

    Raises:
        NoReviewError: there is none, or it is another tenant's.
    """
    item = found(run)
    if item is None or tenant not in (None, item.tenant):
        raise NoReviewError("there is no review of that id")
    return item


def waiting(tenant: str | None) -> list[ReviewItem]:
    """The reviews that can be decided, the one whose time is over first in front; `tenant` as in `known`."""
    items = [ReviewItem.model_validate_json(document) for document in wiring.current().reviews().waiting()]
    now = moment()
    seen = [item for item in items if item.is_open(now) and tenant in (None, item.tenant)]
    return sorted(seen, key=lambda item: (item.until, item.run))


def asked(
    run: str, tenant: str, decision: Decision, policy: Policy, token: str, limit_s: int, submitter: str = ""
) -> ReviewItem:
    """The review of a run that is to wait for so long under a token; nothing is kept of it yet."""
    reasons = tuple(
        ReviewReason(rule=said["rule"], message=said["message"])
        for said in decision["reasons"]
        if said["outcome"] != "pass"
    )
    return ReviewItem(
        run=run,
        tenant=tenant,
        submitter=submitter,
        since=moment(),
        until=moment(limit_s),
        reasons=reasons,
        fallback=policy.review_fallback,
        four_eyes=policy.four_eyes,
        token=token,
    )


def begin(new: ReviewItem) -> ReviewItem:
    """Have a run wait for a person; one that waits already goes on under the new token, until when it was.

    Returns it as it stands: what has been decided, or was not in time, is not asked again.
    """
    if found(new.run) is None:
        reviewed(new, "requested", until=new.until, four_eyes=new.four_eyes, fallback=new.fallback)
        if wiring.current().reviews().put(new.run, new.model_dump_json(), 0, waiting=True):
            return new
    now, token = moment(), new.token
    return changed(new.run, lambda item: item.model_copy(update={"token": token}) if item.is_open(now) else item)


def end_overdue(item: ReviewItem) -> bool:
    """Let a run go on whose time to be decided is over; whether it waited yet. On AWS one that was redriven would wait
    as long again: the state machine's limit is the one that it began with."""
    is_over = item.state == "waiting" and not item.is_open(moment())
    return is_over and wiring.current().runs().answer(item.token)


def concluded(run: str) -> ReviewItem | None:
    """The review of a run that goes on: where nobody has decided, its time is over. None: nobody was asked."""
    if found(run) is None:
        return None
    ended = changed(run, lambda item: item.timed_out() if item.state == "waiting" else item)
    if ended.state == "timed_out":
        reviewed(ended, "timed_out", outcome=ended.outcome, decisions=len(ended.decisions))
    return ended


def changed(run: str, change: Callable[[ReviewItem], ReviewItem]) -> ReviewItem:
    """Change a review as it stands, whoever else does; what `change` returns as it was is not written.

    Raises:
        NoReviewError: there is none.
        BusyError: too many others were faster.
    """
    store = wiring.current().reviews()
    for _ in range(ATTEMPTS):
        kept = store.get(run)
        if kept is None:
            raise NoReviewError("there is no review of that id")
        before = ReviewItem.model_validate_json(kept.document)
        after = change(before)
        is_waiting = after.state == "waiting"
        if after == before or store.put(run, after.model_dump_json(), kept.revision, waiting=is_waiting):
            return after
    raise BusyError("too many decide the same review at once", hint="try again")
