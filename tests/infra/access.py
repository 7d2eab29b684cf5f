"""Who may do what, by the templates: IAM's evaluation of identity and resource policies with their conditions.

AWS evaluates these when something runs, and moto does not. What AWS documents of it is here for one account: a request
needs an Allow of its identity or of the resource (a key: of the key's own policy, which may leave it to identities),
and no Deny; a condition whose key the request does not bring fails, unless its operator is negated or ends in
IfExists. Session policies, boundaries and organisations' policies are not here.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

ACCOUNT, REGION = "123456789012", "us-east-1"
Statement = Mapping[str, Any]
Context = Mapping[str, str]


@dataclass(frozen=True)
class Request:
    """One call that AWS would be asked to allow.

    Attributes:
        principal: ARN of a role, or name of a service.
        action: `service:Verb`.
        resource: ARN.
        context: condition keys that AWS brings with it.
    """

    principal: str
    action: str
    resource: str
    context: Context = field(default_factory=dict)


def may(request: Request, identity: Sequence[Statement], resource: Sequence[Statement]) -> bool:
    """Whether AWS would let it: `identity` are the role's own policies, `resource` those of what it asks for."""
    own = [one for one in identity if applies(one, request)]
    theirs = [one for one in resource if applies(one, request) and concerns(one["Principal"], request.principal)]
    if any(one["Effect"] == "Deny" for one in (*own, *theirs)):
        return False
    # A key trusts its own policy alone; one that names the account leaves the decision to identities' policies.
    own_counts = ":kms:" not in request.resource or any(delegates(one, request) for one in resource)
    return bool(theirs or (own and own_counts))


def applies(statement: Statement, request: Request) -> bool:
    """Whether a statement speaks of the action and the resource, under conditions that hold."""
    resources = listed(statement["Resource"])
    return (
        any(matches(pattern.lower(), request.action.lower()) for pattern in listed(statement["Action"]))
        and any(matches(pattern, request.resource) for pattern in resources)
        and holds(statement.get("Condition", {}), request.context)
    )


def concerns(principal: Any, who: str) -> bool:
    """Whether a resource's policy speaks of `who` by name, or of everybody."""
    if principal == "*":
        return True
    names = [name for kind in principal.values() for name in listed(kind)]
    return "*" in names or who in names


def delegates(statement: Statement, request: Request) -> bool:
    """Whether a resource's policy lets its account decide, which no service is part of."""
    root = f"arn:aws:iam::{ACCOUNT}:root"
    is_role = request.principal.startswith("arn:")
    return is_role and applies(statement, request) and concerns(statement["Principal"], root)


def holds(conditions: Mapping[str, Mapping[str, Any]], context: Context) -> bool:
    """Every operator and every key must hold; of a key's values, one."""
    lowered = {key.lower(): value for key, value in context.items()}
    return all(
        compare(operator, lowered.get(key.lower()), [str(value) for value in listed(values)])
        for operator, keys in conditions.items()
        for key, values in keys.items()
    )


def compare(operator: str, given: str | None, wanted: list[str]) -> bool:
    """One operator on one key; `given` is None where the request does not bring the key.

    Raises:
        ValueError: an operator that is not known here: a policy that nobody can judge is not let through.
    """
    bare = operator.removesuffix("IfExists")
    if bare == "Null":
        return (given is None) == (wanted == ["true"])
    negated = "Not" in bare
    if given is None:
        return negated or operator != bare
    tests: dict[str, Callable[[str], bool]] = {
        "StringEquals": lambda want: given == want,
        "StringLike": lambda want: matches(want, given),
        "ArnLike": lambda want: arn_matches(want, given),
        "ArnEquals": lambda want: arn_matches(want, given),
        "Bool": lambda want: given.lower() == want.lower(),
        "NumericLessThan": lambda want: float(given) < float(want),
    }
    test = tests.get(bare.replace("Not", ""))
    if test is None:
        raise ValueError(f"{operator} is not known here")
    return any(test(want) for want in wanted) != negated


