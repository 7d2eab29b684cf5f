"""What the gate reads of a bucket: versions, the newest bytes, a listing; and the queue that documents wait in."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from gate.adapters.aws.s3 import S3BlobStore, S3Uploads
from gate.adapters.aws.sqs import DocumentQueue
from gate.errors import SettingsError
from tests.moto_account import an_account

pytestmark = pytest.mark.integration


@pytest.fixture
def region(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with an_account(monkeypatch):
        yield "us-east-1"


def test_the_newest_version_is_read_and_listed_and_what_is_gone_is_none(region: str) -> None:
    client: Any = boto3.client("s3", region_name=region)
    client.create_bucket(Bucket="uploads")
    uploads = S3Uploads(region=region)
    assert uploads.version("uploads", "corpora/x/a.md") is None
    assert uploads.newest("uploads", "corpora/x/a.md") is None
    for text in (b"old", b"new"):
        client.put_object(Bucket="uploads", Key="corpora/x/a.md", Body=text)
    client.put_object(Bucket="uploads", Key="corpora/x/a.md.gz", Body=b"longer name")
    assert uploads.version("uploads", "corpora/x/a.m") is None
    found = uploads.newest("uploads", "corpora/x/a.md")
    assert found is not None
    assert b"".join(found[1]) == b"new"
    (key, version, at, size), _ = uploads.listed("uploads", "corpora/")
    assert (key, version) == ("corpora/x/a.md", found[0])
    assert version == uploads.version("uploads", key)
    assert at > 1e9
    assert size == 3


def test_what_lay_there_before_is_read_back_to_the_last_removal(region: str, monkeypatch: pytest.MonkeyPatch) -> None:
    minutes = itertools.count()
    monkeypatch.setattr("moto.s3.models.utcnow", lambda: datetime(2026, 11, 23, 12, next(minutes)))
    client: Any = boto3.client("s3", region_name=region)
    client.create_bucket(Bucket="uploads")
    client.put_bucket_versioning(Bucket="uploads", VersioningConfiguration={"Status": "Enabled"})
    uploads, url = S3Uploads(region=region), "s3://uploads/config/policy.json"
    assert list(uploads.earlier(url)) == []
    client.put_object(Bucket="uploads", Key="config/policy.json", Body=b"of old")
    client.delete_object(Bucket="uploads", Key="config/policy.json")
    versions = []
    for body in (b"one", b"two", b"broken"):
        versions.append(client.put_object(Bucket="uploads", Key="config/policy.json", Body=body)["VersionId"])
    client.put_object(Bucket="uploads", Key="config/policy.json.bak", Body=b"another")
    assert list(uploads.earlier(url)) == [(b"two", versions[1]), (b"one", versions[0])]


def test_of_what_is_not_there_a_bucket_that_says_forbidden_is_asked_for_its_list(
    region: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client: Any = boto3.client("s3", region_name=region)
    client.create_bucket(Bucket="uploads")
    client.put_object(Bucket="uploads", Key="config/locked.json", Body=b"{}")
    call: Any = getattr(BaseClient, "_make_api_call")  # noqa: B009 - the stubs do not know it

    def forbidding(self: Any, operation: str, params: dict[str, Any]) -> Any:
        if operation in ("GetObject", "HeadObject"):
            raise ClientError({"Error": {"Code": "AccessDenied" if operation == "GetObject" else "403"}}, operation)
        return call(self, operation, params)

    monkeypatch.setattr(BaseClient, "_make_api_call", forbidding)
    assert S3Uploads(region=region).current("s3://uploads/config/policy.json") is None
    assert not S3BlobStore("s3://uploads/config", region=region).exists("policy.json")
    with pytest.raises(SettingsError, match="uploads"):
        S3Uploads(region=region).current("s3://uploads/config/locked.json")
    with pytest.raises(SettingsError, match="uploads"):
        S3BlobStore("s3://uploads/config", region=region).exists("locked.json")


def test_messages_are_sent_ten_at_a_time_and_shown_again_when_asked(region: str) -> None:
    client: Any = boto3.client("sqs", region_name=region)
    url = client.create_queue(QueueName="documents")["QueueUrl"]
    queue = DocumentQueue(url, region=region)
    assert queue.send({"n": n} for n in range(23)) == 23
    (message,) = client.receive_message(QueueUrl=url, MaxNumberOfMessages=1)["Messages"]
    assert "n" in json.loads(message["Body"])
    queue.show_again(message["ReceiptHandle"], 0.2)
