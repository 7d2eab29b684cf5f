"""What runs may do what it does, and nobody else may: AWS's rules evaluated over the synthesized policies."""

from __future__ import annotations

import re

import aws_cdk as cdk
import pytest
from aws_cdk import aws_iam as iam

from gate.catalogue import BY_NAME, Use
from infra.api.rest_api import ROUTES
from infra.app import Synthesized, flags, synthesize
from infra.gate import ReliabilityGate
from infra.rights.models import INVOKE
from tests.iam.deployed_account import REGION, Account
from tests.iam.evaluation import ACCOUNT, holds, listed
from tests.iam.refusals import confused
from tests.infra.templates import WHOLE, functions, of_type

pytestmark = pytest.mark.infra
READ, WRITE = "kms:Decrypt", "kms:GenerateDataKey"
EVENTS, ALARMS, DELIVERY = "events.amazonaws.com", "cloudwatch.amazonaws.com", "delivery.logs.amazonaws.com"
OTHER = "999999999999"


@pytest.fixture(scope="module")
def account(synthesized: Synthesized) -> Account:
    return Account(synthesized.stateful, synthesized.stateless)


@pytest.fixture(scope="module")
def key(account: Account) -> str:
    return account.find("AWS::KMS::Key")


# The machines.


def machine(account: Account, name: str) -> tuple[str, str]:
    """ARN of a machine, and of its role."""
    return account.find("AWS::StepFunctions::StateMachine", name), account.find("AWS::IAM::Role", f"{name}Role")


@pytest.mark.parametrize("name", ["Gate", "Batch"])
def test_a_machine_s_role_may_use_the_key_for_its_own_executions_alone(account: Account, key: str, name: str) -> None:
    arn, role = machine(account, name)
    for action in (READ, WRITE):
        for executed in (arn, f"{arn}/CheckTranscripts"):
            assert account.may(role, action, key, {"kms:EncryptionContext:aws:states:stateMachineArn": executed})
        assert not account.may(role, action, key, {"kms:EncryptionContext:aws:states:stateMachineArn": f"{arn}2"})
        assert not account.may(role, action, key)


@pytest.mark.parametrize("name", ["Gate", "Batch"])
def test_a_machine_s_events_reach_its_encrypted_log(account: Account, key: str, name: str) -> None:
    _, role = machine(account, name)
    logs = {"kms:EncryptionContext:SourceArn": f"arn:aws:logs:{REGION}:{ACCOUNT}:*"}
    assert account.may(role, WRITE, key, logs)
    assert account.may(DELIVERY, READ, key, logs)
    assert not account.may(DELIVERY, READ, key, {"kms:EncryptionContext:SourceArn": f"arn:aws:logs:r:{OTHER}:*"})
    for action in ("CreateLogDelivery", "UpdateLogDelivery", "PutResourcePolicy", "DescribeLogGroups"):
        assert account.may(role, f"logs:{action}", "*")


@pytest.mark.parametrize("name", ["Gate", "Batch"])
def test_a_machine_may_call_every_function_of_its_definition(account: Account, name: str) -> None:
    arn, role = machine(account, name)
    machines = account.of_type("AWS::StepFunctions::StateMachine")
    definition = account.resolve(machines[arn.rpartition(":")[2]]["Properties"]["DefinitionString"])
    called = set(re.findall(r"arn:aws:lambda:[\w:-]+", definition))
    assert len(called) >= 11
    assert all(account.may(role, "lambda:InvokeFunction", function) for function in called)


def test_the_map_of_a_batch_reads_its_manifest_writes_its_results_and_starts_its_children(
    account: Account, key: str
) -> None:
    arn, role = machine(account, "Batch")
    bucket = account.find("AWS::S3::Bucket", "Blobs")
    s3 = {"kms:ViaService": f"s3.{REGION}.amazonaws.com", "kms:EncryptionContext:aws:s3:arn": bucket}
    for verb, object_ in (("GetObject", "runs/a/manifest.json"), ("PutObject", "runs/batches/b/manifest.json")):
        assert account.may(role, f"s3:{verb}", f"{bucket}/{object_}")
    assert account.may(role, READ, key, s3)
    assert account.may(role, WRITE, key, s3)
    assert account.may(role, "states:StartExecution", arn)
    executions = arn.replace(":stateMachine:", ":execution:")
    assert account.may(role, "states:DescribeExecution", f"{executions}:run")
    assert account.may(role, "states:StopExecution", f"{executions}:run")


# What happens by itself.


