"""The two state machines as resources: logged without payloads, encrypted, allowed to call functions alone."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from ..functions import Functions
from ..props import GateProps
from ..storage import Storage
from .batch import batch
from .pipeline import pipeline
from .states import States

RUN_TIMEOUT = cdk.Duration.hours(1)
BATCH_TIMEOUT = cdk.Duration.hours(24)


class Machines(Construct):
    """Attributes:
    gate: one execution checks one submission.
    batch: one execution checks the submissions of one upload.
    """

    def __init__(self, scope: Construct, id: str, *, functions: Functions, storage: Storage, props: GateProps) -> None:
        super().__init__(scope, id)
        self._props, self._storage = props, storage
        by_name = functions.by_name
        one = States(Construct(self, "One"), by_name, max_concurrency=props.max_concurrency)
        self.gate = self._machine("Gate", pipeline(one), RUN_TIMEOUT)
        many = Construct(self, "Many")
        chain = batch(many, by_name, blobs=storage.blobs, max_concurrency=props.max_concurrency)
        self.batch = self._machine("Batch", chain, BATCH_TIMEOUT)
        self._allow_map()

    def _machine(self, id: str, chain: sfn.Chain, timeout: cdk.Duration) -> sfn.StateMachine:
        role = iam.Role(
            self,
            f"{id}Role",
            assumed_by=iam.ServicePrincipal("states.amazonaws.com"),
            permissions_boundary=self._props.permissions_boundary,
        )
        log_group = logs.LogGroup(
            self,
            f"{id}Logs",
            # Step Functions may write to groups of this prefix without a resource policy that grows.
            log_group_name=f"/aws/vendedlogs/states/{cdk.Names.unique_resource_name(self, max_length=60)}{id}",
            retention=self._props.log_retention,
            encryption_key=self._storage.key,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        return sfn.StateMachine(
            self,
            id,
            definition_body=sfn.DefinitionBody.from_chainable(chain),
            encryption_configuration=sfn.CustomerManagedEncryptionConfiguration(self._storage.key),
            logs=sfn.LogOptions(destination=log_group, level=sfn.LogLevel.ALL, include_execution_data=False),
            role=role,
            timeout=timeout,
            tracing_enabled=True,
        )

    def _allow_map(self) -> None:
        """A map over S3 reads and writes the bucket's objects, encrypted with the key."""
        key = self._storage.key.key_arn
        actions = ["kms:Decrypt", "kms:GenerateDataKey"]
        self.batch.role.add_to_principal_policy(iam.PolicyStatement(actions=actions, resources=[key]))
