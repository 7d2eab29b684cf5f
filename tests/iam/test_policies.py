"""Whatever a deployment comes to ask of AWS its policies let through, in each variant, and services for nobody else.

What was, or might be, wrong in a template is broken on purpose here, and must be told.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.iam.refusals import confused, refused
from tests.iam.variants import Variant, suite

pytestmark = pytest.mark.infra
Template = dict[str, Any]
BROKEN = Variant(
    (
        ("search", "serverless"),
        ("key", "new"),
        ("model", "us"),
        ("vision", "on"),
        ("events", "own bus"),
        ("webhook", "on"),
        ("ledger", "on"),
    )
)


@pytest.mark.parametrize("variant", suite(), ids=str)
def test_every_call_of_a_variant_is_let_through_and_every_service_comes_for_this_account(variant: Variant) -> None:
    account = variant.account(variant.template())
    assert refused(account) == []
    assert confused(account) == []


@pytest.fixture(scope="module")
def whole() -> Template:
    return BROKEN.template()


def replaced(pattern: str, by: str) -> Callable[[Template], Template]:
    """The template with some of its text replaced, which must be there."""

    def change(template: Template) -> Template:
        text, count = re.subn(pattern, by, json.dumps(template))
        assert count, pattern
        changed: Template = json.loads(text)
        return changed

    return change


def without(kind: str, **having: str) -> Callable[[Template], Template]:
    """The template without the statements of policies of a kind that hold some text in an element."""

    def change(template: Template) -> Template:
        removed = 0
        for one in template["Resources"].values():
            document = one["Properties"].get("PolicyDocument") or one["Properties"].get("KeyPolicy")
            if one["Type"] == kind and document:
                kept = [
                    s for s in document["Statement"] if not all(h in json.dumps(s.get(e)) for e, h in having.items())
                ]
                removed += len(document["Statement"]) - len(kept)
                document["Statement"] = kept
        assert removed, having
        return template

    return change


def unconditional(kind: str, service: str) -> Callable[[Template], Template]:
    """The template with a service let in whoever it comes for."""

    def change(template: Template) -> Template:
        for one in template["Resources"].values():
            document = one["Properties"].get("PolicyDocument") or one["Properties"].get("KeyPolicy")
            for statement in document["Statement"] if one["Type"] == kind else ():
                if service in json.dumps(statement["Principal"]) and statement["Effect"] == "Allow":
                    del statement["Condition"]
                    return template
        raise AssertionError(service)

    return change


def unsourced(template: Template) -> Template:
    """Functions that any rule, bucket or API of anybody may call."""
    for one in template["Resources"].values():
        if one["Type"] == "AWS::Lambda::Permission":
            del one["Properties"]["SourceArn"]
    return template


MACHINE_NAME = r'"kms:EncryptionContext:aws:states:stateMachineArn": \[.*?\]\}\]'
EMPTY = '"kms:EncryptionContext:aws:states:stateMachineArn": ["arn:aws:states:us-east-1:123456789012:stateMachine:"]'


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (replaced(MACHINE_NAME, EMPTY), r"role/\w*MachinesGateRole\w* kms:Decrypt .*stateMachineArn"),
        (replaced(r'"kms:Decrypt", "kms:GenerateDataKey"', '"kms:GenerateDataKey"'), r"kms:Decrypt .*aws:s3:arn"),
        (replaced(r'"kms:Decrypt", "kms:GenerateDataKey"', '"kms:Decrypt"'), r"kms:GenerateDataKey .*aws:s3:arn"),
        (replaced(r"inference-profile/us\.amazon", "foundation-model/us.amazon"), r"InvokeModel .*profile/us\.amazon"),
        (replaced(r":us-west-2::foundation-model", "::foundation-model"), r"InvokeModel arn:aws:bedrock:us-west-2"),
        (replaced(r":guardrail/gr1", ":guardrail/arn"), "bedrock:ApplyGuardrail"),
        (without("AWS::IAM::Policy", Action="events:PutEvents"), "events:PutEvents .*event-bus"),
        (without("AWS::IAM::Policy", Action="states:StartExecution"), "states:StartExecution"),
        (without("AWS::IAM::Policy", Action="logs:CreateLogDelivery"), "logs:CreateLogDelivery"),
        (without("AWS::IAM::Policy", Action="dynamodb"), "dynamodb:UpdateItem"),
        (without("AWS::IAM::Policy", Action="kms:GenerateMac"), "kms:GenerateMac"),
        (without("AWS::IAM::Policy", Action="secretsmanager"), "secretsmanager:GetSecretValue .*reviews"),
        (without("AWS::IAM::Policy", Action="s3:ListBucket"), "s3:ListBucket"),
        (without("AWS::IAM::Policy", Resource="by-form"), r"ApiRole\w* s3:PutObject .*transcripts/by-form/a "),
        (without("AWS::KMS::Key", Principal="delivery.logs"), "delivery.logs.amazonaws.com kms:Decrypt"),
        (without("AWS::KMS::Key", Sid="EventsToQueues"), "events.amazonaws.com kms:Decrypt .*aws:sqs:arn"),
        (without("AWS::KMS::Key", Sid="AlarmsToTopics"), "cloudwatch.amazonaws.com kms:Decrypt"),
        (without("AWS::KMS::Key", Sid="Identities"), r"role/\w*JudgeRole\w* kms:Decrypt"),
        (without("AWS::SQS::QueuePolicy", Principal="events"), "events.amazonaws.com sqs:SendMessage"),
        (without("AWS::SNS::TopicPolicy", Principal="cloudwatch"), "cloudwatch.amazonaws.com sns:Publish"),
        (without("AWS::S3::BucketPolicy", Principal="logging"), "logging.s3.amazonaws.com s3:PutObject"),
        (replaced("aoss:WriteDocument", "aoss:UpdateDocument"), r"IngestCorpusRole\w* aoss:WriteDocument"),
        (replaced("execute-api:", "apigateway:"), "apigateway.amazonaws.com lambda:InvokeFunction"),
    ],
)
def test_a_policy_that_is_broken_is_told_with_the_call_that_it_refuses(
    whole: Template, change: Callable[[Template], Template], told: str
) -> None:
    found = refused(BROKEN.account(change(copy.deepcopy(whole))))
    assert [line for line in found if re.search(told, line)], found


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (unconditional("AWS::KMS::Key", "delivery.logs"), "delivery.logs.amazonaws.com"),
        (unconditional("AWS::KMS::Key", "events"), "events.amazonaws.com"),
        (unconditional("AWS::KMS::Key", "cloudwatch"), "cloudwatch.amazonaws.com"),
        (unconditional("AWS::SQS::QueuePolicy", "events"), "events.amazonaws.com"),
        (unconditional("AWS::SNS::TopicPolicy", "cloudwatch"), "cloudwatch.amazonaws.com"),
        (unconditional("AWS::S3::BucketPolicy", "logging"), "logging.s3.amazonaws.com"),
        (unsourced, "apigateway.amazonaws.com"),
        (replaced('"aws:SourceAccount": "123456789012"', '"aws:SourceAccount": "999999999999"'), "amazonaws.com"),
    ],
)
def test_a_service_that_is_let_in_for_anybody_is_told(
    whole: Template, change: Callable[[Template], Template], told: str
) -> None:
    found = confused(BROKEN.account(change(copy.deepcopy(whole))))
    assert [line for line in found if told in line], found
