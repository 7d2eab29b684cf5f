"""What the stacks promise: least privilege, encryption, retention, timeouts, queues and alarms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import assertions
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam

from gate.catalogue import BY_NAME, IN_THE_REQUEST, NAMESPACE, Event, Use
from gate.errors import EventsUnavailableError, ModelThrottledError, ModelUnavailableError, SearchUnavailableError
from gate.settings import PREFIX, Settings
from infra.app import DataStack, Synthesized, flags, synthesize
from infra.gate import ReliabilityGate
from infra.props import GateProps, PropertyError
from tests.infra.templates import (
    WHOLE,
    Template,
    actions_of,
    all_statements,
    functions,
    listed,
    of_type,
    resources_for,
    statements_of,
)

pytestmark = pytest.mark.infra
EVERY = tuple(BY_NAME.values())


@pytest.fixture(scope="module")
def gate(synthesized: Synthesized) -> Template:
    return synthesized.stateless


@pytest.fixture(scope="module")
def data(synthesized: Synthesized) -> Template:
    return synthesized.stateful


def test_every_line_of_the_catalogue_is_a_function_of_its_size(gate: Template) -> None:
    found = functions(gate)
    assert set(found) == set(BY_NAME)
    for name, properties in found.items():
        agent = BY_NAME[name]
        assert (properties["MemorySize"], properties["Timeout"]) == (agent.memory_mb, agent.timeout_s)
        assert properties["Runtime"] == "python3.14"
        assert properties["Architectures"] == ["arm64"]
        assert properties["TracingConfig"] == {"Mode": "Active"}
        assert len(properties["Layers"]) == (3 if {Use.INDEX, Use.DOCUMENTS} & set(agent.uses) else 2)
        assert "LogGroup" in properties["LoggingConfig"]


def test_every_function_has_a_role_of_its_own_and_no_managed_policy(gate: Template) -> None:
    roles = [json.dumps(properties["Role"]) for properties in functions(gate).values()]
    assert len(roles) == len(set(roles))
    assert not [role for role in of_type(gate, "AWS::IAM::Role").values() if "ManagedPolicyArns" in role["Properties"]]


def test_only_agents_that_use_a_model_may_call_one(gate: Template) -> None:
    callers = {agent.name for agent in EVERY if "bedrock:InvokeModel" in actions_of(gate, agent.name)}
    assert callers == {agent.name for agent in EVERY if {Use.MODEL, Use.EMBEDDER} & set(agent.uses)}
    assert "judge" not in callers


def test_a_model_is_named_exactly_in_each_region_of_its_profile(gate: Template) -> None:
    models = resources_for(gate, "verify_claims", "bedrock:InvokeModel")
    assert sum("inference-profile/us.anthropic.claude-haiku-5-5" in arn for arn in models) == 1
    foundation = [arn for arn in models if "foundation-model/anthropic.claude-haiku-5-5" in arn]
    assert {
        region for region in ("us-east-1", "us-east-2", "us-west-2") if any(region in arn for arn in foundation)
    } == {
        "us-east-1",
        "us-east-2",
        "us-west-2",
    }
    assert not any("*" in arn for arn in models)


def test_no_policy_allows_every_action_and_few_every_resource(gate: Template) -> None:
    for statement in all_statements(gate):
        actions = listed(statement["Action"])
        assert not any(action == "*" or action.endswith(":*") for action in actions)
        if "*" in listed(statement["Resource"]):
            assert all(action.startswith(("logs:", "xray:")) for action in actions), actions


def test_only_entrances_start_executions_and_only_the_api_forgets_runs(gate: Template) -> None:
    starters = {agent.name for agent in EVERY if "states:StartExecution" in actions_of(gate, agent.name)}
    assert starters == {"api", "start_check"} == {agent.name for agent in EVERY if agent.starts}
    for agent in EVERY:
        assert len(resources_for(gate, agent.name, "states:StartExecution")) == len(agent.starts)
    assert {agent.name for agent in EVERY if "s3:DeleteObject" in actions_of(gate, agent.name)} == {"api"}


def test_those_that_announce_put_events_on_one_bus_and_nobody_else_does(gate: Template) -> None:
    announcers = {agent.name for agent in EVERY if "events:PutEvents" in actions_of(gate, agent.name)}
    assert announcers == {agent.name for agent in EVERY if Use.EVENTS in agent.uses}
    assert {"publish_report", "publish_failure"} < announcers
    for name in announcers:
        (bus,) = resources_for(gate, name, "events:PutEvents")
        assert "event-bus/default" in bus
        assert "*" not in bus


def test_a_bus_of_one_s_own_is_told_and_no_other() -> None:
    app = cdk.App(context=flags())
    stack = cdk.Stack(app, "Team")
    bus = events.EventBus(stack, "Bus")
    made = ReliabilityGate(stack, "Gate", props=GateProps(event_bus=bus))
    template = app.synth().get_stack_by_name("Team").template
    assert made.event_bus is bus
    (logical_id,) = of_type(template, "AWS::Events::EventBus")
    assert resources_for(template, "publish_report", "events:PutEvents") == [
        json.dumps({"Fn::GetAtt": [logical_id, "Arn"]})
    ]
    environment = functions(template)["publish_report"]["Environment"]["Variables"]
    assert environment["GATE_EVENT_BUS"] == {"Fn::GetAtt": [logical_id, "Arn"]}


def test_the_page_of_a_run_is_stored_where_people_come_to_read_it(gate: Template) -> None:
    for name in ("publish_report", "publish_failure", "summarize_batch"):
        assert functions(gate)[name]["Environment"]["Variables"]["GATE_STORE_PAGE"] == "true"


def test_audit_records_are_added_and_never_replaced(gate: Template) -> None:
    keepers = {
        agent.name
        for agent in EVERY
        if any("audit/*" in arn for arn in resources_for(gate, agent.name, "s3:PutObject"))
    }
    assert keepers == {"retrieve_citations", "api", "check_now"}
    for statement in (one for one in all_statements(gate) if "audit/*" in json.dumps(one["Resource"])):
        assert listed(statement["Action"]) == ["s3:PutObject"]
        assert statement["Condition"] == {"Null": {"s3:if-none-match": "false"}}


def test_the_publisher_of_failures_may_ask_encrypted_executions_why(gate: Template) -> None:
    asked = resources_for(gate, "publish_failure", "states:DescribeExecution")
    assert len(asked) == 2
    assert all(":execution:" in arn and "GetAtt" in arn for arn in asked)
    assert resources_for(gate, "publish_failure", "kms:Decrypt")
    environment = functions(gate)["publish_failure"]["Environment"]["Variables"]
    assert {"GATE_MACHINE", "GATE_BATCH_MACHINE"} <= set(environment)


def test_reports_are_written_by_those_that_publish(gate: Template) -> None:
    for agent in EVERY:
        writes = any("/reports/*" in arn for arn in resources_for(gate, agent.name, "s3:PutObject"))
        assert writes == (Use.REPORTS in agent.uses), agent.name


def test_buckets_are_private_encrypted_and_kept(data: Template) -> None:
    buckets = of_type(data, "AWS::S3::Bucket").values()
    assert len(buckets) == 3
    for bucket in buckets:
        properties = bucket["Properties"]
        assert all(properties["PublicAccessBlockConfiguration"].values())
        assert properties["BucketEncryption"]
        assert properties["LifecycleConfiguration"]
        assert (bucket["DeletionPolicy"], bucket["UpdateReplacePolicy"]) == ("Retain", "Retain")
    denials = [json.dumps(policy) for policy in of_type(data, "AWS::S3::BucketPolicy").values()]
    assert len(denials) == 3
    assert all("aws:SecureTransport" in policy for policy in denials)


def test_the_index_is_kept_with_what_it_is_reached_by(data: Template) -> None:
    for kind in ("Collection", "CollectionGroup", "SecurityPolicy"):
        (kept,) = of_type(data, f"AWS::OpenSearchServerless::{kind}").values()
        assert (kept["DeletionPolicy"], kept["UpdateReplacePolicy"]) == ("Retain", "Retain")


def test_uploads_keep_versions_and_tell_eventbridge(data: Template) -> None:
    versioned = [
        bucket["Properties"]
        for bucket in of_type(data, "AWS::S3::Bucket").values()
        if "VersioningConfiguration" in bucket["Properties"]
    ]
    assert len(versioned) == 1
    assert versioned[0]["NotificationConfiguration"] == {"EventBridgeConfiguration": {"EventBridgeEnabled": True}}


def test_no_stack_brings_a_custom_resource(gate: Template, data: Template) -> None:
    for template in (gate, data):
        assert not [one for one in template["Resources"].values() if one["Type"].startswith("Custom::")]


def test_the_key_rotates_and_encrypts_machines_logs_and_queue(gate: Template, data: Template) -> None:
    (key,) = of_type(data, "AWS::KMS::Key").values()
    assert key["Properties"]["EnableKeyRotation"] is True
    machines = of_type(gate, "AWS::StepFunctions::StateMachine").values()
    assert all(one["Properties"]["EncryptionConfiguration"]["Type"] == "CUSTOMER_MANAGED_KMS_KEY" for one in machines)
    assert all("KmsKeyId" in group["Properties"] for group in of_type(gate, "AWS::Logs::LogGroup").values())
    assert all("KmsMasterKeyId" in queue["Properties"] for queue in of_type(gate, "AWS::SQS::Queue").values())


def test_every_log_group_forgets(gate: Template) -> None:
    groups = of_type(gate, "AWS::Logs::LogGroup").values()
    assert len(groups) == len(EVERY) + 3
    assert all(group["Properties"]["RetentionInDays"] == 90 for group in groups)


def test_machines_log_without_payloads_and_are_traced(gate: Template) -> None:
    for machine in of_type(gate, "AWS::StepFunctions::StateMachine").values():
        logging = machine["Properties"]["LoggingConfiguration"]
        assert (logging["Level"], logging["IncludeExecutionData"]) == ("ALL", False)
        assert machine["Properties"]["TracingConfiguration"] == {"Enabled": True}


def test_events_that_no_function_takes_end_in_a_queue(gate: Template) -> None:
    rules = of_type(gate, "AWS::Events::Rule").values()
    assert len(rules) >= 2
    for rule in rules:
        for target in rule["Properties"]["Targets"]:
            assert "DeadLetterConfig" in target
    invocations = of_type(gate, "AWS::Lambda::EventInvokeConfig").values()
    assert all("OnFailure" in one["Properties"]["DestinationConfig"] for one in invocations)


def test_a_failed_execution_of_either_machine_is_published(gate: Template) -> None:
    patterns = patterns_of(gate)
    (failed,) = [pattern["detail"] for pattern in patterns if pattern["source"] == ["aws.states"]]
    assert failed["status"] == ["FAILED", "TIMED_OUT", "ABORTED"]
    assert len(failed["stateMachineArn"]) == 2


def patterns_of(gate: Template) -> list[dict[str, Any]]:
    """Of every rule that no clock calls."""
    rules = [rule["Properties"] for rule in of_type(gate, "AWS::Events::Rule").values()]
    return [rule["EventPattern"] for rule in rules if "EventPattern" in rule]


def test_documents_wait_in_a_queue_from_which_a_bounded_number_of_functions_take(gate: Template) -> None:
    (source,) = [one["Properties"] for one in of_type(gate, "AWS::Lambda::EventSourceMapping").values()]
    assert source["ScalingConfig"] == {"MaximumConcurrency": 5}
    assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    waiting = gate["Resources"][source["EventSourceArn"]["Fn::GetAtt"][0]]["Properties"]
    lost = waiting["RedrivePolicy"]["deadLetterTargetArn"]["Fn::GetAtt"][0]
    assert waiting["RedrivePolicy"]["maxReceiveCount"] == 12
    assert waiting["VisibilityTimeout"] >= BY_NAME["ingest_corpus"].timeout_s
    (rule,) = [pattern for pattern in patterns_of(gate) if "Object Deleted" in pattern["detail-type"]]
    assert rule["detail"]["object"]["key"] == [{"prefix": "corpora/"}]
    watched = [alarm["Properties"] for alarm in of_type(gate, "AWS::CloudWatch::Alarm").values()]
    assert any(lost in json.dumps(alarm) for alarm in watched)
    (behind,) = [alarm for alarm in watched if alarm.get("MetricName") == "CorpusBehind"]
    assert (behind["Period"], behind["EvaluationPeriods"], behind["Threshold"]) == (3600, 2, 1)


def test_alarms_cover_what_matters_and_tell_the_topic(gate: Template) -> None:
    alarms = [alarm["Properties"] for alarm in of_type(gate, "AWS::CloudWatch::Alarm").values()]
    watched = {metric["MetricName"] for alarm in alarms for metric in metrics_of(alarm)}
    assert watched >= {
        "ExecutionsFailed",
        "ExecutionsTimedOut",
        "ExecutionThrottled",
        "5XXError",
        "UncheckedClaims",
        "ApproximateNumberOfMessagesVisible",
        "Throttles",
        "ModelThrottledError",
        "ModelUnavailableError",
        "SearchUnavailableError",
        "ApproximateAgeOfOldestMessage",
        "ExecutionTime",
        "Latency",
    }


def test_every_alarm_tells_the_topic_or_is_looked_at_by_one_that_does(gate: Template) -> None:
    (whole,) = [one["Properties"] for one in of_type(gate, "AWS::CloudWatch::CompositeAlarm").values()]
    assert whole["AlarmActions"]
    silent = {
        id for id, one in of_type(gate, "AWS::CloudWatch::Alarm").items() if "AlarmActions" not in one["Properties"]
    }
    assert silent
    assert all(f'"{id}"' in json.dumps(whole["AlarmRule"]) for id in silent)


def test_errors_and_throttles_of_every_function_ring_as_one_and_no_alarm_watches_more_than_it_may(
    gate: Template,
) -> None:
    alarms = [metrics_of(one["Properties"]) for one in of_type(gate, "AWS::CloudWatch::Alarm").values()]
    assert max(map(len, alarms)) <= 10
    names = {id for id, one in of_type(gate, "AWS::Lambda::Function").items() if "Handler" in one["Properties"]}
    for kind in ("Errors", "Throttles"):
        watched = [one for alarm in alarms for one in alarm if one["MetricName"] == kind]
        assert sorted(one["Dimensions"][0]["Value"]["Ref"] for one in watched) == sorted(names)
    page = (Path(__file__).parents[2] / "docs" / "deploy.md").read_text(encoding="utf-8")
    assert f"$0.10 for each of the {sum(map(len, alarms))} metrics" in page


def test_a_run_that_waits_for_a_person_does_not_make_runs_slow_by_itself(gate: Template) -> None:
    slow = alarms_by_section(gate)["gaterunsslow"]
    (expression,) = [part["Expression"] for part in slow["Metrics"] if "Expression" in part]
    assert expression == "IF(FILL(ended, 0) >= 5, FILL(middle, 0), 0)"
    assert {part["MetricStat"]["Stat"] for part in slow["Metrics"] if "MetricStat" in part} == {"p50", "SampleCount"}
    assert slow["Threshold"] == 15 * 60 * 1_000


def alarms_by_section(template: Template) -> dict[str, Any]:
    """Properties of the alarms by the runbook's section."""
    alarms = [one["Properties"] for one in of_type(template, "AWS::CloudWatch::Alarm").values()]
    return {str(one["AlarmDescription"]).rpartition("#")[2]: one for one in alarms}


