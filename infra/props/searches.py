"""Where the corpus may live."""

from __future__ import annotations

from dataclasses import dataclass

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
