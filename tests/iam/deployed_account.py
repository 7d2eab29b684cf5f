"""An account in which templates were deployed: names made up, policies in force."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from tests.iam.evaluation import ACCOUNT, Context, Request, Statement, may

REGION = "us-east-1"


class Account:
    """An account in which templates were deployed.

    Args:
        policies: of what was there before, by ARN.
        search: ARN of a domain or collection that was there before.
    """

    def __init__(
        self,
        *templates: Mapping[str, Any],
        policies: Mapping[str, Iterable[Statement]] | None = None,
        search: str = "",
    ) -> None:
        self._search = search
        self._resources = {id: one for template in templates for id, one in template["Resources"].items()}
        self._parameters = {id: one for each in templates for id, one in each.get("Parameters", {}).items()}
        self._given = [(arn, one) for arn, statements in (policies or {}).items() for one in statements]
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

    def described(self, id: str) -> dict[str, Any]:
        """Properties of one resource, as they would be deployed."""
        # A function may be named by its alias, and that by its ARN.
        id = id.removeprefix(f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:").partition(":")[0]
        properties: dict[str, Any] = self.resolve(self._resources[id]["Properties"])
        return properties

    @property
    def key(self) -> str:
        """ARN of the key that executions, and all else, are encrypted with."""
        first = self.properties("AWS::StepFunctions::StateMachine")[0]
        return str(first["EncryptionConfiguration"]["KmsKeyId"])

    @cached_property
    def _functions(self) -> dict[str, dict[str, Any]]:
        made = self.properties("AWS::Lambda::Function")
        return {one["Handler"].partition(".")[0]: one for one in made if one["Handler"].endswith(".handler.handler")}

    @property
    def roles(self) -> dict[str, str]:
        """ARN of the role of each of the gate's functions, by agent."""
        return {agent: one["Role"] for agent, one in self._functions.items()}

    def settings(self, agent: str) -> dict[str, str]:
        """What a function is told by its environment."""
        told: dict[str, str] = self._functions[agent]["Environment"]["Variables"]
        return told

    @property
    def blobs(self) -> str:
        """ARN of the bucket that the gate alone writes to."""
        return f"arn:aws:s3:::{self.settings('judge')['GATE_BLOBS'].removeprefix('s3://')}"

    @property
    def uploads(self) -> str:
        """ARN of the bucket that people upload to."""
        return f"arn:aws:s3:::{self.settings('api')['GATE_POLICY'].split('/')[2]}"

    @property
    def search(self) -> str:
        """ARN of the domain or collection that is made, or was there."""
        kinds = ("AWS::OpenSearchService::Domain", "AWS::OpenSearchServerless::Collection")
        made = [self.arn(id) for kind in kinds for id in self.of_type(kind)]
        return made[0] if made else self._search

    def log_group(self, name: str) -> str:
        """ARN of the log group of a name."""
        return f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{name}:*"

    def path_of(self, id: str) -> str:
        """Path of a resource of an API, from its root."""
        if id not in self._resources:
            return ""
        above = self._resources[id]["Properties"]
        return f"{self.path_of(self.resolve(above['ParentId']))}/{above['PathPart']}"

    def may(self, principal: str, action: str, resource: str, context: Context | None = None) -> bool:
        """Whether the deployed policies let a role, or a service, do it."""
        return self.allows(Request(principal, action, resource, context or {}))

    def allows(self, request: Request) -> bool:
        """Whether the deployed policies let a request through."""
        return may(request, self.identity(request.principal), self.policy_of(request.resource))

    def identity(self, role: str) -> list[Statement]:
        """Every statement of the policies of a role; a service has none."""
        return self._identities.get(role.rpartition("/")[2], [])

    def policy_of(self, arn: str) -> list[Statement]:
        """Every statement of the policy of a resource, or of what the resource is a part of."""
        return [statement for owner, statement in self.policies if arn == owner or arn.startswith(f"{owner}/")]

    @cached_property
    def _identities(self) -> dict[str, list[Statement]]:
        found: dict[str, list[Statement]] = {}
        for policy in self.properties("AWS::IAM::Policy"):
            for role in policy["Roles"]:
                found.setdefault(role, []).extend(policy["PolicyDocument"]["Statement"])
        return found

    @cached_property
    def policies(self) -> list[tuple[str, Statement]]:
        """ARN and statement of every policy that stands with a resource."""
        return [*self._given, *self._policies()]

    def _policies(self) -> Iterator[tuple[str, Statement]]:
        for id, one in self.of_type("AWS::KMS::Key").items():
            for statement in self.resolve(one["Properties"]["KeyPolicy"]["Statement"]):
                yield self.arn(id), {**statement, "Resource": self.arn(id)}
        for id, one in self.of_type("AWS::IAM::Role").items():
            for statement in self.resolve(one["Properties"]["AssumeRolePolicyDocument"]["Statement"]):
                yield self.arn(id), statement
        for permission in self.properties("AWS::Lambda::Permission"):
            yield permission["FunctionName"], permission_statement(permission)
        for kind in ("AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy"):
            for policy in self.properties(kind):
                for owner in policy.get("Queues") or policy.get("Topics") or [policy.get("Bucket")]:
                    arn = f"arn:aws:s3:::{owner}" if "Bucket" in policy else arn_of_queue(owner)
                    yield from ((arn, statement) for statement in policy["PolicyDocument"]["Statement"])
        for policy in self.properties("AWS::OpenSearchServerless::AccessPolicy"):
            yield from data_access(json.loads(policy["Policy"]))

    def arn(self, logical_id: str) -> str:
        """The ARN that a resource would have."""
        kind = self._resources[logical_id]["Type"]
        return ARNS[kind].format(id=self._name(logical_id), region=REGION, account=ACCOUNT)

    def _name(self, logical_id: str) -> str:
        """Names that we give are in ARNs; the rest are made up."""
        kind, properties = self._resources[logical_id]["Type"], self._resources[logical_id].get("Properties", {})
        if kind in QUALIFIED:
            return f"{self.resolve(properties['FunctionName'])}:{self.resolve(properties.get('Name', '1'))}"
        named = properties.get("LogGroupName") or properties.get("StageName") or logical_id
        return str(self.resolve(named))

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
            named = {"Arn": self.arn, "Name": self._name}.get(attribute)
            return named(id) if named else f"{id}.{attribute}"
        if name == "Fn::If":  # conditions hold
            return self.resolve(argument[1])
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
        if name in self._parameters:
            return self._parameter(self._parameters[name])
        if name not in self._resources:
            return name
        named = self._resources[name]["Type"] not in REFERRED_BY_ARN
        return self._name(name) if named else self.arn(name)

    def _parameter(self, parameter: Mapping[str, Any]) -> str:
        """Its default; of one that is read out of Parameter Store, what another template writes there."""
        default = str(parameter.get("Default", ""))
        if not parameter["Type"].startswith("AWS::SSM::Parameter::"):
            return default
        written = (one["Properties"] for one in self.of_type("AWS::SSM::Parameter").values())
        values = [one["Value"] for one in written if self.resolve(one["Name"]) == default]
        return str(self.resolve(values[0])) if values else default


