"""Numbers of a minute in DynamoDB, in the table of budgets: shared by every function that calls a model."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError

from gate.adapters.aws.clients import client_of
from gate.adapters.aws.sdk_errors import code_of, translated

KEEP_S = 3_600
TABLE = "the budget table"


class DynamoCounters:
    """`Counters` in a table with the string key `run_id`; one conditional update a call.

    Raises:
        SettingsError: the table may not be written, or there are no credentials.
        StorageUnavailableError: try again later.
    """

    def __init__(self, table: str, region: str = "") -> None:
        self._name = table
        self._client = client_of("dynamodb", region, called=TABLE)

    def add(self, key: str, amounts: Mapping[str, int], limits: Mapping[str, int]) -> tuple[bool, Mapping[str, int]]:
        """See `Counters`."""
        names = {f"#{at}": name for at, name in enumerate(sorted({*amounts, *limits}))}
        place = {name: mark for mark, name in names.items()}
        values = {f":{place[name][1:]}": amount for name, amount in amounts.items()}
        room = {f":m{place[name][1:]}": most - amounts.get(name, 0) for name, most in limits.items()}
        fits = [f"(attribute_not_exists({place[name]}) OR {place[name]} <= :m{place[name][1:]})" for name in limits]
        if any(most < 0 for most in room.values()):  # of a number that is not there yet the condition would hold
            return False, {}
        added = ", ".join(f"{place[name]} :{place[name][1:]}" for name in amounts)
        every = {**values, **room, ":expires": int(time.time()) + KEEP_S}
        with translated(TABLE):
            try:
                answer = self._client.update_item(
                    TableName=self._name,
                    Key={"run_id": {"S": key}},
                    UpdateExpression=f"ADD {added} SET expires = :expires",
                    ExpressionAttributeNames=names,
                    ExpressionAttributeValues={name: {"N": str(value)} for name, value in every.items()},
                    ReturnValues="ALL_NEW",
                    **({"ConditionExpression": " AND ".join(fits)} if fits else {}),
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            except ClientError as error:
                if code_of(error) != "ConditionalCheckFailedException":
                    raise
                item: Any = error.response.get("Item", {})
                return False, _numbers(item)
        return True, _numbers(answer["Attributes"])


def _numbers(item: Mapping[str, Mapping[str, str]]) -> dict[str, int]:
    return {name: int(value["N"]) for name, value in item.items() if "N" in value and name != "expires"}
