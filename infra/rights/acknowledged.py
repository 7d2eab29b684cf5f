"""Findings of cdk-nag that stand on purpose, each with its reason. What is not in this table is a finding."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import IConstruct

WILDCARDS: tuple[tuple[str, str], ...] = (
    (
        r"/(runs|reports|cache|audit)/\*$",
        "Keys are hashes that a run makes; the folder is the narrowest name there is.",
    ),
    (
        r"/(transcripts|transcripts/by-form|corpora)/\*$",
        "Uploads are named by those who upload; the folder is the narrowest name there is.",
    ),
    (r"Ledger.*/\*$", "All of the ledger's bucket, which holds nothing else."),
    (
        r":function:.*:\*$|\.Arn>:\*$|CurrentVersion\w+>:\*$",
        "Versions and aliases of one function, as Step Functions calls it.",
    ),
    (r":s3:::.*/\*$", "CDK lets a map read its manifest and write its results anywhere in the gate's own bucket."),
    (r":execution:.*\*$", "Executions are named when they start; these are those of one machine."),
    (r":domain/.*/\*$|Domain.*/\*$", "Paths of one search domain: indexes are made by the gate."),
    (
        r":bedrock:.*::foundation-model/.*\*|:bedrock:\*::foundation-model/",
        "Models behind one profile, and only through it.",
    ),
    (
        r"^\*$",
        "API Gateway's role, X-Ray, log delivery, alarms, Comprehend, network interfaces have no resources to name.",
    ),
)
"""Pattern of a resource in a policy, and why it may be a wildcard."""

OTHERS: dict[str, str] = {
    "AwsSolutions::AwsSolutions-APIG2": "The function validates every body against its models.",
    "AwsSolutions::AwsSolutions-APIG3": "The property `web_acl` puts one before the stage.",
    "AwsSolutions::AwsSolutions-COG4": "Callers sign with IAM by default; `user_pool` takes Cognito tokens instead.",
    "AwsSolutions::AwsSolutions-SQS3": "This queue is the dead-letter queue.",
    "AwsSolutions::AwsSolutions-IAM5[Action::kms:GenerateDataKey*]": "CDK's grant to send to an encrypted queue.",
    "AwsSolutions::AwsSolutions-IAM5[Action::kms:ReEncrypt*]": "CDK's grant to send to an encrypted queue.",
    "Serverless::Serverless-LambdaEventSourceMappingDestination": "What fails stays in queues.",
    "Serverless::Serverless-LambdaDLQ": "Callers see the failure; what events start has a queue.",
    "Serverless::Serverless-SQSRedrivePolicy": "This queue is the dead-letter queue.",
}
"""Rule and reason, for findings that are about a whole construct."""


def acknowledge(root: IConstruct, *buckets: s3.IBucket) -> None:
    """Acknowledge, below `root`, what the tables name; `buckets` may stand in another stack."""
    for rule, reason in OTHERS.items():
        _acknowledge(root, rule, reason)
    imported = dict(_imported(cdk.Stack.of(root), buckets))
    for construct in root.node.find_all():
        if isinstance(construct, iam.CfnPolicy):
            for resource in _wildcards(construct):
                _acknowledge_wildcard(construct, _with(imported, resource))


def _acknowledge_wildcard(policy: iam.CfnPolicy, resource: str) -> None:
    for pattern, reason in WILDCARDS:
        if re.search(pattern, resource):
            _acknowledge(policy, f"AwsSolutions::AwsSolutions-IAM5[Resource::{resource}]", reason)
            return


def _imported(stack: cdk.Stack, buckets: Sequence[s3.IBucket]) -> Iterator[tuple[str, str]]:
    """How names of another stack read before a synthesis, and as what they end up in this one."""
    for bucket in buckets:
        owner = cdk.Stack.of(bucket)
        for token in (bucket.bucket_arn, bucket.bucket_name):
            if owner is not stack and cdk.Token.is_unresolved(token):
                yield flat(stack.resolve(token)), stack.resolve(owner.export_value(token))["Fn::ImportValue"]


def _with(imported: Mapping[str, str], resource: str) -> str:
    for name, value in imported.items():
        resource = resource.replace(name, value)
    return resource


def _acknowledge(construct: IConstruct, rule: str, reason: str) -> None:
    cdk.Validations.of(construct).acknowledge(cdk.Acknowledgment(id=rule, reason=reason))


def _wildcards(policy: iam.CfnPolicy) -> Iterator[str]:
    """Resources with a `*` in a policy, written as cdk-nag writes them."""
    document = cdk.Stack.of(policy).resolve(policy.policy_document)
    for statement in document["Statement"]:
        resources = statement.get("Resource", [])
        for resource in resources if isinstance(resources, list) else [resources]:
            text = flat(resource)
            if "*" in text:
                yield text


def flat(value: Any) -> str:
    """A resolved value as cdk-nag shows it in the id of a finding."""
    if isinstance(value, str):
        return value
    if "Fn::Join" in value:
        separator, parts = value["Fn::Join"]
        return str(separator).join(flat(part) for part in parts)
    if "Fn::GetAtt" in value:
        return f"<{'.'.join(value['Fn::GetAtt'])}>"
    if "Ref" in value:
        return f"<{value['Ref']}>"
    return json.dumps(value, separators=(",", ":"))
