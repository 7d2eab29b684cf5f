"""What people are told when a run waits for them: ids, times and a link, never text of the answer. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from gate.trail.review_items import ReviewItem

NoticeForm = Literal["json", "slack"]
RUN = "{run}"
"""What stands for the run in the address of a page."""


class ReviewNotice(NamedTuple):
    """A notice, ready to be sent.

    Attributes:
        id: the same for the same review, however often it is told.
        body: JSON.
    """

    id: str
    body: bytes


def review_notice(item: ReviewItem, page: str, form: NoticeForm) -> ReviewNotice:
    """Make the notice of a review.

    Args:
        page: address of the page where it is decided, `{run}` in it stands for the run; empty: there is none.
        form: `json`: an envelope with `type`, `timestamp` and `data`; `slack`: blocks for a chat.
    """
    data = {
        "run_id": item.run,
        "outcome": "review",
        "since": item.since,
        "until": item.until,
        "reasons": [reason.rule for reason in item.reasons],
        "four_eyes": item.four_eyes,
        "page": page.replace(RUN, item.run) or None,
    }
    value = {"type": "review.requested", "timestamp": item.since, "data": data} if form == "json" else _blocks(data)
    digest = hashlib.sha256(f"{item.run}\0{item.since}".encode("utf-8", "surrogatepass")).hexdigest()
    return ReviewNotice(f"review-{digest[:32]}", json.dumps(value).encode())


def _blocks(data: Mapping[str, Any]) -> dict[str, Any]:
    """A message of Slack; whoever shows no blocks shows the `text`."""
    until = data["until"][:16].replace("T", " ") + " UTC"
    title = f"An answer waits for a person until {until}"
    more = [f"run `{_escaped(data['run_id'])}`", f"why: {_escaped(', '.join(data['reasons']) or 'not told')}"]
    if data["four_eyes"]:
        more.append("two people must agree")
    if data["page"]:
        more.append(f"<{_escaped(data['page'])}|Read and decide>")
    text = {"type": "mrkdwn", "text": "\n".join([f"*{title}*", *more])}
    return {"text": f"{title}: run {_escaped(data['run_id'])}", "blocks": [{"type": "section", "text": text}]}


def _escaped(text: str) -> str:
    """As text in a message: what Slack takes for control characters; `|` would end an address."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "%7C")
