"""The app that docs/deploy.md has for "private, with a key and a domain that are there", as written, synthesized."""

from __future__ import annotations

import re
from typing import Any

import pytest

from infra.app import flags
from tests.iam.deployed_account import Account
from tests.iam.refusals import confused, refused
from tests.iam.variants import DEPLOY, DOMAIN, KEY, policy_of_imported_key
from tests.infra.templates import Template, functions, of_type

pytestmark = pytest.mark.infra
HEADING = "### Private, with a key and a domain that are there"


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """What the block makes; the layers of packages are built where it is deployed."""
    part = DEPLOY.read_text(encoding="utf-8").partition(HEADING)[2].partition("\n## ")[0]
    (written,) = re.findall(r"```python\n(.*?)```", part, re.DOTALL)
    names: dict[str, Any] = {"flags": flags, "outdir": str(tmp_path_factory.mktemp("private"))}
    asked = "cdk.App(context=flags(), builtin_cloud_formation_validation=False, outdir=outdir)"
    exec(written.replace("reliability_gate_cdk", "infra").replace("cdk.App()", asked), names)
    template: Template = names["app"].synth().get_stack_by_name("ReliabilityGate").template
    return template


def test_every_call_of_it_is_let_through_by_the_key_s_policy_as_the_page_prints_it(private: Template) -> None:
    account = Account(private, policies={KEY: policy_of_imported_key()}, search=DOMAIN)
    assert refused(account) == []
    assert confused(account) == []


def test_all_of_it_stands_in_the_subnets_and_makes_no_key_no_search_and_no_way_out(private: Template) -> None:
    for name, function in functions(private).items():
        assert len(function["VpcConfig"]["SubnetIds"]) == 2, name
        told = function["Environment"]["Variables"]
        assert told.get("GATE_SEARCH") in (None, "https://vpc-corpus-abc.us-east-1.es.amazonaws.com")
    kinds = ("KMS::Key", "OpenSearchService::Domain", "OpenSearchServerless::Collection", "EC2::NatGateway")
    for kind in (*kinds, "EC2::InternetGateway", "EC2::VPC"):
        assert not of_type(private, f"AWS::{kind}"), kind
    made = {str(one["Properties"]["ServiceName"]) for one in of_type(private, "AWS::EC2::VPCEndpoint").values()}
    for service in ("s3", "dynamodb", "states", "sqs", "events", "bedrock-runtime"):
        assert any(service in name for name in made), service


def test_the_domain_lets_in_the_functions_alone(private: Template) -> None:
    rules = [one["Properties"] for one in of_type(private, "AWS::EC2::SecurityGroupIngress").values()]
    (into,) = [one for one in rules if one["GroupId"] == "sg-0a1b2c3d4e5f60718"]
    assert (into["FromPort"], into["ToPort"], into["IpProtocol"]) == (443, 443, "tcp")
    assert "SourceSecurityGroupId" in into