def test_what_reviewers_call_wrong_is_watched_over_a_week_and_not_where_it_is_switched_off(gate: Template) -> None:
    alarms = alarms_by_section(gate)
    drift = alarms["verdictsdrift"]
    assert {metric["MetricName"] for metric in metrics_of(drift)} == {"FalseAlarms", "Misses", "VerdictsMarked"}
    assert {part["MetricStat"]["Period"] for part in drift["Metrics"] if "MetricStat" in part} == {7 * 86_400}
    (expression,) = [part["Expression"] for part in drift["Metrics"] if "Expression" in part]
    assert expression == "IF(FILL(whole, 0) >= 20, 100 * (FILL(m0, 0) + FILL(m1, 0)) / whole, 0)"
    assert (drift["Threshold"], drift["EvaluationPeriods"]) == (30, 1)
    assert {metric["MetricName"] for metric in metrics_of(alarms["reviewersdiffer"])} == {
        "ReviewersDiffer",
        "VerdictsMarkedTwice",
    }
    without = synthesize({"gate:drift_percent": "0"}).stateless
    assert "VerdictsMarked" not in json.dumps(of_type(without, "AWS::CloudWatch::Alarm"))


def test_a_run_that_waits_for_a_person_of_which_nobody_was_told_rings_whichever_function_could_not_tell(
    gate: Template,
) -> None:
    deployed = {agent.name for agent in EVERY if "ReviewUnannounced" in agent.figures}
    rings = alarms_by_section(gate)["reviewunannounced"]
    assert {metric["Dimensions"][0]["Value"] for metric in metrics_of(rings)} == deployed
    assert (rings["Threshold"], rings["EvaluationPeriods"], bool(rings["AlarmActions"])) == (1, 1, True)


