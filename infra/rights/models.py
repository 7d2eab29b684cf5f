"""What calling a model takes: Bedrock checks the profile that is named, and the model wherever that routes to."""

from __future__ import annotations

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_iam as iam

GEOGRAPHIES = ("us", "us-gov", "eu", "apac", "au", "jp", "ca", "global")
"""First words of the ids of profiles that AWS offers."""
PROFILE_REGIONS: dict[str, tuple[str, ...]] = {
    "us": ("us-east-1", "us-east-2", "us-west-2"),
    "eu": ("eu-central-1", "eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1", "eu-west-3"),
}
"""Regions that every profile of a geography routes to; those of the others differ by model."""
INVOKE = "bedrock:InvokeModel"


def geography_of(model: str) -> str:
    """The geography of a profile's id: `us`, `eu`, …; empty: a model of the region itself."""
    first, _, rest = model.partition(".")
    return first if "." in rest and first in GEOGRAPHIES else ""


def invoking(model: str, regions: Sequence[str], stack: cdk.Stack) -> list[iam.PolicyStatement]:
    """What a role needs to call `model`: an id of a model, of a profile, or an ARN.

    Args:
        model: as the property names it.
        regions: where a profile may route to, where the owner has said so.
    """
    kind, _, name = model.split(":", 5)[5].partition("/") if model.startswith("arn:") else ("", "", model)
    # What another construct makes has no text yet; it is a profile by its ARN.
    if kind == "application-inference-profile" or cdk.Token.is_unresolved(model):
        return [_allow(model), _through(model, "*", regions, stack)]
    if kind == "inference-profile":
        return _profile(model, name, regions, stack)
    if kind:
        return [_allow(model)]
    if not geography_of(model):
        return [_allow(_foundation(stack, stack.region, model))]
    profile = stack.format_arn(service="bedrock", resource="inference-profile", resource_name=model)
    return _profile(profile, model, regions, stack)


def _profile(arn: str, name: str, regions: Sequence[str], stack: cdk.Stack) -> list[iam.PolicyStatement]:
    geography, _, model = name.partition(".")
    if geography == "global":
        # Where a global profile routes is not said: AWS asks for the model in no region, and in the caller's own.
        return [_allow(arn, *(_foundation(stack, region, model) for region in ("", stack.region, *regions)))]
    known = regions or PROFILE_REGIONS.get(geography, ())
    if not known:
        return [_allow(arn), _through(arn, model, (), stack)]
    return [_allow(arn, *(_foundation(stack, region, model) for region in known))]


def _through(arn: str, model: str, regions: Sequence[str], stack: cdk.Stack) -> iam.PolicyStatement:
    """Models in whichever region the profile routes to, and through that profile alone."""
    models = [_foundation(stack, region, model) for region in regions or ("*",)]
    through = {"StringEquals": {"bedrock:InferenceProfileArn": arn}}
    return iam.PolicyStatement(actions=[INVOKE], resources=models, conditions=through)


def _foundation(stack: cdk.Stack, region: str, model: str) -> str:
    return f"arn:{stack.partition}:bedrock:{region}::foundation-model/{model}"


def _allow(*arns: str) -> iam.PolicyStatement:
    return iam.PolicyStatement(actions=[INVOKE], resources=list(arns))