ARNS = {
    "AWS::CloudWatch::Alarm": "arn:aws:cloudwatch:{region}:{account}:alarm:{id}",
    "AWS::DynamoDB::Table": "arn:aws:dynamodb:{region}:{account}:table/{id}",
    "AWS::Events::EventBus": "arn:aws:events:{region}:{account}:event-bus/{id}",
    "AWS::Events::Rule": "arn:aws:events:{region}:{account}:rule/{id}",
    "AWS::IAM::Role": "arn:aws:iam::{account}:role/{id}",
    "AWS::KMS::Key": "arn:aws:kms:{region}:{account}:key/{id}",
    "AWS::Lambda::Alias": "arn:aws:lambda:{region}:{account}:function:{id}",
    "AWS::Lambda::Version": "arn:aws:lambda:{region}:{account}:function:{id}",
    "AWS::Lambda::Function": "arn:aws:lambda:{region}:{account}:function:{id}",
    "AWS::Logs::LogGroup": "arn:aws:logs:{region}:{account}:log-group:{id}:*",
    "AWS::OpenSearchServerless::Collection": "arn:aws:aoss:{region}:{account}:collection/{id}",
    "AWS::OpenSearchService::Domain": "arn:aws:es:{region}:{account}:domain/{id}",
    "AWS::S3::Bucket": "arn:aws:s3:::{id}",
    "AWS::SNS::Topic": "arn:aws:sns:{region}:{account}:{id}",
    "AWS::SQS::Queue": "arn:aws:sqs:{region}:{account}:{id}",
    "AWS::StepFunctions::StateMachine": "arn:aws:states:{region}:{account}:stateMachine:{id}",
}
QUALIFIED = ("AWS::Lambda::Alias", "AWS::Lambda::Version")
REFERRED_BY_ARN = {"AWS::SNS::Topic", "AWS::StepFunctions::StateMachine", *QUALIFIED}


def arn_of_queue(owner: str) -> str:
    """A policy names its topic by ARN and its queue by what stands for the URL."""
    return owner if owner.startswith("arn:") else f"arn:aws:sqs:{REGION}:{ACCOUNT}:{owner}"


def permission_statement(permission: Mapping[str, Any]) -> dict[str, Any]:
    """A permission of a function as the statement that Lambda makes of it."""
    source = {"ArnLike": {"AWS:SourceArn": permission["SourceArn"]}} if "SourceArn" in permission else {}
    return {
        "Effect": "Allow",
        "Principal": {"Service": permission["Principal"]},
        "Action": permission["Action"],
        "Resource": permission["FunctionName"],
        "Condition": source,
    }


def data_access(rules: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Statement]]:
    """What a data access policy of OpenSearch Serverless lets roles do to indexes."""
    for one in rules:
        for rule in one["Rules"]:
            for resource in rule["Resource"]:
                common = {"Effect": "Allow", "Action": rule["Permission"], "Resource": resource}
                yield resource.removesuffix("/*"), {**common, "Principal": {"AWS": one["Principal"]}}


def name_of(resource: Mapping[str, Any]) -> str:
    """The last word of the path of the construct that a resource is of."""
    return str(resource.get("Metadata", {}).get("aws:cdk:path", "")).removesuffix("/Resource").rpartition("/")[2]