def test_every_alarm_names_its_section_of_the_runbook(gate: Template) -> None:
    text = (Path(__file__).parents[2] / "docs" / "runbook.md").read_text(encoding="utf-8")
    sections = {line[3:].lower().replace(" ", "-") for line in text.splitlines() if line.startswith("## ")}
    told = {str(one["AlarmDescription"]).rpartition("docs/runbook.md#")[2] for one in every_alarm(gate)}
    assert told == sections - {"the-dashboard,-from-top-to-bottom"}


def every_alarm(template: Template) -> list[dict[str, Any]]:
    """Properties of every alarm, those on alarms too."""
    kinds = ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm")
    return [one["Properties"] for kind in kinds for one in of_type(template, kind).values()]


def test_the_dashboard_shows_what_a_person_on_call_asks_first(gate: Template) -> None:
    (board,) = [one["Properties"] for one in of_type(gate, "AWS::CloudWatch::Dashboard").values()]
    text = json.dumps(board).replace("\\", "")
    for outcome in ("pass", "review", "block", "error"):
        assert f'"outcome","{outcome}"' in text
    figures = {"UncheckedClaims", "CeilingReached", "CorpusLag", "ModelThrottledError", "SearchUnavailableError"}
    queues = {"ApproximateAgeOfOldestMessage", "ApproximateNumberOfMessagesVisible"}
    runs = {"ExecutionsFailed", "ExecutionTime", "Throttles", "Latency", "5XXError"}
    assert {name for name in figures | queues | runs if f'"{name}"' not in text} == set()
    assert '"value":500000000' in text, "the ceiling of everybody's day"
    without = json.dumps(dashboards_without_a_budget())
    assert "CeilingReached" not in without
    assert "everybody's day" not in without