def matches(pattern: str, text: str) -> bool:
    """`*` and `?` as IAM reads them: over any characters; brackets are themselves."""
    return fnmatch.fnmatchcase(text, pattern.replace("[", "[[]"))


def arn_matches(pattern: str, arn: str) -> bool:
    """Each of an ARN's six parts for itself: a wildcard does not reach over a colon."""
    wanted, given = pattern.split(":", 5), arn.split(":", 5)
    return len(wanted) == len(given) and all(matches(*pair) for pair in zip(wanted, given, strict=True))


class Account:
    """An account in which templates were deployed: names made up, policies in force."""

    def __init__(self, *templates: Mapping[str, Any]) -> None:
        self._resources = {id: one for template in templates for id, one in template["Resources"].items()}
        self._exports: dict[str, Any] = {
            output["Export"]["Name"]: output["Value"]
            for template in templates
            for output in template.get("Outputs", {}).values()
            if "Export" in output
        }

    def find(self, kind: str, word: str = "") -> str:
        """ARN of the one resource of a type, or of the one whose construct is named so.

        Raises:
            LookupError: there is none, or several.
        """
        found = [id for id, one in self.of_type(kind).items() if word in ("", name_of(one))]
        if len(found) != 1:
            raise LookupError(f"{kind} {word}: {found}")
        return self.arn(found[0])

    def of_type(self, kind: str) -> dict[str, dict[str, Any]]:
        """Resources of a type, by logical id."""
        return {id: one for id, one in self._resources.items() if one["Type"] == kind}

    def properties(self, kind: str) -> list[dict[str, Any]]:
        """Properties of all resources of a type, as they would be deployed."""
        return [self.resolve(one["Properties"]) for one in self.of_type(kind).values()]

    def may(self, principal: str, action: str, resource: str, context: Context | None = None) -> bool:
        """Whether the deployed policies let a role, or a service, do it."""
        request = Request(principal, action, resource, context or {})
        return may(request, self.identity(principal), self.policy_of(resource))

    def identity(self, role: str) -> list[Statement]:
        """Every statement of the policies of a role."""
        name = role.rpartition("/")[2]
        return [
            statement
            for policy in self.properties("AWS::IAM::Policy")
            if name in policy["Roles"]
            for statement in policy["PolicyDocument"]["Statement"]
        ]

    def policy_of(self, arn: str) -> list[Statement]:
        """Every statement of the policy of a resource."""
        return [statement for owner, statement in self.resource_policies() if arn == owner or bucket_of(arn) == owner]

    def resource_policies(self) -> Iterator[tuple[str, Statement]]:
        """ARN and statement of every policy that stands with a resource."""
        for id, one in self.of_type("AWS::KMS::Key").items():
            for statement in self.resolve(one["Properties"]["KeyPolicy"]["Statement"]):
                yield self.arn(id), {**statement, "Resource": self.arn(id)}
        for permission in self.properties("AWS::Lambda::Permission"):
            source = {"ArnLike": {"AWS:SourceArn": permission["SourceArn"]}} if "SourceArn" in permission else {}
            name = permission["FunctionName"]
            principal = {"Service": permission["Principal"]}
            common = {"Effect": "Allow", "Action": permission["Action"], "Resource": name, "Condition": source}
            yield name, {**common, "Principal": principal}
        for kind in ("AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy"):
            for policy in self.properties(kind):
                for owner in policy.get("Queues") or policy.get("Topics") or [policy.get("Bucket")]:
                    arn = f"arn:aws:s3:::{owner}" if "Bucket" in policy else arn_of_queue(owner)
                    yield from ((arn, statement) for statement in policy["PolicyDocument"]["Statement"])

    def arn(self, logical_id: str) -> str:
        """The ARN that a resource would have."""
        kind = self._resources[logical_id]["Type"]
        return ARNS[kind].format(id=self._name(logical_id), region=REGION, account=ACCOUNT)

    def _name(self, logical_id: str) -> str:
        """A group's own name is in its ARN; others' are not given by us."""
        properties = self._resources[logical_id].get("Properties", {})
        return str(self.resolve(properties.get("LogGroupName", logical_id)))

    def resolve(self, value: Any) -> Any:
        """A value of a template as CloudFormation would fill it in."""
        if isinstance(value, list):
            return [self.resolve(one) for one in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((name, argument),) = value.items()
            if name == "Ref" or name.startswith("Fn::"):
                return self._function(name, argument)
        return {key: self.resolve(one) for key, one in value.items()}

    def _function(self, name: str, argument: Any) -> Any:
        if name == "Ref":
            return self._ref(argument)
        if name == "Fn::GetAtt":
            id, attribute = argument
            return self.arn(id) if attribute == "Arn" else f"{id}.{attribute}"
        filled = self.resolve(argument)
        if name == "Fn::Join":
            return filled[0].join(str(part) for part in filled[1])
        if name == "Fn::ImportValue":
            return self.resolve(self._exports[filled])
        if name == "Fn::Split":
            return filled[1].split(filled[0])
        if name == "Fn::Select":
            return filled[1][int(filled[0])]
        if name == "Fn::Sub":
            return re.sub(r"\$\{([\w:]+)\}", lambda found: str(self._ref(found[1])), filled)
        raise ValueError(f"{name} is not known here")

    def _ref(self, name: str) -> str:
        pseudo = {"AWS::Partition": "aws", "AWS::Region": REGION, "AWS::AccountId": ACCOUNT}
        if name in pseudo:
            return pseudo[name]
        if name not in self._resources:
            return name
        named = self._resources[name]["Type"] not in REFERRED_BY_ARN
        return self._name(name) if named else self.arn(name)


ARNS = {
    "AWS::DynamoDB::Table": "arn:aws:dynamodb:{region}:{account}:table/{id}",
    "AWS::Events::EventBus": "arn:aws:events:{region}:{account}:event-bus/{id}",
    "AWS::Events::Rule": "arn:aws:events:{region}:{account}:rule/{id}",
    "AWS::IAM::Role": "arn:aws:iam::{account}:role/{id}",
    "AWS::KMS::Key": "arn:aws:kms:{region}:{account}:key/{id}",
    "AWS::Lambda::Function": "arn:aws:lambda:{region}:{account}:function:{id}",
    "AWS::Logs::LogGroup": "arn:aws:logs:{region}:{account}:log-group:{id}:*",
    "AWS::OpenSearchServerless::Collection": "arn:aws:aoss:{region}:{account}:collection/{id}",
    "AWS::OpenSearchService::Domain": "arn:aws:es:{region}:{account}:domain/{id}",
    "AWS::S3::Bucket": "arn:aws:s3:::{id}",
    "AWS::SNS::Topic": "arn:aws:sns:{region}:{account}:{id}",
    "AWS::SQS::Queue": "arn:aws:sqs:{region}:{account}:{id}",
    "AWS::StepFunctions::StateMachine": "arn:aws:states:{region}:{account}:stateMachine:{id}",
}
REFERRED_BY_ARN = {"AWS::SNS::Topic", "AWS::StepFunctions::StateMachine"}


def arn_of_queue(owner: str) -> str:
    """A policy names its topic by ARN and its queue by what stands for the URL."""
    return owner if owner.startswith("arn:") else f"arn:aws:sqs:{REGION}:{ACCOUNT}:{owner}"


def bucket_of(arn: str) -> str:
    """The bucket that an object lies in."""
    return arn.partition("/")[0] if arn.startswith("arn:aws:s3:::") else arn


def name_of(resource: Mapping[str, Any]) -> str:
    """The last word of the path of the construct that a resource is of."""
    return str(resource.get("Metadata", {}).get("aws:cdk:path", "")).removesuffix("/Resource").rpartition("/")[2]


def listed(value: Any) -> list[Any]:
    """A value that a policy may write alone or in a list."""
    return value if isinstance(value, list) else [value]
