"""How a new version takes over: for a share of the runs and requests at first, and back where an alarm rings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_codedeploy as codedeploy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from ..functions import LIVE, Functions
from ..props import GateProps
from .machine import Machines

ROLLING_BACK = ("GateRunsFailed", "GateRunsTimedOut", "BatchRunsFailed", "UncheckedClaims", "ApiFailed")
"""Alarms on which the version before takes over again."""


class Releases(Construct):
    """Canaries of both machines, whose definitions name versions of functions, and of functions that others call."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        functions: Functions,
        machines: Machines,
        alarms: Mapping[str, cloudwatch.Alarm],
        props: GateProps,
    ) -> None:
        super().__init__(scope, id)
        self._props = props
        watched = [alarms[name] for name in ROLLING_BACK]
        for name, machine in (("Gate", machines.gate), ("Batch", machines.batch)):
            self._release_machine(name, machine, watched)
        self._release_functions(functions.aliases, watched)

    def _release_machine(self, name: str, machine: sfn.StateMachine, alarms: Sequence[cloudwatch.Alarm]) -> None:
        """A version for each definition, kept for runs that are under way, and the alias by which runs are started."""
        resource = machine.node.default_child
        assert isinstance(resource, sfn.CfnStateMachine)
        version = sfn.CfnStateMachineVersion(
            self,
            f"{name}Version",
            state_machine_arn=machine.state_machine_arn,
            state_machine_revision_id=resource.attr_state_machine_revision_id,
        )
        version.apply_removal_policy(cdk.RemovalPolicy.RETAIN)
        sfn.CfnStateMachineAlias(
            self,
            f"{name}Alias",
            name=LIVE,
            deployment_preference=sfn.CfnStateMachineAlias.DeploymentPreferenceProperty(
                type="CANARY",
                state_machine_version_arn=version.attr_arn,
                percentage=self._props.canary_percent,
                interval=self._props.canary_minutes,
                alarms=[alarm.alarm_name for alarm in alarms],
            ),
        )

    def _release_functions(self, aliases: Mapping[str, lambda_.Alias], alarms: Sequence[cloudwatch.Alarm]) -> None:
        role = self._role(list(aliases.values()))
        application = codedeploy.LambdaApplication(self, "Application")
        config = codedeploy.LambdaDeploymentConfig(
            self,
            "Canary",
            traffic_routing=codedeploy.TrafficRouting.time_based_canary(
                percentage=self._props.canary_percent, interval=cdk.Duration.minutes(self._props.canary_minutes)
            ),
        )
        for name, alias in aliases.items():
            group = codedeploy.LambdaDeploymentGroup(
                self,
                name.title().replace("_", ""),
                alias=alias,
                application=application,
                deployment_config=config,
                alarms=list(alarms),
                # CDK would add a managed policy to it, for every function of the account.
                role=role.without_policy_updates(),
            )
            group.node.add_dependency(role)

    def _role(self, aliases: Sequence[lambda_.Alias]) -> iam.Role:
        """What CodeDeploy does for deployments of this account: it moves aliases, and looks at alarms."""
        ours = {"StringEquals": {"aws:SourceAccount": cdk.Stack.of(self).account}}
        role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal("codedeploy.amazonaws.com", conditions=ours),
            permissions_boundary=self._props.permissions_boundary,
        )
        functions = [alias.version.lambda_.function_arn for alias in aliases]
        moving = ["lambda:GetAlias", "lambda:GetProvisionedConcurrencyConfig", "lambda:UpdateAlias"]
        for arn in functions:
            role.add_to_policy(iam.PolicyStatement(actions=moving, resources=[arn, f"{arn}:*"]))
        # Alarms are described without one being named.
        role.add_to_policy(iam.PolicyStatement(actions=["cloudwatch:DescribeAlarms"], resources=["*"]))
        return role
