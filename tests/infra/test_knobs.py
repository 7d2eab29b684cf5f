"""What a team turns: an environment's name and tags, settings of the functions and their files, memory, concurrency."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.app import Synthesized, synthesize
from tests.infra.templates import Template, functions, of_type, resources_for

pytestmark = pytest.mark.infra
SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:search-AbCdEf"


@pytest.fixture(scope="module")
def turned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Template, Template]:
    """Both stacks of an environment with all of it, by the text that a command line has."""
    fitted = tmp_path_factory.mktemp("fitted") / "ours.json"
    fitted.write_text("{}")
    made = synthesize(
        {
            "gate:name": "GateStaging",
            "gate:tags": "team=search,stage=staging",
            "gate:settings": json.dumps({"language": "german", "history": True, "calibration": str(fitted)}),
            "gate:functions": '{"judge": {"memory_mb": 2048, "reserved": 5}, "check_now": {"reserved": 3}}',
            "gate:search": "https://search.internal",
            "gate:search_secret": SECRET,
            "gate:alarm_email": "ops@example.com",
        }
    )
    assert (made.stack.stack_name, made.stack.termination_protection) == ("GateStaging", False)
    return made.stateful, made.stateless


def told(template: Template, agent: str) -> dict[str, str]:
    variables: dict[str, str] = functions(template)[agent]["Environment"]["Variables"]
    return variables


def test_functions_are_told_what_they_read_of_the_settings_that_a_team_adds(turned: tuple[Template, Template]) -> None:
    _, gate = turned
    readers = {agent for agent in functions(gate) if told(gate, agent).get("GATE_LANGUAGE") == "german"}
    assert {"ingest_corpus", "retrieve_evidence", "api", "check_now"} <= readers
    assert "judge" not in readers
    assert told(gate, "extract_claims")["GATE_HISTORY"] == "true"


def test_a_file_that_a_setting_names_travels_in_a_layer_of_those_that_read_it(
    turned: tuple[Template, Template],
) -> None:
    _, gate = turned
    assert told(gate, "verify_claims")["GATE_CALIBRATION"] == "/opt/gate/calibration.json"
    assert len(functions(gate)["verify_claims"]["Layers"]) == len(functions(gate)["judge"]["Layers"]) + 1


def test_memory_and_reserved_concurrency_are_of_the_functions_that_are_named(
    turned: tuple[Template, Template],
) -> None:
    made = functions(turned[1])
    assert (made["judge"]["MemorySize"], made["judge"]["ReservedConcurrentExecutions"]) == (2048, 5)
    assert made["check_now"]["ReservedConcurrentExecutions"] == 3
    assert made["load_transcript"]["MemorySize"] == 512
    assert "ReservedConcurrentExecutions" not in made["load_transcript"]


def test_an_environment_s_stacks_and_parameters_bear_its_name_and_all_that_is_made_its_tags(
    turned: tuple[Template, Template],
) -> None:
    data, gate = turned
    names = [one["Properties"]["Name"] for one in of_type(gate, "AWS::SSM::Parameter").values()]
    assert names
    assert all(name.startswith("/reliability-gate/GateStaging/") for name in names)
    tags = [
        {tag["Key"]: tag["Value"] for tag in one["Properties"]["Tags"]}
        for kind, template in (("AWS::Lambda::Function", gate), ("AWS::S3::Bucket", data), ("AWS::KMS::Key", data))
        for one in of_type(template, kind).values()
    ]
    wanted = {"project": "llm-reliability-gate", "team": "search", "stage": "staging"}
    assert all(wanted.items() <= found.items() for found in tags)


def test_a_search_with_a_login_is_opened_by_a_secret_that_those_who_search_may_read(
    turned: tuple[Template, Template],
) -> None:
    _, gate = turned
    assert told(gate, "retrieve_evidence")["GATE_SEARCH_SECRET"] == SECRET
    assert "GATE_SEARCH_SERVICE" not in told(gate, "retrieve_evidence")
    readers = {agent for agent in functions(gate) if resources_for(gate, agent, "secretsmanager:GetSecretValue")}
    assert {"retrieve_evidence", "ingest_corpus", "api"} <= readers
    assert not readers & {"judge", "verify_claims", "start_check"}


def test_an_address_is_told_of_every_alarm(turned: tuple[Template, Template], synthesized: Synthesized) -> None:
    gate = turned[1]
    (told,) = (one["Properties"] for one in of_type(gate, "AWS::SNS::Subscription").values())
    assert (told["Protocol"], told["Endpoint"]) == ("email", "ops@example.com")
    alarms = of_type(gate, "AWS::CloudWatch::Alarm").values()
    telling = [one["Properties"]["AlarmActions"] for one in alarms if "AlarmActions" in one["Properties"]]
    assert {json.dumps(actions) for actions in telling} == {json.dumps([told["TopicArn"]])}
    assert not of_type(synthesized.stateless, "AWS::SNS::Subscription")


def test_two_environments_of_one_account_count_apart(
    turned: tuple[Template, Template], synthesized: Synthesized
) -> None:
    own, default = (
        {
            metric["Namespace"]
            for alarm in of_type(template, "AWS::CloudWatch::Alarm").values()
            for metric in metrics_of(alarm["Properties"])
            if not metric["Namespace"].startswith("AWS/")
        }
        for template in (turned[1], synthesized.stateless)
    )
    assert (own, default) == ({"ReliabilityGate/GateStaging"}, {"ReliabilityGate"})
    assert {told(turned[1], agent)["GATE_METRICS"] for agent in functions(turned[1])} == own
    assert "GATE_METRICS" not in told(synthesized.stateless, "judge")


def metrics_of(alarm: dict[str, Any]) -> list[dict[str, Any]]:
    """The metrics that an alarm looks at, by itself or in an expression."""
    several = [one["MetricStat"]["Metric"] for one in alarm.get("Metrics", ()) if "MetricStat" in one]
    return several or [alarm]
