"""Keeps an index as a folder of uploads is: a document uploaded is added, one deleted is removed."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from gate import wiring
from gate.errors import BusyError, GateError, InputError
from gate.services.audit_log import record
from gate.services.freshness import CorpusDocument, place_of
from gate.services.ingestion import take_in
from gate.submission.events import changed_document
from gate.trail.trail_entries import short

PREFIX = "corpora/"
"""Uploads of documents are named `corpora/<index>/<path of the document>`."""
BUSY_S, FIRST_S, LONGEST_S = 30.0, 15.0, 900.0
"""When a document comes again: that another worker has; after a first failure, and at the latest."""

MOST_LOGGED, MOST_CHARS = 20, 300
"""Problems of a document that are logged, and characters of each; a metric counts all of them."""


def ingest_corpus(event: dict[str, Any]) -> dict[str, Any]:
    """Take in the documents that messages of the queue tell of, or the one of an S3 event.

    What is taken in is what lies in the bucket now; the event only says where to look, so that it may come late, twice
    or out of order. What of a document cannot be read is counted and named by its place; the rest is stored.

    Returns:
        for messages: those that are to come again, `{"batchItemFailures": [{"itemIdentifier"}, …]}`; for one event:
        `index`, `document`, the counts `indexed`, `unchanged`, `removed`, and `problems`: `[{"where", "why"}, …]`.

    Raises:
        InputError: the event or the object's name is not of a document.
    """
    if "Records" not in event:
        return _take(event)
    failed = [message["messageId"] for message in event["Records"] if not _is_dealt_with(message)]
    return {"batchItemFailures": [{"itemIdentifier": each} for each in failed]}


def _take(event: Mapping[str, Any]) -> dict[str, Any]:
    bucket, key, sequencer = changed_document(event)
    place = place_of(bucket, key, PREFIX)
    taken = take_in(place, sequencer)
    record("DocumentsTaken")
    if taken.problems:
        record("DocumentsUnreadable")
        _log(place, taken.problems)
    return {
        "index": place.index,
        "document": place.document,
        "indexed": taken.indexed,
        "unchanged": taken.unchanged,
        "removed": taken.removed,
        "problems": taken.problems,
    }


def _log(place: CorpusDocument, problems: Sequence[Mapping[str, str]]) -> None:
    """Say of what could not be read where it lies and why, a line each: of messages nobody gets the answer."""
    index, document = place.index, short(place.document)
    for one in problems[:MOST_LOGGED]:
        why, where = one["why"][:MOST_CHARS], short(one["where"])
        record("DocumentProblems", index=index, document=document, where=where, hint=why)
    if (more := len(problems) - MOST_LOGGED) > 0:
        told = f"{more} more: gate index add --dry-run tells them all"
        record("DocumentProblems", more, index=index, document=document, hint=told)


def _is_dealt_with(message: Mapping[str, Any]) -> bool:
    """Whether a message needs to come no more; one that failed comes again, later each time, and in the end lies in the
    dead-letter queue. A name that is no document's is dealt with: it will never be one."""
    which = short(str(message["messageId"]))
    try:
        _take(_event(message["body"]))
    except InputError as error:
        record("DocumentsUnreadable", hint=error.safe_message, message_id=which)
    except GateError as error:
        record("DocumentsTriedAgain", code=error.code, hint=error.safe_message, message_id=which)
        queue = wiring.current().document_queue()
        if queue is not None:
            tries = int(message["attributes"]["ApproximateReceiveCount"])
            longest = BUSY_S if isinstance(error, BusyError) else min(LONGEST_S, FIRST_S * 2.0**tries)
            queue.show_again(message["receiptHandle"], longest * random.uniform(0.5, 1))
        return False
    return True


def _event(body: str) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        raise InputError("the message is not JSON") from None
