"""Deployments as people choose them, pairwise over search, network, key, callers, models, and what may be off."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_events as events
from aws_cdk import aws_kms as kms

from infra.app import flags
from infra.gate import ReliabilityGate
from infra.props import DomainSearch, ExistingSearch, FunctionSize, GateProps, KnowledgeBaseSearch, ServerlessSearch
from tests.iam.deployed_account import REGION, Account
from tests.iam.evaluation import ACCOUNT

KEY = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/1234abcd-12ab-34cd-56ef-1234567890ab"
DOMAIN = f"arn:aws:es:{REGION}:{ACCOUNT}:domain/corpus"
APPLICATION = f"arn:aws:bedrock:{REGION}:{ACCOUNT}:application-inference-profile/abc123"
GUARDRAIL = f"arn:aws:bedrock:{REGION}:{ACCOUNT}:guardrail/gr1:3"
SECRET = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:reviews-AbCdEf"
SEARCH_SECRET = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:search-AbCdEf"
DEPLOY = Path(__file__).parents[2] / "docs" / "deploy.md"
Made = Callable[[cdk.Stack], dict[str, Any]]


def vpc(stack: cdk.Stack, **more: Any) -> dict[str, Any]:
    """A VPC of two zones; what CDK does to its default group would take a function of its own."""
    return {"vpc": ec2.Vpc(stack, "Vpc", max_azs=2, restrict_default_security_group=False, **more)}


def isolated(stack: cdk.Stack) -> dict[str, Any]:
    """Subnets without a way out, and the endpoints that they need."""
    inside = ec2.SubnetConfiguration(name="Inside", subnet_type=ec2.SubnetType.PRIVATE_ISOLATED)
    return {**vpc(stack, subnet_configuration=[inside]), "vpc_endpoints": True}


def pool(stack: cdk.Stack) -> dict[str, Any]:
    pages = ("https://app.example",)
    return {"user_pool": cognito.UserPool(stack, "People"), "tenant_claim": "custom:tenant", "cors_origins": pages}


CHOICES: dict[str, dict[str, Made]] = {
    "search": {
        "serverless": lambda _: {},
        "private serverless": lambda _: {"search": ServerlessSearch(public=False)},
        "domain": lambda _: {"search": DomainSearch(nodes=2)},
        "endpoint": lambda _: {"search": ExistingSearch("https://search.internal", DOMAIN)},
        "endpoint with a login": lambda _: {
            "search": ExistingSearch("https://search.internal", None, "", secret=SEARCH_SECRET)
        },
        "knowledge base": lambda _: {"search": KnowledgeBaseSearch("KB12345678")},
    },
    "network": {"public": lambda _: {}, "private": vpc, "isolated": isolated},
    "key": {
        "new": lambda _: {},
        "own": lambda stack: {"key": kms.Key(stack, "Own")},
        "imported": lambda stack: {"key": kms.Key.from_key_arn(stack, "Given", KEY)},
    },
    "callers": {"iam": lambda _: {}, "pool": pool},
    "model": {
        "region": lambda _: {"model": "amazon.nova-lite-v1:0", "embed_model": "amazon.titan-embed-text-v2:0"},
        "us": lambda _: {"model": "us.anthropic.claude-haiku-5-5", "guardrail": "gr1:3"},
        "apac": lambda _: {"model": "apac.amazon.nova-pro-v1:0", "embed_model": ""},
        "global": lambda _: {"model": "global.anthropic.claude-haiku-5-5", "embed_model": "global.cohere.embed-v4:0"},
        "application": lambda _: {"model": APPLICATION, "guardrail": GUARDRAIL, "grounding_guardrail": "gr2:1"},
    },
    "vision": {"off": lambda _: {}, "on": lambda _: {"image_model": "us.amazon.nova-pro-v1:0"}},
    "spending": {
        "bounded": lambda _: {"model_requests": 100},
        "free": lambda _: {"budget_tokens": 0, "budget_day": 0, "budget_tenant_day": 0},
    },
    "events": {
        "default bus": lambda _: {},
        "own bus": lambda stack: {"event_bus": events.EventBus(stack, "Bus")},
    },
    "webhook": {"off": lambda _: {}, "on": lambda _: {"review_webhook": SECRET}},
    "ledger": {"off": lambda _: {}, "on": lambda _: {"ledger_days": 365}},
    "release": {
        "at once": lambda _: {},
        "canary": lambda _: {"canary_percent": 10, "functions": {"api": FunctionSize(provisioned=2)}},
    },
    "redactor": {"patterns": lambda _: {}, "comprehend": lambda _: {"redactor": "patterns,comprehend"}},
}
"""What a property may be, by a word for it."""


def go_together(chosen: Mapping[str, str]) -> bool:
    """Whether the words may stand in one deployment; a property that is not chosen yet goes with all."""
    return not (chosen.get("search") == "private serverless" and chosen.get("network") == "public")


@dataclass(frozen=True)
class Variant:
    """One row: a word for each property."""

    words: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return ", ".join(word for _, word in self.words)

    def props(self, stack: cdk.Stack) -> GateProps:
        """The properties that the words stand for, made in the stack where something must be made."""
        parts = [CHOICES[name][word](stack) for name, word in self.words]
        return GateProps(**{name: value for part in parts for name, value in part.items()})

    def template(self) -> dict[str, Any]:
        """Synthesized as a team's own app has it: one stack around the construct."""
        app = cdk.App(context=flags(), builtin_cloud_formation_validation=False)
        stack = cdk.Stack(app, "Team", env=cdk.Environment(account=ACCOUNT, region=REGION))
        ReliabilityGate(stack, "Gate", props=self.props(stack))
        template: dict[str, Any] = app.synth().get_stack_by_name("Team").template
        return template

    def account(self, template: Mapping[str, Any]) -> Account:
        """The account in which that is deployed: an imported key has the policy that the document prints."""
        return Account(template, policies={KEY: policy_of_imported_key()}, search=DOMAIN)


