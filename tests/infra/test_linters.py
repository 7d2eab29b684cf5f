"""What linters say of the stacks: cdk-nag, cfn-lint, and CDK's own rules, with no finding left."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import cdk_nag
import pytest

from infra.app import Synthesized, build, flags, synthesize
from infra.asl import definition, machines
from infra.rights.acknowledged import OTHERS, WILDCARDS

pytestmark = pytest.mark.infra

ACKNOWLEDGED = {
    "AwsSolutions-APIG2",
    "AwsSolutions-APIG3",
    "AwsSolutions-COG4",
    "AwsSolutions-IAM5",
    "AwsSolutions-SQS3",
    "Serverless-LambdaDLQ",
    "Serverless-LambdaEventSourceMappingDestination",
    "Serverless-SQSRedrivePolicy",
}
"""Rules that something is acknowledged under; a further one is a decision to be made here."""
FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:"


MORE: dict[str, Any] = {
    "gate:canary_percent": "10",
    "gate:functions": '{"api": {"provisioned": 1}}',
    "gate:web_acl": "managed",
    "gate:domain_name": "gate.example.com",
    "gate:certificate": "arn:aws:acm:us-east-1:123456789012:certificate/1234abcd-12ab-34cd-56ef-1234567890ab",
    "gate:usage_plans": '{"web": {"rate": 5, "burst": 10, "day": 1000}}',
}
"""What is off by default, all of it on."""


@pytest.fixture(scope="module", params=[{}, MORE], ids=["default", "more"])
def nagged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """cdk-nag's report by pack."""
    outdir = tmp_path_factory.mktemp("nag")
    context = {**flags(), **request.param}
    app = cdk.App(context=context, builtin_cloud_formation_validation=False, outdir=str(outdir))
    build(app)
    packs = [cdk_nag.AwsSolutionsChecks(app), cdk_nag.ServerlessChecks(app)]
    cdk.Validations.of(app).add_plugins(*packs)
    app.synth()
    report = json.loads((outdir / "validation-report.json").read_text())
    return {pack["pluginName"]: pack for pack in report["pluginReports"]}


@pytest.mark.parametrize("pack", ["AwsSolutions", "Serverless"])
def test_cdk_nag_has_no_finding(nagged: dict[str, dict[str, Any]], pack: str) -> None:
    assert nagged[pack]["conclusion"] == "success"
    assert nagged[pack].get("violations", []) == []


def test_what_is_acknowledged_is_this_and_every_reason_is_ours(nagged: dict[str, dict[str, Any]]) -> None:
    suppressed = [finding for pack in nagged.values() for finding in pack.get("suppressedViolations", [])]
    assert suppressed
    found = {finding["ruleName"].split("[")[0] for finding in suppressed}
    assert ACKNOWLEDGED - {"AwsSolutions-APIG3"} <= found <= ACKNOWLEDGED, "a web ACL leaves one less"
    reasons = {reason for _, reason in WILDCARDS} | set(OTHERS.values())
    for finding in suppressed:
        assert any(reason in json.dumps(finding) for reason in reasons), finding


def cfn_lint(path: Path) -> list[str]:
    """Findings on a template; W3005 aside: CDK writes dependencies that CloudFormation would see by itself."""
    command = [str(Path(sys.executable).parent / "cfn-lint"), "--format", "json", "--ignore-checks", "W3005", "--"]
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout, done.stderr
    findings = json.loads(done.stdout)
    return [f"{one['Rule']['Id']} {one['Message']} {one['Location']['Path']}" for one in findings]


@pytest.mark.parametrize("stack", ["stateful", "stateless"])
def test_cfn_lint_has_no_finding(synthesized: Synthesized, tmp_path: Path, stack: str) -> None:
    path = tmp_path / f"{stack}.json"
    path.write_text(json.dumps(getattr(synthesized, stack)))
    assert cfn_lint(path) == []


def test_cfn_lint_has_no_finding_where_all_is_on(tmp_path: Path) -> None:
    path = tmp_path / "more.json"
    path.write_text(json.dumps(synthesize(MORE).stateless))
    assert cfn_lint(path) == []


def lint_definition(machine: dict[str, Any], folder: Path) -> list[str]:
    """Findings on a state machine: as a literal, since a linter skips what CDK joins."""
    text = re.sub(r'"FunctionName": "(\w+)"', rf'"FunctionName": "{FUNCTION}\1"', json.dumps(machine))
    properties = {"RoleArn": "arn:aws:iam::123456789012:role/states", "Definition": json.loads(text)}
    template = {"Resources": {"Machine": {"Type": "AWS::StepFunctions::StateMachine", "Properties": properties}}}
    path = folder / "machine.json"
    path.write_text(json.dumps(template))
    return cfn_lint(path) + lost(machine, "machine")


def lost(machine: dict[str, Any], where: str) -> list[str]:
    """States that nothing leads to, and targets that are no state: cfn-lint looks for neither."""
    states, findings = machine["States"], []
    targets = {machine["StartAt"]} | {target for state in states.values() for target in targets_of(state)}
    findings += [f"{where}: no state {name}" for name in sorted(targets - set(states))]
    findings += [f"{where}: nothing leads to {name}" for name in sorted(set(states) - targets)]
    for name, state in states.items():
        for part in [*state.get("Branches", ()), *([state["ItemProcessor"]] if "ItemProcessor" in state else [])]:
            findings += lost(part, f"{where}.{name}")
    return findings


def targets_of(state: dict[str, Any]) -> list[str]:
    """Names of the states that a state may lead to."""
    ways = [state, *state.get("Choices", ()), *state.get("Catch", ())]
    return [way[key] for way in ways for key in ("Next", "Default") if key in way]


@pytest.mark.parametrize("name", ["Gate", "Batch"])
def test_the_state_machines_are_well_formed(synthesized: Synthesized, tmp_path: Path, name: str) -> None:
    template = synthesized.stateless
    machine = definition(template, machines(template)[name])
    assert lint_definition(machine, tmp_path) == []


def test_a_broken_state_machine_would_be_found(synthesized: Synthesized, tmp_path: Path) -> None:
    template = synthesized.stateless
    broken = copy.deepcopy(definition(template, machines(template)["Gate"]))
    broken["States"]["LoadTranscript"] |= {"Next": "Nowhere", "Nonsense": 1}
    findings = " ".join(lint_definition(broken, tmp_path))
    assert "E3601" in findings
    assert "no state Nowhere" in findings
    assert "nothing leads to Gather" in findings


def test_cdk_s_own_rules_have_no_finding(tmp_path: Path) -> None:
    synthesize(validate=True, outdir=str(tmp_path))
    report = json.loads((tmp_path / "validation-report.json").read_text())
    for pack in report["pluginReports"]:
        assert pack.get("violations", []) == [], pack["pluginName"]