def test_every_log_group_may_use_the_key_and_no_other_account_s(account: Account, key: str) -> None:
    groups = account.of_type("AWS::Logs::LogGroup")
    assert len(groups) > len(BY_NAME)
    for group in groups:
        context = {"kms:EncryptionContext:aws:logs:arn": account.arn(group).removesuffix(":*")}
        for action in ("kms:Encrypt", READ, "kms:GenerateDataKeyWithoutPlaintext", "kms:ReEncryptFrom"):
            assert account.may(f"logs.{REGION}.amazonaws.com", action, key, context)
    foreign = {"kms:EncryptionContext:aws:logs:arn": f"arn:aws:logs:{REGION}:{OTHER}:log-group:a"}
    assert not account.may(f"logs.{REGION}.amazonaws.com", READ, key, foreign)


def test_every_rule_may_call_its_target_and_leave_in_the_queue_what_it_could_not_deliver(
    account: Account, key: str
) -> None:
    verbs = {"lambda": "lambda:InvokeFunction", "sns": "sns:Publish", "sqs": "sqs:SendMessage"}
    queue = account.find("AWS::SQS::Queue", "Undelivered")
    rules = account.of_type("AWS::Events::Rule")
    assert len(rules) == 6
    for rule, described in rules.items():
        source = {"aws:SourceArn": account.arn(rule), "aws:SourceAccount": ACCOUNT, "aws:SecureTransport": "true"}
        for target in account.resolve(described["Properties"]["Targets"]):
            arn = target["Arn"]
            # EventBridge brings no condition to a topic but how it was reached.
            brought = {"aws:SecureTransport": "true"} if ":sns:" in arn else source
            assert account.may(EVENTS, verbs[arn.split(":")[2]], arn, brought)
            assert account.may(EVENTS, "sqs:SendMessage", target["DeadLetterConfig"]["Arn"], source)
            assert not account.may(EVENTS, "sqs:SendMessage", queue, source | {"aws:SourceArn": "arn:aws:events:r:a:b"})
    topic = account.find("AWS::SNS::Topic", "Alarms")
    for context in ({"aws:sns:topicArn": topic}, {"aws:sqs:arn": queue}):
        of_key = {f"kms:EncryptionContext:{name}": value for name, value in context.items()}
        # EventBridge brings no aws:SourceArn and no aws:SourceAccount to the key of a topic.
        assert account.may(EVENTS, WRITE, key, of_key)
        assert account.may(EVENTS, READ, key, of_key)
    foreign = f"arn:aws:sns:{REGION}:{OTHER}:topic"
    assert not account.may(EVENTS, READ, key, {"kms:EncryptionContext:aws:sns:topicArn": foreign})


def test_every_alarm_reaches_the_topic(account: Account, key: str) -> None:
    topic = account.find("AWS::SNS::Topic", "Alarms")
    alarm = f"arn:aws:cloudwatch:{REGION}:{ACCOUNT}:alarm:any"
    source = {"aws:SourceArn": alarm, "aws:SourceAccount": ACCOUNT}
    assert account.may(ALARMS, "sns:Publish", topic, source | {"aws:SecureTransport": "true"})
    of_topic = {"kms:EncryptionContext:aws:sns:topicArn": topic}
    assert account.may(ALARMS, WRITE, key, source | of_topic)
    assert account.may(ALARMS, READ, key, source | of_topic)
    foreign = {"aws:SourceArn": alarm.replace(ACCOUNT, OTHER), "aws:SourceAccount": OTHER}
    assert not account.may(ALARMS, "sns:Publish", topic, foreign | {"aws:SecureTransport": "true"})
    assert not account.may(ALARMS, READ, key, foreign | of_topic)


def test_a_function_that_fails_on_an_event_may_leave_it_in_the_queue(account: Account, key: str) -> None:
    queue = account.find("AWS::SQS::Queue", "Undelivered")
    configured = account.properties("AWS::Lambda::EventInvokeConfig")
    assert len(configured) == 4
    roles = {one["FunctionName"]: role_of(account, one["FunctionName"]) for one in configured}
    for role in roles.values():
        assert account.may(role, "sqs:SendMessage", queue, {"aws:SecureTransport": "true"})
        assert account.may(role, WRITE, key, {"kms:EncryptionContext:aws:sqs:arn": queue})


def role_of(account: Account, function: str) -> str:
    """ARN of the role of a function, which is named by its logical id."""
    return str(account.resolve(account.of_type("AWS::Lambda::Function")[function]["Properties"]["Role"]))


# The functions, by the catalogue.


