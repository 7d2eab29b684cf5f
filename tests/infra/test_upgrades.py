"""An upgrade from an earlier tree replaces nothing that holds data, a run that is under way, or an address."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from infra.app import synthesize
from tests.infra.kept_resources import FOLDER, VARIANTS, Kept, kept, of_this_tree, replaced

pytestmark = pytest.mark.infra
STORED: dict[str, dict[str, dict[str, Kept]]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
"""By tree and variant, as `tests.infra.kept_resources` stored it. What is taken out of them is lost to who upgrades."""
TURNED: dict[str, dict[str, str]] = {
    "tags": {"gate:tags": "team=search,stage=staging,project=ours"},
    "days": {"gate:runs_expire_days": "60", "gate:reports_expire_days": "0"},
    "ceilings": {"gate:budget_tokens": "0", "gate:budget_day": "0", "gate:budget_tenant_day": "0"},
    "ledger": {"gate:ledger_days": "30"},
    "canary": {"gate:canary_percent": "10"},
}
"""Properties that are turned on a deployment that is there."""


@pytest.fixture(scope="module")
def today() -> dict[str, dict[str, Kept]]:
    return {variant: of_this_tree(variant) for variant in VARIANTS}


@pytest.mark.parametrize("tree", STORED)
def test_an_upgrade_from_an_earlier_tree_replaces_nothing_that_must_stay(
    tree: str, today: dict[str, dict[str, Kept]]
) -> None:
    for variant, before in STORED[tree].items():
        assert sum(map(len, before.values())) >= 10
        assert replaced(before, today[variant]) == [], variant


@pytest.mark.parametrize("turned", TURNED)
def test_a_property_that_is_turned_replaces_nothing_that_must_stay(
    turned: str, today: dict[str, dict[str, Kept]]
) -> None:
    made = synthesize(dict(TURNED[turned]))
    assert replaced(today["serverless"], kept(made.stateful, made.stateless)) == []


def renamed(found: dict[str, Any]) -> None:
    found["data"]["StorageBlobs2"] = found["data"].pop("StorageBlobs31FE9BCB")


def moved(found: dict[str, Any]) -> None:
    found["gate"]["StorageBlobs31FE9BCB"] = found["data"].pop("StorageBlobs31FE9BCB")


def let_go(found: dict[str, Any]) -> None:
    found["data"]["StorageKeyBAA9457B"]["stays"] = False


def called_otherwise(found: dict[str, Any]) -> None:
    found["data"]["SearchCollectionE9B440CC"]["fixed"]["Name"] = "another"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (renamed, "data StorageBlobs31FE9BCB AWS::S3::Bucket: is gone, or has another logical id"),
        (moved, "data StorageBlobs31FE9BCB AWS::S3::Bucket: is gone, or has another logical id"),
        (let_go, "data StorageKeyBAA9457B AWS::KMS::Key: goes with its stack"),
        (
            called_otherwise,
            "data SearchCollectionE9B440CC AWS::OpenSearchServerless::Collection: is replaced for Name",
        ),
    ],
)
def test_what_would_be_replaced_is_told(change: Any, told: str, today: dict[str, dict[str, Kept]]) -> None:
    after = copy.deepcopy(today["serverless"])
    change(after)
    assert replaced(today["serverless"], after) == [told]
