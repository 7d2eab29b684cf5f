"""Where the ledger is kept: the file and S3 keep one contract, and so do the keys that seal it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError

from gate import wiring
from gate.adapters.trails.key_file import KeyFile, own_key
from gate.adapters.trails.kms_key import KmsKey
from gate.adapters.trails.local_trail import LocalTrail
from gate.adapters.trails.s3_trail import MOST, S3Trail
from gate.errors import SettingsError, StorageUnavailableError
from gate.ports import SealingKey, Trail
from gate.services.trail.acts import write_down
from gate.services.trail.proofs import verified
from gate.trail.trail_entries import Act
from tests.entrance import Entrance
from tests.ledger_writing import NEXT_DAY, Clock, publish
from tests.moto_account import an_account

pytestmark = pytest.mark.integration

REGION = "eu-central-1"


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """AWS in this process, with a bucket; yields its client."""
    with an_account(monkeypatch, REGION):
        client: Any = boto3.client("s3", region_name=REGION)
        client.create_bucket(Bucket="ledger", CreateBucketConfiguration={"LocationConstraint": REGION})
        yield client


@pytest.fixture(params=["file", "s3", "s3 with a prefix"])
def trail(request: pytest.FixtureRequest, tmp_path: Path, aws: Any) -> Trail:
    """A trail, of each kind."""
    if request.param == "file":
        return LocalTrail(tmp_path / "gate" / "ledger.sqlite")
    return S3Trail("s3://ledger" if request.param == "s3" else "s3://ledger/team/gate", region=REGION)


@pytest.fixture(params=["file", "kms"])
def key(request: pytest.FixtureRequest, tmp_path: Path, aws: Any) -> SealingKey:
    """A key, of each kind."""
    return own_key(tmp_path / "gate" / "ledger.key") if request.param == "file" else KmsKey(a_key(), REGION)


def a_key() -> str:
    client = boto3.client("kms", region_name=REGION)
    return str(client.create_key(KeySpec="HMAC_256", KeyUsage="GENERATE_VERIFY_MAC")["KeyMetadata"]["Arn"])


def test_a_line_comes_back_under_its_number_and_the_highest_is_the_last(trail: Trail) -> None:
    assert trail.last("main") is None
    assert all(trail.add("main", number, b"line %d" % number) for number in (1, 2, 10, 9))
    assert trail.last("main") == b"line 10"
    assert (trail.line("main", 2), trail.line("main", 3)) == (b"line 2", None)
    assert list(trail.lines("main")) == [(1, b"line 1"), (2, b"line 2"), (9, b"line 9"), (10, b"line 10")]
    assert [number for number, _ in trail.lines("main", 3)] == [9, 10]


def test_a_number_is_given_once(trail: Trail) -> None:
    assert trail.add("main", 1, b"first")
    assert not trail.add("main", 1, b"second")
    assert trail.last("main") == b"first"


def test_names_are_apart(trail: Trail) -> None:
    for name in ("main", "main.seals", "tenant-1"):
        assert trail.add(name, 1, name.encode())
    assert trail.names() == ["main", "main.seals", "tenant-1"]
    assert list(trail.lines("main")) == [(1, b"main")]


def test_more_lines_than_a_page_come_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.adapters.trails.local_trail.PAGE", 3)
    trail = LocalTrail(tmp_path / "ledger.sqlite")
    assert all(trail.add("main", number, b"x") for number in range(1, 10))
    assert [number for number, _ in trail.lines("main")] == list(range(1, 10))


def test_a_key_knows_its_own_codes_and_no_others(key: SealingKey) -> None:
    code = key.sign(b"content")
    assert key.verify(b"content", code)
    changed = [
        code[:-1] + ("0" if code[-1] != "0" else "1"),
        code.upper(),
        code + " ",
        code[:-2],
        "",
        "no hex",
        "\ud800",
    ]
    assert not [other for other in changed if other != code and key.verify(b"content", other)]
    assert not key.verify(b"another", code)


def test_a_write_whose_answer_was_lost_is_one_s_own(aws: Any) -> None:
    trail = S3Trail("s3://ledger", region=REGION)
    aws.put_object(Bucket="ledger", Key=f"main/{MOST - 1:012d}.json", Body=b"mine")
    assert trail.add("main", 1, b"mine")
    assert not trail.add("main", 1, b"another's")


def test_a_whole_ledger_in_s3_under_a_key_of_kms(aws: Any, entrance: Entrance, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    entrance.change(ledger="s3://ledger/audit", ledger_key=a_key(), region=REGION)
    publish("run1")
    clock.now = NEXT_DAY
    publish("run2")
    (proof,) = verified().proofs
    assert (proof.entries, proof.sealed, proof.broken) == (2, 1, None)
    keys = [item["Key"] for item in aws.list_objects_v2(Bucket="ledger")["Contents"]]
    first = f"audit/main/{MOST - 1:012d}.json"
    assert first in keys
    written = aws.get_object(Bucket="ledger", Key=first)["Body"].read()
    aws.put_object(Bucket="ledger", Key=first, Body=written.replace(b'"pass"', b'"fail"'))
    found = verified()
    assert found.proofs[0].broken is not None
    assert found.proofs[0].broken.where == "entry 1"
    aws.delete_object(Bucket="ledger", Key=first)
    assert verified().proofs[0].broken is not None


def test_a_stranger_among_the_objects_is_named(aws: Any, entrance: Entrance, tmp_path: Path) -> None:
    own_key(tmp_path / "a.key")
    entrance.change(ledger="s3://ledger", ledger_key=str(tmp_path / "a.key"), region=REGION)
    write_down(Act("waiver"))
    aws.put_object(Bucket="ledger", Key="main/notes.txt", Body=b"hello")
    assert verified().proofs[0].broken is not None


@pytest.mark.parametrize(
    ("key", "body"),
    [
        ("deep", b"[" * 1_000_000),
        ("deep", b" " * 5_000_000),
        ("deep", b"\xff"),
        ("\u202eniam\x1b[2J".replace("\x1b", "E"), b"{}"),
        ("..", b"{}"),
        ("", b"{}"),
    ],
)
def test_what_somebody_puts_beside_the_chains_is_named_and_the_others_are_proved(
    aws: Any, entrance: Entrance, tmp_path: Path, key: str, body: bytes
) -> None:
    own_key(tmp_path / "a.key")
    entrance.change(ledger="s3://ledger/led", ledger_key=str(tmp_path / "a.key"), region=REGION)
    write_down(Act("waiver"))
    write_down(Act("waiver"), "acme")
    aws.put_object(Bucket="ledger", Key=f"led/{key}/{MOST - 1:012d}.json", Body=body)
    found = {proof.chain: proof.broken for proof in verified().proofs}
    assert [chain for chain, broken in found.items() if broken] == [key]
    assert len(found) == 3


@pytest.mark.parametrize("code", ["AccessDenied", "InvalidObjectState"])
def test_an_entry_that_cannot_be_read_is_named_and_the_other_chains_are_proved(
    aws: Any, entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """Whoever may write puts one there under a key of their own, or lets it be archived."""
    own_key(tmp_path / "a.key")
    entrance.change(ledger="s3://ledger", ledger_key=str(tmp_path / "a.key"), region=REGION)
    for tenant in ("", "acme"):
        write_down(Act("waiver"), tenant)
    call = BaseClient._make_api_call  # type: ignore[attr-defined]

    def refusing(client: Any, operation: str, asked: dict[str, Any]) -> Any:
        if operation == "GetObject" and asked["Key"].startswith("main/"):
            raise ClientError({"Error": {"Code": code}}, operation)
        return call(client, operation, asked)

    monkeypatch.setattr(BaseClient, "_make_api_call", refusing)
    found = {proof.chain: proof.broken for proof in verified().proofs}
    broken = found.pop("main")
    assert broken is not None
    assert "or cannot be read" in broken.why
    assert list(found.values()) == [None]
    with pytest.raises((SettingsError, StorageUnavailableError)):
        write_down(Act("waiver"))


def test_of_an_object_of_any_size_no_more_is_read_than_an_entry_has(aws: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.adapters.trails.s3_trail.MOST_BYTES", 100)
    aws.put_object(Bucket="ledger", Key=f"main/{MOST - 1:012d}.json", Body=b" " * 1_000)
    trail = S3Trail("s3://ledger", region=REGION)
    assert [len(line) for _, line in trail.lines("main")] == [100]
    assert len(trail.last("main") or b"") == 100


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"ledger": "s3://"}, "names no bucket"),
        ({"ledger": "s3://ledger", "ledger_key": ""}, "a ledger in S3 needs one"),
        ({"ledger": "somewhere"}, "GATE_LEDGER: 'somewhere' is not known"),
    ],
)
def test_a_ledger_that_cannot_be_is_refused(
    aws: Any, entrance: Entrance, tmp_path: Path, settings: dict[str, str], said: str
) -> None:
    own_key(tmp_path / "a.key")
    entrance.change(**{"ledger_key": str(tmp_path / "a.key"), **settings})
    with pytest.raises(SettingsError, match=said):
        wiring.current().trail()


def test_a_bucket_that_is_not_there_is_the_deployer_s_fault(aws: Any) -> None:
    with pytest.raises(SettingsError, match="nowhere is not there"):
        S3Trail("s3://nowhere", region=REGION).add("main", 1, b"x")


def test_a_bucket_that_cannot_be_reached_is_worth_another_try(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "ACCESS_KEY_ID": "x",
        "SECRET_ACCESS_KEY": "x",
        "ENDPOINT_URL_S3": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    with pytest.raises(StorageUnavailableError, match="could not be reached"):
        S3Trail("s3://ledger", region=REGION).last("main")


def test_of_two_processes_that_make_a_key_both_have_the_first(tmp_path: Path) -> None:
    path = tmp_path / "gate" / "ledger.key"
    first = own_key(path)
    assert own_key(path).name == first.name == KeyFile(path).name
    assert [each.name for each in path.parent.iterdir() if each.name != ".gitignore"] == ["ledger.key"]


def test_several_that_make_the_file_at_once_all_write(tmp_path: Path) -> None:
    def write(number: int) -> bool:
        return LocalTrail(tmp_path / folder / "ledger.sqlite").add("main", number, b"x")

    with ThreadPoolExecutor(6) as pool:
        for folder in ("a", "b", "c", "d", "e"):
            assert all(pool.map(write, range(1, 7)))
            assert len(list(LocalTrail(tmp_path / folder / "ledger.sqlite").lines("main"))) == 6
