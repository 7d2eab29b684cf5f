"""A table of DynamoDB as the deployment makes it, in moto."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import boto3
import pytest
from moto import mock_aws

REGION = "us-east-1"


@contextmanager
def a_table(monkeypatch: pytest.MonkeyPatch, name: str, *keys: str) -> Iterator[str]:
    """Make a table with one or two keys of text; yields its name."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    with mock_aws():
        boto3.client("dynamodb", region_name=REGION).create_table(
            TableName=name,
            KeySchema=[
                {"AttributeName": key, "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"), strict=False)
            ],
            AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in keys],
            BillingMode="PAY_PER_REQUEST",
        )
        yield name
