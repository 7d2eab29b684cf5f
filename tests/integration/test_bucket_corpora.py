"""Corpora in a bucket: what is fetched, what is fetched again, and what is not."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from click.testing import CliRunner

import gate
from gate import cli, wiring
from gate.adapters.aws.s3 import S3Uploads
from gate.adapters.local_files import write_atomically
from gate.errors import InputError, SettingsError, StorageUnavailableError
from gate.services.paths import bucket_copy
from gate.services.paths.bucket_copy import copy_of
from tests.moto_account import an_account

pytestmark = pytest.mark.integration
URL = "s3://docs/team/handbook"


class Bucket:
    """The bucket, and the keys that were fetched of it."""

    def __init__(self) -> None:
        self.client: Any = boto3.client("s3", region_name="us-east-1")
        self.client.create_bucket(Bucket="docs")
        self.fetched: list[str] = []

    def put(self, **files: str) -> None:
        """Put objects below the prefix; two underscores stand for a dot."""
        for name, text in files.items():
            self.put_key(f"team/handbook/{name.replace('__', '.')}", text)

    def put_key(self, key: str, text: str) -> None:
        self.client.put_object(Bucket="docs", Key=key, Body=text.encode())

    def remove(self, name: str) -> None:
        self.client.delete_object(Bucket="docs", Key=f"team/handbook/{name}")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    with an_account(monkeypatch, region="us-east-1"):
        made, fetch = Bucket(), S3Uploads.fetch

        def noting(self: S3Uploads, name: str, key: str) -> Any:
            made.fetched.append(key.removeprefix("team/handbook/"))
            return fetch(self, name, key)

        monkeypatch.setattr(S3Uploads, "fetch", noting)
        yield made


def held(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_what_changed_alone_is_fetched_and_what_is_gone_goes(bucket: Bucket) -> None:
    bucket.put(a__md="One.", b__md="Two.")
    bucket.put_key("team/handbook/deep/er/c.txt", "Three.")
    bucket.put_key("team/handbook2/other.md", "Not of this corpus.")
    copy, left_out = copy_of(URL)
    assert (held(copy), left_out) == ({"a.md": "One.", "b.md": "Two.", "deep/er/c.txt": "Three."}, [])
    assert copy.name == "handbook"
    before = (copy / "b.md").stat().st_mtime_ns
    bucket.fetched.clear()
    bucket.put(a__md="Won.")  # as long as before
    bucket.remove("deep/er/c.txt")
    assert held(copy_of(f"{URL}/")[0]) == {"a.md": "Won.", "b.md": "Two."}
    assert bucket.fetched == ["a.md"]
    assert not (copy / "deep").exists()
    assert (copy / "b.md").stat().st_mtime_ns == before


def test_a_copy_that_somebody_changed_is_mended(bucket: Bucket) -> None:
    bucket.put(a__md="One.")
    copy, _ = copy_of(URL)
    (copy / "a.md").write_text("Cut")
    (copy / "planted.md").write_text("Planted.")
    assert held(copy_of(URL)[0]) == {"a.md": "One."}


def test_a_copy_whose_process_was_killed_while_it_fetched_is_what_the_bucket_holds(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.put(fees__md="It costs 5 euros.")
    copy_of(URL)
    bucket.put(fees__md="It costs 9 euros.")
    bucket.fetched.clear()
    with monkeypatch.context() as killed:
        killed.setattr(bucket_copy, "write_atomically", lambda *to: None if bucket.fetched else write_atomically(*to))
        copy_of(URL)
    bucket.put(fees__md="It costs 5 euros.")  # of the same size and ETag as before
    folder, _ = copy_of(URL)
    assert held(folder) == {"fees.md": "It costs 5 euros."}


def test_a_file_gives_way_to_a_folder_and_back(bucket: Bucket) -> None:
    bucket.put_key("team/handbook/x.md", "File.")
    copy_of(URL)
    bucket.remove("x.md")
    bucket.put_key("team/handbook/x.md/y.md", "Below.")
    assert held(copy_of(URL)[0]) == {"x.md/y.md": "Below."}
    bucket.remove("x.md/y.md")
    bucket.put_key("team/handbook/x.md", "File.")
    assert held(copy_of(URL)[0]) == {"x.md": "File."}


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("../../evil.md", "its name is no path of a file"),
        ("a//b.md", "its name is no path of a file"),
        ("/dev/null/evil.md", "its name is no path of a file"),
        ("a\\b.md", "its name is no path of a file"),
        (f"{'x' * 260}.md", "its name is too long for a file"),
        (".git/config.md", "hidden"),
        ("logo.png", ".png: a picture or a recording"),
        ("data.bin", ".bin: no reader"),
        ("both.md", "other objects lie below its name"),
    ],
)
def test_an_object_that_is_no_document_is_named_and_not_fetched(bucket: Bucket, key: str, why: str) -> None:
    bucket.put(a__md="One.")
    bucket.put_key(f"team/handbook/{key}", "x")
    if key == "both.md":
        bucket.put_key("team/handbook/both.md/c.md", "Two.")
    copy, left_out = copy_of(URL)
    assert [(one.where, one.why) for one in left_out] == [(key, why)]
    assert key not in bucket.fetched
    assert "One." in held(copy).values()
    home = wiring.current().settings.home
    assert not list(home.parent.rglob("evil.md"))


@pytest.mark.parametrize("name", ["used", "versions.json", "used.md"])
def test_a_prefix_may_be_called_as_what_is_kept_beside_a_copy(bucket: Bucket, name: str) -> None:
    bucket.put_key(f"{name}/a.md", "One.")
    for _ in range(2):
        copy, left_out = copy_of(f"s3://docs/{name}")
        assert (copy.name, held(copy), left_out) == (name, {"a.md": "One."}, [])
    assert bucket.fetched == [f"{name}/a.md"]


def test_what_stands_for_a_folder_is_no_document(bucket: Bucket) -> None:
    bucket.put(a__md="One.")
    bucket.put_key("team/handbook/", "")
    bucket.put_key("team/handbook/empty/", "")
    assert copy_of(URL)[1] == []


def test_one_object_that_cannot_be_had_is_left_out_and_the_rest_is_there(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.put(a__md="One.", b__md="Two.", c__md="Three.")
    refused = {"b.md": "InvalidObjectState", "c.md": "AccessDenied"}
    monkeypatch.setattr(S3Uploads, "fetch", failing(S3Uploads.fetch, refused))
    copy, left_out = copy_of(URL)
    assert held(copy) == {"a.md": "One."}
    assert [(one.where, one.why) for one in left_out] == [
        ("b.md", "the object is archived"),
        ("c.md", "docs may not be used (AccessDenied)"),
    ]


def failing(fetch: Any, refused: dict[str, str]) -> Any:
    """The real method over a client that refuses some objects."""

    def fetching(self: S3Uploads, bucket: str, key: str) -> Any:
        get = self._client.get_object

        def get_object(**given: Any) -> Any:
            if code := refused.get(Path(given["Key"]).name):
                raise ClientError({"Error": {"Code": code}}, "GetObject")
            return get(**given)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self._client, "get_object", get_object)
            return fetch(self, bucket, key)

    return fetching


def test_a_bucket_that_breaks_off_is_tried_again_with_what_is_there(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.put(a__md="One.", b__md="Two.")
    monkeypatch.setattr("gate.services.paths.bucket_copy.FETCHERS", 1)
    with monkeypatch.context() as patch:
        patch.setattr(S3Uploads, "fetch", failing(S3Uploads.fetch, {"b.md": "SlowDown"}))
        with pytest.raises(StorageUnavailableError):
            copy_of(URL)
    bucket.fetched.clear()
    assert held(copy_of(URL)[0]) == {"a.md": "One.", "b.md": "Two."}
    assert bucket.fetched == ["b.md"]


@pytest.mark.parametrize(
    ("url", "error", "says"),
    [
        ("s3://", InputError, "names no bucket"),
        ("s3://docs/nothing", InputError, "s3://docs/nothing: no object that can be read"),
        ("s3://nowhere/x", SettingsError, "nowhere is not there"),
    ],
)
def test_what_cannot_be_a_corpus_is_one_line(bucket: Bucket, url: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        copy_of(url)


def test_a_prefix_with_too_much_below_it_is_refused(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.services.paths.bucket_copy.MOST_OBJECTS", 1)
    bucket.put(a__md="One.", b__md="Two.")
    with pytest.raises(InputError, match="more than 1 objects"):
        copy_of(URL)
    assert bucket.fetched == []


def test_copies_that_nobody_used_for_a_month_go(bucket: Bucket) -> None:
    bucket.put(a__md="One.")
    old = copy_of(URL)[0].parent
    os.utime(old / ".used", (1, 1))
    bucket.put_key("else/a.md", "Two.")
    copy_of("s3://docs/else")
    assert not old.exists()


def test_an_answer_is_checked_against_a_prefix_and_says_what_is_left_out(bucket: Bucket, tmp_path: Path) -> None:
    bucket.put(returns__md="# Returns\n\nReturns are free within 30 days.\n", logo__png="x")
    report = gate.check("Returns are free within 30 days.", corpus=URL, embedder="none")
    (claim,) = report.claims
    assert claim.status == "supported"
    assert report.corpus["name"].startswith("handbook-")
    assert report.corpus_gaps is not None
    assert [(one.where, one.why) for one in report.corpus_gaps.names] == [
        ("logo.png", ".png: a picture or a recording")
    ]
    one = gate.check("Returns are free within 30 days.", corpus=f"{URL}/returns.md", embedder="none")
    assert one.claims[0].status == "supported"


def test_the_command_takes_a_prefix_as_a_corpus(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answer.md").write_text("Returns are free within 30 days.\n")
    bucket.put(returns__md="# Returns\n\nReturns are free within 30 days.\n", logo__png="x")
    shown = CliRunner().invoke(cli.group, ["check", "answer.md", "--corpus", URL, "-f", "json", "-o", "r.json"])
    assert shown.exit_code == 0, shown.output
    assert "gate: s3://docs/team/handbook: 1 of 2 files" in shown.stderr
    assert json.loads((tmp_path / "r.json").read_text())["outcome"] == "pass"
    asked = CliRunner().invoke(cli.group, ["ask", "Who pays for returns?", "--corpus", URL])
    assert "returns.md#" in asked.output
    remote = CliRunner().invoke(cli.group, ["check", "answer.md", "--corpus", URL, "--remote", "Stack"])
    assert (remote.exit_code, "a deployed gate has its own corpora" in remote.output) == (2, True)
