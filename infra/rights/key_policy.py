"""What AWS's services may do with the key: the policy of a new one, and what one of your own needs."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
from aws_cdk import aws_iam as iam

USE = ("kms:Decrypt", "kms:GenerateDataKey*")
"""What sending to an encrypted queue or topic takes."""
CONTEXT = "kms:EncryptionContext:"


def service_statements(stack: cdk.Stack) -> list[iam.PolicyStatement]:
    """One statement for each service that uses the key by itself, for what this account has in this region.

    EventBridge brings neither `aws:SourceArn` nor `aws:SourceAccount` to the key of a topic: there, and for queues,
    what is encrypted is named instead.
    """
    logs = stack.format_arn(service="logs", resource="*", arn_format=cdk.ArnFormat.NO_RESOURCE_NAME)
    topics, queues = (
        stack.format_arn(service=service, resource="*", arn_format=cdk.ArnFormat.NO_RESOURCE_NAME)
        for service in ("sns", "sqs")
    )
    ours = {"aws:SourceAccount": stack.account}
    on_logs = ("kms:Encrypt", "kms:ReEncrypt*", "kms:DescribeKey", *USE)
    return [
        _statement(
            "LogGroups", f"logs.{stack.region}.amazonaws.com", on_logs, {"ArnLike": {f"{CONTEXT}aws:logs:arn": logs}}
        ),
        _statement(
            "LogsOfMachines",
            "delivery.logs.amazonaws.com",
            ("kms:Decrypt",),
            {"StringEquals": {f"{CONTEXT}SourceArn": logs}},
        ),
        _statement("EventsToTopics", "events.amazonaws.com", USE, {"ArnLike": {f"{CONTEXT}aws:sns:topicArn": topics}}),
        _statement("EventsToQueues", "events.amazonaws.com", USE, {"ArnLike": {f"{CONTEXT}aws:sqs:arn": queues}}),
        _statement(
            "AlarmsToTopics",
            "cloudwatch.amazonaws.com",
            USE,
            {"StringEquals": ours},
        ),
    ]


def _statement(
    sid: str, service: str, actions: tuple[str, ...], conditions: Mapping[str, Mapping[str, str]]
) -> iam.PolicyStatement:
    return iam.PolicyStatement(
        sid=sid,
        actions=list(actions),
        conditions=dict(conditions),
        principals=[iam.ServicePrincipal(service)],
        resources=["*"],
    )


def policy_of_key(stack: cdk.Stack) -> iam.PolicyDocument:
    """The whole policy of a key: this account's identities by their own policies, and the services above."""
    account = iam.PolicyStatement(
        sid="Identities", actions=["kms:*"], principals=[iam.AccountRootPrincipal()], resources=["*"]
    )
    return iam.PolicyDocument(statements=[account, *service_statements(stack)])
