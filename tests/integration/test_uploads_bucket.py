"""What the gate reads of a bucket: versions, the newest bytes, a listing; and the queue that documents wait in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from gate.adapters.aws.s3 import S3Uploads
from gate.adapters.aws.sqs import DocumentQueue

pytestmark = pytest.mark.integration


@pytest.fixture
def region(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    with mock_aws():
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
    (key, version, at), _ = uploads.listed("uploads", "corpora/")
    assert (key, version) == ("corpora/x/a.md", found[0])
    assert version == uploads.version("uploads", key)
    assert at > 1e9


def test_messages_are_sent_ten_at_a_time_and_shown_again_when_asked(region: str) -> None:
    client: Any = boto3.client("sqs", region_name=region)
    url = client.create_queue(QueueName="documents")["QueueUrl"]
    queue = DocumentQueue(url, region=region)
    assert queue.send({"n": n} for n in range(23)) == 23
    (message,) = client.receive_message(QueueUrl=url, MaxNumberOfMessages=1)["Messages"]
    assert "n" in json.loads(message["Body"])
    queue.show_again(message["ReceiptHandle"], 0.2)
