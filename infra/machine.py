"""The gate's state machine as a resource."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from .pipeline import pipeline
from .states import States

RUN_TIMEOUT = cdk.Duration.hours(1)


def gate_machine(scope: Construct, id: str, functions: Mapping[str, lambda_.IFunction]) -> sfn.StateMachine:
    """One execution checks one submission."""
    states = Construct(scope, f"{id}States")
    return sfn.StateMachine(
        scope,
        id,
        definition_body=sfn.DefinitionBody.from_chainable(pipeline(States(states, functions))),
        timeout=RUN_TIMEOUT,
    )
