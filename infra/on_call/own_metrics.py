"""What the functions themselves count, as metrics that alarms and the dashboard look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from gate.catalogue import Agent, Use
from gate.errors import GateError

from ..function_settings import namespace_of

FIVE_MINUTES = cdk.Duration.minutes(5)


class OwnMetrics:
    """Attributes:
    agents: those that are deployed.
    """

    def __init__(self, scope: Construct, agents: Sequence[Agent]) -> None:
        self.agents = agents
        self._namespace = namespace_of(cdk.Stack.of(scope))

    def figure(self, name: str, **labels: str) -> cloudwatch.IMetric:
        """A figure of the agents that record it, together; `labels`: what it is recorded with."""
        return self._together(name, [agent.name for agent in self.agents if name in agent.figures], labels)

    def errors(self, error: type[GateError], *uses: Use) -> cloudwatch.IMetric:
        """How often the functions of some uses ended in an error, together."""
        return self._together(error.__name__, [agent.name for agent in self.agents if {*uses} & {*agent.uses}], {})

    def of(self, service: str, name: str, **labels: str) -> cloudwatch.Metric:
        """A metric of one function, summed up."""
        return cloudwatch.Metric(
            namespace=self._namespace,
            metric_name=name,
            dimensions_map={"service": service, **labels},
            period=FIVE_MINUTES,
            statistic="Sum",
        )

    def _together(self, name: str, services: Sequence[str], labels: Mapping[str, str]) -> cloudwatch.IMetric:
        if len(services) == 1:
            return self.of(services[0], name, **labels)
        metrics = {
            "_".join((service, name, *labels.values())): self.of(service, name, **labels) for service in services
        }
        return added_up(next(iter(labels.values()), name), metrics)


def added_up(label: str, metrics: Mapping[str, cloudwatch.IMetric]) -> cloudwatch.MathExpression:
    """The sum of metrics by ids, of which one that has no value counts nothing."""
    return cloudwatch.MathExpression(
        expression=" + ".join(f"FILL({id}, 0)" for id in metrics),
        label=label,
        period=FIVE_MINUTES,
        using_metrics=dict(metrics),
    )
