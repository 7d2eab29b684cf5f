"""What stands between callers and the API: a web ACL, pages of a browser, a domain of one's own, keys with quotas."""

from __future__ import annotations

import json
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_route53 as route53

from gate.catalogue import BY_NAME
from infra.api.api_access import COUNTED
from infra.app import Synthesized, flags, synthesize
from infra.gate import ReliabilityGate
from infra.props import GateProps, UsagePlan
from tests.infra.templates import Template, functions, of_type

pytestmark = pytest.mark.infra
CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/1234abcd-12ab-34cd-56ef-1234567890ab"
PAGE = "https://app.example"
KINDS = (
    "AWS::WAFv2::WebACL",
    "AWS::WAFv2::WebACLAssociation",
    "AWS::ApiGateway::DomainName",
    "AWS::ApiGateway::ApiKey",
)


@pytest.fixture(scope="module")
def guarded() -> Template:
    """A team's own app, with all of it."""
    app = cdk.App(context=flags(), builtin_cloud_formation_validation=False)
    stack = cdk.Stack(app, "Team", env=cdk.Environment(account="123456789012", region="us-east-1"))
    zone = route53.HostedZone.from_hosted_zone_attributes(stack, "Zone", hosted_zone_id="Z1", zone_name="example.com")
    props = GateProps(
        user_pool=cognito.UserPool(stack, "People"),
        web_acl="managed",
        web_acl_rate=500,
        cors_origins=(PAGE,),
        domain_name="gate.example.com",
        certificate=CERTIFICATE,
        hosted_zone=zone,
        usage_plans={"web": UsagePlan(rate=5, burst=10, day=1000), "batch": UsagePlan(rate=50, burst=50)},
    )
    ReliabilityGate(stack, "Gate", props=props)
    template: Template = app.synth().get_stack_by_name("Team").template
    return template


def only(template: Template, kind: str) -> dict[str, Any]:
    ((_, one),) = of_type(template, kind).items()
    properties: dict[str, Any] = one["Properties"]
    return properties


def methods(template: Template, *, preflight: bool) -> list[dict[str, Any]]:
    found = [one["Properties"] for one in of_type(template, "AWS::ApiGateway::Method").values()]
    return [one for one in found if (one["HttpMethod"] == "OPTIONS") == preflight]


def test_a_web_acl_stands_before_the_stage_and_counts_what_an_answer_may_quote(guarded: Template) -> None:
    rate, *groups = only(guarded, "AWS::WAFv2::WebACL")["Rules"]
    assert rate["Statement"]["RateBasedStatement"] == {"AggregateKeyType": "IP", "Limit": 500}
    assert "Block" in rate["Action"]
    found = {group["Statement"]["ManagedRuleGroupStatement"]["Name"]: group for group in groups}
    assert set(found) == set(COUNTED)
    for name, rules in COUNTED.items():
        overrides = found[name]["Statement"]["ManagedRuleGroupStatement"].get("RuleActionOverrides", [])
        assert tuple(one["Name"] for one in overrides) == rules
        assert all(one["ActionToUse"] == {"Count": {}} for one in overrides)
    assert all(rule.endswith("_BODY") for rules in COUNTED.values() for rule in rules), "nothing else lets more in"
    assert "/stages/" in json.dumps(only(guarded, "AWS::WAFv2::WebACLAssociation")["ResourceArn"])


def test_a_page_that_is_named_may_upload_by_a_form_and_no_other_bucket_is_open_to_it(guarded: Template) -> None:
    rules = [one["Properties"].get("CorsConfiguration") for one in of_type(guarded, "AWS::S3::Bucket").values()]
    (rule,) = next(one for one in rules if one)["CorsRules"]
    assert rule == {"AllowedMethods": ["POST"], "AllowedOrigins": [PAGE], "MaxAge": 3600}
    assert len([one for one in rules if one]) == 1


def test_a_web_acl_of_one_s_own_is_put_there_and_none_is_made() -> None:
    arn = "arn:aws:wafv2:us-east-1:123456789012:regional/webacl/ours/1"
    made = synthesize({"gate:web_acl": arn}).stateless
    assert only(made, "AWS::WAFv2::WebACLAssociation")["WebACLArn"] == arn
    assert not of_type(made, "AWS::WAFv2::WebACL")


def test_a_page_may_ask_what_it_may_send_without_a_token_and_calls_with_one(guarded: Template) -> None:
    asked, called = methods(guarded, preflight=True), methods(guarded, preflight=False)
    assert {json.dumps(one["ResourceId"]) for one in asked} == {json.dumps(one["ResourceId"]) for one in called}
    for one in asked:
        assert one["AuthorizationType"] == "NONE"
        assert one["Integration"]["Type"] == "MOCK"
        assert not one.get("ApiKeyRequired")
        parameters = one["Integration"]["IntegrationResponses"][0]["ResponseParameters"]
        assert parameters["method.response.header.Access-Control-Allow-Origin"] == f"'{PAGE}'"
        assert "Idempotency-Key" in parameters["method.response.header.Access-Control-Allow-Headers"]
    assert {one["AuthorizationType"] for one in called} == {"COGNITO_USER_POOLS"}
    refused = [one["Properties"] for one in of_type(guarded, "AWS::ApiGateway::GatewayResponse").values()]
    assert {one["ResponseType"] for one in refused} == {"DEFAULT_4XX", "DEFAULT_5XX"}
    told = {
        agent for agent, one in functions(guarded).items() if "GATE_CORS_ORIGINS" in one["Environment"]["Variables"]
    }
    assert told == {"api", "check_now"} == {name for name, agent in BY_NAME.items() if "cors_origins" in agent.settings}


def test_the_api_answers_under_a_name_of_one_s_own(guarded: Template) -> None:
    domain = only(guarded, "AWS::ApiGateway::DomainName")
    assert (domain["DomainName"], domain["RegionalCertificateArn"]) == ("gate.example.com", CERTIFICATE)
    assert domain["SecurityPolicy"] == "TLS_1_2"
    assert of_type(guarded, "AWS::ApiGateway::BasePathMapping")
    assert {one["Properties"]["Type"] for one in of_type(guarded, "AWS::Route53::RecordSet").values()} == {"A", "AAAA"}
    assert guarded["Outputs"]["ApiUrl"]["Value"] == "https://gate.example.com/"
    assert "ApiTarget" in guarded["Outputs"]


def test_every_caller_brings_the_key_of_a_plan(guarded: Template) -> None:
    assert all(one["ApiKeyRequired"] for one in methods(guarded, preflight=False))
    plans = {
        one["Properties"]["UsagePlanName"]: one["Properties"]
        for one in of_type(guarded, "AWS::ApiGateway::UsagePlan").values()
    }
    assert plans["Team-web"]["Quota"] == {"Limit": 1000, "Period": "DAY"}
    assert plans["Team-web"]["Throttle"] == {"BurstLimit": 10, "RateLimit": 5}
    assert "Quota" not in plans["Team-batch"]
    assert len(of_type(guarded, "AWS::ApiGateway::UsagePlanKey")) == 2


def test_none_of_it_is_there_unless_it_is_asked_for(synthesized: Synthesized) -> None:
    assert not [kind for kind in KINDS if of_type(synthesized.stateless, kind)]
    assert not methods(synthesized.stateless, preflight=True)
    assert not any(one.get("ApiKeyRequired") for one in methods(synthesized.stateless, preflight=False))