def dashboards_without_a_budget() -> list[dict[str, Any]]:
    without = synthesize({f"gate:budget_{name}": "0" for name in ("tokens", "tenant_day", "day")})
    return [one["Properties"] for one in of_type(without.stateless, "AWS::CloudWatch::Dashboard").values()]


def test_the_end_of_a_model_is_told(gate: Template) -> None:
    (lifecycle,) = [pattern for pattern in patterns_of(gate) if pattern["source"] == ["aws.health"]]
    assert lifecycle["detail"]["service"] == ["BEDROCK"]


def test_a_topic_tells_of_runs_that_wait_with_a_link_and_without_text(gate: Template) -> None:
    told = json.loads((Path(__file__).parents[2] / "events" / "review_requested.json").read_text(encoding="utf-8"))
    rules = [one["Properties"] for one in of_type(gate, "AWS::Events::Rule").values()]
    (rule,) = [one for one in rules if one.get("EventPattern", {}).get("detail-type") == [told["detail-type"]]]
    assert rule["EventPattern"]["source"] == [told["source"]]
    target, webhook = rule["Targets"]
    assert (
        gate["Resources"][webhook["Arn"]["Fn::GetAtt"][0]]["Properties"]["Handler"] == "tell_reviewers.handler.handler"
    )
    assert "DeadLetterConfig" in webhook
    assert gate["Resources"][target["Arn"]["Ref"]]["Properties"]["KmsMasterKeyId"]
    paths = target["InputTransformer"]["InputPathsMap"].values()
    assert set(paths) == {"$.detail.run_id", "$.detail.until"}
    assert "/v1/reviews/<detail-run_id>" in json.dumps(target["InputTransformer"]["InputTemplate"])
    page = {"gate:review_page": "https://gate.example/#review/{run}"}
    assert "https://gate.example/#review/<detail-run_id>" in json.dumps(synthesize(page).stateless)


