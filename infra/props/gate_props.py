"""What a team decides about its gate; every property has a default that is safe and cheap when idle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import aws_cdk as cdk
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_logs as logs
from aws_cdk import aws_route53 as route53
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sns as sns

from gate.catalogue import MAX_CONCURRENCY
from gate.decision.costs import DAY_TOKENS, TENANT_DAY_TOKENS

from .entry import UsagePlan, check_callers, check_entry
from .error import PropertyError
from .limits import check_limits
from .named import check_models, check_told
from .searches import NO_SERVERLESS, KnowledgeBaseSearch, Searching, ServerlessSearch, check_search
from .sizes import RUN_TOKENS, FunctionSize, check_sizes


@dataclass(frozen=True, kw_only=True)
class GateProps:
    """Properties of `ReliabilityGate`.

    Attributes:
        model: Bedrock model or inference profile, by id or ARN, that verifies claims.
        model_regions: regions whose foundation models profiles may call; by default those of their geography, and
            whichever the profile itself routes to where a geography's regions differ by model.
        embed_model: Bedrock model or profile for vectors; empty: keyword search alone.
        image_model: Bedrock model or profile that reads images; empty: vision is off.
        guardrail: `id:version` or `ARN:version` of a Bedrock guardrail around every call about claims; empty: none.
        grounding_guardrail: `id:version` or `ARN:version` of one with contextual grounding, a second opinion.
        settings: further settings of the functions by name, as `docs/configuration.md` has them in small letters.
        functions: size of functions by name, where it is not the catalogue's.
        search: where the corpus lives.
        index: name of the index.
        indexes: further indexes, one for each folder of `corpora/`, that callers of the API may name.
        budget_tokens: tokens that one run may spend; None or 0: no limit.
        budget_tenant_day, budget_day: tokens that one tenant, and everybody, may spend in a day; None or 0: no limit.
        monthly_dollars: at 80 and 100 % of so much of Bedrock's bill a month AWS Budgets tells `budget_email`.
        budget_email: who is told.
        budget_stop: a run that it does not hold even on short evidence is not begun; else it spends what it may.
        model_requests, model_tokens: calls and tokens a minute of the model's quota (`gate doctor` reads them), parted
            between all who call it; what has no room waits. 0: not parted, and refused calls are tried eight times.
        max_concurrency: branches of claims checked at once, at most 40.
        batch_concurrency: transcripts of one uploaded batch checked at once.
        ingest_concurrency: functions that take documents into the corpus at once, at least 2.
        reconcile_minutes: how often corpora are compared with their bucket.
        redactor: redactors to compose: `patterns`, `comprehend`.
        vpc, subnets: where functions run; None: outside of a VPC.
        vpc_endpoints: make there the endpoints of every AWS service that the functions call.
        key: encrypts everything; None: a new one.
        uploads, blobs: buckets to use; None: new ones. A bucket of one's own must send events to EventBridge.
        permissions_boundary: for every role.
        event_bus: hears of finished checks; None: the account's default bus.
        alarm_topic: told of alarms; None: a new one.
        alarm_email: address that is told of them too, once its owner has confirmed; empty: none.
        user_pool: Cognito pool whose tokens the API takes; None: IAM (SigV4).
        tenant_claim: claim of those tokens that names the tenant.
        tenant_field: whether a caller may name the tenant itself.
        submit_role, read_role, review_role, delete_role: group (`cognito:groups`) or scope of those tokens that may
            start checks, read reports (others see outcomes), decide what waits for a person, delete checks; several
            with commas, `*`: every caller, empty: none. Callers by IAM may where their policy allows those routes
            (`rest_api.grant_submit` and the like).
        review_topic: told of every run that begins to wait for a person; None: a new one.
        review_page: address of the page where people decide, `{run}` in it stands for the run; empty: the API's own
            address of the review.
        review_webhook: whole ARN of a secret of Secrets Manager, `{"url": "https://…", "key": "whsec_…"}`, encrypted
            with the account's own key for secrets or with `key`: the address is posted to for every run that begins to
            wait; empty: none is.
        review_webhook_format: `json`, signed with the key, or `slack`, a message for a chat that needs none.
        drift_percent: of the verdicts that reviewers mark in a week, the share that they call wrong, or on which two of
            them differ, from which an alarm tells; 0: none does.
        log_retention: of every log group.
        retain: keep buckets, table and key when the stack goes.
        runs_expire_days: runs' values are removed after so many days; redrive needs 14.
        reports_expire_days: reports are removed after so many days; 0: never.
        ledger_days: keep a ledger of decisions, whose entries nobody, the account's root neither, removes or replaces
            for so many days (S3 Object Lock in compliance mode); 0: none is kept.
        checks_now: whether the API answers a check with its report (`POST /v1/checks:now`), by a function that may do
            what the whole path of a check does.
        now_concurrency: such checks at once, reserved of the account's functions; 0: not reserved.
        throttle_rate, throttle_burst: requests a second that the API takes.
        web_acl: `managed`, or the ARN of a web ACL of WAF that stands before the API; empty: none.
        web_acl_rate: requests of one address in five minutes that the managed one lets through.
        cors_origins: pages, as `https://app.example`, whose scripts may call the API with a token of `user_pool`.
        domain_name: of the API, in place of the one that AWS makes up; `certificate` is its ARN, of the same region.
        hosted_zone: of that domain, where its record is made; None: make it elsewhere, to the output `ApiTarget`.
        usage_plans: by name, what callers may ask for who bring its key; with any, every caller brings one.
        canary_percent: so many of a hundred runs and requests go to a new version at first; 0: all, at once.
        canary_minutes: for so long, and back to the version before where an alarm rings.
        api_log_role: make the role by which API Gateway writes logs, one for the account and region, in place of any
            that is there; False: it is there already.
    """

    model: str = "us.anthropic.claude-haiku-5-5"
    model_regions: tuple[str, ...] = ()
    embed_model: str = "amazon.titan-embed-text-v2:0"
    image_model: str = ""
    guardrail: str = ""
    grounding_guardrail: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, FunctionSize] = field(default_factory=dict)
    search: Searching = field(default_factory=ServerlessSearch)
    index: str = "trusted_docs"
    indexes: tuple[str, ...] = ()
    budget_tokens: int | None = RUN_TOKENS
    budget_tenant_day: int | None = TENANT_DAY_TOKENS
    budget_day: int | None = DAY_TOKENS
    monthly_dollars: int = 0
    budget_email: str = ""
    budget_stop: bool = True
    model_requests: int = 0
    model_tokens: int = 0
    max_concurrency: int = MAX_CONCURRENCY
    batch_concurrency: int = 10
    ingest_concurrency: int = 5
    reconcile_minutes: int = 60
    redactor: str = "patterns"
    vpc: ec2.IVpc | None = None
    subnets: ec2.SubnetSelection | None = None
    vpc_endpoints: bool = False
    key: kms.IKey | None = None
    uploads: s3.IBucket | None = None
    blobs: s3.IBucket | None = None
    permissions_boundary: iam.IManagedPolicy | None = None
    event_bus: events.IEventBus | None = None
    alarm_topic: sns.ITopic | None = None
    alarm_email: str = ""
    user_pool: cognito.IUserPool | None = None
    tenant_claim: str = ""
    tenant_field: bool = False
    submit_role: str = "*"
    read_role: str = "*"
    review_role: str = "reviewers"
    delete_role: str = "*"
    review_topic: sns.ITopic | None = None
    review_page: str = ""
    review_webhook: str = ""
    review_webhook_format: str = "json"
    drift_percent: int = 30
    log_retention: logs.RetentionDays = logs.RetentionDays.THREE_MONTHS
    retain: bool = True
    runs_expire_days: int = 30
    reports_expire_days: int = 365
    ledger_days: int = 0
    checks_now: bool = True
    now_concurrency: int = 0
    throttle_rate: int = 50
    throttle_burst: int = 100
    web_acl: str = ""
    web_acl_rate: int = 1_000
    cors_origins: tuple[str, ...] = ()
    domain_name: str = ""
    certificate: str = ""
    hosted_zone: route53.IHostedZone | None = None
    usage_plans: Mapping[str, UsagePlan] = field(default_factory=dict)
    canary_percent: int = 0
    canary_minutes: int = 10
    api_log_role: bool = True

    def __post_init__(self) -> None:
        """Refuse what cannot work before anything is made of it."""
        for check in (
            check_limits,
            check_models,
            check_sizes,
            check_entry,
            check_callers,
            check_told,
            check_search,
        ):
            check(self)

    @property
    def corpus(self) -> str:
        """The index that is searched where a submission names none."""
        return self.search.id if isinstance(self.search, KnowledgeBaseSearch) else self.index

    @property
    def embedding(self) -> str:
        """What embeds; empty: nothing here, since a knowledge base does it itself, or search is by keywords alone."""
        return "" if isinstance(self.search, KnowledgeBaseSearch) else self.embed_model

    @property
    def counts_spending(self) -> bool:
        """Whether there is any ceiling on what is spent, in a day or in a minute."""
        ceilings = (self.budget_tokens, self.budget_tenant_day, self.budget_day, self.model_requests, self.model_tokens)
        return any(ceilings)

    @property
    def removal_policy(self) -> cdk.RemovalPolicy:
        """Of what holds data."""
        return cdk.RemovalPolicy.RETAIN if self.retain else cdk.RemovalPolicy.DESTROY


def check_region(props: GateProps, region: str) -> None:
    """Refuse a region that lacks what the properties ask for; one that is not known yet is let through.

    Raises:
        PropertyError: what is missing there, and what would do.
    """
    if region.startswith("cn-"):
        raise PropertyError(f"{region}: Bedrock is not offered in China, and the gate asks nobody else there")
    if region in NO_SERVERLESS and isinstance(props.search, ServerlessSearch):
        raise PropertyError(f"search: {region} has no OpenSearch Serverless; domain, or an endpoint that is there")
