"""What a team decides about its gate; every property has a default that is safe and cheap when idle."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import aws_cdk as cdk
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns

from gate.catalogue import MAX_CONCURRENCY
from gate.decision.costs import MOST_TOKENS
from gate.settings import Settings

RUN_TOKENS = int(Settings.model_fields["max_claims"].default) * MOST_TOKENS
"""Enough for every run that the caps let through: as many claims as one may have (`GATE_MAX_CLAIMS`), each asked about
once, at the most that it usually takes."""

PROFILE_REGIONS: dict[str, tuple[str, ...]] = {
    "us": ("us-east-1", "us-east-2", "us-west-2"),
    "eu": ("eu-central-1", "eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1", "eu-west-3"),
}
"""Regions that a geographic inference profile may route to; `model_regions` overrides it."""


class PropertyError(ValueError):
    """A property that does not fit; says which, and what would."""


@dataclass(frozen=True)
class ExistingSearch:
    """An OpenSearch endpoint that is there already.

    Attributes:
        endpoint: `https://…`.
        resource_arn: ARN of the domain (`es`) or collection (`aoss`); None where requests are not signed.
        service: who signs requests: `es`, `aoss`, or empty for none.
    """

    endpoint: str
    resource_arn: str | None = None
    service: str = "es"


@dataclass(frozen=True)
class ServerlessSearch:
    """A new OpenSearch Serverless collection of the next generation: it scales to nothing when idle.

    Attributes:
        max_ocu: most capacity units, of indexing and of search each.
        standby: whether a second zone stands by.
        public: whether its endpoint may be reached from outside of a VPC endpoint; requests are signed either way.
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


@dataclass(frozen=True, kw_only=True)
class GateProps:
    """Properties of `ReliabilityGate`.

    Attributes:
        model: Bedrock model or inference profile id that verifies claims.
        model_regions: regions whose foundation model the profile may call; by default those of its geography.
        embed_model: Bedrock model id for vectors; empty: keyword search alone.
        image_model: Bedrock model id that reads images; empty: vision is off.
        guardrail: `id:version` of a Bedrock guardrail around every call about claims; empty: none.
        search: where the corpus lives.
        index: name of the index.
        indexes: further indexes, one for each folder of `corpora/`, that callers of the API may name.
        budget_tokens: tokens that one run may spend; None or 0: no limit.
        budget_stop: a run that it does not hold even on short evidence is not begun; else it spends what it may.
        max_concurrency: branches of claims checked at once, at most 40.
        redactor: redactors to compose: `patterns`, `comprehend`.
        vpc, subnets: where functions run; None: outside of a VPC.
        key: encrypts everything; None: a new one.
        uploads, blobs: buckets to use; None: new ones. A bucket of one's own must send events to EventBridge.
        permissions_boundary: for every role.
        event_bus: hears of finished checks; None: the account's default bus.
        alarm_topic: told of alarms; None: a new one.
        user_pool: Cognito pool whose tokens the API takes; None: IAM (SigV4).
        tenant_claim: claim of those tokens that names the tenant.
        tenant_field: whether a caller may name the tenant itself.
        log_retention: of every log group.
        retain: keep buckets, table and key when the stack goes.
        runs_expire_days: runs' values are removed after so many days; redrive needs 14.
        reports_expire_days: reports are removed after so many days; 0: never.
        throttle_rate, throttle_burst: requests a second that the API takes.
    """

    model: str = "us.anthropic.claude-haiku-5-5"
    model_regions: tuple[str, ...] = ()
    embed_model: str = "amazon.titan-embed-text-v2:0"
    image_model: str = ""
    guardrail: str = ""
    search: ExistingSearch | ServerlessSearch | DomainSearch = field(default_factory=ServerlessSearch)
    index: str = "trusted_docs"
    indexes: tuple[str, ...] = ()
    budget_tokens: int | None = RUN_TOKENS
    budget_stop: bool = True
    max_concurrency: int = MAX_CONCURRENCY
    redactor: str = "patterns"
    vpc: ec2.IVpc | None = None
    subnets: ec2.SubnetSelection | None = None
    key: kms.IKey | None = None
    uploads: s3.IBucket | None = None
    blobs: s3.IBucket | None = None
    permissions_boundary: iam.IManagedPolicy | None = None
    event_bus: events.IEventBus | None = None
    alarm_topic: sns.ITopic | None = None
    user_pool: cognito.IUserPool | None = None
    tenant_claim: str = ""
    tenant_field: bool = False
    log_retention: logs.RetentionDays = logs.RetentionDays.THREE_MONTHS
    retain: bool = True
    runs_expire_days: int = 30
    reports_expire_days: int = 365
    throttle_rate: int = 50
    throttle_burst: int = 100

    def __post_init__(self) -> None:
        """Refuse what cannot work before anything is made of it."""
        for name, least, most in (
            ("max_concurrency", 1, MAX_CONCURRENCY),
            ("budget_tokens", 0, 10**9),
            ("runs_expire_days", 15, 3_650),
            ("reports_expire_days", 0, 3_650),
            ("throttle_rate", 1, 10_000),
            ("throttle_burst", 1, 5_000),
        ):
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise PropertyError(f"{name}: {value} is not within {least} and {most}")
        if not self.model or any(character in self.model for character in " */"):
            raise PropertyError(f"model: {self.model!r} is no model id, for example us.anthropic.claude-haiku-5-5")
        if self.guardrail and ":" not in self.guardrail:
            raise PropertyError(f"guardrail: {self.guardrail!r} names no version, for example gr-1:3")
        for index in self.indexes:
            if not re.fullmatch(r"[a-z0-9][a-z0-9_.-]*", index):
                raise PropertyError(f"indexes: {index!r} is no name of an index")
        if self.tenant_claim and self.user_pool is None:
            raise PropertyError("tenant_claim: needs user_pool, since IAM callers carry no claims")
        if self.tenant_claim and self.tenant_field:
            raise PropertyError("tenant_field: callers' tokens name the tenant already (tenant_claim)")
        if isinstance(self.search, ExistingSearch):
            self._check_existing(self.search)

    @staticmethod
    def _check_existing(search: ExistingSearch) -> None:
        if not cdk.Token.is_unresolved(search.endpoint) and not search.endpoint.startswith("https://"):
            raise PropertyError(f"search.endpoint: {search.endpoint!r} does not begin with https://")
        if search.service not in ("es", "aoss", ""):
            raise PropertyError(f"search.service: {search.service!r} is none of es, aoss, or empty")
        if search.service and not search.resource_arn:
            raise PropertyError("search.resource_arn: needed to allow signed requests")

    @property
    def removal_policy(self) -> cdk.RemovalPolicy:
        """Of what holds data."""
        return cdk.RemovalPolicy.RETAIN if self.retain else cdk.RemovalPolicy.DESTROY

    @property
    def geography(self) -> str | None:
        """The geography of the inference profile: `us`, `eu`, …; None: a model of the deployment's own region."""
        first, _, rest = self.model.partition(".")
        return first if rest.count(".") and first in (*PROFILE_REGIONS, "apac", "au", "jp", "ca", "global") else None

    def regions_of_model(self) -> tuple[str, ...]:
        """Regions whose foundation model may be called; empty: the deployment's own.

        Raises:
            PropertyError: the profile's regions are not known here.
        """
        if self.model_regions or self.geography is None:
            return self.model_regions
        if self.geography not in PROFILE_REGIONS:
            raise PropertyError(f"model_regions: name the regions that {self.geography}.* routes to")
        return PROFILE_REGIONS[self.geography]
