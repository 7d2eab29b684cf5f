"""The two state machines as resources: logged without payloads, encrypted, allowed to call functions alone."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from gate.catalogue import MOST_REVIEW_HOURS

from ..functions import Functions
from ..props import GateProps
from ..storage import Storage
from .batch import batch
from .pipeline import pipeline
from .states import States

RUN_TIMEOUT = cdk.Duration.hours(2 + MOST_REVIEW_HOURS)
"""Two hours of work, and as long as a person may be waited for."""
BATCH_TIMEOUT = cdk.Duration.days(14)
"""A million records take days; what a run stores is kept for longer than that."""


class Machines(Construct):
    """Attributes:
    gate: one execution checks one submission.
    batch: one execution checks the submissions of one upload.
    """

    def __init__(self, scope: Construct, id: str, *, functions: Functions, storage: Storage, props: GateProps) -> None:
        super().__init__(scope, id)
        self._props, self._storage = props, storage
        by_name = functions.called_by_machines()
        one = States(Construct(self, "One"), by_name, max_concurrency=props.max_concurrency)
        self.gate = self._machine("Gate", pipeline(one), RUN_TIMEOUT)
        many = Construct(self, "Many")
        limits = {"at_once": props.batch_concurrency, "max_concurrency": props.max_concurrency}
        chain = batch(many, by_name, blobs=storage.blobs, **limits)
        self.batch = self._machine("Batch", chain, BATCH_TIMEOUT)
        self._allow_map()
        if props.canary_percent:
            self._allow_earlier(functions)

    def _machine(self, id: str, chain: sfn.Chain, timeout: cdk.Duration) -> sfn.StateMachine:
        role = iam.Role(
            self,
            f"{id}Role",
            assumed_by=self._step_functions(),
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
        machine = sfn.StateMachine(
            self,
            id,
            definition_body=sfn.DefinitionBody.from_chainable(chain),
            logs=sfn.LogOptions(destination=log_group, level=sfn.LogLevel.ALL, include_execution_data=False),
            role=role,
            timeout=timeout,
            tracing_enabled=True,
        )
        self._encrypt(id, machine, role)
        return machine

    def _step_functions(self) -> iam.ServicePrincipal:
        """Step Functions on behalf of a machine of this account and no other."""
        stack = cdk.Stack.of(self)
        any_machine = stack.format_arn(
            service="states",
            resource="stateMachine",
            resource_name="*",
            arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME,
        )
        ours = {"StringEquals": {"aws:SourceAccount": stack.account}, "ArnLike": {"aws:SourceArn": any_machine}}
        return iam.ServicePrincipal("states.amazonaws.com", conditions=ours)

    def _encrypt(self, id: str, machine: sfn.StateMachine, role: iam.Role) -> None:
        """Executions are encrypted with the key, which the machine's role must be able to use for them.

        CDK's own property for it names the machine in the condition before it has a name, which no execution matches.
        """
        key, resource = self._storage.key.key_arn, machine.node.default_child
        assert isinstance(resource, sfn.CfnStateMachine)
        resource.encryption_configuration = sfn.CfnStateMachine.EncryptionConfigurationProperty(
            type="CUSTOMER_MANAGED_KMS_KEY", kms_key_id=key, kms_data_key_reuse_period_seconds=300
        )
        own = machine.state_machine_arn
        any_log = cdk.Stack.of(self).format_arn(service="logs", resource="*", arn_format=cdk.ArnFormat.NO_RESOURCE_NAME)
        # A role is made before its machine, so that what names the machine is a policy of its own. The children of a
        # map run under the machine's name and the map's.
        executions = {"StringLike": {"kms:EncryptionContext:aws:states:stateMachineArn": [own, f"{own}/*"]}}
        events = {"StringEquals": {"kms:EncryptionContext:SourceArn": any_log}}
        iam.Policy(
            self,
            f"{id}Key",
            roles=[role],
            statements=[
                iam.PolicyStatement(
                    actions=["kms:Decrypt", "kms:GenerateDataKey"], resources=[key], conditions=executions
                ),
                iam.PolicyStatement(actions=["kms:GenerateDataKey"], resources=[key], conditions=events),
            ],
        )

    def _allow_earlier(self, functions: Functions) -> None:
        """Runs that are under way call the versions that they began with."""
        for name in functions.called_by_machines():
            for machine in (self.gate, self.batch):
                functions.by_name[name].grant_invoke(machine.role)

    def _allow_map(self) -> None:
        """A map over S3 reads and writes the bucket's objects, encrypted with the key."""
        key, region = self._storage.key.key_arn, cdk.Stack.of(self).region
        actions = ["kms:Decrypt", "kms:GenerateDataKey"]
        through = {"StringLike": {"kms:ViaService": f"s3.{region}.*"}}
        self.batch.role.add_to_principal_policy(
            iam.PolicyStatement(actions=actions, resources=[key], conditions=through)
        )
