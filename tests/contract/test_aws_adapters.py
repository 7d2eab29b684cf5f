"""Blob stores and runs: the folder and S3 keep one contract; Step Functions is idempotent by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from gate import wiring
from gate.adapters.aws.s3 import S3BlobStore, S3Uploads
from gate.adapters.aws.secrets_manager import login
from gate.adapters.aws.step_functions import StepFunctionsRuns
from gate.adapters.local_files import FolderBlobStore
from gate.errors import BusyError, ConflictError, InputError, InternalError, SettingsError, StorageUnavailableError
from gate.ports import BlobStore
from gate.submission.events import uploaded
from tests.aws_events import an_upload
from tests.entrance import Entrance
from tests.moto_account import an_account

pytestmark = pytest.mark.integration

REGION = "eu-central-1"


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """AWS in this process."""
    with an_account(monkeypatch, REGION):
        yield


def a_bucket(name: str = "blobs", *, versioned: bool = False) -> Any:
    client: Any = boto3.client("s3", region_name=REGION)
    client.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})
    if versioned:
        client.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    return client


@pytest.fixture(params=["folder", "memory", "memory that is full", "s3", "s3 with a prefix"])
def store(request: pytest.FixtureRequest, tmp_path: Path, aws: None) -> BlobStore:
    """A store, of each kind."""
    if request.param == "folder":
        return FolderBlobStore(tmp_path)
    if "memory" in request.param:
        return FolderBlobStore(tmp_path, held_bytes=2 if "full" in request.param else 1_000)
    a_bucket()
    return S3BlobStore("s3://blobs" if request.param == "s3" else "s3://blobs/team/gate", region=REGION)


def test_a_blob_comes_back_as_it_was_stored_and_can_be_replaced(store: BlobStore) -> None:
    store.put("runs/r1/a", b"one")
    store.put("runs/r1/a", b"two \x00\xff")
    assert store.get("runs/r1/a") == b"two \x00\xff"
    assert store.exists("runs/r1/a")
    assert not store.exists("runs/r1/b")


def test_a_blob_comes_piece_by_piece_as_far_as_it_is_asked_for(store: BlobStore) -> None:
    large = bytes(range(256)) * 10_000
    store.put("runs/r1/a", b"first")
    store.put("runs/r1/b", large)
    assert b"".join(store.pieces("runs/r1/b")) == large
    with closing(store.pieces("runs/r1/b")) as pieces:
        first = next(pieces)
    assert large.startswith(first)
    with pytest.raises(InternalError, match="blob c is missing"):
        list(store.pieces("runs/r1/c"))


def test_a_missing_blob_is_a_bug_and_names_no_path(store: BlobStore) -> None:
    with pytest.raises(InternalError, match="blob b is missing"):
        store.get("runs/r1/b")


def test_a_blob_that_may_be_missing_is_found_or_is_none(store: BlobStore) -> None:
    store.put("runs/r1/a", b"first")
    store.put("runs/r1/empty", b"")
    assert store.find("runs/r1/a") == b"first"
    assert store.find("runs/r1/empty") == b""
    for key in ("runs/r1/b", "runs/r2/a", "runs/r1", "runs/r1/a/b"):
        assert store.find(key) is None


def test_what_is_added_is_never_replaced(store: BlobStore) -> None:
    assert store.add("audit/a.json", b"first")
    assert not store.add("audit/a.json", b"second")
    assert store.get("audit/a.json") == b"first"


def test_forgetting_a_run_leaves_its_neighbours(store: BlobStore) -> None:
    for key in ("runs/r1/a", "runs/r1/b", "runs/r10/a", "reports/r1/report.json"):
        store.put(key, b"x")
    assert store.keys("runs/r1") == ["runs/r1/a", "runs/r1/b"]
    assert store.delete_prefix("runs/r1") == 2
    assert store.keys("runs/r1") == []
    assert store.delete_prefix("runs/r1") == 0
    assert store.exists("runs/r10/a")
    assert store.exists("reports/r1/report.json")


def test_a_link_names_the_blob(store: BlobStore) -> None:
    store.put("reports/r1/report.html", b"x")
    assert "reports/r1/report.html" in store.link("reports/r1/report.html")


@pytest.mark.parametrize("region", ["us-east-1", "eu-west-1", "eu-central-1"])
def test_a_link_is_signed_so_that_s3_decrypts_what_it_names_in_the_bucket_s_own_region(aws: None, region: str) -> None:
    """What is encrypted by KMS is refused to the older signature, and the address without a region is redirected."""
    link = S3BlobStore("s3://blobs", region=region).link("reports/r1/report.html")
    host, _, query = link.removeprefix("https://").partition("/")
    assert host == ("blobs.s3.amazonaws.com" if region == "us-east-1" else f"blobs.s3.{region}.amazonaws.com")
    assert "X-Amz-Algorithm=AWS4-HMAC-SHA256" in query


def test_whatever_is_signed_is_signed_by_one_client(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real: Any = boto3.client

    def noted(name: str, **how: Any) -> Any:
        made.append(name)
        return real(name, **how)

    monkeypatch.setattr(boto3, "client", noted)
    store, uploads = S3BlobStore("s3://blobs", region=REGION), S3Uploads(region=REGION)
    links = {store.link(f"reports/r{number}/report.html").partition("?")[0] for number in range(3)}
    for number in range(3):
        uploads.form("uploads", f"{number}", {}, encryption_key="", max_bytes=1, seconds=60)
    assert len(links) == 3
    assert made == ["s3"] * 4, "one to ask and one to sign, of either"


def test_a_link_to_a_stand_in_of_s3_names_the_bucket_in_its_path(monkeypatch: pytest.MonkeyPatch, aws: None) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://localhost:4566")
    link = S3BlobStore("s3://blobs", region=REGION).link("reports/r1/report.html")
    assert link.startswith("http://localhost:4566/blobs/reports/r1/report.html?")


def test_more_blobs_than_one_page_are_all_removed(aws: None) -> None:
    a_bucket()
    store = S3BlobStore("s3://blobs", region=REGION)
    for number in range(1_001):
        store.put(f"runs/r1/{number}", b"")
    assert store.delete_prefix("runs/r1") == 1_001


@pytest.mark.parametrize(
    ("code", "error"), [("InternalError", StorageUnavailableError), ("AccessDenied", SettingsError)]
)
def test_a_blob_that_s3_does_not_remove_is_not_counted_as_removed(
    aws: None, monkeypatch: pytest.MonkeyPatch, code: str, error: type[Exception]
) -> None:
    a_bucket()
    store = S3BlobStore("s3://blobs", region=REGION)
    store.put("runs/r1/a", b"")

    def refused(**_: Any) -> dict[str, Any]:
        return {"Errors": [{"Key": "runs/r1/a", "Code": code, "Message": "no"}]}  # which S3 answers with 200

    monkeypatch.setattr(store._client, "delete_objects", refused)
    with pytest.raises(error, match=code):
        store.delete_prefix("runs/r1")


def test_a_bucket_that_is_not_there_is_the_deployer_s_fault(aws: None) -> None:
    with pytest.raises(SettingsError, match="nowhere is not there"):
        S3BlobStore("s3://nowhere", region=REGION).put("a", b"")


@pytest.mark.parametrize("url", ["s3://", "s3:///prefix"])
def test_a_store_without_a_bucket_is_refused(aws: None, url: str) -> None:
    with pytest.raises(SettingsError, match="names no bucket"):
        S3BlobStore(url)


def test_storage_that_cannot_be_reached_is_worth_another_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "x")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    with pytest.raises(StorageUnavailableError, match="could not be reached"):
        S3BlobStore("s3://blobs", region=REGION).get("a")


def test_no_credentials_is_said_as_such(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(SettingsError, match="NoCredentialsError"):
        S3BlobStore("s3://blobs", region=REGION).get("a")


def test_an_upload_is_read_in_the_version_the_event_named(aws: None) -> None:
    client = a_bucket("uploads", versioned=True)
    first = client.put_object(Bucket="uploads", Key="a.md", Body=b"first")["VersionId"]
    client.put_object(Bucket="uploads", Key="a.md", Body=b"second")
    assert b"".join(S3Uploads(region=REGION).chunks("uploads", "a.md", first)) == b"first"
    found = S3Uploads(region=REGION).current("s3://uploads/a.md")
    assert found is not None
    assert found[0] == b"second"


def test_an_upload_to_a_bucket_without_versions_is_read_while_it_is_the_one_that_the_event_named(aws: None) -> None:
    a_bucket("uploads")
    uploads, event = S3Uploads(region=REGION), an_upload("a.md")
    version = uploads.put("uploads", "a.md", b"first")
    del event["detail"]["object"]["version-id"]
    event["detail"]["object"]["etag"] = version.strip('"')
    assert uploaded(event).version == version
    assert b"".join(uploads.chunks("uploads", "a.md", version)) == b"first"
    uploads.put("uploads", "a.md", b"second")
    with pytest.raises(InputError, match="gone"):
        list(uploads.chunks("uploads", "a.md", version))


def test_an_upload_that_is_gone_is_the_uploader_s_matter(aws: None) -> None:
    a_bucket("uploads", versioned=True)
    with pytest.raises(InputError, match="gone"):
        list(S3Uploads(region=REGION).chunks("uploads", "a.md", None))
    assert S3Uploads(region=REGION).current("s3://uploads/a.md") is None


def test_an_upload_into_an_archive_is_the_uploader_s_matter(aws: None) -> None:
    client = a_bucket("uploads", versioned=True)
    version = client.put_object(Bucket="uploads", Key="a.md", Body=b"first", StorageClass="GLACIER")["VersionId"]
    with pytest.raises(InputError, match="archived"):
        list(S3Uploads(region=REGION).chunks("uploads", "a.md", version))


@pytest.fixture
def runs(aws: None) -> StepFunctionsRuns:
    """A machine that does nothing."""
    client = boto3.client("stepfunctions", region_name=REGION)
    definition = json.dumps({"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}})
    role = "arn:aws:iam::123456789012:role/r"
    machine = client.create_state_machine(name="gate", definition=definition, roleArn=role)["stateMachineArn"]
    return StepFunctionsRuns(machine, region=REGION)


def test_a_run_is_started_once_by_name(runs: StepFunctionsRuns) -> None:
    state = {"b": 1, "a": {"$blob": "x"}}
    assert runs.start("r1", state)
    runs.start("r1", {"a": {"$blob": "x"}, "b": 1})
    found = runs.status("r1")
    assert found is not None
    assert found.status in ("RUNNING", "SUCCEEDED")


def test_the_same_name_with_another_state_is_a_conflict(runs: StepFunctionsRuns) -> None:
    runs.start("r1", {"a": 1})
    with pytest.raises(ConflictError, match="exists"):
        runs.start("r1", {"a": 2})


def test_a_run_that_never_was_has_no_status(runs: StepFunctionsRuns) -> None:
    assert runs.status("r2") is None


@pytest.mark.parametrize("code", ["ThrottlingException", "ExecutionLimitExceeded"])
def test_an_account_that_begins_no_more_runs_now_is_busy(runs: StepFunctionsRuns, code: str) -> None:
    with Stubber(runs._client) as refused:
        refused.add_client_error("start_execution", code)
        with pytest.raises(BusyError, match=code):
            runs.start("r1", {})


def test_a_run_that_was_started_by_an_alias_is_found_as_the_machine_s_own(runs: StepFunctionsRuns) -> None:
    runs.start("run-1", {"a": 1})
    by_alias = StepFunctionsRuns(f"{runs._machine}:live", region=REGION)
    assert by_alias.status("run-1") is not None
    assert by_alias.status("run-2") is None


def test_a_machine_that_is_not_there_is_the_deployer_s_fault(aws: None) -> None:
    missing = StepFunctionsRuns(f"arn:aws:states:{REGION}:123456789012:stateMachine:none", region=REGION)
    with pytest.raises(SettingsError, match="is not there"):
        missing.start("r1", {})


def a_secret(text: str) -> str:
    client: Any = boto3.client("secretsmanager", region_name=REGION)
    return str(client.create_secret(Name="search", SecretString=text)["ARN"])


def test_a_login_of_the_search_is_read_out_of_its_secret(aws: None, entrance: Entrance) -> None:
    arn = a_secret('{"username": "gate", "password": "pass:word", "engine": "opensearch"}')
    assert login(arn, REGION) == ("gate", "pass:word")
    entrance.change(search="https://search.internal", search_secret=arn, region=REGION)
    assert wiring.current().search_engine() is not None


@pytest.mark.parametrize(
    "text",
    ["pass:word", '["gate", "pass:word"]', '{"username": "gate"}', '{"username": "", "password": "p"}', "[" * 50_000],
)
def test_a_secret_that_holds_no_login_is_named_and_never_told(aws: None, text: str) -> None:
    with pytest.raises(SettingsError, match="GATE_SEARCH_SECRET: the secret holds no username") as raised:
        login(a_secret(text), REGION)
    assert "pass:word" not in str(raised.value)


def test_a_secret_that_is_not_there_is_the_deployer_s_fault(aws: None) -> None:
    with pytest.raises(SettingsError, match="the secret of the search is not there"):
        login(f"arn:aws:secretsmanager:{REGION}:123456789012:secret:none-AbCdEf", REGION)