def test_a_bus_of_another_account_gets_no_rule_and_that_is_said() -> None:
    app = cdk.App(context=flags())
    stack = cdk.Stack(app, "Team", env=cdk.Environment(account="123456789012", region="us-east-1"))
    bus = events.EventBus.from_event_bus_arn(stack, "Bus", "arn:aws:events:us-east-1:999999999999:event-bus/theirs")
    ReliabilityGate(stack, "Gate", props=GateProps(event_bus=bus))
    template = app.synth().get_stack_by_name("Team").template
    assert "ReviewRequested" not in json.dumps(of_type(template, "AWS::Events::Rule"))
    said = assertions.Annotations.from_stack(stack).find_warning(
        "*", assertions.Match.string_like_regexp("ReviewRequested")
    )
    assert said


def test_an_alarm_watches_what_the_functions_emit(gate: Template) -> None:
    emitted = {(name, agent.name) for agent in EVERY for name in agent.figures}
    for error, *uses in (
        (ModelThrottledError, Use.MODEL),
        (ModelUnavailableError, Use.MODEL, Use.EMBEDDER),
        (SearchUnavailableError, Use.SEARCH, Use.INDEX),
        (EventsUnavailableError, Use.EVENTS),
    ):
        emitted |= {(error.__name__, agent.name) for agent in EVERY if {*uses} & {*agent.uses}}
    watched = {
        (metric["MetricName"], metric["Dimensions"][0]["Value"])
        for alarm in of_type(gate, "AWS::CloudWatch::Alarm").values()
        for metric in metrics_of(alarm["Properties"])
        if metric["Namespace"] == NAMESPACE
    }
    assert watched <= emitted
    assert {("ModelThrottledError", "extract_claims"), ("EventsUnavailableError", "start_check")} <= watched


def metrics_of(alarm: dict[str, Any]) -> list[dict[str, Any]]:
    """The metrics that an alarm watches, alone or added up."""
    parts = [part["MetricStat"]["Metric"] for part in alarm.get("Metrics", []) if "MetricStat" in part]
    return parts or [alarm]


def test_the_api_is_authorised_throttled_traced_and_logged_without_bodies(gate: Template) -> None:
    methods = [method["Properties"] for method in of_type(gate, "AWS::ApiGateway::Method").values()]
    assert {method["AuthorizationType"] for method in methods} == {"AWS_IAM"}
    (stage,) = of_type(gate, "AWS::ApiGateway::Stage").values()
    (settings,) = stage["Properties"]["MethodSettings"]
    assert (settings["ThrottlingRateLimit"], settings["DataTraceEnabled"]) == (50, False)
    assert "AccessLogSetting" in stage["Properties"]
    assert stage["Properties"]["TracingEnabled"] is True


