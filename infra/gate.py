"""The gate as one construct, for a team's own app. It reads no context and no environment."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from gate.catalogue import BY_NAME, Event, Machine, Use
from gate.trail.review_notices import RUN

from .api.rest_api import RestApi
from .function_settings import told
from .functions import LIVE, Functions
from .machines.machine import Machines
from .machines.releases import Releases
from .network import Network
from .notices import Notices
from .on_call.operations import Operations
from .props import GateProps, check_region
from .rights.acknowledged import acknowledge
from .rights.permissions import Permissions
from .search import PLACES, Reach, Search
from .storage import CORPUS, POLICY_KEY, TRANSCRIPTS, Storage
from .triggers import Triggers


class ReliabilityGate(Construct):
    """The gate: functions, state machines, entrances and alarms.

    Args:
        props: what the team decides; see `GateProps`.
        storage, network, search: from a stack of their own where data should outlive this one; None: made here.

    Attributes:
        functions, machines, rest_api, triggers, notices, operations, storage, network, search: its parts, each with
            its resources.
        event_bus: where `CheckCompleted` and `BatchCompleted` appear; rules of one's own subscribe there.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        props: GateProps | None = None,
        storage: Storage | None = None,
        network: Network | None = None,
        search: Search | None = None,
    ) -> None:
        super().__init__(scope, id)
        self.props = props or GateProps()
        if not cdk.Token.is_unresolved(cdk.Stack.of(self).region):
            check_region(self.props, cdk.Stack.of(self).region)
        self.storage = storage or Storage(self, "Storage", props=self.props)
        self.network = network or Network(self, "Network", props=self.props)
        self.search = search or Search(self, "Search", props=self.props, key=self.storage.key, network=self.network)
        self.event_bus = self.props.event_bus or events.EventBus.from_event_bus_name(self, "EventBus", "default")
        reach = self.search.seen_from(self)
        permissions = Permissions(self, self.props, self.storage, reach, self.event_bus)
        self.functions = Functions(
            self,
            "Functions",
            agents=[agent for agent in BY_NAME.values() if agent.on not in self._left_out()],
            permissions=permissions,
            settings=told(self, self.props, storage=self.storage, search=reach, event_bus=self.event_bus),
            network=self.network,
        )
        self.machines = Machines(self, "Machines", functions=self.functions, storage=self.storage, props=self.props)
        self._let_start()
        self._let_search()
        self.rest_api = RestApi(self, "Rest", functions=self.functions, storage=self.storage, props=self.props)
        self.triggers = Triggers(
            self,
            "Triggers",
            functions=self.functions,
            machines=(self.machines.gate, self.machines.batch),
            storage=self.storage,
            props=self.props,
        )
        self.notices = Notices(
            self,
            "Notices",
            event_bus=self.event_bus,
            page=self.props.review_page or f"{self.rest_api.url}v1/reviews/{RUN}",
            functions=self.functions,
            undelivered=self.triggers.undelivered,
            storage=self.storage,
            props=self.props,
        )
        self.operations = Operations(
            self,
            "Operations",
            functions=self.functions,
            machines=self.machines,
            rest_api=self.rest_api,
            triggers=self.triggers,
            storage=self.storage,
            props=self.props,
        )
        if self.props.canary_percent:
            Releases(
                self,
                "Releases",
                functions=self.functions,
                machines=self.machines,
                alarms=self.operations.alarms,
                props=self.props,
            )
        self._publish(reach)
        ledger = (self.storage.ledger,) if self.storage.ledger else ()
        acknowledge(self, self.storage.blobs, self.storage.uploads, *ledger)

    def _left_out(self) -> set[Event]:
        """Events that call nothing in this deployment: the functions that they would call are not there."""
        calling = {Event.REQUEST_NOW: self.props.checks_now, Event.REVIEW: bool(self.props.review_webhook)}
        return {event for event, is_wanted in calling.items() if not is_wanted}

    def _let_start(self) -> None:
        """Machines are made of functions: those that start them, or look at executions, learn of them last."""
        machines = {Machine.GATE: self.machines.gate, Machine.BATCH: self.machines.batch}
        executions = [
            cdk.Stack.of(self).format_arn(
                service="states",
                resource="execution",
                arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME,
                resource_name=f"{machine.state_machine_name}:*",
            )
            for machine in machines.values()
        ]
        for agent in self.functions.agents:
            if Use.RUNS not in agent.uses:
                continue
            function, role = self.functions.by_name[agent.name], self.functions.roles[agent.name]
            qualifier = f":{LIVE}" if self.props.canary_percent else ""
            function.add_environment("GATE_MACHINE", f"{self.machines.gate.state_machine_arn}{qualifier}")
            function.add_environment("GATE_BATCH_MACHINE", f"{self.machines.batch.state_machine_arn}{qualifier}")
            if agent.starts:
                arns = [machines[name].state_machine_arn for name in agent.starts]
                role.add_to_policy(iam.PolicyStatement(actions=["states:StartExecution"], resources=arns))
            if agent.starts and Use.REVIEWS in agent.uses:
                one = [self.machines.gate.state_machine_arn]
                role.add_to_policy(iam.PolicyStatement(actions=["states:SendTaskSuccess"], resources=one))
            role.add_to_policy(iam.PolicyStatement(actions=["states:DescribeExecution"], resources=executions))

    def _let_search(self) -> None:
        """A collection opens to roles by a policy of its own."""
        readers, writers = (
            [self.functions.roles[agent.name] for agent in self.functions.agents if use in agent.uses]
            for use in (Use.SEARCH, Use.INDEX)
        )
        self.search.allow(self, readers=readers, writers=writers)

    def grant_upload(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let a principal upload transcripts, and nothing else."""
        self.storage.key.grant(grantee, "kms:GenerateDataKey", "kms:Decrypt")
        arn = self.storage.uploads.arn_for_objects(f"{TRANSCRIPTS}*")
        return iam.Grant.add_to_principal(grantee=grantee, actions=["s3:PutObject"], resource_arns=[arn])

    def grant_administer(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let a principal change what answers are judged by: the policy, and the documents of corpora."""
        self.storage.key.grant(grantee, "kms:GenerateDataKey", "kms:Decrypt")
        arns = [self.storage.uploads.arn_for_objects(key) for key in (POLICY_KEY, f"{CORPUS}*")]
        return iam.Grant.add_to_principal(
            grantee=grantee, actions=["s3:PutObject", "s3:DeleteObject"], resource_arns=arns
        )

    def _publish(self, reach: Reach) -> None:
        """Where things are: as parameters under the stack's name, and as outputs of what this stack makes."""
        made = {
            "ApiUrl": self.rest_api.url,
            "MachineArn": self.machines.gate.state_machine_arn,
            "BatchMachineArn": self.machines.batch.state_machine_arn,
            "DocumentsLostArn": self.triggers.documents_lost.queue_arn,
            "ReviewsTopicArn": self.notices.topic.topic_arn,
            **({"ApiTarget": self.rest_api.target} if self.rest_api.target else {}),
        }
        for name, value in made.items():
            output(self, name, value)
        found = {
            **made,
            "UploadsBucket": self.storage.uploads.bucket_name,
            "BlobsBucket": self.storage.blobs.bucket_name,
            "SearchEndpoint": reach.endpoint,
        }
        if self.storage.ledger and self.storage.ledger_key:
            found |= {"LedgerBucket": self.storage.ledger.bucket_name, "LedgerKeyArn": self.storage.ledger_key.key_arn}
        for name, value in found.items():
            path = PLACES.format(stack=cdk.Stack.of(self).stack_name, name=name)
            ssm.StringParameter(self, f"{name}Parameter", parameter_name=path, string_value=value)


def output(scope: Construct, name: str, value: str) -> None:
    """An output of exactly that name."""
    cdk.CfnOutput(scope, name, value=value).override_logical_id(name)
