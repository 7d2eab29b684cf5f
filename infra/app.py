"""The reference app: `cdk.json` context in, two stacks out. `python -m infra.app` synthesizes with no account.

Context keys are the names of `GateProps` whose values are text or numbers, and `search`: an endpoint, `serverless`,
`domain`, or `knowledge-base`, whose id is the `index`. For anything else (a VPC, a key, buckets), write an app of your
own around `ReliabilityGate`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

import aws_cdk as cdk
from constructs import Construct

from gate.settings import KNOWLEDGE_BASE

from .gate import ReliabilityGate, output
from .network import Network
from .props import (
    DomainSearch,
    ExistingSearch,
    FunctionSize,
    GateProps,
    KnowledgeBaseSearch,
    PropertyError,
    Searching,
    ServerlessSearch,
    UsagePlan,
    check_region,
)
from .rights.acknowledged import acknowledge
from .search import Search
from .storage import Storage

T = TypeVar("T")
CDK_JSON = Path(__file__).parent.parent / "cdk.json"
REMEMBERED = CDK_JSON.with_name("cdk.context.json")
"""What the CLI lays over cdk.json where it is there: quotas that `gate doctor --keep-quotas` wrote."""
NAME = "ReliabilityGate"
OWN_TAGS = {"project": "llm-reliability-gate"}
TAGGED_ONCE = ["AWS::OpenSearchServerless::Collection"]
"""What CloudFormation replaces for another tag: it bears those alone that every deployment has."""
STACK_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,99}")


class DataStack(cdk.Stack):
    """What holds data: it is kept when the other stack goes."""

    def __init__(self, scope: Construct, id: str, *, props: GateProps, **options: Any) -> None:
        super().__init__(scope, id, termination_protection=props.retain, **options)
        self.storage = Storage(self, "Storage", props=props)
        self.network = Network(self, "Network", props=props)
        self.search = Search(self, "Search", props=props, key=self.storage.key, network=self.network)
        for value in (self.storage.spending.table_arn, self.storage.spending.table_name):
            self.export_value(value)
        output(self, "UploadsBucket", self.storage.uploads.bucket_name)
        output(self, "BlobsBucket", self.storage.blobs.bucket_name)
        output(self, "SearchEndpoint", self.search.endpoint)
        acknowledge(self)


class GateStack(cdk.Stack):
    """What works on it: deployed and removed freely."""

    def __init__(self, scope: Construct, id: str, *, props: GateProps, data: DataStack, **options: Any) -> None:
        super().__init__(scope, id, **options)
        self.gate = ReliabilityGate(
            self, "Gate", props=props, storage=data.storage, network=data.network, search=data.search
        )


def props_from(node: Any) -> GateProps:
    """Properties out of an app's context; a key that nobody set keeps its default.

    Raises:
        PropertyError: a value that does not fit.
    """
    given: dict[str, Any] = {}
    for field in fields(GateProps):
        value = node.try_get_context(f"gate:{field.name}")
        if value is None:
            continue
        given[field.name] = _search(str(value), node) if field.name == "search" else _as(field.type, field.name, value)
    return GateProps(**given)


def environment_from(node: Any) -> tuple[str, dict[str, str]]:
    """Name and tags of an environment: what its stacks are called, and what bills and searches find them by.

    Raises:
        PropertyError: a name that no stack may have, or tags that are no pairs.
    """
    name = str(node.try_get_context("gate:name") or NAME)
    if not STACK_NAME.fullmatch(name):
        raise PropertyError(f"name: {name!r} is no name of a stack: letters, digits and hyphens, a letter first")
    return name, OWN_TAGS | _pairs("tags", node.try_get_context("gate:tags") or {})


def _search(value: str, node: Any) -> Searching:
    if value in ("serverless", "domain"):
        return ServerlessSearch() if value == "serverless" else DomainSearch()
    if value == KNOWLEDGE_BASE:
        return KnowledgeBaseSearch(str(node.try_get_context("gate:index") or ""))
    arn = node.try_get_context("gate:search_arn")
    secret = str(node.try_get_context("gate:search_secret") or "")
    service = "" if arn is None else "aoss" if ":aoss:" in arn else "es"
    return ExistingSearch(value, arn, service, secret=secret)


def _as(kind: Any, name: str, value: Any) -> Any:
    """Context from the command line is text: read it as what the property is."""
    if kind == "bool":
        return value if isinstance(value, bool) else str(value).lower() in ("true", "1", "yes")
    if kind in ("int", "int | None"):
        try:
            return int(value)
        except ValueError:
            raise PropertyError(f"{name}: {value!r} is no number") from None
    if kind == "str":
        return str(value)
    if kind == "tuple[str, ...]":
        return tuple(value if isinstance(value, list) else str(value).split(","))
    if kind == "Mapping[str, str]":
        return _pairs(name, value)
    if kind == "Mapping[str, FunctionSize]":
        return {
            function: _whole(FunctionSize, f"{name}.{function}", given)
            for function, given in _object(name, value).items()
        }
    if kind == "Mapping[str, UsagePlan]":
        return {plan: _whole(UsagePlan, f"{name}.{plan}", given) for plan, given in _object(name, value).items()}
    raise PropertyError(f"{name}: cannot be set by context; write an app around ReliabilityGate")


def _pairs(name: str, value: Any) -> dict[str, str]:
    """A JSON object, or `a=b,c=d` as a command line has it."""
    if isinstance(value, str) and not value.lstrip().startswith("{"):
        parts = [part.partition("=") for part in value.split(",")]
        if not all(key and sign for key, sign, _ in parts):
            raise PropertyError(f"{name}: {value!r} is neither a JSON object nor name=value,…")
        return {key.strip(): given.strip() for key, _, given in parts}
    return {key: given if isinstance(given, str) else json.dumps(given) for key, given in _object(name, value).items()}


def _object(name: str, value: Any) -> dict[str, Any]:
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise PropertyError(f"{name}: {value!r} is no JSON object")
    return found


def _whole(kind: Callable[..., T], name: str, value: Any) -> T:
    """A value of whole numbers out of a JSON object."""
    given, known = _object(name, value), list(signature(kind).parameters)
    for key, number in given.items():
        if key not in known or not isinstance(number, int):
            raise PropertyError(f"{name}.{key}: {number!r} is not one of {', '.join(known)}, whole numbers")
    try:
        return kind(**given)
    except TypeError:
        raise PropertyError(f"{name}: not all of {', '.join(known)} are there") from None


@dataclass(frozen=True)
class Synthesized:
    """Templates by stack, and the app that made them."""

    stateful: dict[str, Any]
    stateless: dict[str, Any]
    app: cdk.App
    stack: GateStack


def build(app: cdk.App) -> tuple[DataStack, GateStack]:
    """Add the stacks to an app."""
    props = props_from(app.node)
    name, tags = environment_from(app.node)
    data = DataStack(app, f"{name}Data", props=props)
    stack = GateStack(app, name, props=props, data=data)
    for one in (data, stack):
        for key, value in tags.items():
            cdk.Tags.of(one).add(key, value, exclude_resource_types=TAGGED_ONCE)
        for key, value in OWN_TAGS.items():
            cdk.Tags.of(one).add(key, value, include_resource_types=TAGGED_ONCE)
    return data, stack


def flags() -> dict[str, Any]:
    """The context of cdk.json, which only the CLI reads by itself; the layer is built when it is deployed."""
    return context_of_cli() | {"aws:cdk:bundling-stacks": []}


def context_of_cli() -> dict[str, Any]:
    """What the CLI tells an app: the context of cdk.json, and that resources say where they come from."""
    context: dict[str, Any] = json.loads(CDK_JSON.read_text(encoding="utf-8"))["context"]
    return context | {"aws:cdk:enable-path-metadata": True}


def remembered(file: Path = REMEMBERED) -> dict[str, Any]:
    """The context that the CLI reads beside cdk.json; empty where there is none."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def synthesize(
    context: dict[str, Any] | None = None, *, validate: bool = False, outdir: str | None = None
) -> Synthesized:
    """Synthesize in this process, under the feature flags of cdk.json; `validate`: with CDK's own rules (slow)."""
    app = cdk.App(context={**flags(), **(context or {})}, builtin_cloud_formation_validation=validate, outdir=outdir)
    data, stack = build(app)
    assembly = app.synth()
    stateful, stateless = (assembly.get_stack_by_name(part.stack_name).template for part in (data, stack))
    return Synthesized(stateful, stateless, app, stack)


def main() -> None:
    """What `cdk.json` names. By itself it writes into cdk.out what the CLI would deploy."""
    asked_by_cli = "CDK_CLI_VERSION" in os.environ
    outdir = os.environ.get("CDK_OUTDIR", "cdk.out")
    app = (
        cdk.App()
        if asked_by_cli
        else cdk.App(context=context_of_cli() | remembered(), outdir=outdir, builtin_cloud_formation_validation=False)
    )
    region = os.environ.get("CDK_DEFAULT_REGION", "")
    check_region(props_from(app.node), region)
    build(app)
    app.synth()


if __name__ == "__main__":
    main()
