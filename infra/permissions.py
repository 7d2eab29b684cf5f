"""What each function may do: one statement per thing that the catalogue says it uses, with exact ARNs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

from gate.catalogue import Agent

from .props import GateProps
from .search import Search
from .storage import CORPUS, POLICY_KEY, TRANSCRIPTS, Storage

AUDITED = ("retrieve_citations", "api")
"""Agents that keep audit records; they can add to them, and neither read, replace nor remove."""
ADDING = {"Null": {"s3:if-none-match": "false"}}
"""Condition: writes that fail where the key is there."""
READ_SEARCH = ["es:ESHttpGet", "es:ESHttpPost"]
WRITE_SEARCH = [*READ_SEARCH, "es:ESHttpPut", "es:ESHttpDelete"]


@dataclass(frozen=True)
class Permissions:
    """Turns an agent's `uses` into statements."""

    scope: Construct
    props: GateProps
    storage: Storage
    search: Search
    event_bus: events.IEventBus

    def of(self, agent: Agent) -> list[iam.PolicyStatement]:
        """Every statement of an agent's own role, the logs aside."""
        statements = list(self._blobs(agent))
        for use in agent.uses:
            statements += {
                "model": self._model,
                "search": self._search,
                "index": self._index,
                "embedder": self._embedder,
                "redactor": self._redactor,
                "images": self._images,
                "uploads": self._uploads,
                "reports": lambda: [],
                "documents": lambda: [],
                "runs": lambda: [],
                "events": self._events,
            }[use]()
        return statements

    def _blobs(self, agent: Agent) -> Iterator[iam.PolicyStatement]:
        """Its runs' values; reports and the verdict cache where it uses them. The API may also forget them."""
        folders = [
            "runs",
            *(["reports"] if "reports" in agent.uses else []),
            *(["cache"] if "model" in agent.uses else []),
        ]
        keys = [self.storage.blobs.arn_for_objects(f"{folder}/*") for folder in folders]
        verbs = ["s3:GetObject", "s3:PutObject", *(["s3:DeleteObject"] if agent.name == "api" else [])]
        yield iam.PolicyStatement(actions=verbs, resources=keys)
        if agent.name in AUDITED:
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

    def _uploads(self) -> list[iam.PolicyStatement]:
        bucket: s3.IBucket = self.storage.uploads
        keys = [bucket.arn_for_objects(key) for key in (f"{TRANSCRIPTS}*", f"{CORPUS}*", POLICY_KEY)]
        return [
            iam.PolicyStatement(actions=["s3:GetObject", "s3:GetObjectVersion"], resources=keys),
            iam.PolicyStatement(
                actions=["s3:ListBucket"],
                resources=[bucket.bucket_arn],
                conditions={"StringLike": {"s3:prefix": [f"{TRANSCRIPTS}*", f"{CORPUS}*", POLICY_KEY]}},
            ),
        ]

    def _model(self) -> list[iam.PolicyStatement]:
        statements = [self._invoke(self.props.model)]
        if self.props.guardrail:
            arn = self._arn("guardrail", self.props.guardrail.partition(":")[0])
            statements.append(iam.PolicyStatement(actions=["bedrock:ApplyGuardrail"], resources=[arn]))
        if self.storage.budgets is not None:
            table = self.storage.budgets.table_arn
            statements.append(iam.PolicyStatement(actions=["dynamodb:UpdateItem"], resources=[table]))
        return statements

    def _embedder(self) -> list[iam.PolicyStatement]:
        return [self._invoke(self.props.embed_model)] if self.props.embed_model else []

    def _images(self) -> list[iam.PolicyStatement]:
        return [self._invoke(self.props.image_model)] if self.props.image_model else []

    def _invoke(self, model: str) -> iam.PolicyStatement:
        """Bedrock checks the profile and the model in each region that the profile may route to."""
        props = self.props
        regions = props.regions_of_model() if model == props.model else ()
        if not regions:
            return iam.PolicyStatement(actions=["bedrock:InvokeModel"], resources=[self._foundation(model)])
        bare = model.partition(".")[2]
        resources = [self._arn("inference-profile", model), *(self._foundation(bare, region) for region in regions)]
        return iam.PolicyStatement(actions=["bedrock:InvokeModel"], resources=resources)

    def _foundation(self, model: str, region: str | None = None) -> str:
        stack = cdk.Stack.of(self.scope)
        return f"arn:{stack.partition}:bedrock:{region or stack.region}::foundation-model/{model}"

    def _arn(self, kind: str, name: str) -> str:
        return cdk.Stack.of(self.scope).format_arn(service="bedrock", resource=kind, resource_name=name)

    def _search(self) -> list[iam.PolicyStatement]:
        return self._searching(READ_SEARCH)

    def _index(self) -> list[iam.PolicyStatement]:
        return self._searching(WRITE_SEARCH)

    def _searching(self, verbs: list[str]) -> list[iam.PolicyStatement]:
        arn = self.search.resource_arn
        if arn is None:
            return []
        if self.search.service == "aoss":
            return [iam.PolicyStatement(actions=["aoss:APIAccessAll"], resources=[arn])]
        return [iam.PolicyStatement(actions=verbs, resources=[f"{arn}/*"])]

    def _events(self) -> list[iam.PolicyStatement]:
        return [iam.PolicyStatement(actions=["events:PutEvents"], resources=[self.event_bus.event_bus_arn])]

    def _redactor(self) -> list[iam.PolicyStatement]:
        if "comprehend" not in self.props.redactor:
            return []
        # Comprehend's detection has no resources of its own.
        return [iam.PolicyStatement(actions=["comprehend:DetectPiiEntities"], resources=["*"])]
