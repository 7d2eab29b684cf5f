"""What each function may do: one statement per thing that the catalogue says it uses, with exact ARNs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

from gate.catalogue import Agent, Event, Use
from gate.settings import KNOWLEDGE_BASE

from ..props import GateProps
from ..search import Reach
from ..storage import BY_FORM, CORPUS, POLICY_KEY, TRANSCRIPTS, Storage
from .models import invoking

ADDING = {"Null": {"s3:if-none-match": "false"}}
"""Condition: writes that fail where the key is there."""
UPLOADED = {
    Use.UPLOADS: (f"{TRANSCRIPTS}*", f"{CORPUS}*"),
    Use.VERSIONS: (f"{CORPUS}*",),
    Use.POLICY: (POLICY_KEY,),
}
"""Keys of uploaded objects that a use reads."""
READ_SEARCH = ["es:ESHttpGet", "es:ESHttpPost"]
WRITE_SEARCH = [*READ_SEARCH, "es:ESHttpPut", "es:ESHttpDelete"]


@dataclass(frozen=True)
class Permissions:
    """Turns an agent's `uses` into statements."""

    scope: Construct
    props: GateProps
    storage: Storage
    search: Reach
    event_bus: events.IEventBus

    def statements_of(self, agent: Agent) -> list[iam.PolicyStatement]:
        """Every statement of an agent's own role, the logs aside."""
        by_use: dict[Use, Callable[[], list[iam.PolicyStatement]]] = {
            Use.MODEL: self._model,
            Use.BUDGET: self._budget,
            Use.SEARCH: self._search,
            Use.INDEX: self._index,
            Use.EMBEDDER: self._embedder,
            Use.REDACTOR: self._redactor,
            Use.IMAGES: self._images,
            Use.EVENTS: self._events,
            Use.VERSIONS: self._versions,
            Use.TRAIL: self._trail,
            Use.REVIEWS: lambda: self._reviews(agent),
            Use.POLICY: self._policy,
            Use.WEBHOOK: self._webhook,
            Use.FORMS: self._forms,
        }
        uploaded = list(dict.fromkeys(key for use in agent.uses for key in UPLOADED.get(use, ())))
        return [
            *self._blobs(agent),
            *(self._uploads(uploaded) if uploaded else []),
            *(statement for use in agent.uses if use in by_use for statement in by_use[use]()),
        ]

    def _blobs(self, agent: Agent) -> Iterator[iam.PolicyStatement]:
        """Its runs' values; reports and the verdict cache where it uses them. One that forgets may remove them.

        Audit records are added, and neither read, replaced nor removed.
        """
        folders = [
            "runs",
            *(["reports"] if Use.REPORTS in agent.uses else []),
            *(["cache"] if Use.MODEL in agent.uses else []),
        ]
        keys = [self.storage.blobs.arn_for_objects(f"{folder}/*") for folder in folders]
        verbs = ["s3:GetObject", "s3:PutObject", *(["s3:DeleteObject"] if agent.forgets else [])]
        yield iam.PolicyStatement(actions=verbs, resources=keys)
        if agent.audits:
            audit = self.storage.blobs.arn_for_objects("audit/*")
            yield iam.PolicyStatement(actions=["s3:PutObject"], resources=[audit], conditions=ADDING)
        # Without this S3 answers "forbidden" where a key is missing.
        prefixes = {"StringLike": {"s3:prefix": [f"{folder}/*" for folder in folders]}}
        yield iam.PolicyStatement(
            actions=["s3:ListBucket"], resources=[self.storage.blobs.bucket_arn], conditions=prefixes
        )
        yield self._key()

    def _key(self) -> iam.PolicyStatement:
        return iam.PolicyStatement(actions=["kms:Decrypt", "kms:GenerateDataKey"], resources=[self.storage.key.key_arn])

    def _uploads(self, prefixes: list[str]) -> list[iam.PolicyStatement]:
        bucket: s3.IBucket = self.storage.uploads
        keys = [bucket.arn_for_objects(key) for key in prefixes]
        return [
            iam.PolicyStatement(actions=["s3:GetObject", "s3:GetObjectVersion"], resources=keys),
            iam.PolicyStatement(
                actions=["s3:ListBucket"],
                resources=[bucket.bucket_arn],
                conditions={"StringLike": {"s3:prefix": prefixes}},
            ),
        ]

    def _policy(self) -> list[iam.PolicyStatement]:
        """What goes on where the newest version of the policy cannot be read: those before it."""
        only = {"StringEquals": {"s3:prefix": POLICY_KEY}}
        bucket = self.storage.uploads.bucket_arn
        return [iam.PolicyStatement(actions=["s3:ListBucketVersions"], resources=[bucket], conditions=only)]

    def _model(self) -> list[iam.PolicyStatement]:
        statements = self._invoke(self.props.model)
        named = [one for one in (self.props.guardrail, self.props.grounding_guardrail) if one]
        if named:
            arns = [self._guardrail(one) for one in named]
            statements.append(iam.PolicyStatement(actions=["bedrock:ApplyGuardrail"], resources=arns))
        return [*statements, *self._budget()]

    def _budget(self) -> list[iam.PolicyStatement]:
        if self.storage.budgets is None:
            return []
        return [iam.PolicyStatement(actions=["dynamodb:UpdateItem"], resources=[self.storage.budgets.table_arn])]

    def _embedder(self) -> list[iam.PolicyStatement]:
        return self._invoke(self.props.embedding)

    def _images(self) -> list[iam.PolicyStatement]:
        return self._invoke(self.props.image_model)

    def _invoke(self, model: str) -> list[iam.PolicyStatement]:
        return invoking(model, self.props.model_regions, cdk.Stack.of(self.scope)) if model else []

    def _guardrail(self, named: str) -> str:
        """`id:version`, or an ARN and its version."""
        id = named.rpartition(":")[0]
        if id.startswith("arn:"):
            return id
        return cdk.Stack.of(self.scope).format_arn(service="bedrock", resource="guardrail", resource_name=id)

    def _search(self) -> list[iam.PolicyStatement]:
        return self._searching(READ_SEARCH)

    def _index(self) -> list[iam.PolicyStatement]:
        return self._searching(WRITE_SEARCH) if self.search.endpoint != KNOWLEDGE_BASE else []

    def _searching(self, verbs: list[str]) -> list[iam.PolicyStatement]:
        arn = self.search.resource_arn
        if self.search.secret_arn:
            read = ["secretsmanager:GetSecretValue"]
            return [iam.PolicyStatement(actions=read, resources=[self.search.secret_arn])]
        if arn is None:
            return []
        if self.search.endpoint == KNOWLEDGE_BASE:
            return [iam.PolicyStatement(actions=["bedrock:Retrieve"], resources=[arn])]
        if self.search.service == "aoss":
            return [iam.PolicyStatement(actions=["aoss:APIAccessAll"], resources=[arn])]
        return [iam.PolicyStatement(actions=verbs, resources=[f"{arn}/*"])]

    def _events(self) -> list[iam.PolicyStatement]:
        return [iam.PolicyStatement(actions=["events:PutEvents"], resources=[self.event_bus.event_bus_arn])]

    def _versions(self) -> list[iam.PolicyStatement]:
        verbs = ["dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:UpdateItem"]
        return [iam.PolicyStatement(actions=verbs, resources=[self.storage.documents.table_arn])]

    def _reviews(self, agent: Agent) -> list[iam.PolicyStatement]:
        """Who answers requests reads the queue too, who forgets may remove, and who tells people changes nothing."""
        table = self.storage.reviews.table_arn
        verbs = [
            "dynamodb:GetItem",
            *(["dynamodb:PutItem"] if agent.on != Event.REVIEW else []),
            *(["dynamodb:DeleteItem"] if agent.forgets else []),
        ]
        statements = [iam.PolicyStatement(actions=verbs, resources=[table])]
        if agent.on == Event.REQUEST:
            index = f"{table}/index/waiting"
            statements.append(iam.PolicyStatement(actions=["dynamodb:Query"], resources=[index]))
        return statements

    def _forms(self) -> list[iam.PolicyStatement]:
        """Who holds a form uploads by the right of the function that made it."""
        keys = [self.storage.uploads.arn_for_objects(f"{BY_FORM}*")]
        return [iam.PolicyStatement(actions=["s3:PutObject", "s3:DeleteObject"], resources=keys)]

    def _webhook(self) -> list[iam.PolicyStatement]:
        return [iam.PolicyStatement(actions=["secretsmanager:GetSecretValue"], resources=[self.props.review_webhook])]

    def _trail(self) -> list[iam.PolicyStatement]:
        """Entries are read and added, and neither replaced nor removed; seals are made, and checked by those who
        prove."""
        bucket, key = self.storage.ledger, self.storage.ledger_key
        if bucket is None or key is None:
            return []
        entries = [bucket.arn_for_objects("*")]
        return [
            iam.PolicyStatement(actions=["s3:PutObject"], resources=entries, conditions=ADDING),
            iam.PolicyStatement(actions=["s3:GetObject"], resources=entries),
            iam.PolicyStatement(actions=["s3:ListBucket"], resources=[bucket.bucket_arn]),
            iam.PolicyStatement(actions=["kms:GenerateMac"], resources=[key.key_arn]),
        ]

    def _redactor(self) -> list[iam.PolicyStatement]:
        if "comprehend" not in self.props.redactor:
            return []
        # Comprehend's detection has no resources of its own.
        return [iam.PolicyStatement(actions=["comprehend:DetectPiiEntities"], resources=["*"])]
