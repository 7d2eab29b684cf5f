"""Where runs are kept that wait for a person: the file and DynamoDB keep one contract."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boto3
import pytest

from gate.adapters.reviews.dynamo_reviews import INDEX, DynamoReviews
from gate.adapters.reviews.local_reviews import LocalReviews
from gate.errors import SettingsError, StorageUnavailableError
from gate.ports import KeptReview, ReviewStore
from tests.moto_account import an_account

pytestmark = pytest.mark.integration

REGION = "eu-central-1"


@pytest.fixture(params=["file", "dynamo"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReviewStore]:
    """A store, of each kind; the table is as the deployment makes it."""
    if request.param == "file":
        yield LocalReviews(tmp_path / "gate" / "reviews.sqlite")
        return
    with an_account(monkeypatch, REGION):
        boto3.client("dynamodb", region_name=REGION).create_table(
            TableName="reviews",
            KeySchema=[{"AttributeName": "run", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("run", "queue")],
            GlobalSecondaryIndexes=[
                {
                    "IndexName": INDEX,
                    "KeySchema": [
                        {"AttributeName": "queue", "KeyType": "HASH"},
                        {"AttributeName": "run", "KeyType": "RANGE"},
                    ],
                    "Projection": {"ProjectionType": "ALL"},
                }
            ],
            BillingMode="PAY_PER_REQUEST",
        )
        yield DynamoReviews("reviews", REGION)


def test_a_review_comes_back_as_it_was_kept_and_counts_its_changes(store: ReviewStore) -> None:
    assert store.get("r1") is None
    assert store.put("r1", "asked", 0, waiting=True)
    assert store.get("r1") == KeptReview("asked", 1)
    assert store.put("r1", "decided", 1, waiting=False)
    assert store.get("r1") == KeptReview("decided", 2)


def test_who_knows_an_older_review_changes_nothing(store: ReviewStore) -> None:
    assert store.put("r1", "asked", 0, waiting=True)
    assert not store.put("r1", "asked again", 0, waiting=True)
    assert store.put("r1", "decided", 1, waiting=False)
    assert not store.put("r1", "decided too", 1, waiting=False)
    assert not store.put("r2", "of nothing", 3, waiting=True)
    assert store.get("r1") == KeptReview("decided", 2)


def test_of_many_who_decide_at_once_one_does(store: ReviewStore) -> None:
    assert store.put("r1", "asked", 0, waiting=True)
    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(lambda number: store.put("r1", str(number), 1, waiting=False), range(8)))
    assert won.count(True) == 1
    assert store.get("r1") == KeptReview(str(won.index(True)), 2)


def test_the_queue_holds_what_waits_alone(store: ReviewStore) -> None:
    assert store.waiting() == []
    for run in ("r1", "r2", "r3"):
        assert store.put(run, f"{run} asked", 0, waiting=True)
    assert store.put("r2", "r2 decided", 1, waiting=False)
    assert sorted(store.waiting()) == ["r1 asked", "r3 asked"]


def test_a_forgotten_review_is_gone(store: ReviewStore) -> None:
    store.forget("never there")
    assert store.put("r1", "asked", 0, waiting=True)
    store.forget("r1")
    assert (store.get("r1"), store.waiting()) == (None, [])


def test_a_table_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with an_account(monkeypatch, REGION), pytest.raises((SettingsError, StorageUnavailableError), match="reviews"):
        DynamoReviews("none", REGION).get("r1")
