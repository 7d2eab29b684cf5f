"""AWS's documented rules of evaluation, one a row: what the evaluator says is what AWS's own pages say.

IAM/latest/UserGuide: reference_policies_elements_condition_operators.html, …_condition-single-vs-multi-valued…html,
…_variables.html, …_notaction.html, …_notprincipal.html, reference_policies_evaluation-logic.html;
kms/latest/developerguide/key-policy-default.html.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.iam.deployed_account import REGION
from tests.iam.evaluation import ACCOUNT, Request, holds, may

pytestmark = pytest.mark.infra


@pytest.mark.parametrize(
    ("conditions", "context", "held"),
    [
        ({}, {}, True),
        ({"StringEquals": {"aws:username": "johndoe"}}, {"aws:username": "johndoe"}, True),
        ({"StringEquals": {"aws:username": "johndoe"}}, {"aws:username": "JohnDoe"}, False),
        ({"StringEquals": {"aws:username": "johndoe"}}, {"AWS:UserName": "johndoe"}, True),
        ({"StringEquals": {"aws:username": "johndoe"}}, {}, False),
        ({"StringEqualsIfExists": {"aws:username": "johndoe"}}, {}, True),
        ({"StringEqualsIfExists": {"aws:username": "johndoe"}}, {"aws:username": "jane"}, False),
        ({"StringNotEquals": {"aws:username": "johndoe"}}, {}, True),
        ({"StringNotEquals": {"aws:username": ["john", "jane"]}}, {"aws:username": "jane"}, False),
        ({"StringEquals": {"aws:username": ["john", "jane"]}}, {"aws:username": "jane"}, True),
        ({"StringLike": {"s3:prefix": ["", "home/*"]}}, {"s3:prefix": "home/a/b"}, True),
        ({"StringLike": {"s3:prefix": "home/?"}}, {"s3:prefix": "home/ab"}, False),
        ({"StringEquals": {"s3:prefix": "home/*"}}, {"s3:prefix": "home/a"}, False),
        ({"StringEquals": {"a": "1", "b": "2"}}, {"a": "1"}, False),
        ({"StringEquals": {"a": "1"}, "Bool": {"b": "true"}}, {"a": "1", "b": "false"}, False),
        ({"Bool": {"aws:SecureTransport": "false"}}, {"aws:SecureTransport": "true"}, False),
        ({"Null": {"aws:TokenIssueTime": "true"}}, {}, True),
        ({"Null": {"aws:TokenIssueTime": "false"}}, {}, False),
        ({"ArnLike": {"aws:SourceArn": "arn:aws:s3:::my-*"}}, {"aws:SourceArn": "arn:aws:s3:::my-bucket"}, True),
        ({"ArnLike": {"x": "arn:aws:sns:*:123456789012:a"}}, {"x": "arn:aws:sns:eu-west-1:123456789012:a"}, True),
        ({"ArnLike": {"x": "arn:*:a"}}, {"x": "arn:aws:sns:eu-west-1:123456789012:a"}, False),
        ({"NumericLessThan": {"s3:TlsVersion": 1.2}}, {"s3:TlsVersion": "1.1"}, True),
        ({"NumericLessThanEquals": {"aws:MultiFactorAuthAge": 10}}, {"aws:MultiFactorAuthAge": "10"}, True),
        ({"NumericGreaterThan": {"x": 10}}, {"x": "10"}, False),
        ({"NumericNotEquals": {"x": 10}}, {}, True),
        ({"StringEqualsIgnoreCase": {"aws:username": "JohnDoe"}}, {"aws:username": "johndoe"}, True),
        ({"StringNotLike": {"s3:prefix": "home/*"}}, {"s3:prefix": "home/a"}, False),
        ({"ArnNotLike": {"x": "arn:aws:sns:*:123456789012:a"}}, {"x": "arn:aws:sns:eu-west-1:999999999999:a"}, True),
        ({"ArnEquals": {"x": "arn:aws:sns:*:123456789012:a"}}, {"x": "arn:aws:sns:eu-west-1:123456789012:a"}, True),
        ({"ArnLike": {"x": "arn:aws:states:*:*:machine:*"}}, {"x": "arn:aws:states:r:1:machine:a:b"}, True),
        ({"ArnLikeIfExists": {"aws:SourceArn": "arn:aws:s3:::a"}}, {}, True),
        ({"StringNotEqualsIfExists": {"x": "a"}}, {"x": "a"}, False),
        ({"Bool": {"aws:SecureTransport": True}}, {}, False),
        ({"BoolIfExists": {"aws:MultiFactorAuthPresent": True}}, {}, True),
        ({"IpAddress": {"aws:SourceIp": "203.0.113.0/24"}}, {"aws:SourceIp": "203.0.113.9"}, True),
        ({"NotIpAddress": {"aws:SourceIp": "203.0.113.0/24"}}, {"aws:SourceIp": "203.0.113.9"}, False),
        ({"IpAddress": {"aws:SourceIp": "2001:DB8:1234:5678::/64"}}, {"aws:SourceIp": "203.0.113.9"}, False),
        ({"Null": {"aws:TokenIssueTime": False}}, {"aws:TokenIssueTime": "2026"}, True),
        ({"ForAnyValue:StringEquals": {"aws:TagKeys": ["env", "owner"]}}, {"aws:TagKeys": ["env", "cost"]}, True),
        ({"ForAnyValue:StringEquals": {"aws:TagKeys": ["env"]}}, {"aws:TagKeys": ["cost"]}, False),
        ({"ForAnyValue:StringEquals": {"aws:TagKeys": ["env"]}}, {}, False),
        ({"ForAllValues:StringEquals": {"aws:TagKeys": ["env", "owner"]}}, {"aws:TagKeys": ["env", "cost"]}, False),
        ({"ForAllValues:StringLike": {"aws:TagKeys": ["env*"]}}, {"aws:TagKeys": ["env1", "env2"]}, True),
        ({"ForAllValues:StringEquals": {"aws:TagKeys": ["env"]}}, {}, True),
        ({"ForAllValues:StringNotEquals": {"aws:TagKeys": ["env"]}}, {"aws:TagKeys": ["cost", "env"]}, False),
        (
            {"StringLike": {"s3:prefix": "home/${aws:username}/*"}},
            {"s3:prefix": "home/jo/a", "aws:username": "jo"},
            True,
        ),
        ({"StringLike": {"s3:prefix": "home/${aws:username}/*"}}, {"s3:prefix": "home/jo/a"}, False),
        ({"StringLike": {"s3:prefix": "home/${*}"}}, {"s3:prefix": "home/a"}, False),
        ({"StringLike": {"s3:prefix": "home/${*}"}}, {"s3:prefix": "home/*"}, True),
        ({"StringLike": {"s3:prefix": "a[bc]"}}, {"s3:prefix": "ab"}, False),
        (
            {"StringEquals": {"kms:ViaService": ["s3.us-east-1.amazonaws.com"]}},
            {"kms:ViaService": "sqs.us-east-1.amazonaws.com"},
            False,
        ),
        ({"StringEquals": {"kms:EncryptionContext:aws:s3:arn": "a"}}, {"kms:encryptioncontext:AWS:s3:arn": "a"}, True),
    ],
)
def test_conditions_are_read_as_aws_documents_them(
    conditions: dict[str, Any], context: dict[str, str], held: bool
) -> None:
    assert holds(conditions, context) is held


def test_an_operator_that_is_not_known_is_an_error_and_no_permission() -> None:
    with pytest.raises(ValueError, match="DateLessThan"):
        holds(
            {"DateLessThan": {"aws:CurrentTime": "2026-01-01T00:00:00Z"}}, {"aws:CurrentTime": "2026-01-02T00:00:00Z"}
        )
    with pytest.raises(ValueError, match="several values"):
        holds({"StringEquals": {"aws:TagKeys": "env"}}, {"aws:TagKeys": ["env"]})


ROLE, KEY, QUEUE = f"arn:aws:iam::{ACCOUNT}:role/a", f"arn:aws:kms:{REGION}:{ACCOUNT}:key/k", "arn:aws:sqs:r:a:q"
ANYTHING = {"Effect": "Allow", "Action": "*", "Resource": "*"}
DENY = ANYTHING | {"Effect": "Deny"}


@pytest.mark.parametrize(
    ("who", "what", "identity", "resource", "allowed"),
    [
        (ROLE, QUEUE, [], [], False),
        (ROLE, QUEUE, [ANYTHING], [], True),
        (ROLE, QUEUE, [], [ANYTHING | {"Principal": {"AWS": ROLE}}], True),
        (ROLE, QUEUE, [ANYTHING], [ANYTHING | {"Effect": "Deny", "Principal": "*"}], False),
        (ROLE, QUEUE, [ANYTHING, ANYTHING | {"Effect": "Deny"}], [ANYTHING | {"Principal": "*"}], False),
        (ROLE, QUEUE, [ANYTHING | {"Action": "SQS:send*"}], [], True),
        (ROLE, QUEUE, [ANYTHING | {"Action": "sqs:Receive*"}], [], False),
        ("sns.amazonaws.com", QUEUE, [], [ANYTHING | {"Principal": {"Service": "sns.amazonaws.com"}}], True),
        ("sns.amazonaws.com", QUEUE, [], [ANYTHING | {"Principal": {"Service": "s3.amazonaws.com"}}], False),
        (ROLE, KEY, [ANYTHING], [], False),
        (ROLE, KEY, [ANYTHING], [ANYTHING | {"Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}}], True),
        (ROLE, KEY, [], [ANYTHING | {"Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}}], False),
        (ROLE, KEY, [], [ANYTHING | {"Principal": {"AWS": ROLE}}], True),
        ("sns.amazonaws.com", KEY, [], [ANYTHING | {"Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}}], False),
        (ROLE, KEY, [ANYTHING], [ANYTHING | {"Principal": {"AWS": ACCOUNT}}], True),
        (ROLE, KEY, [ANYTHING], [ANYTHING | {"Principal": {"AWS": ACCOUNT}, "Action": "kms:*"}], False),
        (ROLE, QUEUE, [], [ANYTHING | {"Principal": {"AWS": ACCOUNT}}], False),
        (ROLE, QUEUE, [{"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"}], [], True),
        (ROLE, QUEUE, [{"Effect": "Allow", "NotAction": ["iam:*", "SQS:Send*"], "Resource": "*"}], [], False),
        (ROLE, QUEUE, [{"Effect": "Allow", "Action": "*", "NotResource": QUEUE}], [], False),
        (ROLE, QUEUE, [ANYTHING, {"Effect": "Deny", "Action": "*", "NotResource": "arn:aws:sqs:*"}], [], True),
        (ROLE, QUEUE, [ANYTHING], [DENY | {"NotPrincipal": {"AWS": ROLE}}], True),
        (f"{ROLE}2", QUEUE, [ANYTHING], [DENY | {"NotPrincipal": {"AWS": ROLE}}], False),
        (ROLE, QUEUE, [ANYTHING, DENY | {"Condition": {"Bool": {"aws:SecureTransport": "false"}}}], [], True),
        (ROLE, QUEUE, [ANYTHING | {"Resource": "arn:aws:sqs:*:q"}], [], True),
        (ROLE, QUEUE, [ANYTHING | {"Resource": "ARN:aws:sqs:r:a:Q"}], [], False),
    ],
)
def test_policies_of_identities_and_resources_are_joined_as_aws_documents_it(
    who: str, what: str, identity: list[dict[str, Any]], resource: list[dict[str, Any]], allowed: bool
) -> None:
    assert may(Request(who, "sqs:SendMessage", what), identity, resource) is allowed