def test_the_routes_are_those_that_the_function_answers(gate: Template) -> None:
    from gate.agents.api import openapi
    from infra.api.rest_api import ROUTES

    document = json.loads(openapi())["paths"]
    answered = {path.lstrip("/"): {method.upper() for method in methods} for path, methods in document.items()}
    assert {path: set(methods) for path, methods in ROUTES.items() if path != "openapi.json"} == answered


def test_a_check_in_the_request_has_a_function_that_may_do_what_the_path_of_a_check_does_and_no_more(
    gate: Template,
) -> None:
    of_path = {action for agent in IN_THE_REQUEST for action in actions_of(gate, agent.name)}
    of_path -= {"dynamodb:GetItem", "dynamodb:PutItem"}  # of reviews: nobody is asked
    of_route = {"s3:GetObjectVersion", "s3:ListBucketVersions"}  # the policy, and those before it
    assert actions_of(gate, "check_now") == of_path | of_route
    assert not {"states:StartExecution", "states:DescribeExecution", "s3:DeleteObject"} & actions_of(gate, "check_now")
    integrations = {
        json.dumps(method["Properties"]["Integration"]["Uri"])
        for method in of_type(gate, "AWS::ApiGateway::Method").values()
        if "CheckNow" in json.dumps(method["Properties"]["Integration"]["Uri"])
    }
    assert len(integrations) == 1
    assert "ReservedConcurrentExecutions" not in functions(gate)["check_now"]


def test_checks_in_the_request_may_be_bounded_and_left_out() -> None:
    bounded = functions(synthesize({"gate:now_concurrency": "20"}).stateless)
    assert bounded["check_now"]["ReservedConcurrentExecutions"] == 20
    assert "ReservedConcurrentExecutions" not in bounded["api"]
    without = synthesize({**WHOLE, "gate:checks_now": "false"}).stateless
    assert set(functions(without)) == {*BY_NAME} - {"check_now"}
    assert "check_now" not in json.dumps(without)
    assert "checks:now" not in json.dumps(without)


def test_the_function_of_the_webhook_knows_where_people_decide_and_is_left_out_where_there_is_none(
    gate: Template,
) -> None:
    told = functions(gate)["tell_reviewers"]["Environment"]["Variables"]
    assert told["GATE_REVIEW_WEBHOOK"] == WHOLE["gate:review_webhook"]
    assert "/v1/reviews/{run}" in json.dumps(told["GATE_REVIEW_PAGE"])
    assert "GATE_REVIEW_WEBHOOK_FORMAT" not in told
    without = synthesize().stateless
    assert set(functions(without)) == {*BY_NAME} - {"tell_reviewers"}
    assert "secretsmanager" not in json.dumps(without)


def test_where_things_are_is_told_as_outputs_and_parameters(gate: Template, data: Template) -> None:
    names = {"ApiUrl", "MachineArn", "BatchMachineArn", "UploadsBucket", "BlobsBucket", "SearchEndpoint"}
    names |= {"DocumentsLostArn", "ReviewsTopicArn"}
    assert names <= set(gate["Outputs"]) | set(data["Outputs"])
    parameters = [one["Properties"]["Name"] for one in of_type(gate, "AWS::SSM::Parameter").values()]
    assert {f"/reliability-gate/ReliabilityGate/{name}" for name in names} == set(parameters)


def test_data_is_protected_and_apart(synthesized: Synthesized) -> None:
    holding = {"AWS::S3::Bucket", "AWS::KMS::Key", "AWS::DynamoDB::Table", "AWS::OpenSearchServerless::Collection"}
    kinds = {one["Type"] for one in synthesized.stateless["Resources"].values()}
    assert not kinds & holding
    data = synthesized.app.node.find_child("ReliabilityGateData")
    assert isinstance(data, DataStack)
    assert data.termination_protection is True


def test_a_function_gets_the_settings_that_it_reads_and_no_others(gate: Template) -> None:
    everything = settings_given(gate, *BY_NAME)
    assert everything <= set(Settings.model_fields)
    for agent in EVERY:
        assert settings_given(gate, agent.name) == everything & agent.all_settings
    assert settings_given(gate, "judge") == {"blobs", "home"}
    assert "search" not in settings_given(gate, "verify_claims")
    assert "model" not in settings_given(gate, "aggregate_evidence")


def test_a_role_that_nobody_has_is_told_to_the_functions_and_is_not_the_default() -> None:
    given = functions(synthesize({"gate:delete_role": "", "gate:read_role": "auditors"}).stateless)["api"]
    told = given["Environment"]["Variables"]
    assert (told["GATE_DELETE_ROLE"], told["GATE_READ_ROLE"]) == ("", "auditors")
    assert "GATE_SUBMIT_ROLE" not in told


