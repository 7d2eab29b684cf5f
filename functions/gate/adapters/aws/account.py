"""What an AWS account allows: models, the regions they are routed to, and quotas. Asked by `gate doctor` alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import boto3

from gate.adapters.aws.bedrock.bedrock_errors import translated as model_translated
from gate.adapters.aws.bedrock.client import BedrockOptions, runtime_client
from gate.adapters.aws.clients import client_of
from gate.adapters.aws.sdk_errors import translated

GEOGRAPHIES = {"us": "Cross-region", "eu": "Cross-region", "apac": "Cross-region", "global": "Global cross-region"}
"""How quotas name the calls that a profile of a geography makes."""

BOOTSTRAP = "/cdk-bootstrap/hnb659fds/version"
"""Where `cdk bootstrap` says its version, under CDK's own qualifier."""


def region_of(region: str) -> str:
    """The region in force: the one given, else the SDK's own; empty: none is set."""
    return region or str(boto3.Session().region_name or "")


def ask_one_token(model: str, options: BedrockOptions) -> None:
    """Call Converse for one token.

    Raises:
        SettingsError: the model may not be used, or is not offered here.
        ModelThrottledError, ModelUnavailableError: it is, and cannot answer now.
    """
    with model_translated(model):
        runtime_client(options).converse(
            modelId=model,
            messages=[{"role": "user", "content": [{"text": "ready?"}]}],
            inferenceConfig={"maxTokens": 1},
        )


def regions_of_profile(profile: str, region: str) -> list[str]:
    """Regions that an inference profile routes calls to."""
    with translated("the inference profile"):
        found = _client("bedrock", region).get_inference_profile(inferenceProfileIdentifier=profile)
    return sorted({model["modelArn"].split(":")[3] for model in found["models"]})


def quotas(service: str, region: str) -> dict[str, float]:
    """Every applied quota of a service, by name."""
    with translated(f"quotas of {service}"):
        pages = _client("service-quotas", region).get_paginator("list_service_quotas").paginate(ServiceCode=service)
        return {quota["QuotaName"]: float(quota["Value"]) for page in pages for quota in page["Quotas"]}


def concurrent_executions(region: str) -> int:
    """Lambda executions at once that are left for functions without a share of their own."""
    with translated("Lambda's limits"):
        limits = _client("lambda", region).get_account_settings()["AccountLimit"]
    return int(limits["UnreservedConcurrentExecutions"])


def api_log_role(region: str) -> str:
    """The role by which every API Gateway of the account and region writes logs; empty: there is none."""
    with translated("API Gateway's account"):
        return str(_client("apigateway", region).get_account().get("cloudwatchRoleArn") or "")


def bootstrap_version(region: str) -> int:
    """Which version of CDK's own resources the account has here; 0: none."""
    client = _client("ssm", region)
    with translated("CDK's bootstrap"):
        try:
            found = client.get_parameter(Name=BOOTSTRAP)
        except client.exceptions.ParameterNotFound:
            return 0
    return int(found["Parameter"]["Value"])


def quota_of_model(found: dict[str, float], model: str, what: str) -> float | None:
    """The quota of a model's `what` (`tokens`, `requests`) a minute, for the way it is called; None: not listed."""
    geography, _, rest = model.partition(".")
    routed = geography if geography in GEOGRAPHIES and "." in rest else ""
    way, words = GEOGRAPHIES.get(routed, "On-demand"), words_of_model(rest if routed else model)
    for name, value in found.items():
        about, _, named = name.partition(" for ")
        if about.startswith(way) and f"{what} per minute" in about and _words(named.split()) == words:
            return value
    return None


def words_of_model(model: str) -> set[str]:
    """A model's id as the words that its quotas name it with: `anthropic.claude-haiku-5-5` → claude, haiku, 5.5, …"""
    bare = re.sub(r"-\d{8}|-v\d+(:\d+)?$|:\d+$", "", re.sub(r"-v\d+:\d+$", "", model))
    return _words(re.sub(r"(?<=\d)-(?=\d)", ".", bare).replace(".", " ", 1).replace("-", " ").split())


def _words(parts: Iterable[str]) -> set[str]:
    return {part.strip("()").lower() for part in parts} - {"v1"}


def _client(service: str, region: str) -> Any:
    return client_of(service, region, called=service, tries=3)
