"""Reviews in DynamoDB: what waits stands in a sparse index, so that the queue is read without the rest."""

from __future__ import annotations

import time
from typing import Any

from botocore.exceptions import ClientError

from gate.adapters.aws.clients import client_of
from gate.adapters.aws.sdk_errors import code_of, translated
from gate.ports import KeptReview

TABLE = "the table of reviews"
INDEX, QUEUE = "waiting", "all"
"""The index, and the one value of its key `queue`."""
KEEP_S = 366 * 24 * 3600
"""What does not wait any more is dropped after a year (attribute `expires`, for the table's time to live)."""


class DynamoReviews:
    """`ReviewStore` in a table with the string key `run`, and an index `waiting` over `queue` and `run`.

    Raises:
        SettingsError: the table may not be used, or there are no credentials.
        StorageUnavailableError: try again later.
    """

    def __init__(self, table: str, region: str = "") -> None:
        self._name = table
        self._client = client_of("dynamodb", region, called=TABLE)

    def get(self, run: str) -> KeptReview | None:
        """See `ReviewStore`."""
        with translated(TABLE):
            item = self._client.get_item(TableName=self._name, Key={"run": {"S": run}}, ConsistentRead=True).get("Item")
        return KeptReview(item["document"]["S"], int(item["revision"]["N"])) if item else None

    def put(self, run: str, document: str, revision: int, *, waiting: bool) -> bool:
        """See `ReviewStore`."""
        item: dict[str, Any] = {"run": {"S": run}, "document": {"S": document}, "revision": {"N": str(revision + 1)}}
        item |= {"queue": {"S": QUEUE}} if waiting else {"expires": {"N": str(int(time.time()) + KEEP_S)}}
        asked: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(document)"}
        if revision:
            asked = {
                "ConditionExpression": "#revision = :revision",
                "ExpressionAttributeNames": {"#revision": "revision"},
                "ExpressionAttributeValues": {":revision": {"N": str(revision)}},
            }
        with translated(TABLE):
            try:
                self._client.put_item(TableName=self._name, Item=item, **asked)
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
                return False
        return True

    def waiting(self) -> list[str]:
        """See `ReviewStore`; what has just changed may be missing, or there still, for a moment."""
        asked = {
            "IndexName": INDEX,
            "KeyConditionExpression": "#queue = :queue",
            "ExpressionAttributeNames": {"#queue": "queue"},
            "ExpressionAttributeValues": {":queue": {"S": QUEUE}},
        }
        with translated(TABLE):
            pages = self._client.get_paginator("query").paginate(TableName=self._name, **asked)
            return [item["document"]["S"] for page in pages for item in page["Items"]]

    def forget(self, run: str) -> None:
        """See `ReviewStore`."""
        with translated(TABLE):
            self._client.delete_item(TableName=self._name, Key={"run": {"S": run}})
