"""A run's token count in DynamoDB, shared by every Lambda of the run."""

from __future__ import annotations

import time
from typing import Any

from botocore.exceptions import ClientError

from gate.adapters.aws.clients import client_of
from gate.adapters.aws.sdk_errors import code_of, translated

KEEP_S = 7 * 24 * 3600
"""Counts of past runs are dropped after a week (attribute `expires`, for the table's time to live)."""


class DynamoLedger:
    """A `Ledger` in a table with the string key `run_id`; one conditional update a call.

    Raises:
        SettingsError: the table may not be written, or there are no credentials.
        StorageUnavailableError: try again later.
    """

    def __init__(self, table: str, region: str = "") -> None:
        self._name = table
        self._client = client_of("dynamodb", region, called="the budget table")

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
        with translated("the budget table"):
            try:
                updated = self._client.update_item(
                    TableName=self._name,
                    ReturnValues="ALL_NEW",
                    Key={"run_id": {"S": run_id}},
                    UpdateExpression="ADD spent :tokens SET expires = :expires",
                    ExpressionAttributeValues={name: {"N": str(value)} for name, value in values.items()},
                    **extra,
                )
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
                return None
        return int(updated["Attributes"]["spent"]["N"])
