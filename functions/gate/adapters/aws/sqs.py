"""The queue of documents to take in: what is to be looked at, and when what failed comes back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from gate.adapters.aws.clients import client_of
from gate.adapters.aws.sdk_errors import translated
from gate.errors import StorageUnavailableError

BATCH = 10
"""Messages of one request at most."""
LONGEST_S = 43_200


class DocumentQueue:
    """A queue of SQS, by its URL."""

    def __init__(self, url: str, *, region: str = "") -> None:
        self._url = url
        self._client = client_of("sqs", region, called="the queue of documents")

    def send(self, messages: Iterable[Mapping[str, Any]]) -> int:
        """Send messages; returns how many there were.

        Raises:
            StorageUnavailableError: the queue took some of them only.
        """
        stream, count = iter(messages), 0
        while batch := list(islice(stream, BATCH)):
            entries = [{"Id": str(at), "MessageBody": json.dumps(each)} for at, each in enumerate(batch)]
            with translated("the queue of documents"):
                answer = self._client.send_message_batch(QueueUrl=self._url, Entries=entries)
            if answer.get("Failed"):
                raise StorageUnavailableError("the queue of documents did not take every message")
            count += len(batch)
        return count

    def show_again(self, receipt: str, seconds: float) -> None:
        """Let a message that was received, and could not be dealt with, come again in so many seconds."""
        timeout = max(0, min(LONGEST_S, round(seconds)))
        with translated("the queue of documents"):
            self._client.change_message_visibility(QueueUrl=self._url, ReceiptHandle=receipt, VisibilityTimeout=timeout)
