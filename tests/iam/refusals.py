"""Which calls of a deployment its policies refuse, and which policies let in more than they should."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.iam.deployed_account import Account
from tests.iam.evaluation import ACCOUNT, Request, Statement
from tests.iam.own_calls import own_calls
from tests.iam.service_calls import EVENTS, service_calls

SOURCES = ("aws:sourcearn", "aws:sourceaccount", "kms:encryptioncontext:")
PASSED = ("lambda.amazonaws.com", "apigateway.amazonaws.com")
"""Services that bring no source when they take a role: it is a role of their own account, passed by `iam:PassRole`."""


def refused(account: Account) -> list[str]:
    """Every call that the deployment comes to make and that a policy does not let through, each once."""
    calls = (call for calls in (service_calls, own_calls) for call in calls(account))
    return sorted({shown(call) for call in calls if not account.allows(call)})


def shown(call: Request) -> str:
    return f"{call.principal} {call.action} {call.resource} {json.dumps(dict(call.context))}"


def confused(account: Account) -> list[str]:
    """Statements that let a service in without asking for whose sake it comes."""
    return sorted(f"{owner} {json.dumps(one)}" for owner, one in account.policies if lets_anybody(owner, one))


def lets_anybody(owner: str, statement: Statement) -> bool:
    services = list(services_in(statement))
    if statement["Effect"] != "Allow" or not services or (set(services) <= set(PASSED) and ":role/" in owner):
        return False
    # EventBridge brings no condition to a topic, so that none can be asked of it.
    if services == [EVENTS] and ":sns:" in owner:
        return False
    conditions = statement.get("Condition", {})
    keys = [key.lower() for operator in conditions.values() for key in operator]
    return not any(key.startswith(SOURCES) for key in keys) or ACCOUNT not in json.dumps(conditions)


def services_in(statement: Statement) -> Iterator[str]:
    """Services that a statement names."""
    principal = statement.get("Principal")
    named = principal.get("Service", ()) if isinstance(principal, dict) else ()
    yield from [named] if isinstance(named, str) else named
