"""A role may call the model that a property names, whatever way it is named, and no other."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
import pytest

from infra.rights.models import INVOKE, invoking
from tests.iam.deployed_account import REGION, Account
from tests.iam.evaluation import ACCOUNT, Request, applies

pytestmark = pytest.mark.infra
HERE = f"arn:aws:bedrock:{REGION}"
APPLICATION = f"{HERE}:{ACCOUNT}:application-inference-profile/abc123"


def statements(model: str, *regions: str) -> list[dict[str, Any]]:
    """The statements for a model, as they would be deployed."""
    stack = cdk.Stack(cdk.App(), "Stack")
    account = Account()
    return [account.resolve(stack.resolve(one.to_statement_json())) for one in invoking(model, regions, stack)]


def invocable(given: list[dict[str, Any]], arn: str, through: str = "") -> bool:
    """Whether the statements let a role call what the ARN names, by itself or through a profile."""
    context = {"bedrock:InferenceProfileArn": through} if through else {}
    return any(applies(one, Request("a role", INVOKE, arn, context)) for one in given)


def foundation(model: str, region: str = REGION) -> str:
    return f"arn:aws:bedrock:{region}::foundation-model/{model}"


def test_a_model_of_the_region_itself_is_called_there_alone() -> None:
    given = statements("amazon.nova-lite-v1:0")
    assert invocable(given, foundation("amazon.nova-lite-v1:0"))
    assert not invocable(given, foundation("amazon.nova-lite-v1:0", "us-west-2"))
    assert not invocable(given, foundation("amazon.nova-pro-v1:0"))


@pytest.mark.parametrize(
    ("profile", "region"),
    [("us.amazon.nova-pro-v1:0", "us-west-2"), ("eu.anthropic.claude-haiku-5-5", "eu-north-1")],
)
def test_a_profile_of_a_geography_takes_the_model_in_each_of_its_regions(profile: str, region: str) -> None:
    model = profile.partition(".")[2]
    for named in (profile, f"{HERE}:{ACCOUNT}:inference-profile/{profile}"):
        given = statements(named)
        assert invocable(given, f"{HERE}:{ACCOUNT}:inference-profile/{profile}")
        assert invocable(given, foundation(model, region))
        assert not invocable(given, foundation(model, "ap-northeast-1"))


@pytest.mark.parametrize("geography", ["apac", "au", "jp", "ca", "us-gov"])
def test_a_profile_whose_regions_differ_by_model_is_the_only_way_to_the_model(geography: str) -> None:
    profile = f"{HERE}:{ACCOUNT}:inference-profile/{geography}.anthropic.claude-haiku-5-5"
    given = statements(f"{geography}.anthropic.claude-haiku-5-5")
    model = foundation("anthropic.claude-haiku-5-5", "ap-northeast-1")
    assert invocable(given, profile)
    assert invocable(given, model, through=profile)
    assert not invocable(given, model)
    assert not invocable(given, model, through=f"{profile}-other")
    chosen = statements(f"{geography}.anthropic.claude-haiku-5-5", "ap-northeast-1")
    assert invocable(chosen, model)
    assert not invocable(chosen, foundation("anthropic.claude-haiku-5-5", "ap-south-1"), through=profile)


def test_a_global_profile_takes_the_model_that_is_in_no_region() -> None:
    given = statements("global.anthropic.claude-haiku-5-5")
    assert invocable(given, f"{HERE}:{ACCOUNT}:inference-profile/global.anthropic.claude-haiku-5-5")
    assert invocable(given, foundation("anthropic.claude-haiku-5-5", ""))
    assert invocable(given, foundation("anthropic.claude-haiku-5-5"))
    assert not invocable(given, foundation("anthropic.claude-haiku-5-5", "eu-west-1"))


def test_a_profile_of_one_s_own_is_the_only_way_to_its_model() -> None:
    given = statements(APPLICATION)
    assert invocable(given, APPLICATION)
    assert invocable(given, foundation("amazon.nova-lite-v1:0", "us-west-2"), through=APPLICATION)
    assert not invocable(given, foundation("amazon.nova-lite-v1:0"))
    assert not invocable(given, foundation("amazon.nova-lite-v1:0"), through=f"{APPLICATION}4")


def test_a_model_with_an_arn_of_its_own_is_called_by_it() -> None:
    provisioned = f"{HERE}:{ACCOUNT}:provisioned-model/abc"
    assert invocable(statements(provisioned), provisioned)
    assert not invocable(statements(provisioned), f"{HERE}:{ACCOUNT}:provisioned-model/abd")
    plain = foundation("amazon.nova-lite-v1:0")
    assert invocable(statements(plain), plain)


def test_a_profile_that_another_construct_makes_is_called_by_its_arn() -> None:
    stack = cdk.Stack(cdk.App(), "Stack")
    made = cdk.CfnParameter(stack, "Profile").value_as_string
    first, second = (stack.resolve(one.to_statement_json()) for one in invoking(made, (), stack))
    assert first["Resource"] == {"Ref": "Profile"}
    assert second["Condition"] == {"StringEquals": {"bedrock:InferenceProfileArn": {"Ref": "Profile"}}}
