"""What the gate reads of a bucket: versions, the newest bytes, a listing; and the queue that documents wait in."""

from __future__ import annotations

import base64
import itertools
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
import requests
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from gate import runtime
from gate.adapters.aws.s3 import S3BlobStore, S3Uploads
from gate.adapters.aws.sqs import DocumentQueue
from gate.errors import SettingsError
from gate.ports import RunStatus
from tests.aws_events import FakeRuns, a_request, an_upload
from tests.entrance import Entrance
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


def by_form(region: str, max_bytes: int = 20) -> tuple[str, dict[str, str]]:
    return S3Uploads(region=region).form(
        "uploads",
        "transcripts/by-form/red/up-1.json",
        {"Content-Type": "application/json"},
        encryption_key="arn:aws:kms:us-east-1:123456789012:key/k",
        max_bytes=max_bytes,
        seconds=900,
    )


def test_a_form_uploads_one_object_encrypted_by_the_key_that_it_names(region: str) -> None:
    client: Any = boto3.client("s3", region_name=region)
    client.create_bucket(Bucket="uploads")
    url, fields = by_form(region)
    sent = requests.post(url, data=fields, files={"file": b'{"turns": []}'}, timeout=5)
    assert sent.status_code == 204, sent.text
    found = client.get_object(Bucket="uploads", Key="transcripts/by-form/red/up-1.json")
    assert found["Body"].read() == b'{"turns": []}'
    assert found["ContentType"] == "application/json"


def test_what_a_client_uploads_by_the_form_that_the_api_answers_starts_its_run(region: str, entrance: Entrance) -> None:
    client: Any = boto3.client("s3", region_name=region)
    for bucket in ("uploads", "blobs"):
        client.create_bucket(Bucket=bucket)
    client.put_bucket_versioning(Bucket="uploads", VersioningConfiguration={"Status": "Enabled"})
    key = "arn:aws:kms:us-east-1:123456789012:key/k"
    entrance.change(blobs="s3://blobs", region=region, upload_to="s3://uploads/transcripts/by-form/", upload_key=key)
    runs, document = FakeRuns(), b'{"turns": [{"role": "assistant", "content": "The sky is blue."}]}'
    entrance.give(runs=runs, batch_runs=FakeRuns())
    form = json.loads(runtime.handle("api", a_request("POST", "/v1/uploads", {"name": "chat.json"}))["body"])
    assert requests.post(form["url"], data=form["fields"], files={"file": document}, timeout=5).status_code == 204
    (arrived,) = client.list_object_versions(Bucket="uploads")["Versions"]
    event = an_upload(arrived["Key"], size=arrived["Size"], version=arrived["VersionId"])
    for is_first in (True, False):
        done = runtime.handle("start_check", event)
        assert done == {"run_id": form["id"], "kind": "check", "started": is_first}
    assert json.loads(runtime.handle("api", a_request("GET", form["check"]))["body"])["status"] == "RUNNING"
    runs.statuses[form["id"]] = RunStatus("SUCCEEDED")
    runtime.handle("api", a_request("DELETE", form["check"]))
    assert "Contents" not in client.list_objects_v2(Bucket="uploads")


def test_a_form_fixes_what_s3_holds_an_upload_to(region: str) -> None:
    url, fields = by_form(region)
    assert url == "https://uploads.s3.amazonaws.com/"
    assert fields["x-amz-algorithm"] == "AWS4-HMAC-SHA256"
    policy = json.loads(base64.b64decode(fields["policy"]))
    left = datetime.fromisoformat(policy["expiration"]) - datetime.now(UTC)
    assert timedelta(seconds=880) < left <= timedelta(seconds=901)
    rules = policy["conditions"]
    assert ["content-length-range", 1, 20] in rules
    fixed = {name: value for rule in rules if isinstance(rule, dict) for name, value in rule.items()}
    unsaid = {"policy", "x-amz-signature"}
    assert fixed == {name: value for name, value in fields.items() if name not in unsaid} | {"bucket": "uploads"}
    assert fixed["key"] == "transcripts/by-form/red/up-1.json"
    assert fixed["x-amz-server-side-encryption"] == "aws:kms"
    assert fixed["x-amz-server-side-encryption-aws-kms-key-id"].endswith(":key/k")


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
    store = S3BlobStore("s3://uploads/config", region=region)
    assert not store.exists("policy.json")
    assert store.find("policy.json") is None
    with pytest.raises(SettingsError, match="uploads"):
        S3Uploads(region=region).current("s3://uploads/config/locked.json")
    with pytest.raises(SettingsError, match="uploads"):
        store.exists("locked.json")
    with pytest.raises(SettingsError, match="uploads"):
        store.find("locked.json")


def test_messages_are_sent_ten_at_a_time_and_shown_again_when_asked(region: str) -> None:
    client: Any = boto3.client("sqs", region_name=region)
    url = client.create_queue(QueueName="documents")["QueueUrl"]
    queue = DocumentQueue(url, region=region)
    assert queue.send({"n": n} for n in range(23)) == 23
    (message,) = client.receive_message(QueueUrl=url, MaxNumberOfMessages=1)["Messages"]
    assert "n" in json.loads(message["Body"])
    queue.show_again(message["ReceiptHandle"], 0.2)
