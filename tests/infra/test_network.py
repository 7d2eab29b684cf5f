"""With a network and a key of one's own the functions reach what they call, and nobody else reaches the search."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import pytest
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_kms as kms
from aws_cdk.assertions import Annotations, Match

from infra.app import flags
from infra.gate import ReliabilityGate
from infra.network import Network
from infra.props import DomainSearch, GateProps, ServerlessSearch
from infra.rights.key_policy import service_statements
from infra.search import Search
from infra.storage import Storage
from tests.iam.deployed_account import REGION, Account
from tests.iam.evaluation import ACCOUNT
from tests.infra.templates import Template, functions, of_type

pytestmark = pytest.mark.infra
ISOLATED = ec2.SubnetConfiguration(name="Inside", subnet_type=ec2.SubnetType.PRIVATE_ISOLATED)


def own_stack(*, isolated: bool = False) -> tuple[cdk.Stack, ec2.Vpc]:
    """A team's stack with a VPC of two zones; `isolated`: without a way out of it."""
    app = cdk.App(context=flags(), builtin_cloud_formation_validation=False)
    stack = cdk.Stack(app, "Team")
    # What CDK does to a VPC's default group takes a function of its own.
    how: dict[str, Any] = {"restrict_default_security_group": False}
    how |= {"subnet_configuration": [ISOLATED]} if isolated else {}
    vpc = ec2.Vpc(stack, "Vpc", max_azs=2, **how)
    return stack, vpc


def searched(stack: cdk.Stack, props: GateProps) -> Template:
    """The network and the search alone, which is what most of this is about."""
    storage = Storage(stack, "Storage", props=props)
    Search(stack, "Search", props=props, key=storage.key, network=Network(stack, "Network", props=props))
    return template_of(stack)


def template_of(stack: cdk.Stack) -> Template:
    app = stack.node.root
    assert isinstance(app, cdk.App)
    template: Template = app.synth().get_stack_by_name(stack.stack_name).template
    return template


def reached_from(template: Template, group: str) -> list[tuple[str, int]]:
    """Groups that may connect to a group, and at which port; both by logical id."""
    rules = of_type(template, "AWS::EC2::SecurityGroupIngress").values()
    return [
        (rule["Properties"]["SourceSecurityGroupId"]["Fn::GetAtt"][0], rule["Properties"]["ToPort"])
        for rule in rules
        if rule["Properties"]["GroupId"]["Fn::GetAtt"][0] == group
    ]


def group_in(value: Any) -> str:
    """Logical id of the one group of a list."""
    (only,) = value
    return str(only["Fn::GetAtt"][0])


def test_a_domain_in_a_vpc_is_open_to_the_functions_which_share_one_group() -> None:
    stack, vpc = own_stack()
    ReliabilityGate(stack, "Gate", props=GateProps(vpc=vpc, search=DomainSearch()))
    template = template_of(stack)
    (shared,) = {group_in(one["VpcConfig"]["SecurityGroupIds"]) for one in functions(template).values()}
    (domain,) = of_type(template, "AWS::OpenSearchService::Domain").values()
    options = domain["Properties"]["VPCOptions"]
    assert reached_from(template, group_in(options["SecurityGroupIds"])) == [(shared, 443)]
    assert len(options["SubnetIds"]) == 1


@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_a_domain_takes_one_subnet_for_each_of_its_zones(nodes: int) -> None:
    stack, vpc = own_stack(isolated=True)
    template = searched(stack, GateProps(vpc=vpc, search=DomainSearch(nodes=nodes)))
    (domain,) = of_type(template, "AWS::OpenSearchService::Domain").values()
    assert len(domain["Properties"]["VPCOptions"]["SubnetIds"]) == min(nodes, 2)


def test_a_collection_that_is_not_public_is_reached_through_an_endpoint_of_the_vpc() -> None:
    stack, vpc = own_stack()
    template = searched(stack, GateProps(vpc=vpc, search=ServerlessSearch(public=False)))
    ((endpoint, made),) = of_type(template, "AWS::OpenSearchServerless::VpcEndpoint").items()
    (policy,) = of_type(template, "AWS::OpenSearchServerless::SecurityPolicy").values()
    written = json.dumps(policy["Properties"]["Policy"])
    assert 'AllowFromPublic\\":false' in written.replace("\\\\", "\\")
    assert endpoint in written
    group = group_in(made["Properties"]["SecurityGroupIds"])
    ((source, port),) = reached_from(template, group)
    assert (port, template["Resources"][source]["Type"]) == (443, "AWS::EC2::SecurityGroup")
    assert len(made["Properties"]["SubnetIds"]) == 2


def test_subnets_without_a_way_out_are_said_with_the_endpoints_that_they_need() -> None:
    stack, vpc = own_stack(isolated=True)
    searched(stack, GateProps(vpc=vpc, redactor="patterns,comprehend"))
    said = Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp("without a way out"))
    (warning,) = [str(one.entry.data) for one in said]
    for service in ("s3", "bedrock-runtime", "states", "events", "comprehend"):
        assert service in warning


def test_endpoints_of_every_service_are_made_where_they_are_asked_for() -> None:
    stack, vpc = own_stack(isolated=True)
    template = searched(stack, GateProps(vpc=vpc, vpc_endpoints=True, budget_tokens=1))
    endpoints = [one["Properties"] for one in of_type(template, "AWS::EC2::VPCEndpoint").values()]
    for group in of_type(template, "AWS::EC2::SecurityGroup").values():
        assert re.fullmatch(r"[\w .:/()#,@\[\]+=&;{}!$*-]+", group["Properties"]["GroupDescription"]), "EC2 refuses it"
    kinds = {json.dumps(one["ServiceName"]).strip('"]} ').rpartition(".")[2]: one for one in endpoints}
    assert set(kinds) == {"s3", "dynamodb", "bedrock-runtime", "states", "events", "sqs"}
    for name in ("bedrock-runtime", "states", "events", "sqs"):
        ((_, port),) = reached_from(template, group_in(kinds[name]["SecurityGroupIds"]))
        assert (port, kinds[name]["PrivateDnsEnabled"]) == (443, True)
    assert not Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp("without a way out"))


def test_outside_of_a_vpc_there_is_no_network() -> None:
    stack, _ = own_stack()
    made = Network(stack, "Network", props=GateProps())
    assert (made.vpc, made.functions) == (None, None)
    assert len(made.node.children) == 0


def test_the_policy_of_a_key_of_one_s_own_is_written_out_and_written_where_it_can_be() -> None:
    stack = cdk.Stack(cdk.App(context=flags()), "Team")
    wanted = Account().resolve([stack.resolve(one.to_statement_json()) for one in service_statements(stack)])
    text = (Path(__file__).parents[2] / "docs" / "deploy.md").read_text(encoding="utf-8")
    written = text.partition("### A key of your own")[2].partition("```json\n")[2].partition("```")[0]
    assert json.loads(written) == wanted
    own = kms.Key(stack, "Own")
    Storage(stack, "Storage", props=GateProps(key=own))
    policy = stack.resolve(own.node.default_child.key_policy)  # type: ignore[union-attr]
    services = [json.dumps(one["Principal"]) for one in policy["Statement"] if "Service" in one["Principal"]]
    assert len(services) >= len(wanted)
    given = kms.Key.from_key_arn(
        stack, "Given", f"arn:aws:kms:{REGION}:{ACCOUNT}:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    )
    Storage(stack, "Other", props=GateProps(key=given))
    (warning,) = Annotations.from_stack(stack).find_warning("*", Match.string_like_regexp("A key of your own"))
    assert warning.id.endswith("/Other")
