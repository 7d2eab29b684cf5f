"""What stands between callers and the API, where a team asks: a web ACL, a domain of its own, keys with quotas."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_certificatemanager as certificates
from aws_cdk import aws_route53 as route53
from aws_cdk import aws_route53_targets as targets
from aws_cdk import aws_wafv2 as waf
from constructs import Construct

from ..props import MANAGED, GateProps, UsagePlan

COUNTED: dict[str, tuple[str, ...]] = {
    "AWSManagedRulesAmazonIpReputationList": (),
    "AWSManagedRulesCommonRuleSet": (
        "CrossSiteScripting_BODY",
        "EC2MetaDataSSRF_BODY",
        "GenericLFI_BODY",
        "GenericRFI_BODY",
        "SizeRestrictions_BODY",
    ),
    "AWSManagedRulesKnownBadInputsRuleSet": ("JavaDeserializationRCE_BODY", "Log4JRCE_BODY", "ReactJSRCE_BODY"),
}
"""AWS's groups of rules, and those of their rules that only count: answers are long, and quote code and pages."""


def protect(scope: Construct, api: apigateway.RestApi, props: GateProps) -> None:
    """Put a web ACL in front of the stage: one that is there, or one that is made here."""
    arn = props.web_acl if props.web_acl != MANAGED else _web_acl(scope, props.web_acl_rate).attr_arn
    stage = api.deployment_stage.stage_arn
    waf.CfnWebACLAssociation(scope, "Protection", resource_arn=stage, web_acl_arn=arn)


def _web_acl(scope: Construct, rate: int) -> waf.CfnWebACL:
    per_address = waf.CfnWebACL.StatementProperty(
        rate_based_statement=waf.CfnWebACL.RateBasedStatementProperty(aggregate_key_type="IP", limit=rate)
    )
    return waf.CfnWebACL(
        scope,
        "WebAcl",
        default_action=waf.CfnWebACL.DefaultActionProperty(allow={}),
        scope="REGIONAL",
        visibility_config=_counted("WebAcl"),
        rules=[
            waf.CfnWebACL.RuleProperty(
                name="RequestsOfOneAddress",
                priority=0,
                action=waf.CfnWebACL.RuleActionProperty(block={}),
                statement=per_address,
                visibility_config=_counted("RequestsOfOneAddress"),
            ),
            *(_group(name, only_counted, priority) for priority, (name, only_counted) in enumerate(COUNTED.items(), 1)),
        ],
    )


def _group(name: str, only_counted: tuple[str, ...], priority: int) -> waf.CfnWebACL.RuleProperty:
    counting = waf.CfnWebACL.RuleActionProperty(count={})
    rules = [waf.CfnWebACL.RuleActionOverrideProperty(name=rule, action_to_use=counting) for rule in only_counted]
    group = waf.CfnWebACL.ManagedRuleGroupStatementProperty(
        name=name, vendor_name="AWS", rule_action_overrides=rules or None
    )
    return waf.CfnWebACL.RuleProperty(
        name=name,
        priority=priority,
        override_action=waf.CfnWebACL.OverrideActionProperty(none={}),
        statement=waf.CfnWebACL.StatementProperty(managed_rule_group_statement=group),
        visibility_config=_counted(name),
    )


def _counted(name: str) -> waf.CfnWebACL.VisibilityConfigProperty:
    return waf.CfnWebACL.VisibilityConfigProperty(
        cloud_watch_metrics_enabled=True, metric_name=name, sampled_requests_enabled=False
    )


def own_domain(scope: Construct, api: apigateway.RestApi, props: GateProps) -> apigateway.DomainName:
    """Answer under a name of one's own; its record is made where its zone is known."""
    domain = apigateway.DomainName(
        scope,
        "Domain",
        domain_name=props.domain_name,
        certificate=certificates.Certificate.from_certificate_arn(scope, "Certificate", props.certificate),
        endpoint_type=apigateway.EndpointType.REGIONAL,
        security_policy=apigateway.SecurityPolicy.TLS_1_2,
        mapping=api,
    )
    if props.hosted_zone:
        target = route53.RecordTarget.from_alias(targets.ApiGatewayDomain(domain))
        for kind in (route53.ARecord, route53.AaaaRecord):
            kind(scope, kind.__name__, zone=props.hosted_zone, record_name=f"{props.domain_name}.", target=target)
    return domain


def make_plans(scope: Construct, api: apigateway.RestApi, plans: Mapping[str, UsagePlan]) -> None:
    """A key for each plan: who brings it may send so much of the stage's requests."""
    for name, wanted in plans.items():
        quota = apigateway.QuotaSettings(limit=wanted.day, period=apigateway.Period.DAY) if wanted.day else None
        plan = api.add_usage_plan(
            f"Plan{name}",
            name=f"{cdk.Stack.of(scope).stack_name}-{name}",
            throttle=apigateway.ThrottleSettings(rate_limit=wanted.rate, burst_limit=wanted.burst),
            quota=quota,
            api_stages=[apigateway.UsagePlanPerApiStage(api=api, stage=api.deployment_stage)],
        )
        plan.add_api_key(api.add_api_key(f"Key{name}", description=f"Reliability Gate: callers of the plan {name}"))
