"""Properties are refused before anything is made of them."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from infra.props import DomainSearch, ExistingSearch, GateProps, PropertyError, ServerlessSearch, check_region

pytestmark = pytest.mark.infra


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_concurrency": 41}, "max_concurrency: 41"),
        ({"model": ""}, "model: ''"),
        ({"model": "anthropic.*"}, "no model id"),
        ({"image_model": "us.amazon.nova pro"}, "image_model: 'us.amazon.nova pro'"),
        ({"embed_model": "arn:aws:s3:::bucket/key"}, "embed_model: 'arn:aws:s3"),
        ({"vpc_endpoints": True}, "vpc_endpoints: needs vpc"),
        ({"search": ServerlessSearch(public=False)}, "search.public: needs vpc"),
        ({"guardrail": "gr-1"}, "names no version"),
        ({"review_webhook": "https://hooks.example/x"}, "is no whole ARN of a secret"),
        ({"review_webhook": "arn:aws:secretsmanager:us-east-1:123456789012:secret:reviews"}, "is no whole ARN"),
        ({"review_webhook_format": "teams"}, "is none of json, slack"),
        ({"guardrail": "arn:aws:bedrock:us-east-1:123456789012:guardrail/gr1"}, "names no version"),
        ({"indexes": ("prices", "hr,prices")}, "indexes: 'hr,prices'"),
        ({"runs_expire_days": 3}, "runs_expire_days"),
        ({"tenant_claim": "custom:tenant"}, "needs user_pool"),
        ({"search": ExistingSearch("http://plain")}, "does not begin with https"),
        ({"search": ExistingSearch("https://x", service="opensearch")}, "none of es"),
        ({"search": ExistingSearch("https://x", service="es")}, "resource_arn"),
        ({"search": ExistingSearch("https://x", service="", fields="content: body")}, "search.fields: is no JSON"),
    ],
)
def test_a_property_that_cannot_work_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(PropertyError, match=message.replace("*", r"\*")):
        GateProps(**given)


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


def test_a_region_without_what_is_asked_for_is_refused_with_what_would_do() -> None:
    with pytest.raises(PropertyError, match="il-central-1 has no OpenSearch Serverless; domain"):
        check_region(GateProps(), "il-central-1")
    with pytest.raises(PropertyError, match="Bedrock is not offered in China"):
        check_region(GateProps(search=DomainSearch()), "cn-north-1")
    for props, region in ((GateProps(search=DomainSearch()), "il-central-1"), (GateProps(), "eu-central-1")):
        check_region(props, region)
