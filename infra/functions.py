"""One Lambda per line of the catalogue, all from one code asset."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import aws_cdk as cdk
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from gate.catalogue import Agent

SOURCE = Path(__file__).parent.parent / "functions"
NOT_DEPLOYED = ["**/__pycache__", "**/*.pyc", "gate/local", "gate/cli", "gate/py.typed"]


class Functions(Construct):
    """The functions, by agent name."""

    def __init__(self, scope: Construct, id: str, *, agents: Iterable[Agent]) -> None:
        super().__init__(scope, id)
        code = lambda_.Code.from_asset(str(SOURCE), exclude=NOT_DEPLOYED)
        self.by_name: dict[str, lambda_.IFunction] = {agent.name: self._function(agent, code) for agent in agents}

    def _function(self, agent: Agent, code: lambda_.Code) -> lambda_.Function:
        return lambda_.Function(
            self,
            agent.state_name,
            code=code,
            handler=f"{agent.name}.handler.handler",
            runtime=lambda_.Runtime.PYTHON_3_14,
            architecture=lambda_.Architecture.ARM_64,
            memory_size=agent.memory_mb,
            timeout=cdk.Duration.seconds(agent.timeout_s),
        )