@pytest.mark.parametrize("name", BY_NAME)
def test_a_function_may_do_what_its_line_says(account: Account, synthesized: Synthesized, key: str, name: str) -> None:
    agent = BY_NAME[name]
    role = str(account.resolve(functions(synthesized.stateless)[name]["Role"]))
    blobs, uploads = (account.find("AWS::S3::Bucket", bucket) for bucket in ("Blobs", "Uploads"))
    secure = {"aws:SecureTransport": "true", "s3:TlsVersion": "1.3"}
    calls: list[tuple[str, str]] = [("s3:GetObject", f"{blobs}/runs/a/b"), ("s3:PutObject", f"{blobs}/runs/a/b")]
    if Use.EVENTS in agent.uses:
        calls.append(("events:PutEvents", f"arn:aws:events:{REGION}:{ACCOUNT}:event-bus/default"))
    if Use.MODEL in agent.uses:
        calls.append(("dynamodb:UpdateItem", account.find("AWS::DynamoDB::Table", "Budgets")))
    if Use.VERSIONS in agent.uses:
        table = account.find("AWS::DynamoDB::Table", "Documents")
        calls += [(f"dynamodb:{verb}", table) for verb in ("UpdateItem", "BatchGetItem", "Query")]
        calls.append(("s3:GetObject", f"{uploads}/corpora/a"))
        assert account.may(role, "s3:ListBucket", uploads, secure | {"s3:prefix": "corpora/docs/a.md"})
    if Use.QUEUE in agent.uses:
        verbs = {"ingest_corpus": ("ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility")}
        waiting = account.find("AWS::SQS::Queue", "DocumentsWaiting")
        calls += [(f"sqs:{verb}", waiting) for verb in verbs.get(name, ("SendMessage",))]
    if Use.UPLOADS in agent.uses:
        calls.append(("s3:GetObjectVersion", f"{uploads}/transcripts/a"))
    if {Use.SEARCH, Use.INDEX} & set(agent.uses):
        calls.append(("aoss:APIAccessAll", account.find("AWS::OpenSearchServerless::Collection")))
    if Use.REPORTS in agent.uses:
        calls.append(("s3:PutObject", f"{blobs}/reports/a/report.json"))
    if Use.WEBHOOK in agent.uses:
        secret, table = WHOLE["gate:review_webhook"], account.find("AWS::DynamoDB::Table", "Reviews")
        calls += [("secretsmanager:GetSecretValue", secret), ("dynamodb:GetItem", table)]
        assert not account.may(role, "secretsmanager:GetSecretValue", secret.replace("reviews", "others"))
        assert not account.may(role, "dynamodb:PutItem", table)
    for action, resource in calls:
        assert account.may(role, action, resource, secure), (action, resource)
    assert not account.may(role, "s3:PutObject", f"{blobs}/runs/a/b", secure | {"aws:SecureTransport": "false"})
    for machine_arn in agent.starts and [machine(account, "Gate")[0]]:
        context = {"kms:EncryptionContext:aws:states:stateMachineArn": machine_arn}
        assert account.may(role, "states:StartExecution", machine_arn)
        assert account.may(role, WRITE, key, context)
    for action in (READ, WRITE):
        assert account.may(role, action, key, {"kms:EncryptionContext:aws:s3:arn": blobs})


def test_who_holds_a_form_uploads_where_forms_lead_and_nowhere_else_and_reads_nothing(account: Account) -> None:
    role, uploads = account.find("AWS::IAM::Role", "ApiRole"), account.find("AWS::S3::Bucket", "Uploads")
    secure = {"aws:SecureTransport": "true", "s3:TlsVersion": "1.3"}
    lead = f"{uploads}/transcripts/by-form/red/up-1.json"
    assert account.may(role, "s3:PutObject", lead, secure)
    assert not account.may(role, "s3:GetObject", lead, secure)
    for key in ("transcripts/a.md", "corpora/trusted_docs/a.md", "config/policy.json"):
        assert not account.may(role, "s3:PutObject", f"{uploads}/{key}", secure)
        assert not account.may(role, "s3:DeleteObject", f"{uploads}/{key}", secure)


# People, by the grants of the construct.

GRANTS = {
    "invoke": {
        f"{method} {path.removeprefix('v1/').replace('{run_id}', 'a')}"
        for path, methods in ROUTES.items()
        for method in methods
        if "reviews" not in path
    },
    "submit": {"POST checks", "GET outcomes/a", "POST checks/a/rerun", "POST uploads", "POST citations"},
    "outcomes": {"GET outcomes/a"},
    "read": {"GET checks/a", "GET checks/a/report"},
    "now": {"POST checks:now"},
    "review": {"GET reviews", "GET reviews/a", "POST reviews/a/assign", "POST reviews/a/decide", "GET checks/a/report"},
    "delete": {"DELETE checks/a"},
}


