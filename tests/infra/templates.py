"""Reading a template by what its resources are, never by generated ids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Resource = dict[str, Any]
Template = dict[str, Any]
WHOLE = {"gate:review_webhook": "arn:aws:secretsmanager:us-east-1:123456789012:secret:reviews-AbCdEf"}
"""Properties with which every function of the catalogue is deployed."""


def of_type(template: Template, kind: str) -> dict[str, Resource]:
    """Resources of a type, by logical id."""
    return {id: resource for id, resource in template["Resources"].items() if resource["Type"] == kind}


def functions(template: Template) -> dict[str, Resource]:
    """Properties of our functions, by agent."""
    found = of_type(template, "AWS::Lambda::Function").values()
    return {str(one["Properties"]["Handler"]).split(".")[0]: one["Properties"] for one in found}


def statements_of(template: Template, agent: str) -> list[Resource]:
    """Every statement of an agent's own role."""
    role = functions(template)[agent]["Role"]["Fn::GetAtt"][0]
    return [
        statement
        for policy in of_type(template, "AWS::IAM::Policy").values()
        if {"Ref": role} in policy["Properties"]["Roles"]
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
    ]


def actions_of(template: Template, agent: str) -> set[str]:
    """Every action that an agent is allowed."""
    return {action for statement in statements_of(template, agent) for action in listed(statement["Action"])}


def resources_for(template: Template, agent: str, action: str) -> list[str]:
    """What an agent may do `action` to, as text."""
    return [
        json.dumps(resource)
        for statement in statements_of(template, agent)
        if action in listed(statement["Action"])
        for resource in listed(statement["Resource"])
    ]


def listed(value: Any) -> list[Any]:
    """A value that a template may write alone or in a list."""
    return value if isinstance(value, list) else [value]


def all_statements(template: Template) -> Iterator[Resource]:
    """Every statement of every identity policy."""
    for policy in of_type(template, "AWS::IAM::Policy").values():
        yield from policy["Properties"]["PolicyDocument"]["Statement"]
