"""A gate that searches a knowledge base of Bedrock: who may ask it, what is told, and what is left out."""

from __future__ import annotations

import json
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_ec2 as ec2

from gate.catalogue import BY_NAME, Use
from infra.app import flags, synthesize
from infra.gate import ReliabilityGate
from infra.network import Network
from infra.props import GateProps, KnowledgeBaseSearch
from tests.iam.deployed_account import REGION, Account
from tests.iam.evaluation import ACCOUNT
from tests.infra.templates import Template, of_type

pytestmark = pytest.mark.infra
BASE = f"arn:aws:bedrock:{REGION}:{ACCOUNT}:knowledge-base/KB12345678"
READERS = {agent for agent in BY_NAME if Use.SEARCH in BY_NAME[agent].uses}


@pytest.fixture(scope="module")
def template() -> Template:
    app = cdk.App(context=flags(), builtin_cloud_formation_validation=False)
    stack = cdk.Stack(app, "Team", env=cdk.Environment(account=ACCOUNT, region=REGION))
    search = KnowledgeBaseSearch("KB12345678", fields='{"title": "name"}')
    ReliabilityGate(stack, "Gate", props=GateProps(search=search))
    made: Template = app.synth().get_stack_by_name("Team").template
    return made


@pytest.fixture(scope="module")
def account(template: Template) -> Account:
    return Account(template)


def retrieving(account: Account) -> list[tuple[list[str], dict[str, Any]]]:
    """Roles and statement of every policy that says something of Retrieve."""
    policies = account.properties("AWS::IAM::Policy")
    return [
        (policy["Roles"], statement)
        for policy in policies
        for statement in policy["PolicyDocument"]["Statement"]
        if "Retrieve" in json.dumps(statement["Action"])
    ]


def test_who_searches_may_retrieve_from_that_base_and_from_no_other(account: Account) -> None:
    assert READERS, "somebody searches"
    assert {agent for agent in account.roles if account.may(account.roles[agent], "bedrock:Retrieve", BASE)} == READERS
    for _, statement in retrieving(account):
        assert (statement["Action"], statement["Resource"]) == ("bedrock:Retrieve", BASE)
    other = BASE.replace("KB12345678", "KB12345679")
    assert not any(account.may(role, "bedrock:Retrieve", other) for role in account.roles.values())


def test_the_functions_are_told_of_the_base_its_metadata_and_that_it_embeds_by_itself(account: Account) -> None:
    told = account.settings("retrieve_evidence")
    assert told["GATE_SEARCH"] == "knowledge-base"
    assert {account.settings(agent).get("GATE_INDEX", "KB12345678") for agent in account.roles} == {"KB12345678"}
    assert account.settings("load_transcript")["GATE_INDEX"] == "KB12345678"
    assert (told["GATE_SEARCH_FIELDS"], told["GATE_EMBEDDER"]) == ('{"title": "name"}', "none")


def test_beside_a_base_nothing_is_made_that_searches_and_nothing_embeds(template: Template) -> None:
    written = json.dumps(template)
    assert not [one for one in template["Resources"].values() if "OpenSearch" in one["Type"]]
    assert "aoss:" not in written
    assert "es:ESHttp" not in written
    assert "titan-embed" not in written


def test_the_reference_app_takes_the_base_as_the_index() -> None:
    made = synthesize({"gate:search": "knowledge-base", "gate:index": "KB12345678"})
    arns = json.dumps(of_type(made.stateless, "AWS::IAM::Policy"))
    assert ":knowledge-base/KB12345678" in arns


def test_subnets_without_a_way_out_need_the_endpoint_that_bases_are_asked_at() -> None:
    stack = cdk.Stack(cdk.App(context=flags()), "Team")
    props = GateProps(vpc=ec2.Vpc(stack, "Vpc"), search=KnowledgeBaseSearch("KB12345678"))
    assert "bedrock-agent-runtime" in Network(stack, "Network", props=props).services()