def settings_given(gate: Template, *agents: str) -> set[str]:
    """Fields of the settings that the environments of functions name."""
    names = {name for agent in agents for name in functions(gate)[agent]["Environment"]["Variables"]}
    return {name.removeprefix(PREFIX).lower() for name in names if name.startswith(PREFIX)}


def test_the_policy_may_be_read_by_those_that_start_runs_by_it_and_nothing_else_of_uploads_by_the_api(
    gate: Template,
) -> None:
    readers = {
        agent.name
        for agent in EVERY
        if any("config/policy.json" in arn for arn in resources_for(gate, agent.name, "s3:GetObject"))
    }
    assert readers == {"api", "check_now", "start_check"} == {agent.name for agent in EVERY if Use.POLICY in agent.uses}
    for name in ("api", "check_now"):
        assert not any("/transcripts/" in arn for arn in resources_for(gate, name, "s3:GetObject"))


def test_what_calls_a_function_from_outside_is_on_its_line(gate: Template) -> None:
    called = [agent.name for agent in EVERY if agent.on]
    assert sorted(BY_NAME[name].on or "" for name in called) == sorted(Event)
    permitted = {
        permission["Properties"]["FunctionName"]["Fn::GetAtt"][0]
        for permission in of_type(gate, "AWS::Lambda::Permission").values()
    }
    sources = of_type(gate, "AWS::Lambda::EventSourceMapping").values()
    permitted |= {source["Properties"]["FunctionName"]["Ref"] for source in sources}
    handlers = {gate["Resources"][id]["Properties"]["Handler"].partition(".")[0] for id in permitted}
    assert handlers == set(called)


@pytest.mark.parametrize(
    ("context", "kind"),
    [
        ({"gate:search": "domain"}, "AWS::OpenSearchService::Domain"),
        ({"gate:search": "serverless"}, "AWS::OpenSearchServerless::Collection"),
    ],
)
def test_the_search_is_chosen_by_one_property(context: dict[str, Any], kind: str) -> None:
    assert of_type(synthesize(context).stateful, kind)


def test_an_existing_endpoint_makes_no_search_and_is_signed_for_its_service() -> None:
    arn = "arn:aws:aoss:us-east-1:123456789012:collection/abc"
    made = synthesize({"gate:search": "https://abc.us-east-1.aoss.amazonaws.com", "gate:search_arn": arn})
    assert not [one for one in made.stateful["Resources"].values() if "OpenSearch" in one["Type"]]
    assert functions(made.stateless)["retrieve_evidence"]["Environment"]["Variables"]["GATE_SEARCH_SERVICE"] == "aoss"
    assert resources_for(made.stateless, "retrieve_evidence", "aoss:APIAccessAll") == [json.dumps(arn)]
    assert "aoss:APIAccessAll" not in actions_of(made.stateless, "judge")


def test_a_budget_brings_a_table_that_only_model_callers_write() -> None:
    made = synthesize({**WHOLE, "gate:budget_tokens": "100000"})
    assert budgets_of(made.stateful)
    writers = {
        agent.name
        for agent in EVERY
        if any("Budgets" in one for one in resources_for(made.stateless, agent.name, "dynamodb:UpdateItem"))
    }
    assert writers == {agent.name for agent in EVERY if {Use.MODEL, Use.BUDGET} & set(agent.uses)}
    assert "GATE_BUDGET_STOP" not in functions(made.stateless)["extract_claims"]["Environment"]["Variables"]
    spending = synthesize({"gate:budget_tokens": "100000", "gate:budget_stop": "false"})
    assert functions(spending.stateless)["extract_claims"]["Environment"]["Variables"]["GATE_BUDGET_STOP"] == "false"


def test_a_run_has_a_budget_unless_the_team_switches_it_off(data: Template, gate: Template) -> None:
    assert budgets_of(data)
    told = functions(gate)["verify_claims"]["Environment"]["Variables"]
    assert told["GATE_BUDGET_TOKENS"] == "10000000"
    assert (told["GATE_BUDGET_TENANT_DAY"], told["GATE_BUDGET_DAY"]) == ("100000000", "500000000")
    without = synthesize({f"gate:budget_{name}": "0" for name in ("tokens", "tenant_day", "day")})
    assert budgets_of(without.stateful), "a deployed gate may still import it"
    assert not settings_given(without.stateless, *functions(without.stateless)) & {"budget_table", "budget_tokens"}
    assert "GATE_BUDGET_TOKENS" not in functions(without.stateless)["verify_claims"]["Environment"]["Variables"]
    assert GateProps(budget_tokens=None).budget_tokens is None


