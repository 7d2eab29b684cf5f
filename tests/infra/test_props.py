"""Properties are refused before anything is made of them."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from infra.props import ExistingSearch, GateProps, PropertyError

pytestmark = pytest.mark.infra


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_concurrency": 41}, "max_concurrency: 41"),
        ({"model": ""}, "model: ''"),
        ({"model": "anthropic.*"}, "no model id"),
        ({"guardrail": "gr-1"}, "names no version"),
        ({"indexes": ("prices", "hr,prices")}, "indexes: 'hr,prices'"),
        ({"runs_expire_days": 3}, "runs_expire_days"),
        ({"tenant_claim": "custom:tenant"}, "needs user_pool"),
        ({"search": ExistingSearch("http://plain")}, "does not begin with https"),
        ({"search": ExistingSearch("https://x", service="opensearch")}, "none of es"),
        ({"search": ExistingSearch("https://x", service="es")}, "resource_arn"),
    ],
)
def test_a_property_that_cannot_work_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(PropertyError, match=message.replace("*", r"\*")):
        GateProps(**given)


@pytest.mark.parametrize(
    ("model", "regions"),
    [
        ("us.anthropic.claude-haiku-5-5", ("us-east-1", "us-east-2", "us-west-2")),
        ("amazon.nova-lite-v1:0", ()),
        ("anthropic.claude-3-haiku", ()),
    ],
)
def test_a_profile_names_its_regions_and_a_plain_model_none(model: str, regions: tuple[str, ...]) -> None:
    assert GateProps(model=model).regions_of_model() == regions


def test_a_profile_whose_regions_are_unknown_asks_for_them() -> None:
    with pytest.raises(PropertyError, match="model_regions"):
        GateProps(model="global.anthropic.claude-haiku-5-5").regions_of_model()
    given = GateProps(model="global.anthropic.claude-haiku-5-5", model_regions=("us-east-1",))
    assert given.regions_of_model() == ("us-east-1",)


def test_every_property_is_in_the_document_and_no_other() -> None:
    text = (Path(__file__).parents[2] / "docs" / "deploy.md").read_text(encoding="utf-8")
    table = text.partition("## Properties")[2].partition("\n\nIn an app")[0]
    named = {
        name
        for row in table.splitlines()
        if row.startswith("| `")
        for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    assert named == {field.name for field in fields(GateProps)}
