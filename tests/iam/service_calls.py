"""What AWS's services do on behalf of a deployment, read out of its templates: every call that a policy must allow.

None of these calls is in our code, so none can be recorded: each kind is written down by hand, with the page that says
that AWS makes it. Pages are named by their place under `docs.aws.amazon.com`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.iam.deployed_account import REGION, Account
from tests.iam.evaluation import ACCOUNT, Request

TLS = {"aws:SecureTransport": "true", "s3:TlsVersion": "1.3"}
"""What every request over HTTPS brings."""
READ, WRITE = "kms:Decrypt", "kms:GenerateDataKey"
EVENTS = "events.amazonaws.com"
TARGET_VERBS = {"lambda": "lambda:InvokeFunction", "sns": "sns:Publish", "sqs": "sqs:SendMessage"}
LOG_DELIVERY = (
    "CreateLogDelivery",
    "GetLogDelivery",
    "UpdateLogDelivery",
    "DeleteLogDelivery",
    "ListLogDeliveries",
    "PutResourcePolicy",
    "DescribeResourcePolicies",
    "DescribeLogGroups",
)


def service_calls(account: Account) -> Iterator[Request]:
    """Every call of a service, for every resource of the account that causes one."""
    for kind, calls in BY_KIND.items():
        for id in account.of_type(kind):
            yield from calls(account, id, account.described(id))


def on_key(account: Account, by: str, context: dict[str, str], *actions: str) -> Iterator[Request]:
    """Uses of the one key; there is none to ask where nothing is encrypted with a customer's."""
    for action in actions:
        yield Request(by, action, account.key, context)


def of_machine(account: Account, id: str, machine: dict[str, Any]) -> Iterator[Request]:
    """step-functions/latest/dg/encryption-at-rest.html, …/cw-logs.html, …/xray-iam.html"""
    arn, role = account.arn(id), machine["RoleArn"]
    source = {"aws:SourceArn": arn, "aws:SourceAccount": ACCOUNT}
    yield Request("states.amazonaws.com", "sts:AssumeRole", role, source)
    maps = re.findall(r'"(\w+)":\{[^{}]*"Type":"Map"[^{}]*?', machine["DefinitionString"])
    names = [arn, *(f"{arn}/{name}" for name in maps if "DISTRIBUTED" in machine["DefinitionString"])]
    for name in names:
        yield from on_key(account, role, {"kms:EncryptionContext:aws:states:stateMachineArn": name}, READ, WRITE)
    logs = {"kms:EncryptionContext:SourceArn": f"arn:aws:logs:{REGION}:{ACCOUNT}:*"}
    yield from on_key(account, role, logs, WRITE)
    yield from on_key(account, "delivery.logs.amazonaws.com", logs, READ)
    for verb in LOG_DELIVERY:
        yield Request(role, f"logs:{verb}", "*")
    for verb in ("PutTraceSegments", "PutTelemetryRecords", "GetSamplingRules", "GetSamplingTargets"):
        yield Request(role, f"xray:{verb}", "*")
    for function in sorted(set(re.findall(r"arn:aws:lambda:[\w:-]+", machine["DefinitionString"]))):
        yield Request(role, "lambda:InvokeFunction", function)
        if len(function.split(":")) > 7:  # a version: runs that are under way call those before it
            yield Request(role, "lambda:InvokeFunction", f"{function.rpartition(':')[0]}:0")
    if "DISTRIBUTED" in machine["DefinitionString"]:
        yield from of_distributed_map(account, arn, role)


def of_distributed_map(account: Account, arn: str, role: str) -> Iterator[Request]:
    """step-functions/latest/dg/iam-policies-eg-dist-map.html; a redrive of it asks for its map run's children."""
    executions = arn.replace(":stateMachine:", ":execution:")
    yield Request(role, "states:StartExecution", arn)
    for verb in ("DescribeExecution", "StopExecution"):
        yield Request(role, f"states:{verb}", f"{executions}:any")
    yield Request(role, "states:RedriveExecution", f"{executions}/CheckTranscripts:any")
    blobs = account.blobs
    through_s3 = {"kms:ViaService": f"s3.{REGION}.amazonaws.com", "kms:EncryptionContext:aws:s3:arn": blobs}
    yield Request(role, "s3:GetObject", f"{blobs}/runs/a/manifest.json", TLS)
    for verb in ("PutObject", "GetObject", "ListMultipartUploadParts", "AbortMultipartUpload"):
        yield Request(role, f"s3:{verb}", f"{blobs}/runs/batches/a/manifest.json", TLS)
    yield from on_key(account, role, through_s3, READ, WRITE)


