"""Properties are refused before anything is made of them."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest

from gate.catalogue import BY_NAME
from infra.app import environment_from, props_from
from infra.function_settings import ADDED, ELSEWHERE, SAID_HERE, added
from infra.props import (
    DomainSearch,
    ExistingSearch,
    FunctionSize,
    GateProps,
    KnowledgeBaseSearch,
    PropertyError,
    ServerlessSearch,
    UsagePlan,
    check_region,
)

pytestmark = pytest.mark.infra
DOMAIN = "arn:aws:es:us-east-1:123456789012:domain/corpus"


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
        (
            {"search": ExistingSearch("https://x", DOMAIN, secret="arn:aws:secretsmanager:x")},
            "search.secret: goes with",
        ),
        ({"search": KnowledgeBaseSearch("handbook")}, "search.id: 'handbook' is no id of a knowledge base"),
        ({"search": KnowledgeBaseSearch("KB12345678", fields="title")}, "search.fields: is no JSON"),
        ({"search": KnowledgeBaseSearch("KB12345678"), "index": "prices"}, "index: the knowledge base KB12345678 is"),
        ({"search": KnowledgeBaseSearch("KB12345678"), "indexes": ("hr",)}, "indexes: the knowledge base KB12345678"),
        ({"grounding_guardrail": "gr-1"}, "grounding_guardrail: 'gr-1' names no version"),
        ({"functions": {"verify_claim": FunctionSize(1024)}}, "no function verify_claim; did you mean verify_claims"),
        ({"functions": {"judge": FunctionSize(64)}}, "functions.judge.memory_mb: 64"),
        ({"functions": {"judge": FunctionSize(reserved=-1)}}, "functions.judge.reserved: -1"),
        ({"functions": {"judge": FunctionSize(provisioned=1)}}, "functions.judge.provisioned: state machines call it"),
        ({"web_acl": "on"}, "web_acl: 'on' is neither managed"),
        ({"cors_origins": ("*",)}, "cors_origins: '*' is no origin"),
        ({"cors_origins": ("https://app.example/page",)}, "is no origin"),
        ({"cors_origins": ("https://app.example",)}, "cors_origins: needs user_pool"),
        ({"domain_name": "gate.example.com"}, "goes with certificate"),
        ({"domain_name": "gate", "certificate": "arn:aws:acm:x"}, "domain_name: 'gate' is no name"),
        ({"usage_plans": {"my web": UsagePlan(1, 1)}}, "usage_plans: 'my web'"),
        ({"usage_plans": {"web": UsagePlan(0, 1)}}, "usage_plans.web: rate"),
        ({"alarm_email": "ops"}, "alarm_email: 'ops' is no address"),
        ({"canary_percent": 100}, "canary_percent: 100"),
        ({"functions": {"check_now": FunctionSize(reserved=2)}, "now_concurrency": 3}, "now_concurrency says it"),
    ],
)
def test_a_property_that_cannot_work_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(PropertyError, match=message.replace("*", r"\*")):
        GateProps(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"lanuage": "german"}, "there is no setting lanuage; did you mean language?"),
        ({"language": "klingon", "history": "perhaps"}, "GATE_HISTORY"),
        ({"max_claims": "0"}, "GATE_MAX_CLAIMS"),
        ({"blobs": "s3://elsewhere"}, "blobs follows from what is deployed"),
        ({"search_password": "secret"}, "search_password follows"),
        ({"serve_token": "x"}, "serve_token: no deployed function reads it"),
        ({"model_key": "x"}, "model_key: no deployed function reads it"),
        ({"calibration": "nowhere.json"}, "calibration: there is no file nowhere.json"),
    ],
)
def test_a_setting_that_no_function_can_have_is_named(given: dict[str, str], message: str) -> None:
    with pytest.raises(PropertyError, match=re.escape(message)):
        added(given)


def test_every_setting_is_a_property_or_may_be_added_or_is_of_no_deployed_function() -> None:
    read = set().union(*(agent.all_settings for agent in BY_NAME.values()))
    assert read <= SAID_HERE | ELSEWHERE | set(ADDED)
    assert not SAID_HERE & set(ADDED)
    document = (Path(__file__).parents[2] / "docs" / "deploy.md").read_text(encoding="utf-8")
    table = document.partition("### Settings")[2].partition("\n### ")[0]
    assert set(re.findall(r"`(\w+)`", table)) >= set(ADDED)


@pytest.mark.parametrize(
    ("context", "message"),
    [
        ({"gate:name": "my gate"}, "name: 'my gate'"),
        ({"gate:tags": "team"}, "tags: 'team' is neither"),
        ({"gate:settings": "{"}, "settings: '{' is no JSON object"),
        ({"gate:functions": '{"judge": {"memory": 1024}}'}, "functions.judge.memory: 1024"),
        ({"gate:usage_plans": '{"web": {"rate": 5}}'}, "usage_plans.web: not all of rate, burst, day"),
        ({"gate:functions": '{"judge": 1024}'}, "functions.judge: 1024 is no JSON object"),
    ],
)
def test_context_that_is_none_of_what_it_is_for_is_named(context: dict[str, str], message: str) -> None:
    node = cdk.App(context=context).node
    with pytest.raises(PropertyError, match=re.escape(message)):
        environment_from(node), props_from(node)


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
