"""A run's token count in DynamoDB, shared by every Lambda of the run."""

from __future__ import annotations

import time
from typing import Any

import boto3
from botocore.exceptions import ClientError

from gate.errors import ModelUnavailableError

KEEP_S = 7 * 24 * 3600
"""Counts of past runs are dropped after a week (attribute `expires`, for the table's time to live)."""


class DynamoLedger:
    """A `Ledger` in a table with the string key `run_id`; one conditional update a call."""

    def __init__(self, table: str, region: str = "") -> None:
        self._table: Any = boto3.Session().resource("dynamodb", region_name=region or None).Table(table)

    def reserve(self, run_id: str, tokens: int, limit: int) -> bool:
        """See `Ledger`."""
        if tokens > limit:
            return False
        fits = "attribute_not_exists(spent) OR spent <= :most"
        return self._add(run_id, tokens, condition=fits, most=limit - tokens) is not None

    def settle(self, run_id: str, difference: int) -> None:
        """See `Ledger`."""
        self._add(run_id, difference)

    def spent(self, run_id: str) -> int:
        """See `Ledger`; by adding nothing, so that one right is enough and the answer is the newest."""
        return self._add(run_id, 0) or 0

    def _add(self, run_id: str, tokens: int, *, condition: str = "", most: int = 0) -> int | None:
        """Add to the count and return it; None where the condition does not hold."""
        values = {":tokens": tokens, ":expires": int(time.time()) + KEEP_S}
        extra: dict[str, Any] = {}
        if condition:
            values[":most"] = most
            extra["ConditionExpression"] = condition
        try:
            updated = self._table.update_item(
                ReturnValues="ALL_NEW",
                Key={"run_id": run_id},
                UpdateExpression="ADD spent :tokens SET expires = :expires",
                ExpressionAttributeValues=values,
                **extra,
            )
        except ClientError as error:
            if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
                return None
            raise ModelUnavailableError("the budget table could not be written") from None
        return int(updated["Attributes"]["spent"])
