"""One Lambda per line of the catalogue, all from one code asset and one package, each with a role of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from gate.catalogue import BY_NAME, Agent, Event, Use

from .bytecode import RUNTIME
from .code import contents, handlers, package_layer
from .function_settings import FILES, layer_of_files
from .layer import dependency_layer
from .network import Network
from .props import FunctionSize
from .rights.permissions import Permissions

READING = {Use.INDEX, Use.DOCUMENTS}
"""Uses that take what reads documents."""
PYDANTIC = {"PYDANTIC_DISABLE_PLUGINS": "__all__"}
"""There are none in the layer, and looking for them reads the metadata of every package."""
LIVE = "live"
"""Alias of what takes calls."""


class Functions(Construct):
    """Attributes:
    by_name: function by agent name.
    roles: role by agent name.
    aliases: of functions that something else than a machine calls, by agent name, where calls go to versions.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        agents: Iterable[Agent],
        permissions: Permissions,
        settings: Mapping[str, str],
        network: Network,
    ) -> None:
        super().__init__(scope, id)
        self._permissions = permissions
        self._settings = settings
        self._network = network
        self._code = handlers()
        self._package = package_layer(self, "Package")
        self._layer = dependency_layer(self, "Dependencies")
        self._readers = dependency_layer(self, "Readers", readers=True)
        self._files = layer_of_files(self, permissions.props.settings)
        self.roles: dict[str, iam.Role] = {}
        self.by_name: dict[str, lambda_.Function] = {agent.name: self._function(agent) for agent in agents}
        entrances = [agent.name for agent in self.agents if agent.on]
        self.aliases = {name: alias for name in entrances if (alias := self._alias(name))}

    def _function(self, agent: Agent) -> lambda_.Function:
        props = self._permissions.props
        log_group = logs.LogGroup(
            self,
            f"{agent.state_name}Logs",
            retention=props.log_retention,
            encryption_key=self._permissions.storage.key,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        self.roles[agent.name] = self._role(agent, log_group)
        size = props.functions.get(agent.name, FunctionSize())
        now = props.now_concurrency if agent.on == Event.REQUEST_NOW else 0
        layers = self._layers(agent)
        function = lambda_.Function(
            self,
            agent.state_name,
            architecture=lambda_.Architecture.ARM_64,
            reserved_concurrent_executions=size.reserved or now or None,
            code=self._code,
            # A run that is under way goes on with the versions that it began with.
            current_version_options=None
            if agent.on
            else lambda_.VersionOptions(removal_policy=cdk.RemovalPolicy.RETAIN),
            description=f"Reliability Gate: {agent.name}",
            environment=self._environment(agent),
            handler=f"{agent.name}.handler.handler",
            layers=layers,
            log_group=log_group,
            logging_format=lambda_.LoggingFormat.JSON,
            memory_size=size.memory_mb or agent.memory_mb,
            role=self.roles[agent.name],
            runtime=RUNTIME,
            security_groups=[self._network.functions] if self._network.functions else None,
            timeout=cdk.Duration.seconds(agent.timeout_s),
            tracing=lambda_.Tracing.ACTIVE,
            vpc=props.vpc,
            vpc_subnets=props.subnets if props.vpc else None,
        )
        # Without a flag of CDK, which a team's own app need not have, other layers would make no other version.
        function.invalidate_version_based_on(contents(layers))
        return function

    def _layers(self, agent: Agent) -> list[lambda_.LayerVersion]:
        """What an agent imports, and the files that it reads."""
        layers = [self._package, self._layer, *([self._readers] if READING & set(agent.uses) else [])]
        reads = agent.all_settings & set(FILES) & set(self._permissions.props.settings)
        return [*layers, *([self._files] if self._files and reads else [])]

    def _environment(self, agent: Agent) -> dict[str, str]:
        """The settings that an agent reads, where they are not the defaults."""
        known = {name: self._settings[name] for name in sorted(agent.all_settings) if name in self._settings}
        return {f"GATE_{name.upper()}": value for name, value in known.items()} | PYDANTIC

    def made_for(self, event: Event) -> lambda_.Function:
        """The function for an event itself: what it is told, an alias of it cannot be."""
        return self.by_name[_on(event)]

    def called_on(self, event: Event) -> lambda_.IFunction:
        """The function that an event calls, or the alias of it."""
        return self.aliases.get(_on(event), self.made_for(event))

    def called_by_machines(self) -> dict[str, lambda_.IFunction]:
        """What the machines call, by agent name: functions, or with canaries their versions, so that a run goes on with
        what it began with."""
        pinned = self._permissions.props.canary_percent
        return {
            agent.name: self.by_name[agent.name].current_version if pinned else self.by_name[agent.name]
            for agent in self.agents
            if not agent.on
        }

    def _alias(self, name: str) -> lambda_.Alias | None:
        """What callers call where versions take over bit by bit, or are kept warm."""
        props, function = self._permissions.props, self.by_name[name]
        warm = props.functions.get(name, FunctionSize()).provisioned
        if not (warm or props.canary_percent):
            return None
        return lambda_.Alias(
            self,
            f"{BY_NAME[name].state_name}Alias",
            alias_name=LIVE,
            version=function.current_version,
            provisioned_concurrent_executions=warm or None,
        )

    @property
    def agents(self) -> list[Agent]:
        """Those that are deployed."""
        return [BY_NAME[name] for name in self.by_name]

    def _role(self, agent: Agent, log_group: logs.ILogGroup) -> iam.Role:
        props = self._permissions.props
        role = iam.Role(
            self,
            f"{agent.state_name}Role",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
            permissions_boundary=props.permissions_boundary,
        )
        log_group.grant_write(role)
        for statement in self._permissions.statements_of(agent):
            role.add_to_policy(statement)
        if props.vpc is not None:
            # Network interfaces have no ARN before they are made.
            role.add_to_policy(iam.PolicyStatement(actions=VPC_ACTIONS, resources=["*"]))
        return role


def _on(event: Event) -> str:
    (name,) = (name for name, agent in BY_NAME.items() if agent.on == event)
    return name


VPC_ACTIONS = [
    "ec2:AssignPrivateIpAddresses",
    "ec2:CreateNetworkInterface",
    "ec2:DeleteNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:UnassignPrivateIpAddresses",
]