@pytest.mark.parametrize("grant", GRANTS)
def test_a_person_may_call_what_their_grant_names_and_nothing_else(grant: str) -> None:
    app = cdk.App(context=flags())
    stack = cdk.Stack(app, "Team", env=cdk.Environment(account=ACCOUNT, region=REGION))
    gate = ReliabilityGate(stack, "Gate")
    role = iam.Role(stack, "Person", assumed_by=iam.AccountRootPrincipal())
    getattr(gate.rest_api, f"grant_{grant}")(role)
    account = Account(app.synth().get_stack_by_name("Team").template)
    (api,) = [account.resolve({"Ref": id}) for id in account.of_type("AWS::ApiGateway::RestApi")]
    person = account.find("AWS::IAM::Role", "Person")
    stage = f"arn:aws:execute-api:{REGION}:{ACCOUNT}:{api}/gate"
    called = {
        f"{method} {path.removeprefix('v1/').replace('{run_id}', 'a')}"
        for path, methods in ROUTES.items()
        for method in methods
        if account.may(person, "execute-api:Invoke", f"{stage}/{method}/{path.replace('{run_id}', 'a')}")
    }
    assert called == GRANTS[grant]


def test_who_administers_changes_policy_and_corpora_and_neither_reads_nor_submits() -> None:
    app = cdk.App(context=flags())
    stack = cdk.Stack(app, "Team", env=cdk.Environment(account=ACCOUNT, region=REGION))
    gate = ReliabilityGate(stack, "Gate")
    role = iam.Role(stack, "Person", assumed_by=iam.AccountRootPrincipal())
    gate.grant_administer(role)
    account = Account(app.synth().get_stack_by_name("Team").template)
    person, uploads = account.find("AWS::IAM::Role", "Person"), account.find("AWS::S3::Bucket", "Uploads")
    secure = {"aws:SecureTransport": "true", "s3:TlsVersion": "1.3"}
    for key in ("config/policy.json", "corpora/trusted_docs/a.md"):
        assert account.may(person, "s3:PutObject", f"{uploads}/{key}", secure)
        assert account.may(person, "s3:DeleteObject", f"{uploads}/{key}", secure)
        assert not account.may(person, "s3:GetObject", f"{uploads}/{key}", secure)
    assert not account.may(person, "s3:PutObject", f"{uploads}/transcripts/a.md", secure)


# Nobody else.


def test_every_service_is_let_in_for_this_account_alone(account: Account) -> None:
    assert confused(account) == []


def test_step_functions_takes_a_role_for_this_account_s_machines_alone(account: Account) -> None:
    for role in account.properties("AWS::IAM::Role"):
        (statement,) = role["AssumeRolePolicyDocument"]["Statement"]
        if listed(statement["Principal"]["Service"]) == ["states.amazonaws.com"]:
            ours = {
                "aws:SourceAccount": ACCOUNT,
                "aws:SourceArn": f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:Any",
            }
            assert holds(statement["Condition"], ours)
            assert not holds(statement["Condition"], ours | {"aws:SourceAccount": OTHER})


def test_every_property_that_names_a_model_takes_a_profile_and_a_guardrail_its_arn() -> None:
    guardrail = f"arn:aws:bedrock:{REGION}:{ACCOUNT}:guardrail/gr1"
    made = synthesize(
        {
            "gate:image_model": "us.amazon.nova-pro-v1:0",
            "gate:embed_model": "global.cohere.embed-v4:0",
            "gate:guardrail": f"{guardrail}:3",
            "gate:api_log_role": "false",
        }
    )
    account = Account(made.stateful, made.stateless)
    called = {
        "collect_vision_evidence": "us.amazon.nova-pro-v1:0",
        "retrieve_evidence": "global.cohere.embed-v4:0",
    }
    for name, profile in called.items():
        role = str(account.resolve(functions(made.stateless)[name]["Role"]))
        region = "us-west-2" if profile.startswith("us.") else ""
        assert account.may(role, INVOKE, f"arn:aws:bedrock:{REGION}:{ACCOUNT}:inference-profile/{profile}")
        model = f"foundation-model/{profile.partition('.')[2]}"
        assert account.may(role, INVOKE, f"arn:aws:bedrock:{region}::{model}")
    verifier = str(account.resolve(functions(made.stateless)["verify_claims"]["Role"]))
    assert account.may(verifier, "bedrock:ApplyGuardrail", guardrail)
    assert not of_type(made.stateless, "AWS::ApiGateway::Account")


# API Gateway.


def test_a_stage_that_logs_waits_for_the_role_that_its_account_logs_by(synthesized: Synthesized) -> None:
    template = synthesized.stateless
    ((made, account),) = of_type(template, "AWS::ApiGateway::Account").items()
    (stage,) = of_type(template, "AWS::ApiGateway::Stage").values()
    assert made in stage["DependsOn"]
    deployed = Account(synthesized.stateful, template)
    role = deployed.resolve(account["Properties"]["CloudWatchRoleArn"])
    assert deployed.may(role, "logs:PutLogEvents", f"arn:aws:logs:{REGION}:{ACCOUNT}:log-group:any")
    kept = (account, template["Resources"][role.rpartition("/")[2]])
    assert all(one["DeletionPolicy"] == "Retain" for one in kept)