def of_rule(account: Account, id: str, rule: dict[str, Any]) -> Iterator[Request]:
    """eventbridge/latest/userguide/eb-use-resource-based.html, …/eb-rule-dlq.html; to a topic it brings no condition
    (sns/latest/dg/sns-enable-encryption-for-topic-sqs-queue-subscriptions.html)."""
    source = {"aws:SourceArn": account.arn(id), "aws:SourceAccount": ACCOUNT, **TLS}
    for target in rule["Targets"]:
        arn = target["Arn"]
        kind = arn.split(":")[2]
        yield Request(EVENTS, TARGET_VERBS[kind], arn, TLS if kind == "sns" else source)
        if kind != "lambda":
            yield from on_key(account, EVENTS, encryption_of(arn), READ, WRITE)
        queue = target["DeadLetterConfig"]["Arn"]
        yield Request(EVENTS, "sqs:SendMessage", queue, source)
        yield from on_key(account, EVENTS, encryption_of(queue), READ, WRITE)


def of_alarm(account: Account, id: str, alarm: dict[str, Any]) -> Iterator[Request]:
    """AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html, on encrypted topics."""
    arn = f"arn:aws:cloudwatch:{REGION}:{ACCOUNT}:alarm:{id}"
    source = {"aws:SourceArn": arn, "aws:SourceAccount": ACCOUNT}
    for topic in alarm.get("AlarmActions", ()):  # one that a composite alarm looks at tells nobody
        yield Request("cloudwatch.amazonaws.com", "sns:Publish", topic, source | TLS)
        yield from on_key(account, "cloudwatch.amazonaws.com", source | encryption_of(topic), READ, WRITE)


def of_function(account: Account, id: str, function: dict[str, Any]) -> Iterator[Request]:
    """lambda/latest/dg/lambda-intro-execution-role.html, …/services-xray.html, …/configuration-vpc.html"""
    role = function["Role"]
    yield Request("lambda.amazonaws.com", "sts:AssumeRole", role)
    group = account.log_group(function["LoggingConfig"]["LogGroup"])
    for verb in ("CreateLogStream", "PutLogEvents"):
        yield Request(role, f"logs:{verb}", group)
    for verb in ("PutTraceSegments", "PutTelemetryRecords"):
        yield Request(role, f"xray:{verb}", "*")
    if "VpcConfig" in function:
        for verb in ("CreateNetworkInterface", "DescribeNetworkInterfaces", "DeleteNetworkInterface"):
            yield Request(role, f"ec2:{verb}", "*")


def of_failed_event(account: Account, id: str, configured: dict[str, Any]) -> Iterator[Request]:
    """lambda/latest/dg/invocation-async-retain-records.html"""
    role = account.described(configured["FunctionName"])["Role"]
    queue = configured["DestinationConfig"]["OnFailure"]["Destination"]
    yield Request(role, "sqs:SendMessage", queue, TLS)
    yield from on_key(account, role, encryption_of(queue), READ, WRITE)


def of_queue_reader(account: Account, id: str, mapping: dict[str, Any]) -> Iterator[Request]:
    """lambda/latest/dg/services-sqs-configure.html, on encrypted queues too"""
    role, queue = account.described(mapping["FunctionName"])["Role"], mapping["EventSourceArn"]
    for verb in ("ReceiveMessage", "DeleteMessage", "GetQueueAttributes"):
        yield Request(role, f"sqs:{verb}", queue, TLS)
    yield from on_key(account, role, encryption_of(queue), READ)


