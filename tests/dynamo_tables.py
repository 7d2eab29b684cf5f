"""A table of DynamoDB as the deployment makes it, in moto."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import boto3
import pytest

from tests.moto_account import an_account

REGION = "us-east-1"


@contextmanager
def a_table(monkeypatch: pytest.MonkeyPatch, name: str, *keys: str) -> Iterator[str]:
    """Make a table with one or two keys of text; yields its name."""
    with an_account(monkeypatch):
        boto3.client("dynamodb", region_name=REGION).create_table(
            TableName=name,
            KeySchema=[
                {"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"), strict=False)
            ],
            AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in keys],
            BillingMode="PAY_PER_REQUEST",
        )
        yield name
