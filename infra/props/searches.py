"""Where the corpus may live."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import aws_cdk as cdk

from .error import PropertyError

if TYPE_CHECKING:
    from .gate_props import GateProps

NO_SERVERLESS = frozenset(
    {
        "af-south-1",
        "ap-east-2",
        "ap-southeast-3",
        "ap-southeast-4",
        "ap-southeast-5",
        "ap-southeast-6",
        "ap-southeast-7",
        "ca-west-1",
        "il-central-1",
        "me-central-1",
        "mx-central-1",
    }
)
"""Regions where CloudFormation knows no OpenSearch Serverless (cfn-lint 1.58.0, E3006)."""


@dataclass(frozen=True)
class ExistingSearch:
    """An OpenSearch endpoint that is there already.

    Attributes:
        endpoint: `https://…`.
        resource_arn: ARN of the domain (`es`) or collection (`aoss`); None where requests are not signed.
        service: who signs requests: `es`, `aoss`, or empty for none.
        fields: JSON that says what an index of your own calls its fields (`GATE_SEARCH_FIELDS`): it is read, and never
            written; empty: the indexes are the gate's own.
        secret: ARN of a secret of Secrets Manager that holds `username` and `password`, where requests are not signed.
    """

    endpoint: str
    resource_arn: str | None = None
    service: str = "es"
    fields: str = ""
    secret: str = ""


@dataclass(frozen=True)
class KnowledgeBaseSearch:
    """A knowledge base of Bedrock, of the stack's account and region. It is read, never written, and embeds by itself.

    Attributes:
        id: its ten letters and digits; the corpus is called so.
        fields: JSON that says what its metadata are called (`GATE_SEARCH_FIELDS`); empty: as the gate calls them.
    """

    id: str
    fields: str = ""


@dataclass(frozen=True)
class ServerlessSearch:
    """A new OpenSearch Serverless collection of the next generation: it scales to nothing when idle.

    Attributes:
        max_ocu: most capacity units, of indexing and of search each.
        standby: whether a second zone stands by.
        public: whether its endpoint may be reached from anywhere; False: from `vpc` alone, through an endpoint that is
            made there. Requests are signed either way.
    """

    max_ocu: int = 4
    standby: bool = False
    public: bool = True


@dataclass(frozen=True)
class DomainSearch:
    """A new OpenSearch domain.

    Attributes:
        instance_type: of the data nodes.
        nodes: data nodes; two or more are spread over zones.
        volume_gb: disk of each.
    """

    instance_type: str = "t3.small.search"
    nodes: int = 1
    volume_gb: int = 20


Searching = ExistingSearch | KnowledgeBaseSearch | ServerlessSearch | DomainSearch


def check_search(props: GateProps) -> None:
    """Refuse a corpus that could not be reached, or read."""
    for index in props.indexes:
        if not re.fullmatch(r"[a-z0-9][a-z0-9_.-]*", index):
            raise PropertyError(f"indexes: {index!r} is no name of an index")
    if props.vpc is None:
        for name in ("subnets", "vpc_endpoints"):
            if getattr(props, name):
                raise PropertyError(f"{name}: needs vpc")
        if isinstance(props.search, ServerlessSearch) and not props.search.public:
            raise PropertyError("search.public: needs vpc, from where alone the collection is then reached")
    if isinstance(props.search, ExistingSearch):
        _check_existing(props.search)
    if isinstance(props.search, KnowledgeBaseSearch):
        _check_base(props.search, props)


def _check_existing(search: ExistingSearch) -> None:
    if not cdk.Token.is_unresolved(search.endpoint) and not search.endpoint.startswith("https://"):
        raise PropertyError(f"search.endpoint: {search.endpoint!r} does not begin with https://")
    if search.service not in ("es", "aoss", ""):
        raise PropertyError(f"search.service: {search.service!r} is none of es, aoss, or empty")
    if search.service and not search.resource_arn:
        raise PropertyError("search.resource_arn: needed to allow signed requests")
    if search.fields and not _is_json_object(search.fields):
        raise PropertyError('search.fields: is no JSON object, such as {"content": "body"}')
    if search.service and search.secret:
        raise PropertyError("search.secret: goes with service='', since requests are signed or have a password")


def _check_base(search: KnowledgeBaseSearch, props: GateProps) -> None:
    if not cdk.Token.is_unresolved(search.id) and not re.fullmatch(r"[0-9A-Za-z]{10}", search.id):
        raise PropertyError(f"search.id: {search.id!r} is no id of a knowledge base: ten letters and digits")
    if search.fields and not _is_json_object(search.fields):
        raise PropertyError('search.fields: is no JSON object, such as {"title": "name"}')
    if props.index not in (type(props).index, search.id) or props.indexes:
        name = "indexes" if props.indexes else "index"
        raise PropertyError(f"{name}: the knowledge base {search.id} is the one corpus that is searched")


def _is_json_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