def of_log_group(account: Account, id: str, group: dict[str, Any]) -> Iterator[Request]:
    """AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html"""
    context = {"kms:EncryptionContext:aws:logs:arn": account.arn(id).removesuffix(":*")}
    actions = ("kms:Encrypt", READ, WRITE, "kms:ReEncryptFrom", "kms:ReEncryptTo", "kms:DescribeKey")
    yield from on_key(account, f"logs.{REGION}.amazonaws.com", context, *actions)


def of_method(account: Account, id: str, method: dict[str, Any]) -> Iterator[Request]:
    """apigateway/latest/developerguide/permissions.html: a stage of this API, by method and path"""
    if method["HttpMethod"] == "OPTIONS":  # answered by API Gateway itself
        return
    function = re.search(r"arn:aws:lambda:[^/]+", method["Integration"]["Uri"])
    assert function is not None
    path = re.sub(r"\{\w+\}", "any", account.path_of(method["ResourceId"]))
    source = f"arn:aws:execute-api:{REGION}:{ACCOUNT}:{method['RestApiId']}/gate/{method['HttpMethod']}{path}"
    yield Request("apigateway.amazonaws.com", "lambda:InvokeFunction", function[0], {"aws:SourceArn": source})


def of_api_account(account: Account, id: str, made: dict[str, Any]) -> Iterator[Request]:
    """apigateway/latest/developerguide/set-up-logging.html"""
    role = made["CloudWatchRoleArn"]
    yield Request("apigateway.amazonaws.com", "sts:AssumeRole", role)
    for verb in ("CreateLogGroup", "CreateLogStream", "DescribeLogGroups", "DescribeLogStreams", "PutLogEvents"):
        yield Request(role, f"logs:{verb}", f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:any")


def of_deployment_group(account: Account, id: str, group: dict[str, Any]) -> Iterator[Request]:
    """codedeploy/latest/userguide/security-iam.html, …/getting-started-create-service-role.html"""
    role, by = group["ServiceRoleArn"], "codedeploy.amazonaws.com"
    yield Request(by, "sts:AssumeRole", role, {"aws:SourceAccount": ACCOUNT})
    yield Request(role, "cloudwatch:DescribeAlarms", "*")
    for alias in account.of_type("AWS::Lambda::Alias"):
        for verb in ("GetAlias", "UpdateAlias", "GetProvisionedConcurrencyConfig"):
            yield Request(role, f"lambda:{verb}", account.arn(alias).rpartition(":")[0])
            yield Request(role, f"lambda:{verb}", account.arn(alias))


def of_bucket(account: Account, id: str, bucket: dict[str, Any]) -> Iterator[Request]:
    """AmazonS3/latest/userguide/enable-server-access-logging.html; to EventBridge S3 needs no permission."""
    if logging := bucket.get("LoggingConfiguration"):
        log = f"arn:aws:s3:::{logging['DestinationBucketName']}/{logging['LogFilePrefix']}2026"
        source = {"aws:SourceArn": account.arn(id), "aws:SourceAccount": ACCOUNT}
        yield Request("logging.s3.amazonaws.com", "s3:PutObject", log, source | TLS)


def encryption_of(arn: str) -> dict[str, str]:
    """The encryption context that a queue or a topic brings to the key."""
    name = {"sqs": "aws:sqs:arn", "sns": "aws:sns:topicArn"}[arn.split(":")[2]]
    return {f"kms:EncryptionContext:{name}": arn}


BY_KIND: dict[str, Callable[[Account, str, dict[str, Any]], Iterator[Request]]] = {
    "AWS::ApiGateway::Account": of_api_account,
    "AWS::ApiGateway::Method": of_method,
    "AWS::CloudWatch::Alarm": of_alarm,
    "AWS::CloudWatch::CompositeAlarm": of_alarm,
    "AWS::CodeDeploy::DeploymentGroup": of_deployment_group,
    "AWS::Events::Rule": of_rule,
    "AWS::Lambda::EventInvokeConfig": of_failed_event,
    "AWS::Lambda::EventSourceMapping": of_queue_reader,
    "AWS::Lambda::Function": of_function,
    "AWS::Logs::LogGroup": of_log_group,
    "AWS::S3::Bucket": of_bucket,
    "AWS::StepFunctions::StateMachine": of_machine,
}
"""Kinds of resources that make services call something."""