def policy_of_imported_key() -> list[dict[str, Any]]:
    """What `docs/deploy.md` tells the owner of a key to write, beside what every key has."""
    text = DEPLOY.read_text(encoding="utf-8").partition("### A key of your own")[2]
    written: list[dict[str, Any]] = json.loads(text.partition("```json\n")[2].partition("```")[0])
    root = {"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}, "Action": "kms:*"}
    return [{**one, "Resource": KEY} for one in (root, *written)]


@cache
def pairwise(*crossed: str) -> tuple[Variant, ...]:
    """Rows in which each two words of `crossed` properties that go together stand side by side, and each other word."""
    opened = [*pairs(crossed), *({(name, word)} for name in CHOICES for word in CHOICES[name])]
    left = [frozenset(one) for one in opened]
    rows = []
    while left:
        row = dict(sorted(left[0]))
        for name in CHOICES:
            if name not in row:
                row[name] = best(name, row, left)
        rows.append(Variant(tuple((name, row[name]) for name in CHOICES)))
        left = [one for one in left if not one <= {*row.items()}]
    return tuple(rows)


def pairs(crossed: tuple[str, ...]) -> Iterator[set[tuple[str, str]]]:
    """Every two words that go together."""
    for one, other in combinations(crossed, 2):
        for word, also in product(CHOICES[one], CHOICES[other]):
            if go_together({one: word, other: also}):
                yield {(one, word), (other, also)}


def best(name: str, row: Mapping[str, str], left: Sequence[frozenset[tuple[str, str]]]) -> str:
    """The word that brings a row the most of what is left."""
    words = [word for word in CHOICES[name] if go_together({**row, name: word})]
    return max(words, key=lambda word: sum(one <= {*row.items(), (name, word)} for one in left))


def suite() -> tuple[Variant, ...]:
    """The rows that every run of the tests looks at: what depends on where things stand, crossed; the rest, once."""
    return pairwise("search", "network", "key")


def whole_matrix() -> tuple[Variant, ...]:
    """The rows of `python -m tests.iam`."""
    return pairwise(*CHOICES)
