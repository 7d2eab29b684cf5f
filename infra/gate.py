"""The gate as one construct, for a team's own app. It reads no context and no environment."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from gate.catalogue import AGENTS, BATCH, ENTRANCES

from .acknowledged import acknowledge
from .functions import Functions
from .machine import Machines
from .operations import Operations
from .permissions import Permissions
from .props import GateProps
from .rest_api import RestApi
from .search import Search
from .storage import POLICY_KEY, TRANSCRIPTS, Storage
from .triggers import Triggers

LOOKING = ("api", "start_check", "publish_failure")
"""Functions that look at executions."""


class ReliabilityGate(Construct):
    """The gate: functions, state machines, entrances and alarms.

    Args:
        props: what the team decides; see `GateProps`.
        storage, search: from a stack of their own where data should outlive this one; None: made here.

    Attributes:
        functions, machines, rest_api, triggers, operations, storage, search: its parts, each with its resources.
        event_bus: where `CheckCompleted` and `BatchCompleted` appear; rules of one's own subscribe there.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        props: GateProps | None = None,
        storage: Storage | None = None,
        search: Search | None = None,
    ) -> None:
        super().__init__(scope, id)
        self.props = props or GateProps()
        self.storage = storage or Storage(self, "Storage", props=self.props)
        self.search = search or Search(self, "Search", props=self.props, key=self.storage.key)
        self.event_bus = self.props.event_bus or events.EventBus.from_event_bus_name(self, "EventBus", "default")
        permissions = Permissions(self, self.props, self.storage, self.search, self.event_bus)
        self.functions = Functions(
            self,
            "Functions",
            agents=(*AGENTS, *BATCH, *ENTRANCES),
            permissions=permissions,
            environment=self._environment(),
        )
        self.machines = Machines(self, "Machines", functions=self.functions, storage=self.storage, props=self.props)
        self._let_start()
        self._let_search()
        by_name = self.functions.by_name
        self.rest_api = RestApi(self, "Rest", function=by_name["api"], storage=self.storage, props=self.props)
        self.triggers = Triggers(
            self,
            "Triggers",
            functions=by_name,
            machines=(self.machines.gate, self.machines.batch),
            storage=self.storage,
        )
        self.operations = Operations(
            self,
            "Operations",
            functions=self.functions,
            machines=self.machines,
            undelivered=self.triggers.undelivered,
            storage=self.storage,
            props=self.props,
        )
        self._publish()
        acknowledge(self, self.storage.blobs, self.storage.uploads)

    def _environment(self) -> dict[str, str]:
        """The functions' settings (`gate.settings`); empty values are left to their defaults."""
        props, storage = self.props, self.storage
        values = {
            "GATE_HOME": "/tmp/gate",  # noqa: S108 - the one place where a function may write
            "GATE_BLOBS": f"s3://{storage.blobs.bucket_name}",
            "GATE_BUDGET_STOP": "" if props.budget_stop else "false",
            "GATE_BUDGET_TABLE": storage.budgets.table_name if storage.budgets else "",
            "GATE_BUDGET_TOKENS": str(props.budget_tokens) if props.budget_tokens else "",
            "GATE_EMBEDDER": f"bedrock:{props.embed_model}" if props.embed_model else "none",
            "GATE_EVENT_BUS": self.event_bus.event_bus_arn,
            "GATE_GUARDRAIL": props.guardrail,
            "GATE_IMAGES": f"bedrock:{props.image_model}" if props.image_model else "none",
            "GATE_INDEX": props.index,
            "GATE_INDEXES": ",".join(props.indexes),
            "GATE_MODEL": f"bedrock:{props.model}",
            "GATE_POLICY": f"s3://{storage.uploads.bucket_name}/{POLICY_KEY}",
            "GATE_REDACTOR": props.redactor,
            "GATE_SEARCH": self.search.endpoint,
            "GATE_SEARCH_SERVICE": self.search.service,
            "GATE_TENANT_CLAIM": props.tenant_claim,
            "GATE_TENANT_FIELD": "true" if props.tenant_field else "",
            # There are none in the layer, and looking for them reads the metadata of every package.
            "PYDANTIC_DISABLE_PLUGINS": "__all__",
        }
        return {name: value for name, value in values.items() if value}

    def _let_start(self) -> None:
        gate, batch = self.machines.gate, self.machines.batch
        executions = [
            cdk.Stack.of(self).format_arn(
                service="states",
                resource="execution",
                arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME,
                resource_name=f"{machine.state_machine_name}:*",
            )
            for machine in (gate, batch)
        ]
        starts = {"api": [gate.state_machine_arn], "start_check": [gate.state_machine_arn, batch.state_machine_arn]}
        for name in LOOKING:
            function, role = self.functions.by_name[name], self.functions.roles[name]
            function.add_environment("GATE_MACHINE", gate.state_machine_arn)
            function.add_environment("GATE_BATCH_MACHINE", batch.state_machine_arn)
            if name in starts:
                role.add_to_policy(iam.PolicyStatement(actions=["states:StartExecution"], resources=starts[name]))
            role.add_to_policy(iam.PolicyStatement(actions=["states:DescribeExecution"], resources=executions))

    def _let_search(self) -> None:
        """A collection opens to roles by a policy of its own."""
        everyone = (*AGENTS, *BATCH, *ENTRANCES)
        readers = [self.functions.roles[agent.name] for agent in everyone if "search" in agent.uses]
        writers = [self.functions.roles[agent.name] for agent in everyone if "index" in agent.uses]
        self.search.allow(self, readers=readers, writers=writers)

    def grant_upload(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let a principal upload transcripts, and nothing else."""
        self.storage.key.grant(grantee, "kms:GenerateDataKey", "kms:Decrypt")
        arn = self.storage.uploads.arn_for_objects(f"{TRANSCRIPTS}*")
        return iam.Grant.add_to_principal(grantee=grantee, actions=["s3:PutObject"], resource_arns=[arn])

    def _publish(self) -> None:
        """Where things are: as parameters under the stack's name, and as outputs of what this stack makes."""
        made = {
            "ApiUrl": self.rest_api.url,
            "MachineArn": self.machines.gate.state_machine_arn,
            "BatchMachineArn": self.machines.batch.state_machine_arn,
        }
        for name, value in made.items():
            output(self, name, value)
        found = {
            **made,
            "UploadsBucket": self.storage.uploads.bucket_name,
            "BlobsBucket": self.storage.blobs.bucket_name,
            "SearchEndpoint": self.search.endpoint,
        }
        for name, value in found.items():
            path = f"/reliability-gate/{cdk.Stack.of(self).stack_name}/{name}"
            ssm.StringParameter(self, f"{name}Parameter", parameter_name=path, string_value=value)


def output(scope: Construct, name: str, value: str) -> None:
    """An output of exactly that name."""
    cdk.CfnOutput(scope, name, value=value).override_logical_id(name)