def test_a_ledger_is_kept_where_nobody_replaces_or_removes_what_is_written() -> None:
    made = synthesize({**WHOLE, "gate:ledger_days": "30"})
    locked = [
        one for one in of_type(made.stateful, "AWS::S3::Bucket").values() if "Ledger" in json.dumps(one["Metadata"])
    ]
    (bucket,) = locked
    assert bucket["Properties"]["ObjectLockEnabled"] is True
    retention = bucket["Properties"]["ObjectLockConfiguration"]["Rule"]["DefaultRetention"]
    assert retention == {"Days": 30, "Mode": "COMPLIANCE"}
    assert bucket["Properties"]["VersioningConfiguration"] == {"Status": "Enabled"}
    (key,) = [
        one["Properties"]
        for one in of_type(made.stateful, "AWS::KMS::Key").values()
        if one["Properties"].get("KeySpec") == "HMAC_256"
    ]
    assert key["KeyUsage"] == "GENERATE_VERIFY_MAC"
    for agent in EVERY:
        statements = [
            one for one in statements_of(made.stateless, agent.name) if "Ledger" in json.dumps(one["Resource"])
        ]
        allowed = {action for one in statements for action in listed(one["Action"])}
        wanted = {"s3:PutObject", "s3:GetObject", "s3:ListBucket", "kms:GenerateMac"}
        assert allowed == (wanted if Use.TRAIL in agent.uses else set()), agent.name
        for adding in (one for one in statements if "s3:PutObject" in listed(one["Action"])):
            assert adding["Condition"] == {"Null": {"s3:if-none-match": "false"}}
        told = functions(made.stateless)[agent.name]["Environment"]["Variables"]
        assert {"GATE_LEDGER", "GATE_LEDGER_KEY"} <= set(told) or Use.TRAIL not in agent.uses
    parameters = {one["Properties"]["Name"] for one in of_type(made.stateless, "AWS::SSM::Parameter").values()}
    assert {f"/reliability-gate/ReliabilityGate/Ledger{what}" for what in ("Bucket", "KeyArn")} <= parameters


def test_no_ledger_is_kept_unless_the_team_says_for_how_long(gate: Template, data: Template) -> None:
    assert "Ledger" not in json.dumps(data) + json.dumps(gate)


def test_a_bill_is_watched_where_somebody_is_to_be_told() -> None:
    made = synthesize({"gate:monthly_dollars": "500", "gate:budget_email": "owner@example.com"}).stateless
    (bill,) = of_type(made, "AWS::Budgets::Budget").values()
    assert bill["Properties"]["Budget"]["BudgetLimit"] == {"Amount": 500, "Unit": "USD"}
    assert [one["Notification"]["Threshold"] for one in bill["Properties"]["NotificationsWithSubscribers"]] == [80, 100]
    with pytest.raises(PropertyError, match="budget_email"):
        GateProps(monthly_dollars=500)


def budgets_of(data: Template) -> list[dict[str, Any]]:
    """The table that counts what runs spend, if there is one."""
    tables = of_type(data, "AWS::DynamoDB::Table").values()
    return [one for one in tables if one["Properties"]["KeySchema"][0]["AttributeName"] == "run_id"]


def test_a_permissions_boundary_is_on_every_role() -> None:
    app = cdk.App(context=flags(), builtin_cloud_formation_validation=False)
    stack = cdk.Stack(app, "Own")
    boundary = iam.ManagedPolicy.from_managed_policy_arn(stack, "Boundary", "arn:aws:iam::123456789012:policy/b")
    ReliabilityGate(stack, "Gate", props=GateProps(permissions_boundary=boundary))
    template = app.synth().get_stack_by_name("Own").template
    roles = of_type(template, "AWS::IAM::Role").values()
    assert len(roles) > len(EVERY)
    assert all(role["Properties"]["PermissionsBoundary"] for role in roles)


def test_a_budget_s_counts_are_encrypted_recoverable_and_forgotten() -> None:
    (table,) = budgets_of(synthesize({"gate:budget_tokens": "1"}).stateful)
    properties = table["Properties"]
    assert properties["SSESpecification"]["SSEType"] == "KMS"
    assert properties["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert properties["TimeToLiveSpecification"] == {"AttributeName": "expires", "Enabled": True}
    assert properties["BillingMode"] == "PAY_PER_REQUEST"
    assert table["DeletionPolicy"] == "Retain"


def test_runs_verdicts_and_reports_are_forgotten_in_time(data: Template) -> None:
    rules = {
        rule["Prefix"]: rule["ExpirationInDays"]
        for bucket in of_type(data, "AWS::S3::Bucket").values()
        for rule in bucket["Properties"]["LifecycleConfiguration"]["Rules"]
        if "Prefix" in rule
    }
    assert rules == {"runs/": 30, "cache/": 180, "reports/": 365, "transcripts/by-form/": 30}
