"""A new version takes a share at first; runs go on with what they began with, and an alarm brings back what was."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gate.catalogue import BY_NAME
from infra import code
from infra.app import Synthesized, synthesize
from infra.code import SOURCE
from infra.machines.releases import ROLLING_BACK
from tests.iam.deployed_account import Account
from tests.iam.refusals import confused, refused
from tests.infra.templates import WHOLE, Template, functions, of_type

pytestmark = pytest.mark.infra
SHARED = {
    **WHOLE,
    "gate:canary_percent": "20",
    "gate:canary_minutes": "15",
    "gate:functions": '{"api": {"provisioned": 2}}',
}
ENTRANCES = {name for name, agent in BY_NAME.items() if agent.on}


@pytest.fixture(scope="module")
def shared() -> Synthesized:
    return synthesize(SHARED)


def the_function(gate: Template, id: str) -> str:
    """Agent of the function that a version or an alias is of."""
    function = gate["Resources"][id]["Properties"]["FunctionName"]["Ref"]
    return str(gate["Resources"][function]["Properties"]["Handler"]).partition(".")[0]


def test_a_run_calls_the_versions_that_it_began_with_for_as_long_as_it_takes(shared: Synthesized) -> None:
    gate = shared.stateless
    versions = of_type(gate, "AWS::Lambda::Version")
    for one in of_type(gate, "AWS::StepFunctions::StateMachine").values():
        parts = one["Properties"]["DefinitionString"]["Fn::Join"][1]
        named = [part for part in parts if not isinstance(part, str) and part != {"Ref": "AWS::Partition"}]
        called = {str(part.get("Ref")) for part in named} & set(gate["Resources"])
        assert {the_function(gate, id) for id in called & set(versions)} >= {"load_transcript", "publish_report"}
        assert not any("Functions" in json.dumps(part) for part in named if part.get("Ref") not in versions)
    kept = {the_function(gate, id) for id, one in versions.items() if one.get("DeletionPolicy") == "Retain"}
    assert kept == set(BY_NAME) - ENTRANCES


def test_runs_are_started_by_an_alias_that_a_new_definition_has_a_share_of(shared: Synthesized) -> None:
    gate = shared.stateless
    for one in of_type(gate, "AWS::StepFunctions::StateMachineAlias").values():
        wanted = one["Properties"]["DeploymentPreference"]
        assert (wanted["Type"], wanted["Percentage"], wanted["Interval"]) == ("CANARY", 20, 15)
        assert len(wanted["Alarms"]) == len(ROLLING_BACK)
        assert one["Properties"]["Name"] == "live"
    for name in ("api", "start_check"):
        told = functions(gate)[name]["Environment"]["Variables"]
        assert all(json.dumps(told[f"GATE_{kind}"]).endswith('":live"]]}') for kind in ("MACHINE", "BATCH_MACHINE"))
    kept = of_type(gate, "AWS::StepFunctions::StateMachineVersion").values()
    assert [one["DeletionPolicy"] for one in kept] == ["Retain", "Retain"]


def test_whatever_calls_a_function_from_outside_calls_its_alias_which_moves_bit_by_bit(shared: Synthesized) -> None:
    gate = shared.stateless
    aliases = of_type(gate, "AWS::Lambda::Alias")
    assert {the_function(gate, id) for id in aliases} == ENTRANCES
    assert all("CodeDeployLambdaAliasUpdate" in one["UpdatePolicy"] for one in aliases.values())
    assert "/v1/reviews/{run}" in json.dumps(functions(gate)["tell_reviewers"]["Environment"])
    permitted = {
        json.dumps(one["Properties"]["FunctionName"]) for one in of_type(gate, "AWS::Lambda::Permission").values()
    }
    assert permitted <= {json.dumps({"Ref": id}) for id in aliases}
    groups = of_type(gate, "AWS::CodeDeploy::DeploymentGroup").values()
    assert len(groups) == len(ENTRANCES)
    assert all(one["Properties"]["AutoRollbackConfiguration"]["Enabled"] for one in groups)
    assert all("ManagedPolicyArns" not in one["Properties"] for one in of_type(gate, "AWS::IAM::Role").values())


def test_every_call_of_such_a_deployment_is_let_through_those_of_earlier_versions_too(shared: Synthesized) -> None:
    assert refused(Account(shared.stateful, shared.stateless)) == []
    assert confused(Account(shared.stateful, shared.stateless)) == []
    held = json.loads(
        json.dumps(shared.stateless).replace(
            ', {"Fn::Join": ["", [{"Fn::GetAtt": ["GateFunctions',
            ', {"Fn::Join": ["", ["no:", {"Fn::GetAtt": ["GateFunctions',
        )
    )
    assert any("lambda:InvokeFunction" in line for line in refused(Account(shared.stateful, held)))


def test_a_function_is_kept_started_without_any_of_this(synthesized: Synthesized) -> None:
    gate = synthesize({"gate:functions": SHARED["gate:functions"]}).stateless
    ((id, alias),) = of_type(gate, "AWS::Lambda::Alias").items()
    assert the_function(gate, id) == "api"
    assert alias["Properties"]["ProvisionedConcurrencyConfig"] == {"ProvisionedConcurrentExecutions": 2}
    for kind in ("AWS::CodeDeploy::DeploymentGroup", "AWS::StepFunctions::StateMachineAlias"):
        assert not of_type(gate, kind)
    for kind in ("AWS::Lambda::Alias", "AWS::Lambda::Version"):
        assert not of_type(synthesized.stateless, kind), "by default all calls go to what was deployed last"


def test_another_package_makes_another_version_of_every_function_in_an_app_without_cdk_s_flags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(SOURCE, tmp_path / "functions", ignore=shutil.ignore_patterns("weights", "__pycache__"))
    monkeypatch.setattr(code, "SOURCE", tmp_path / "functions")
    found = []
    for text in ("ONE = 1\n", "TWO = 2\n"):
        (tmp_path / "functions" / "gate" / "another.py").write_text(text)
        gate = synthesize({**SHARED, "@aws-cdk/aws-lambda:recognizeLayerVersion": False}).stateless
        found.append({the_function(gate, id): id for id in of_type(gate, "AWS::Lambda::Version")})
    before, after = found
    assert before.keys() == after.keys() == set(BY_NAME)
    assert not set(before.values()) & set(after.values())
